-- What Neovim is to show for sample.symbi, before and after each edit.
--
-- A place is `{ line, text, capture, group }`: the first such text on the line
-- (from 1), the capture of queries/highlights.scm that counts there, and the
-- group of Neovim's that every cell of it is drawn in.

return {
  places = {
    { 1, "/// Greets, and counts.", "comment.documentation", "Comment" },
    { 2, "agent", "keyword", "Keyword" },
    { 2, "greeter", "type", "Type" },
    { 2, "string", "type.builtin", "Type" },
    { 3, "send", "function", "Function" },
    { 5, "policy", "keyword", "Keyword" },
    { 6, "allow", "keyword", "Keyword" },
    { 6, "send", "function", "Function" },
    { 7, "if", "keyword.conditional", "Keyword" },
    { 7, '"friend"', "string", "String" },
    { 12, "sandbox", "property", "Identifier" },
    { 12, "docker", "constant.builtin", "Special" },
    { 12, "5m", "number", "Number" },
    { 13, "// é 🙂", "comment", "Comment" },
    { 14, "é 🙂", "string", "String" },
    { 14, "\\n", "string.escape", "SpecialChar" },
    -- Behind letters of two and four bytes.
    { 14, "return", "keyword.return", "Keyword" },
    { 14, "42", "number", "Number" },
    { 15, "if", "keyword.conditional", "Keyword" },
    -- A name, though the word can be a keyword.
    { 16, "match", "variable", "Normal" },
    { 16, "length", "variable.member", "Normal" },
    { 17, "count", "function.call", "Function" },
    { 19, '"two"', "string", "String" },
    { 20, "// three", "string", "String" },
  },
  -- First and last lines, from 1; what begins and ends on one line is no fold.
  folds = { "2-22", "5-10", "12-21", "15-18", "19-20" },
  -- Each edit begins with the sample as it stands: the line, what of it is
  -- replaced by what, and the places that count then.
  edits = {
    {
      "a name becomes a keyword", 16, "match = name.length;", "match name { _ => 1 }",
      { { 16, "match", "keyword.conditional", "Keyword" }, { 17, "count", "function.call", "Function" } },
    },
    {
      "a comment opens, and closes further down", 13, "//", "/* /* */",
      { { 14, "return", "comment", "Comment" }, { 17, "count", "comment", "Comment" } },
      { { 18, "}", "} */" } },
    },
    {
      "lines come in above", 2, "agent", "type a = int;\nagent",
      { { 2, "type", "keyword.type", "Keyword" }, { 3, "agent", "keyword", "Keyword" },
        { 15, "42", "number", "Number" } },
    },
    {
      "a rule gets a guard", 8, "write", "write if name",
      { { 8, "write", "function", "Function" }, { 8, "if", "keyword.conditional", "Keyword" } },
    },
  },
}
