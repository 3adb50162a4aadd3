-- Neovim and `desc`: the file type, the language server, and the tree-sitter parser if it was built.
--     require("des").setup({ cmd = { "desc", "lsp" } })
-- Neovim 0.7 or later; inlay hints need 0.10.

local M = {}

local defaults = {
  cmd = { "desc", "lsp" },
  -- What the server is told at its start: `verify = { enabled, timeout (seconds), memory (MiB) }`, and where verdicts go.
  init_options = { verify = { enabled = true, timeout = 5, memory = 512 }, verdicts = "both" },
  inlay_hints = true,
  on_attach = function() end,
}

-- The folder of the nearest repository, else of the file.
local function root_of(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  local folder = file ~= "" and vim.fn.fnamemodify(file, ":p:h") or vim.fn.getcwd()
  local git = vim.fn.finddir(".git", folder .. ";")
  return git ~= "" and vim.fn.fnamemodify(git, ":p:h:h") or folder
end

local function client_options(options, buffer)
  return {
    name = "desc",
    cmd = options.cmd,
    root_dir = root_of(buffer),
    init_options = options.init_options,
    on_attach = function(client, attached)
      if options.inlay_hints and vim.lsp.inlay_hint and client.server_capabilities.inlayHintProvider then
        vim.lsp.inlay_hint.enable(true, { bufnr = attached })
      end
      options.on_attach(client, attached)
    end,
  }
end

local running -- before 0.8 there is no `vim.lsp.start`: one client, kept here

local function attach(options, buffer)
  if vim.fn.executable(options.cmd[1]) == 0 then
    vim.notify("desc: `" .. options.cmd[1] .. "` is not on the PATH", vim.log.levels.WARN)
    return
  end
  if vim.lsp.start then
    vim.lsp.start(client_options(options, buffer), { bufnr = buffer })
    return
  end
  if not running or vim.lsp.client_is_stopped(running) then
    running = vim.lsp.start_client(client_options(options, buffer))
  end
  vim.lsp.buf_attach_client(buffer, running)
end

local function start_treesitter(buffer)
  if #vim.api.nvim_get_runtime_file("parser/des.so", false) > 0 and vim.treesitter.start then
    vim.treesitter.start(buffer, "des")
  end
end

function M.setup(given)
  local options = vim.tbl_deep_extend("force", defaults, given or {})
  local group = vim.api.nvim_create_augroup("des", { clear = true })
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = "des",
    callback = function(event)
      start_treesitter(event.buf)
      attach(options, event.buf)
    end,
  })
end

return M
