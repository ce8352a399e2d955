; What may be folded away: everything with brackets, long strings and comments.

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
  (parameters)
  (type_parameters)
  (arguments)
  (array)
  (record)
  (parenthesized_expression)
  (lambda_parameters)
  (tail_group)
  (raw_string)
  (block_comment)
] @fold
