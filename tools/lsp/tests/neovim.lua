-- Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- A session of Neovim (0.7.2 or later) with `divcost lsp`: open, look, type, break the code, undo,
-- save, let the server's edits be made, close. Called by test_clients.py, with what it needs in the
-- environment. Prints "ok" at its end; anything else is a failure.
local folder = vim.env.SESSION
local buffer
local function fail(text)
  io.stderr:write("FAIL " .. text .. "\n")
  vim.cmd("cquit 1")
end
local function wait(what, holds)
  if not vim.wait(20000, holds, 10) then
    fail("waited in vain: " .. what .. "; there are: " .. vim.inspect(vim.tbl_map(function(d)
      return { d.lnum, d.code, d.message }
    end, vim.diagnostic.get(buffer))))
  end
end

local jumps -- what "show the chain" was answered
vim.lsp.commands["divcost.showChain"] = function(command, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  client.request("workspace/executeCommand", command, function(error, result)
    jumps = error or result
  end)
end

vim.cmd("edit " .. folder .. "/rows.cu")
buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({
  name = "divcost",
  cmd = { vim.env.DIVCOST, "lsp" },
  root_dir = folder,
  init_options = { flags = vim.split(vim.env.FLAGS, " "), plugin = vim.env.PLUGIN, showsChain = true },
})
vim.lsp.buf_attach_client(buffer, id)

local function found()
  local list = vim.diagnostic.get(buffer)
  table.sort(list, function(a, b) return a.lnum < b.lnum end)
  return list
end
local function ask(method, parameters)
  parameters.textDocument = vim.lsp.util.make_text_document_params(buffer)
  local answers, error = vim.lsp.buf_request_sync(buffer, method, parameters, 5000)
  local answer = answers and answers[id]
  if not answer or answer.err then
    fail(method .. ": " .. vim.inspect(error or answer))
  end
  return answer.result
end
local function line_with(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    if line:find(text, 1, true) then
      return number - 1
    end
  end
end

-- open
wait("the warning", function() return #found() == 1 end)
local warning = found()[1]
if warning.severity ~= vim.diagnostic.severity.WARN or warning.source ~= "divcost"
  or warning.lnum ~= line_with("for (int j") or not warning.message:find("of the kernel's issue cycles are lost") then
  fail(vim.inspect(warning))
end

-- hover and lenses
local hover = ask("textDocument/hover", { position = { line = warning.lnum, character = 12 } })
if hover.contents.kind ~= "markdown" or not hover.contents.value:find("data-dependent", 1, true) then
  fail(vim.inspect(hover))
end
vim.api.nvim_win_set_cursor(0, { warning.lnum + 1, 3 })
vim.lsp.buf.hover()
wait("the hover's window", function() return #vim.api.nvim_list_wins() == 2 end)
local lenses = ask("textDocument/codeLens", {})
if #lenses ~= 2 or not lenses[2].command.title:find("of the kernel", 1, true) then
  fail(vim.inspect(lenses))
end

-- type: lines above move what is shown, and what is unsaved is analysed
vim.api.nvim_buf_set_lines(buffer, 0, 0, false, { "// one", "// two \u{1f600}" })
local moved = warning.lnum + 2
wait("the warning two lines further down", function()
  local list = found()
  return #list == 1 and list[1].lnum == moved
end)
if ask("textDocument/hover", { position = { line = moved, character = 12 } }) == vim.NIL then
  fail("no hover two lines further down")
end

-- break the code, and undo
vim.cmd("let &undolevels = &undolevels") -- what comes is undone by itself
local body = line_with("sum +=")
vim.api.nvim_buf_set_lines(buffer, body, body + 1, false, { "    sum += no_such_name;" })
wait("the error", function()
  local list = found()
  return #list == 2 and list[2].code == "divcost-not-analysed" and list[2].lnum == body
end)
vim.cmd("undo")
wait("the end of the error", function()
  return #found() == 1 and found()[1].lnum == moved
end)

-- let the launch be said, and that the loop is ignored, and save
local function actions_at(line)
  local by_title = {}
  for _, action in ipairs(ask("textDocument/codeAction", {
    range = { start = { line = line, character = 2 }, ["end"] = { line = line, character = 2 } },
    context = { diagnostics = {} },
  })) do
    by_title[action.title:match("^%S+ %S+")] = action
  end
  return by_title
end
local function lines_above(text, expected)
  local line = line_with(text)
  local above = vim.api.nvim_buf_get_lines(buffer, line - #expected, line, false)
  if not vim.deep_equal(above, expected) then
    fail(vim.inspect(above))
  end
end
vim.lsp.util.apply_workspace_edit(actions_at(line_with("__global__"))["Say how"].edit, "utf-16")
lines_above("__global__", { "#include <divcost.h>", "DIVCOST_LAUNCH(block=256)" })
moved = line_with("for (int j")
wait("the analysis with a launch", function()
  local list = found()
  return #list == 1 and list[1].lnum == moved and actions_at(line_with("__global__"))["Say how"] == nil
    and actions_at(line_with("__global__"))["Open the"] ~= nil
end)
local by_title = actions_at(moved)
vim.lsp.util.apply_workspace_edit(by_title["Ignore this"].edit, "utf-16")
lines_above("for (int j", { '  DIVCOST_IGNORE("reason")' })
moved = moved + 1
vim.cmd("write")
wait("silence", function() return #found() == 0 end)

-- show the chain
local command = by_title["Show why"].command
command.arguments[2] = moved
vim.lsp.commands[command.command](command, { client_id = id })
wait("the chain", function() return jumps ~= nil end)
if #jumps < 2 or not jumps[#jumps].message:find("threadIdx", 1, true) then
  fail(vim.inspect(jumps))
end

-- close
vim.cmd("bdelete! " .. buffer)
vim.lsp.stop_client(id)
wait("the end of the server", function() return vim.lsp.get_client_by_id(id) == nil end)
io.stdout:write("ok\n")
vim.cmd("qall!")
