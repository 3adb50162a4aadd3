#!/usr/bin/env bash
# Builds the page into web/dist: the engine as WebAssembly, then the TypeScript around it. Needs cargo, and node with npm.
# DESC_PAGE=dev: faster, and larger.
set -euo pipefail
cd "$(dirname "$0")"
rustup target add wasm32-unknown-unknown > /dev/null 2>&1 || true
profile=${DESC_PAGE:-release}
folder=$([ "$profile" = dev ] && echo debug || echo "$profile")
target=${CARGO_TARGET_DIR:-target}
cargo build --locked --quiet --profile "$profile" --target wasm32-unknown-unknown -p desc-web
[ -d node_modules ] || npm ci --silent
mkdir -p build
# What rustc may use, and nothing that browsers got later: with every feature allowed, wasm-opt writes types that those of 2023 refuse.
features=()
for feature in bulk-memory bulk-memory-opt sign-ext nontrapping-float-to-int mutable-globals multivalue reference-types; do
    features+=("--enable-$feature")
done
node_modules/.bin/wasm-opt -Oz --mvp-features "${features[@]}" "$target/wasm32-unknown-unknown/$folder/desc_web.wasm" -o build/engine.wasm
node_modules/.bin/tsc --noEmit
node bundle.mjs
