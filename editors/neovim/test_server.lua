-- Run by editors/test.sh with DESC=path/to/desc: Neovim attached to the real server.
local folder = vim.fn.tempname()
vim.fn.mkdir(folder, "p")
local file = folder .. "/model.des"
vim.fn.writefile({
  "system S {",
  "    states A, B;",
  "    initial A;",
  "    events a;",
  "    A -a-> C;",
  "    check current-state;",
  "}",
}, file)
vim.cmd("filetype plugin on")
require("des").setup({ cmd = { vim.env.DESC, "lsp" } })
vim.cmd("edit " .. vim.fn.fnameescape(file))
local buffer = vim.api.nvim_get_current_buf()
local function shown(pattern)
  return vim.wait(30000, function()
    for _, one in ipairs(vim.diagnostic.get(buffer)) do
      if one.message:match(pattern) then
        return true
      end
    end
    return false
  end, 50)
end
assert(shown("unknown state"), "the unknown state is not reported")
-- An edit repairs it, and the check is decided.
vim.api.nvim_buf_set_lines(buffer, 4, 5, false, { "    A -a-> B;" })
assert(shown("current%-state"), "the violated check is not reported")
assert(not vim.inspect(vim.diagnostic.get(buffer)):match("unknown state"), "the fault stays")
local function ask(method, line, character)
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    position = { line = line, character = character },
  }
  for _, answer in pairs(vim.lsp.buf_request_sync(buffer, method, params, 30000) or {}) do
    return answer.result
  end
end
-- The verdict is a lens above the check, without anybody asking for it.
assert(vim.wait(30000, function()
  return vim.inspect(vim.lsp.codelens.get(buffer)):match("violated") ~= nil
end, 50), "no lens with the verdict: " .. vim.inspect(vim.lsp.codelens.get(buffer)))
assert(vim.inspect(ask("textDocument/hover", 1, 11)):match("state `A`"), "no hover")
assert(ask("textDocument/definition", 4, 11).range.start.line == 1, "no definition")
assert(vim.inspect(ask("textDocument/completion", 4, 11)):match('"B"'), "no completion")
