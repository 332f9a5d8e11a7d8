-- The tour that the test of neovim makes: each line says what was seen. The file has mistakes.
local function say(what, ...) io.stdout:write(what .. ': ' .. table.concat(vim.tbl_map(tostring, { ... }), ' | ') .. '\n') end
local function wait(what, done) if not vim.wait(20000, done, 20) then say('late', what) end end
local function position(line, char) return { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = line, character = char } } end
local function ask(method, params)
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 30000) or {}) do
    if answer.error then say('error', method, answer.error.message) end
    return answer.result
  end
end

wait('mistakes', function() return #vim.diagnostic.get(0) > 0 end)
for _, d in ipairs(vim.diagnostic.get(0)) do say('mistake', d.lnum + 1, d.col + 1, (d.message:gsub('\n', ' / '))) end
local words = {}
for _, item in ipairs(ask('textDocument/completion', position(6, 11)).items) do words[item.label] = true end
say('completed', tostring(words.AIM), tostring(words.STRONG), tostring(words.OOZE))
say('hover', vim.split(ask('textDocument/hover', position(6, 2)).contents.value, '\n')[1])

-- the fix of the mistake, as the editor makes it
local fix = ask('textDocument/codeAction', { textDocument = { uri = vim.uri_from_bufnr(0) }, range = { start = { line = 5, character = 7 }, ['end'] = { line = 5, character = 7 } }, context = { diagnostics = {} } })[1]
say('fix', fix.title)
vim.lsp.util.apply_workspace_edit(fix.edit, 'utf-16')
wait('no mistakes', function() return #vim.diagnostic.get(0) == 0 end)
say('line', vim.fn.getline(6))

-- odds above the line
for _, lens in ipairs(ask('textDocument/codeLens', { textDocument = { uri = vim.uri_from_bufnr(0) } })) do
  say('lens', lens.range.start.line + 1, lens.command and lens.command.title or ask('codeLens/resolve', lens).command.title)
end

local rename = position(6, 2)
rename.newName = 'Vega'
vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', rename), 'utf-16')
say('renamed', vim.fn.getline(3), vim.fn.getline(6))
vim.lsp.buf.formatting_sync(nil, 20000)
say('formatted', vim.fn.getline(3))

-- into the rules
vim.fn.cursor(6, 8)
vim.lsp.buf.definition()
wait('the rules', function() return vim.fn.bufname():match('setpiece:') end)
say('declared', vim.fn.bufname():match('setpiece:.*'), vim.fn.getline('.'):match('verb %w+'), vim.bo.modifiable)
vim.cmd('qa!')
