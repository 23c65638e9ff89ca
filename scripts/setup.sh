#!/usr/bin/env bash
# Installs what building and testing need: packages of Debian 12, and the ExecuTorch runtime in .venv.
# Quick when everything is there. `--checks` adds the second compiler that .ci/run uses.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(
  g++ cmake ninja-build pkg-config python3-venv ca-certificates
  flatbuffers-compiler libflatbuffers-dev libsimdjson-dev libdeflate-dev libcli11-dev libfmt-dev
  libmimalloc-dev libxxhash-dev libgtest-dev librapidcheck-dev libzip-dev
)
if [[ "${1:-}" == --checks ]]; then
  packages+=(clang-14 libclang-rt-14-dev)
elif [[ $# -gt 0 ]]; then
  echo "usage: scripts/setup.sh [--checks]" >&2
  exit 2
fi

missing=()
for package in "${packages[@]}"; do
  status="$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)"
  [[ "$status" == "install ok installed" ]] || missing+=("$package")
done
if (( ${#missing[@]} > 0 )); then
  if [[ "$(id -u)" != 0 ]]; then
    echo "missing packages; as root, run:" >&2
    echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi

# The C++ runtime comes out of the wheel; torch and its other dependencies are not needed.
executorch=1.5.1
if ! compgen -G ".venv/lib/python3*/site-packages/executorch-$executorch.dist-info/RECORD" >/dev/null; then
  python3 -m venv .venv
  .venv/bin/pip install --quiet --disable-pip-version-check --no-deps --no-compile "executorch==$executorch"
fi
