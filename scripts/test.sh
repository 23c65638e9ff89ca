#!/usr/bin/env bash
# Sets up, builds everything optimised with the library's assertions on, and runs every test but those that need 12 GiB of
# free disk; `--large` as first argument adds them. Other arguments go to ctest, for example `scripts/test.sh -R Output`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

labels=(-LE large)
if [[ "${1:-}" == --large ]]; then
  labels=()
  shift
fi

scripts/setup.sh
cmake --preset ci -DPython3_EXECUTABLE="$PWD/.venv/bin/python"
cmake --build --preset ci
ctest --preset ci --no-label-summary --parallel "$(nproc)" "${labels[@]}" "$@"
