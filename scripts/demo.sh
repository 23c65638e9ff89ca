#!/usr/bin/env bash
# Sets up, builds the tool, exports the sample archive and looks at the result; then exports a program without engines and
# runs it on the CPU.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh
cmake --preset release -DPTEC_BUILD_TESTS=OFF -DPTEC_BUILD_BENCH=OFF \
  -DPython3_EXECUTABLE="$PWD/.venv/bin/python" >/dev/null
cmake --build --preset release --target ptec_cli ptec-run
ptec="$(find build/release -type f -name ptec -perm -u+x | head -n 1)"
out=build/demo
mkdir -p "$out"

show() {
  echo
  echo "\$ $*"
  "$@"
}
show "$ptec" export samples/fallback_ops.pt2 -o "$out/fallback_ops.pte"
show cmp "$out/fallback_ops.pte" samples/fallback_ops.pte
echo "same bytes as the reference exporter's"
show "$ptec" inspect "$out/fallback_ops.pte"
show "$ptec" export tests/fixtures/zero_engine.pt2 -o "$out/zero_engine.pte"
show "$ptec" run "$out/zero_engine.pte" --input ones:2x4:float32
