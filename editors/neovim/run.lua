-- Run by editors/test.sh: the test beside this file that DES_TEST names (`server` is test_server.lua). A fault ends Neovim with 1.
--     DES_TEST=queries nvim --headless -u NONE --cmd "set rtp^=FOLDER_OF_PARSER,editors/vim,editors/neovim" -c "luafile editors/neovim/run.lua"
local here = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h")
local ok, fault = pcall(dofile, here .. "/test_" .. vim.env.DES_TEST .. ".lua")
if not ok then
  io.stderr:write(tostring(fault) .. "\n")
  vim.cmd("cquit 1")
end
vim.cmd("qall!")
