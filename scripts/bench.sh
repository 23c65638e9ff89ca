#!/usr/bin/env bash
# Builds with optimisation and measures. Needs 2 GiB of free disk; fails when a figure is over its limit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh
cmake -S . -B build/bench -G Ninja -DCMAKE_BUILD_TYPE=Release -DPTEC_BUILD_TESTS=OFF \
  -DPTEC_BUILD_RUNNER=OFF -DPTEC_BUILD_BENCH=ON >/dev/null
cmake --build build/bench --target ptec_cli ptec-bench
exec build/bench/bench/ptec-bench --scratch build/bench/scratch "$@"
