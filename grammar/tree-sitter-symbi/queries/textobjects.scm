; What an editor selects or moves over as a whole, under the names of Neovim
; (`outer`, `inner`) and of Helix and Zed (`around`, `inside`).
;
; What is inside brackets goes from the first node in them to the last: two
; captures of one name. A capture of all of them (`_*`) would hang on bodies of
; some thousand statements.

; Functions.

(function_definition) @function.outer @function.around

(function_definition
  body: (block
    .
    "{"
    .
    (_) @function.inner @function.inside
    (_)? @function.inner @function.inside
    .
    "}"))

(lambda_expression) @function.outer @function.around

(lambda_expression
  body: (expression) @function.inner @function.inside)

(lambda_expression
  body: (block
    .
    "{"
    .
    (_) @function.inner @function.inside
    (_)? @function.inner @function.inside
    .
    "}"))

; Agents, and structs.

(agent_definition) @class.outer @class.around

(agent_definition
  body: (agent_body
    .
    "{"
    .
    (_) @class.inner @class.inside
    (_)? @class.inner @class.inside
    .
    ";"? @class.inner @class.inside
    .
    "}"))

(type_definition
  value: (struct_type)) @class.outer @class.around

(type_definition
  value: (struct_type
    .
    "{"
    .
    (_) @class.inner @class.inside
    (_)? @class.inner @class.inside
    .
    ["," ";"]? @class.inner @class.inside
    .
    "}"))

; Blocks of every kind.

[
  (agent_body)
  (entry_block)
  (attribute_block)
  (channel_body)
  (capability_block)
  (policy_body)
  (struct_type)
  (block)
  (match_body)
] @block.outer

(agent_body
  .
  "{"
  .
  (_) @block.inner
  (_)? @block.inner
  .
  ";"? @block.inner
  .
  "}")

(entry_block
  .
  "{"
  .
  (_) @block.inner
  (_)? @block.inner
  .
  ["," ";"]? @block.inner
  .
  "}")

(attribute_block
  .
  "{"
  .
  (_) @block.inner
  (_)? @block.inner
  .
  ["," ";"]? @block.inner
  .
  "}")

(channel_body
  .
  "{"
  .
  (_) @block.inner
  (_)? @block.inner
  .
  ["," ";"]? @block.inner
  .
  "}")

(capability_block
  .
  "{"
  .
  (_) @block.inner
  (_)? @block.inner
  .
  ["," ";"]? @block.inner
  .
  "}")

(policy_body
  .
  "{"
  .
  (_) @block.inner
  (_)? @block.inner
  .
  ["," ";"]? @block.inner
  .
  "}")

(struct_type
  .
  "{"
  .
  (_) @block.inner
  (_)? @block.inner
  .
  ["," ";"]? @block.inner
  .
  "}")

(block
  .
  "{"
  .
  (_) @block.inner
  (_)? @block.inner
  .
  "}")

(match_body
  .
  "{"
  .
  (_) @block.inner
  (_)? @block.inner
  .
  ","? @block.inner
  .
  "}")

; Parameters and arguments; the outer ones have their comma. In two patterns
; each: no node takes more than three captures in one.

(parameters
  (parameter) @parameter.inner @parameter.outer
  .
  ","? @parameter.outer)

(parameters
  (parameter) @parameter.inside @parameter.around
  .
  ","? @parameter.around)

(lambda_parameters
  (identifier) @parameter.inner @parameter.outer
  .
  ","? @parameter.outer)

(lambda_parameters
  (identifier) @parameter.inside @parameter.around
  .
  ","? @parameter.around)

(arguments
  (_) @parameter.inner @parameter.outer
  .
  ","? @parameter.outer)

(arguments
  (_) @parameter.inside @parameter.around
  .
  ","? @parameter.around)

(call_pattern
  argument: (_) @parameter.inner @parameter.outer
  .
  ","? @parameter.outer)

(call_pattern
  argument: (_) @parameter.inside @parameter.around
  .
  ","? @parameter.around)

; Entries of blocks, of records and of lists.

(entry
  value: (_) @attribute.inner @entry.inside) @attribute.outer @entry.around

(record_field
  value: (_) @attribute.inner @entry.inside) @attribute.outer @entry.around

(field_declaration
  type: (_) @attribute.inner @entry.inside) @attribute.outer @entry.around

(array
  element: (_) @entry.inside @entry.around)

; Comments.

[
  (line_comment)
  (block_comment)
] @comment.outer @comment.inner

[
  (line_comment)
  (block_comment)
] @comment.around @comment.inside

; Calls.

(call_expression) @call.outer

(arguments
  .
  "("
  .
  (_) @call.inner
  (_)? @call.inner
  .
  ","? @call.inner
  .
  ")")

; Conditions.

[
  (if_expression)
  (match_expression)
] @conditional.outer

(if_expression
  consequence: (block
    .
    "{"
    .
    (_) @conditional.inner
    (_)? @conditional.inner
    .
    "}"))

(if_expression
  alternative: (block
    .
    "{"
    .
    (_) @conditional.inner
    (_)? @conditional.inner
    .
    "}"))

(match_expression
  body: (match_body
    .
    "{"
    .
    (_) @conditional.inner
    (_)? @conditional.inner
    .
    ","? @conditional.inner
    .
    "}"))

; Loops.

[
  (for_statement)
  (while_statement)
] @loop.outer

(for_statement
  body: (block
    .
    "{"
    .
    (_) @loop.inner
    (_)? @loop.inner
    .
    "}"))

(while_statement
  body: (block
    .
    "{"
    .
    (_) @loop.inner
    (_)? @loop.inner
    .
    "}"))

; Assignments.

(let_statement
  name: (_) @assignment.lhs
  value: (_) @assignment.inner @assignment.rhs) @assignment.outer

(assignment_statement
  left: (_) @assignment.lhs
  right: (_) @assignment.inner @assignment.rhs) @assignment.outer

(assignment_expression
  left: (_) @assignment.lhs
  right: (_) @assignment.inner @assignment.rhs) @assignment.outer

; Statements, arms, rules.

[
  (let_statement)
  (assignment_statement)
  (expression_statement)
  (return_statement)
  (break_statement)
  (continue_statement)
  (for_statement)
  (while_statement)
  (match_arm)
  (rule)
] @statement.outer

(block
  statement: [
    (if_expression)
    (match_expression)
    (try_expression)
  ] @statement.outer)

(return_statement
  value: (_) @return.inner) @return.outer

; Numbers.

[
  (integer)
  (float)
  (duration)
  (size)
] @number.inner
