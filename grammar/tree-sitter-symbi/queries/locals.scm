; Scopes of names, their definitions and uses.
;
; The three captures that every reader of this file knows, and no others:
; the one for tags refuses the rest. Definitions stand before references, so
; that a node that could be both is a definition.

; Scopes. A rule is one: its selector binds names for its guard.

[
  (source_file)
  (agent_definition)
  (extern_definition)
  (function_definition)
  (rule)
  (block)
  (if_expression)
  (for_statement)
  (match_arm)
  (catch_clause)
  (lambda_expression)
] @local.scope

; Definitions.

(agent_definition
  name: (identifier) @local.definition)

(policy_definition
  name: (identifier) @local.definition)

(type_definition
  name: (identifier) @local.definition)

(function_definition
  name: (identifier) @local.definition)

(extern_definition
  name: (identifier) @local.definition)

(schedule_definition
  name: (identifier) @local.definition)

(channel_definition
  name: (identifier) @local.definition)

(memory_definition
  name: (identifier) @local.definition)

(webhook_definition
  name: (identifier) @local.definition)

(type_parameters
  name: (type_identifier) @local.definition)

(parameter
  name: (identifier) @local.definition)

(lambda_expression
  parameters: (identifier) @local.definition)

(lambda_parameters
  parameter: (identifier) @local.definition)

(let_statement
  name: (identifier) @local.definition)

(for_statement
  name: (identifier) @local.definition)

(name_pattern
  name: (identifier) @local.definition)

(catch_clause
  name: (identifier) @local.definition)

(rule
  verb: [
    "allow"
    "deny"
  ]
  selector: (call_expression
    arguments: (arguments
      argument: (identifier) @local.definition)))

; Uses. Keys, fields and names of arguments are not among them.

(expression/identifier) @local.reference

(assignment_statement
  left: (identifier) @local.reference)

(assignment_expression
  left: (identifier) @local.reference)

(struct_expression
  type: (identifier) @local.reference)

(type_identifier) @local.reference
