#!/bin/sh
# Builds the manual into docs/book with mdBook 0.5 (`cargo install mdbook`). The colours of `.des` come from the editors' own table.
set -e
cd "$(dirname "$0")"
command -v mdbook > /dev/null || { echo "mdbook is missing: cargo install mdbook" >&2; exit 1; }
cp ../editors/highlight.js/des.js highlight/des.js
mdbook build
echo "built docs/book/index.html"
