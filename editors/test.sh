#!/usr/bin/env bash
# Tries every editor's files in that editor or its engine. What is not installed is skipped, and said.
#     editors/test.sh            everything that is installed here
#     editors/test.sh vim emacs  only these
# With DESC=path/to/desc, Neovim and Emacs are also attached to the real server, and VS Code's commands run the real program.
set -uo pipefail
cd "$(dirname "$0")"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
tour=$PWD/test/tour.des
# Every text of the project that should be coloured without faults.
root=$(cd .. && pwd)
mapfile -t texts < <(cd "$root" && git ls-files 'examples/*.des' 'tests/fixtures/parse/*.des' 'tests/fixtures/format/*.des' 'tests/fixtures/check/*.des' | grep -v '/err/' | sed "s|^|$root/|")

pass() { echo "pass  $1"; }
skip() { echo "skip  $1: $2"; }
fail() { echo "FAIL  $1"; sed 's/^/      /' "$2" | tail -40; failed=1; }
have() { command -v "$1" >/dev/null 2>&1; }
# run NAME COMMAND...: passes if the command does.
run() {
    local name=$1; shift
    if "$@" >"$scratch/out" 2>&1 </dev/null; then pass "$name"; else fail "$name" "$scratch/out"; fi
}

try_vim() {
    have vim || { skip vim "vim is not installed"; return; }
    run "vim: colours, indentation, quickfix" env DES_TEST_OUT="$scratch/vim" timeout 60 vim -Nu NONE -es -S vim/test.vim
    [ ! -s "$scratch/vim" ] || sed 's/^/      /' "$scratch/vim"
}

try_neovim() {
    have nvim || { skip neovim "nvim is not installed"; return; }
    run "neovim: colours, indentation, quickfix" env DES_TEST_OUT="$scratch/nvim" timeout 60 nvim --headless -u NONE -es -S vim/test.vim
    [ ! -s "$scratch/nvim" ] || sed 's/^/      /' "$scratch/nvim"
    have cc || { skip "neovim: tree-sitter" "there is no C compiler"; return; }
    mkdir -p "$scratch/runtime/parser"
    cc -O1 -shared -fPIC -I tree-sitter-des/src tree-sitter-des/src/parser.c -o "$scratch/runtime/parser/des.so" || failed=1
    run "neovim: tree-sitter parser and queries" env DES_TEST=queries timeout 60 nvim --headless -u NONE \
        --cmd "set rtp^=$scratch/runtime,$PWD/vim,$PWD/neovim" -c "luafile neovim/run.lua"
    printf '%s\n' "$tour" ${texts[@]+"${texts[@]}"} >"$scratch/texts"
    run "neovim: tree-sitter corpus, and ${#texts[@]} examples and fixtures without error nodes" env DES_TEST=corpus DES_TEXTS="$scratch/texts" \
        timeout 120 nvim --headless -u NONE --cmd "set rtp^=$scratch/runtime" -c "luafile neovim/run.lua"
    [ -n "${DESC:-}" ] || { skip "neovim: language server" "DESC does not name a binary"; return; }
    run "neovim: language server" env DES_TEST=server DESC="$DESC" timeout 60 nvim --headless -u NONE \
        --cmd "set rtp^=$PWD/vim,$PWD/neovim" -c "luafile neovim/run.lua"
}

try_emacs() {
    have emacs || { skip emacs "emacs is not installed"; return; }
    run "emacs: major mode" timeout 60 emacs -Q --batch -L emacs -l emacs/des-mode-test.el -f ert-run-tests-batch-and-exit
    run "emacs: compiles without warnings" timeout 60 emacs -Q --batch -L emacs --eval '(setq byte-compile-error-on-warn t byte-compile-dest-file-function (lambda (_) "'"$scratch"'/des-mode.elc"))' -f batch-byte-compile emacs/des-mode.el
    run "emacs: the tree-sitter mode loads, and is the plain one where there is no tree-sitter" timeout 60 emacs -Q --batch -L emacs -l emacs/des-ts-mode.el \
        "$tour" --eval "(progn (des-ts-mode) (font-lock-ensure) (unless (and (derived-mode-p 'des-mode) (text-property-not-all (point-min) (point-max) 'face nil)) (kill-emacs 1)))"
    [ -n "${DESC:-}" ] || { skip "emacs: language server" "DESC does not name a binary"; return; }
    # Not -Q: that would hide the packages of the system.
    emacs -q --batch -f package-initialize --eval "(require 'eglot)" >/dev/null 2>&1 || { skip "emacs: language server" "eglot is not installed"; return; }
    run "emacs: language server, by eglot" env DESC="$DESC" timeout 120 emacs -q --batch -f package-initialize -L emacs \
        -l emacs/eglot-test.el -f ert-run-tests-batch-and-exit
}

try_tree_sitter() {
    # The generator alone is built in a minute; the whole program takes five.
    if ! have cargo || ! have node; then skip "tree-sitter: src/ is what grammar.js says" "cargo and node are needed";
    elif ! timeout 120 cargo fetch --quiet --locked --manifest-path tree-sitter-des/generate/Cargo.toml 2>/dev/null; then skip "tree-sitter: src/ is what grammar.js says" "no registry in reach";
    else run "tree-sitter: src/ is what grammar.js says" timeout 600 cargo run --quiet --locked --manifest-path tree-sitter-des/generate/Cargo.toml -- --check; fi
    have tree-sitter || { skip "tree-sitter: its own tests" "tree-sitter is not installed (five minutes: cargo install tree-sitter-cli --version 0.27.1 --locked)"; return; }
    run "tree-sitter: corpus and queries" timeout 120 bash -c 'cd tree-sitter-des && tree-sitter test'
    run "tree-sitter: ${#texts[@]} examples and fixtures, and the tour, without error nodes" bash -c 'cd tree-sitter-des && tree-sitter parse --quiet "$@"' _ "$tour" ${texts[@]+"${texts[@]}"}
    for query in highlights folds indents locals tags; do
        run "tree-sitter: $query.scm" bash -c 'cd tree-sitter-des && tree-sitter query "queries/$0.scm" "$1" | grep -q capture' "$query" "$tour"
    done
}

try_textmate() {
    have npx || { skip textmate "npm is not installed"; return; }
    [ -d vscode/node_modules ] || { skip textmate "run \`npm ci\` in editors/vscode first"; return; }
    run "textmate: scopes" bash -c 'cd vscode && npm test'
    for text in "$tour" ${texts[@]+"${texts[@]}"}; do
        (cd vscode && node screenshot.js "$text") >"$scratch/page.html" || failed=1
        if grep -o 'color:red">[^<]*' "$scratch/page.html" >"$scratch/red"; then fail "textmate: text without a scope in ${text##*/}" "$scratch/red"; fi
    done
    pass "textmate: looked at $((${#texts[@]} + 1)) texts for words without a scope"
}

try_vscode() {
    have npx || { skip vscode "npm is not installed"; return; }
    [ -d vscode/node_modules ] || { skip vscode "run \`npm ci\` in editors/vscode first"; return; }
    run "vscode: what the extension registers, starts and shows, with a stand-in for VS Code" node --test vscode/test/extension.test.js
    run "vscode: the extension packs" bash -c 'cd vscode && ./pack.sh "$0/desc.vsix"' "$scratch"
}

try_highlightjs() {
    have node || { skip highlight.js "node is not installed"; return; }
    [ -d highlight.js/node_modules ] || { skip highlight.js "run \`npm ci\` in editors/highlight.js first"; return; }
    run "highlight.js: scopes" bash -c 'cd highlight.js && npm test'
}

try_sublime() {
    local bat; bat=$(command -v bat || command -v batcat) || { skip sublime "bat is not installed"; return; }
    mkdir -p "$scratch/bat/syntaxes" && cp sublime/des.sublime-syntax "$scratch/bat/syntaxes/"
    run "sublime: bat reads the syntax" "$bat" cache --build --source "$scratch/bat" --target "$scratch/cache"
    BAT_CACHE_PATH=$scratch/cache "$bat" --color always --style plain --theme "Monokai Extended" --language desc "$tour" >"$scratch/coloured"
    # A keyword, an event and a horizon have colours of their own.
    run "sublime: bat colours the tour" bash -c '[ "$(grep -o "\[38;5;[0-9]*m" "$0" | sort -u | wc -l)" -ge 6 ]' "$scratch/coloured"
}

# The lines of README.md that a user pastes, as they stand there: the NTHth block of a language.
snippet() {
    awk -v mark='```'"$1" -v wanted="${2:-1}" '$0 == mark && ++seen == wanted { inside = 1; next } /^```/ { inside = 0 } inside' README.md | sed "s|CLONE|$root|g"
}

try_snippets() {
    if have vim; then
        snippet vim >"$scratch/vimrc"
        run "snippets: vim" timeout 60 vim -N -u "$scratch/vimrc" -es "$tour" -c 'if &filetype != "des" || &makeprg !~ "desc" || synIDattr(synID(1, 1, 1), "name") == "" | cquit | endif' -c 'quit!'
    else skip "snippets: vim" "vim is not installed"; fi
    if have nvim; then
        snippet lua >"$scratch/init.lua"
        run "snippets: neovim" timeout 60 nvim --headless -u "$scratch/init.lua" "$tour" -c 'lua if vim.bo.filetype ~= "des" or #vim.api.nvim_get_autocmds({ group = "des" }) == 0 then vim.cmd("cquit") end' -c 'quit!'
        have cc && run "snippets: neovim's parser" bash -c "$(snippet sh 2 | sed "s|$root/editors/neovim/parser|$scratch/parser|g")"
    else skip "snippets: neovim" "nvim is not installed"; fi
    if have emacs; then
        # Without eglot, which not every Emacs has; that line is tried in the test of the server.
        snippet elisp | grep -v eglot >"$scratch/init.el"
        run "snippets: emacs" timeout 60 emacs -Q --batch -l "$scratch/init.el" "$tour" --eval "(unless (eq major-mode 'des-mode) (kill-emacs 1))"
    else skip "snippets: emacs" "emacs is not installed"; fi
    local bat; if bat=$(command -v bat || command -v batcat); then
        # In a folder of its own: beside a file called `cache`, bat takes `bat cache` for that file.
        mkdir -p "$scratch/user" && cp "$tour" "$scratch/user/model.des"
        run "snippets: bat" env HOME="$scratch/user" XDG_CONFIG_HOME="$scratch/user/config" \
            BAT_CONFIG_DIR="$scratch/user/bat" BAT_CACHE_PATH="$scratch/user/cached" bash -ec 'cd "$0"; eval "$1"' "$scratch/user" "$(snippet sh 5)"
    else skip "snippets: bat" "bat is not installed"; fi
}

engines=("$@")
[ ${#engines[@]} -gt 0 ] || engines=(vim neovim emacs tree_sitter textmate vscode highlightjs sublime snippets)
for engine in "${engines[@]}"; do "try_${engine//-/_}"; done
exit $failed
