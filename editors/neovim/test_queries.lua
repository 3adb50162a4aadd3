-- Run by editors/test.sh: every query compiles in Neovim's own tree-sitter, and the tour parses without errors.
local here = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h")
local text = table.concat(vim.fn.readfile(here .. "/../test/tour.des"), "\n")
local tree = vim.treesitter.get_string_parser(text, "des"):parse()[1]
assert(not tree:root():has_error(), "the tour does not parse")
for _, name in ipairs({ "highlights", "folds", "indents", "locals", "tags" }) do
  local files = vim.api.nvim_get_runtime_file("queries/des/" .. name .. ".scm", false)
  assert(#files == 1, name .. ".scm is not found")
  local parse = vim.treesitter.query and vim.treesitter.query.parse or vim.treesitter.parse_query
  local query = parse("des", table.concat(vim.fn.readfile(files[1]), "\n"))
  local count = 0
  for _ in query:iter_captures(tree:root(), text, 0, -1) do
    count = count + 1
  end
  assert(count > 0, name .. ".scm captures nothing")
end
-- What des-ts-mode of Emacs asks of the same trees: its captures are faces.
local emacs = here .. "/../tree-sitter-des/queries/emacs/highlights.scm"
local parse = vim.treesitter.query and vim.treesitter.query.parse or vim.treesitter.parse_query
local query, faces = parse("des", table.concat(vim.fn.readfile(emacs), "\n")), {}
for id in query:iter_captures(tree:root(), text, 0, -1) do
  faces[query.captures[id]] = true
end
for _, face in ipairs({ "keyword", "type", "function-name", "constant", "builtin", "doc", "string" }) do
  assert(faces["font-lock-" .. face .. "-face"], "emacs/highlights.scm captures no " .. face)
end
require("des").setup({})
