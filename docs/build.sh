#!/bin/sh
# Builds the site into docs/book: the manual, and the playground (web/) inside it. It needs cargo and node; mdBook is had by `docs/mdbook`.
# The colours of `.des` come from the editors' own table.
set -e
cd "$(dirname "$0")"
mdbook=$(./mdbook)
cp ../editors/highlight.js/des.js highlight/des.js
"$mdbook" build

# The casebook links to its files: each becomes a page, so that a browser shows it instead of saving it.
cp highlight/des.js highlight/colour.js highlight/model.css book/
(cd ../examples && find . -name '*.des') | while read -r file; do
    top=$(dirname "$file" | sed 's|^\.$||; s|^\./||; s|[^/][^/]*|..|g; s|$|/|; s|^/$||')
    mkdir -p "book/$(dirname "$file")"
    {
        echo "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
        echo "<title>${file#./}</title><link rel=\"icon\" href=\"${top}playground/icon.svg\"><link rel=\"stylesheet\" href=\"${top}model.css\"><p><a href=\"${top}casebook.html\">The casebook</a> / ${file#./}</p>"
        echo "<pre><code class=\"language-des\">$(sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' "../examples/$file")</code></pre>"
        echo "<script src=\"${top}des.js\"></script><script src=\"${top}colour.js\"></script></html>"
    } > "book/$file.html"
done
for page in book/casebook.html book/print.html; do
    sed 's|href="\([a-z0-9_/]*\.des\)"|href="\1.html"|g; s|href="\([a-z]*\)/README.html"|href="casebook.html"|g' "$page" > "$page.new" && mv "$page.new" "$page"
done

# The playground is a folder of the site: every model of the manual has a link into it.
../web/build.sh
rm -rf book/playground
cp -r ../web/dist book/playground
echo "built docs/book/index.html and docs/book/playground/index.html"
