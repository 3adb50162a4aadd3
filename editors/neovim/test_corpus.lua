-- Run by editors/test.sh: the corpus of the tree-sitter grammar, and every example and fixture, in Neovim's own tree-sitter. It needs
-- no tree-sitter program, only the compiled parser. DES_TEXTS names a file with one path a line.
local folder = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h") .. "/../tree-sitter-des/test/corpus"

local function read(path)
  return table.concat(vim.fn.readfile(path), "\n") .. "\n"
end

local function root(text)
  return vim.treesitter.get_string_parser(text, "des"):parse()[1]:root()
end

-- A tree as the corpus writes it: without the names of fields, and with one space between words.
local function normal(tree)
  return (tree:gsub("[%w_]+:%s*", ""):gsub("%s+", " "):gsub("%s*%)", ")"):gsub("^%s+", ""):gsub("%s+$", ""))
end

-- The cases of a file: title, text, tree.
local function cases(path)
  local found, title, part = {}, nil, nil
  local lines = vim.fn.readfile(path)
  local at = 1
  while at <= #lines do
    if lines[at]:match("^===+$") and lines[at + 2] and lines[at + 2]:match("^===+$") then
      title, part = lines[at + 1], "text"
      table.insert(found, { title = title, text = "", tree = "" })
      at = at + 2
    elseif lines[at]:match("^%-%-%-+$") and part == "text" then
      part = "tree"
    elseif part then
      found[#found][part] = found[#found][part] .. lines[at] .. "\n"
    end
    at = at + 1
  end
  return found
end

local count = 0
for _, path in ipairs(vim.fn.glob(folder .. "/*.txt", false, true)) do
  for _, case in ipairs(cases(path)) do
    local expected, actual = normal(case.tree), normal(root(case.text):sexpr())
    assert(expected == actual, case.title .. ":\n  expected " .. expected .. "\n  found    " .. actual)
    count = count + 1
  end
end
assert(count >= 11, "only " .. count .. " cases in the corpus")
for _, path in ipairs(vim.fn.readfile(vim.env.DES_TEXTS)) do
  assert(not root(read(path)):has_error(), path .. " has an error node")
end
