#!/usr/bin/env bash
# Sets up, builds everything optimised with the library's assertions on, and runs every test.
# Arguments go to ctest, for example `scripts/test.sh -LE large` or `scripts/test.sh -R Output`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh
cmake --preset ci -DPython3_EXECUTABLE="$PWD/.venv/bin/python"
cmake --build --preset ci
ctest --preset ci --no-label-summary --parallel "$(nproc)" "$@"
