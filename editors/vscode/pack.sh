#!/usr/bin/env bash
# Packs the extension: editors/vscode/pack.sh [desc.vsix]. Needs node and npm; `code --install-extension desc.vsix` installs it.
set -euo pipefail
out=$(realpath -m "${1:-desc.vsix}")
cd "$(dirname "$0")"
[ -d node_modules ] || npm ci --no-audit --no-fund
cp ../../LICENSE-MIT LICENSE
trap 'rm -f LICENSE' EXIT
npx vsce package --no-dependencies --allow-missing-repository --no-rewrite-relative-links --out "$out"
