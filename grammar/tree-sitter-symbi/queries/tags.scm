; Definitions and references, for a list of symbols and for tree-sitter tags.
;
; Each definition stands three times: with all comments above it if all are
; `///` lines, with the last one if that is, and without. Where several match
; the first counts. Only the lines right above belong to it.

; Definitions: agents, policies, types, functions, what the standard library
; declares, and schedules, channels, memories and webhooks that have a name.

((line_comment)+ @doc
  .
  [
    (agent_definition
      name: (identifier) @name) @definition.class
    (policy_definition
      name: (identifier) @name) @definition.module
    (type_definition
      name: (identifier) @name) @definition.type
    (function_definition
      name: (identifier) @name) @definition.function
    (extern_definition
      name: (identifier) @name) @definition.function
    (schedule_definition
      name: (identifier) @name) @definition.constant
    (channel_definition
      name: (identifier) @name) @definition.constant
    (memory_definition
      name: (identifier) @name) @definition.constant
    (webhook_definition
      name: (identifier) @name) @definition.constant
  ]
  (#match? @doc "^///")
  (#strip! @doc "^///[ \t]?")
  (#select-adjacent! @doc @name))

((line_comment) @doc
  .
  [
    (agent_definition
      name: (identifier) @name) @definition.class
    (policy_definition
      name: (identifier) @name) @definition.module
    (type_definition
      name: (identifier) @name) @definition.type
    (function_definition
      name: (identifier) @name) @definition.function
    (extern_definition
      name: (identifier) @name) @definition.function
    (schedule_definition
      name: (identifier) @name) @definition.constant
    (channel_definition
      name: (identifier) @name) @definition.constant
    (memory_definition
      name: (identifier) @name) @definition.constant
    (webhook_definition
      name: (identifier) @name) @definition.constant
  ]
  (#match? @doc "^///")
  (#strip! @doc "^///[ \t]?")
  (#select-adjacent! @doc @name))

(agent_definition
  name: (identifier) @name) @definition.class

(policy_definition
  name: (identifier) @name) @definition.module

(type_definition
  name: (identifier) @name) @definition.type

(function_definition
  name: (identifier) @name) @definition.function

(extern_definition
  name: (identifier) @name) @definition.function

(schedule_definition
  name: (identifier) @name) @definition.constant

(channel_definition
  name: (identifier) @name) @definition.constant

(memory_definition
  name: (identifier) @name) @definition.constant

(webhook_definition
  name: (identifier) @name) @definition.constant

; Calls.

(call_expression
  function: (identifier) @name
  (#is-not? local)) @reference.call

(call_expression
  function: (member_expression
    property: (identifier) @name)) @reference.call

(call_expression
  function: (scoped_identifier
    name: (identifier) @name)) @reference.call

; Types.

(named_type
  name: (type_identifier) @name) @reference.type

(named_type
  name: (scoped_type_identifier
    name: (type_identifier) @name)) @reference.type

(struct_expression
  type: (identifier) @name) @reference.type

(struct_expression
  type: (scoped_identifier
    name: (identifier) @name)) @reference.type
