-- Neovim and `desc`: the file type, the language server, and the tree-sitter parser if it was built.
--     require("des").setup({ cmd = { "desc", "lsp" } })
-- Neovim 0.7 or later; inlay hints need 0.10.

local M = {}

local defaults = {
  cmd = { "desc", "lsp" },
  -- What the server is told at its start: `verify = { enabled, timeout (seconds), memory (MiB) }`, and where verdicts go.
  init_options = { verify = { enabled = true, timeout = 5, memory = 512 }, verdicts = "both" },
  inlay_hints = true,
  -- The verdict above each check, with a button; Neovim asks for lenses only when it is told to.
  code_lenses = true,
  on_attach = function() end,
}

-- The folder of the nearest repository, else of the file.
local function root_of(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  local folder = file ~= "" and vim.fn.fnamemodify(file, ":p:h") or vim.fn.getcwd()
  local git = vim.fn.finddir(".git", folder .. ";")
  return git ~= "" and vim.fn.fnamemodify(git, ":p:h:h") or folder
end

local lenses = vim.lsp.codelens or {}

-- Asks for the verdicts of a buffer again: when it is entered or changed, and when the server has new ones.
local function refresh_lenses(buffer)
  if lenses.enable then -- 0.12 keeps them up to date itself
    lenses.enable(true, { bufnr = buffer })
  elseif lenses.refresh then
    vim.api.nvim_buf_call(buffer, function() lenses.refresh(vim.fn.has("nvim-0.10") == 1 and { bufnr = buffer } or nil) end)
  end
end

local function keep_lenses(buffer)
  refresh_lenses(buffer)
  if not lenses.enable then
    vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "TextChanged", "CursorHold" }, {
      group = vim.api.nvim_create_augroup("des_lenses_" .. buffer, { clear = true }),
      buffer = buffer,
      callback = function() refresh_lenses(buffer) end,
    })
  end
end

-- The server has new verdicts. Neovim before 0.12 has no answer to this request.
local function on_new_verdicts(_, _, context)
  for _, buffer in ipairs(vim.lsp.get_buffers_by_client_id(context.client_id)) do
    refresh_lenses(buffer)
  end
  return vim.NIL
end

local function client_options(options, buffer)
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  local handlers = {}
  if options.code_lenses and not lenses.enable then
    capabilities.workspace.codeLens = { refreshSupport = true }
    handlers["workspace/codeLens/refresh"] = on_new_verdicts
  end
  return {
    capabilities = capabilities,
    handlers = handlers,
    name = "desc",
    cmd = options.cmd,
    root_dir = root_of(buffer),
    init_options = options.init_options,
    on_attach = function(client, attached)
      if options.inlay_hints and vim.lsp.inlay_hint and client.server_capabilities.inlayHintProvider then
        vim.lsp.inlay_hint.enable(true, { bufnr = attached })
      end
      if options.code_lenses then
        keep_lenses(attached)
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
