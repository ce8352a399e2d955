-- Run by test-editors inside Neovim, which has the parser and the queries in
-- its runtime path. In: the examples' folder, as the variable `examples`. Out:
-- one line a test, and as the last line `N passed, N failed`.

local here = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":h") .. "/"
local expected = dofile(here .. "expected.lua")
local ts = vim.treesitter
local get_query = ts.query.get or ts.query.get_query

local passed, failed = 0, 0

local function test(name, body)
  local ok, message = pcall(body)
  if ok then
    passed = passed + 1
  else
    failed = failed + 1
  end
  io.stdout:write(ok and "ok      " or "FAILED  ", name, ok and "" or ": " .. tostring(message), "\n")
end

local function equal(actual, wanted)
  if not vim.deep_equal(actual, wanted) then
    error(("%s, not %s"):format(vim.inspect(actual), vim.inspect(wanted)), 0)
  end
end

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

-- Colours of no theme: each group has its own, so that a cell tells its group.
local groups = { "Comment", "Keyword", "Type", "Function", "String", "Number", "Identifier", "Special", "SpecialChar",
  "Operator", "Delimiter", "Constant" }
vim.o.columns, vim.o.lines = 120, 60
vim.cmd("runtime! syntax/synload.vim")
for number, group in ipairs(groups) do
  vim.cmd(("highlight! %s cterm=NONE gui=NONE ctermfg=%d guifg=#%06x"):format(group, number, number * 4096))
end

vim.cmd("edit " .. vim.fn.fnameescape(here .. "sample.symbi"))
local buffer = vim.api.nvim_get_current_buf()
local sample = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
local parser = ts.get_parser(buffer, "symbi")
if ts.start then ts.start(buffer, "symbi") else ts.highlighter.new(parser) end

-- The attributes of a cell in each group: one line below the text shows them.
local marks = vim.api.nvim_create_namespace("groups")
local function shown_groups()
  vim.api.nvim_buf_clear_namespace(buffer, marks, 0, -1)
  local line = vim.api.nvim_buf_line_count(buffer)
  vim.api.nvim_buf_set_lines(buffer, line, line, true, { "" })
  local cells = { { "x", "Normal" } }
  for _, group in ipairs(groups) do table.insert(cells, { "x", group }) end
  vim.api.nvim_buf_set_extmark(buffer, marks, line, 0, { virt_text = cells, virt_text_pos = "overlay" })
  vim.cmd("redraw!")
  local names = {}
  for number, cell in ipairs(cells) do names[vim.fn.screenattr(line + 1, number)] = cell[2] end
  return names
end

-- The capture that counts at a place, and the groups its cells are drawn in.
local function look(place, names)
  local line, text = place[1], place[2]
  local shown = vim.api.nvim_buf_get_lines(buffer, line - 1, line, true)[1]
  local first = assert(shown:find(text, 1, true), ("no %s in line %d"):format(text, line)) - 1
  local name
  local query = get_query("symbi", "highlights")
  for id, node in query:iter_captures(parser:parse()[1]:root(), buffer, line - 1, line) do
    local start_row, start_column, end_row, end_column = node:range()
    local begins = start_row < line - 1 or (start_row == line - 1 and start_column <= first)
    local ends = end_row > line - 1 or (end_row == line - 1 and end_column > first)
    if begins and ends then name = query.captures[id] end
  end
  local drawn = {}
  local from = vim.fn.strdisplaywidth(shown:sub(1, first))
  for column = from + 1, from + vim.fn.strdisplaywidth(text) do
    drawn[names[vim.fn.screenattr(line, column)] or "another"] = true
  end
  return { name, unpack(vim.tbl_keys(drawn)) }
end

local function check_places(places, label)
  local names = shown_groups()
  for _, place in ipairs(places) do
    test(("%s, line %d: %s is %s"):format(label, place[1], place[2], place[3]), function()
      equal(look(place, names), { place[3], place[4] })
    end)
  end
end

local function replace(line, from, to)
  local shown = vim.api.nvim_buf_get_lines(buffer, line - 1, line, true)[1]
  local start = assert(shown:find(from, 1, true), ("no %s in line %d"):format(from, line)) - 1
  vim.api.nvim_buf_set_text(buffer, line - 1, start, line - 1, start + #from, vim.split(to, "\n"))
end

-- What the tree of the buffer is, and what a new one of the same text would be.
local function trees()
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), "\n") .. "\n"
  local fresh = ts.get_string_parser(text, "symbi"):parse()[1]:root()
  return parser:parse()[1]:root():sexpr(), fresh:sexpr()
end

check_places(expected.places, "sample")

test("sample: what may be folded", function()
  local found, query = {}, get_query("symbi", "folds")
  for id, node in query:iter_captures(parser:parse()[1]:root(), buffer, 0, -1) do
    local first, _, last = node:range()
    if query.captures[id] == "fold" and last > first then
      table.insert(found, ("%d-%d"):format(first + 1, last + 1))
    end
  end
  equal(found, expected.folds)
end)

for _, edit in ipairs(expected.edits) do
  local name, line, from, to, places, more = unpack(edit)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, true, sample)
  local before = trees()
  replace(line, from, to)
  for _, other in ipairs(more or {}) do replace(unpack(other)) end
  test(name .. ": the tree is the one of the new text", function()
    local kept, fresh = trees()
    equal(kept, fresh)
    assert(kept ~= before, "the edit changed nothing")
  end)
  check_places(places, name)
end

for _, query in ipairs({ "highlights", "locals", "folds", "indents", "injections", "tags", "textobjects" }) do
  test(("queries/%s.scm is a query"):format(query), function() assert(get_query("symbi", query), "none found") end)
end

local files = vim.fn.globpath(vim.g.examples, "**/*.symbi", false, true)
vim.list_extend(files, vim.fn.globpath(vim.g.examples, "**/*.dsl", false, true))
test("there are examples", function() assert(#files >= 28, #files) end)
for _, path in ipairs(files) do
  test(path:sub(#vim.g.examples + 1) .. " has no error", function()
    local root = ts.get_string_parser(read(path), "symbi"):parse()[1]:root()
    assert(not root:has_error(), root:sexpr())
  end)
end

io.stdout:write(("%d passed, %d failed\n"):format(passed, failed))
vim.cmd(failed == 0 and "qall!" or "cquit!")
