; Where lines are indented. Each node has the captures of Neovim (with a dot)
; and of Helix; each ignores the other's names. No pattern waits for a closing
; bracket: in deep nesting that takes time that grows with the square.

; What is in brackets.

(agent_body) @indent.begin @indent

(entry_block) @indent.begin @indent

(attribute_block) @indent.begin @indent

(channel_body) @indent.begin @indent

(capability_block) @indent.begin @indent

(policy_body) @indent.begin @indent

(struct_type) @indent.begin @indent

(function_definition
  body: (block) @indent.begin @indent)

(if_expression
  consequence: (block) @indent.begin @indent)

(if_expression
  alternative: (block) @indent.begin @indent)

(for_statement
  body: (block) @indent.begin @indent)

(while_statement
  body: (block) @indent.begin @indent)

(try_expression
  body: (block) @indent.begin @indent)

(catch_clause
  body: (block) @indent.begin @indent)

(match_arm
  body: (block) @indent.begin @indent)

(lambda_expression
  body: (block) @indent.begin @indent)

; Its header may have lines of its own, and then `{` has one too.

(with_block
  body: (block)) @indent.begin @indent

(with_block
  body: (block "{" @indent.branch @outdent))

(match_body) @indent.begin @indent

(record) @indent.begin @indent

(array) @indent.begin @indent

(index_expression) @indent.begin @indent

(parameters) @indent.begin @indent

(arguments) @indent.begin @indent

(lambda_parameters) @indent.begin @indent

(call_pattern) @indent.begin @indent

(function_type) @indent.begin @indent

(parenthesized_expression) @indent.begin @indent

(tail_group) @indent.begin @indent

(type_arguments) @indent.begin @indent

(type_parameters) @indent.begin @indent

[
  "}"
  "]"
  ")"
] @indent.branch @indent.end @outdent

; What goes on in the next line: rules with their guards, chains of operators
; and of calls. Not what ends in a block, which has lines of its own below.

(rule) @indent.begin @indent

(rule_guard) @indent.begin @indent

(let_statement
  value: [
    (binary_expression)
    (call_expression)
    (member_expression)
    (index_expression)
    (unary_expression)
    (identifier)
    (scoped_identifier)
    (string)
  ]) @indent.begin @indent

(assignment_statement
  right: [
    (binary_expression)
    (call_expression)
    (member_expression)
    (index_expression)
    (unary_expression)
    (identifier)
    (scoped_identifier)
    (string)
  ]) @indent.begin @indent

(assignment_expression
  right: [
    (binary_expression)
    (call_expression)
    (member_expression)
    (index_expression)
    (unary_expression)
    (identifier)
    (scoped_identifier)
    (string)
  ]) @indent.begin @indent

(return_statement
  value: [
    (binary_expression)
    (call_expression)
    (member_expression)
    (index_expression)
    (unary_expression)
    (identifier)
    (scoped_identifier)
    (string)
  ]) @indent.begin @indent

(expression_statement
  expression: [
    (binary_expression)
    (call_expression)
    (member_expression)
    (index_expression)
    (unary_expression)
    (identifier)
    (scoped_identifier)
    (string)
  ]) @indent.begin @indent

(block
  value: [
    (binary_expression)
    (call_expression)
    (member_expression)
  ] @indent.begin @indent)

(match_arm
  body: [
    (binary_expression)
    (call_expression)
    (member_expression)
  ] @indent.begin @indent)

(record_field
  value: [
    (binary_expression)
    (call_expression)
    (member_expression)
  ] @indent.begin @indent)

(named_argument
  value: [
    (binary_expression)
    (call_expression)
    (member_expression)
  ] @indent.begin @indent)

(lambda_expression
  body: [
    (binary_expression)
    (call_expression)
    (member_expression)
  ] @indent.begin @indent)

(if_expression
  condition: [
    (binary_expression)
    (call_expression)
    (member_expression)
  ] @indent.begin @indent)

(while_statement
  condition: [
    (binary_expression)
    (call_expression)
    (member_expression)
  ] @indent.begin @indent)

(for_statement
  iterable: [
    (binary_expression)
    (call_expression)
    (member_expression)
  ] @indent.begin @indent)

(match_expression
  value: [
    (binary_expression)
    (call_expression)
    (member_expression)
  ] @indent.begin @indent)

(arguments
  argument: [
    (binary_expression)
    (call_expression)
    (member_expression)
  ] @indent.begin @indent)

(array
  element: [
    (binary_expression)
    (call_expression)
    (member_expression)
  ] @indent.begin @indent)

; Texts keep the spaces that they have.

[
  (raw_string)
  (string)
  (block_comment)
] @indent.ignore
