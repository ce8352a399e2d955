; Colours.
;
; Where several patterns match a node the last one counts, so they go from the
; general to the special. Only the predicates that all readers know are used.
;
; No pattern waits for a child behind one that nests without end, but the one
; for the names of methods, which cannot do without: in a chain of thousands of
; calls its time grows with the square.

; Names. What follows is more exact where the place of a name says more.

(identifier) @variable

(type_identifier) @type

; Comments.

[
  (line_comment)
  (block_comment)
] @comment

((line_comment) @comment.documentation
  (#match? @comment.documentation "^///"))

; Literals.

[
  (integer)
  (float)
  (duration)
  (size)
] @number

(float) @number.float

(boolean) @boolean

(null) @constant.builtin

[
  (string)
  (raw_string)
] @string

(string_content) @string

(escape_sequence) @string.escape

; Its backslash stays in the text: the compiler warns.
(unknown_escape) @string.special

[
  (secret)
  (environment_variable)
] @string.special

; Signs.

[
  "("
  ")"
  "["
  "]"
  "{"
  "}"
] @punctuation.bracket

[
  ","
  ";"
  ":"
  "::"
  "."
] @punctuation.delimiter

; An empty statement is a semicolon that says nothing.
(empty_statement) @punctuation.delimiter

; Those from `..` on stand only in the words behind a rule.
[
  "="
  "+="
  "-="
  "*="
  "/="
  "%="
  "=="
  "!="
  "<"
  "<="
  ">"
  ">="
  "+"
  "-"
  "*"
  "/"
  "%"
  "!"
  "&&"
  "||"
  "->"
  "=>"
  "|"
  "?"
  ".."
  "&"
  "^"
  "~"
  "**"
  "++"
] @operator

(type_arguments
  [
    "<"
    ">"
  ] @punctuation.bracket)

(type_parameters
  [
    "<"
    ">"
  ] @punctuation.bracket)

; Keywords.

[
  "agent"
  "policy"
  "metadata"
  "capabilities"
  "schedule"
  "channel"
  "memory"
  "webhook"
  "with"
  "constraints"
  "executor"
  "tool"
  "let"
] @keyword

"type" @keyword.type

"function" @keyword.function

"extern" @keyword.modifier

[
  "if"
  "else"
  "match"
] @keyword.conditional

[
  "for"
  "while"
  "break"
  "continue"
] @keyword.repeat

"return" @keyword.return

[
  "try"
  "catch"
] @keyword.exception

[
  "and"
  "or"
  "not"
  "in"
  "not in"
] @keyword.operator

(for_statement
  "in" @keyword.repeat)

; The verbs of rules.
[
  "allow"
  "deny"
  "require"
  "audit"
] @keyword

; Items by kind.

(agent_definition
  name: (identifier) @type)

(policy_definition
  name: (identifier) @module)

(type_definition
  name: (identifier) @type)

(function_definition
  name: (identifier) @function)

(schedule_definition
  name: (identifier) @label)

(channel_definition
  name: (identifier) @label)

(memory_definition
  name: (identifier) @label)

(webhook_definition
  name: (identifier) @label)

(extern_definition
  kind: (identifier) @keyword)

(extern_definition
  name: (identifier) @function)

(extern_definition
  value: (array
    element: (identifier) @function))

(extern_definition
  name: (scoped_identifier
    name: (identifier) @function))

; Types.

((type_identifier) @type.builtin
  (#any-of? @type.builtin
    "String" "int" "float" "bool" "Duration" "Size" "Time" "JSON" "Any" "Secret" "Array" "Map" "Set"
    "Option" "Result" "Error" "string" "number" "boolean" "SecureString" "Optional" "Maybe" "List"))

((type_identifier) @type.builtin
  (#match? @type.builtin "^Encrypted"))

(scoped_type_identifier
  path: (type_identifier) @module)

(scoped_type_identifier
  path: (scoped_type_identifier
    name: (type_identifier) @module))

; Paths.

(scoped_identifier
  name: (identifier) @constant)

(scoped_identifier
  path: (identifier) @module)

(scoped_identifier
  path: (scoped_identifier
    name: (identifier) @module))

; Parameters, fields and keys.

(parameter
  name: (identifier) @variable.parameter)

(lambda_expression
  parameters: (identifier) @variable.parameter)

(lambda_parameters
  parameter: (identifier) @variable.parameter)

(named_argument
  name: (identifier) @variable.parameter)

("."
  .
  (identifier) @variable.member)

(field_declaration
  name: [
    (identifier)
    (string)
  ] @property)

(field_declaration
  name: (string
    content: (string_content) @property))

(record_field
  name: [
    (identifier)
    (string)
  ] @property)

(record_field
  name: (string
    content: (string_content) @property))

(entry
  key: [
    (identifier)
    (string)
  ] @property)

(entry
  key: (string
    content: (string_content) @property))

(nested_block
  key: [
    (identifier)
    (string)
  ] @property)

(nested_block
  key: (string
    content: (string_content) @property))

(nested_block
  label: (identifier) @label)

; Rules for one agent or one tool, in a block of a policy.
((nested_block
  body: (entry_block
    entry: (entry
      key: (identifier) @keyword)))
  (#any-of? @keyword "allow" "deny" "require" "audit"))

; Words as values of entries: `provider github`.
(entry
  value: (identifier) @constant)

(entry
  value: (array
    element: (identifier) @constant))

; Calls.

(call_expression
  function: (identifier) @function.call)

(call_expression
  function: (member_expression
    property: (identifier) @function.method.call))

(call_expression
  function: (scoped_identifier
    name: (identifier) @function.call))

((call_expression
  function: (identifier) @constructor)
  (#any-of? @constructor "Some" "Ok" "Err"))

; `Client::new()`
((call_expression
  function: (scoped_identifier
    path: (identifier) @type
    name: (identifier) @constructor))
  (#eq? @constructor "new"))

(struct_expression
  type: (identifier) @type)

(struct_expression
  type: (scoped_identifier
    name: (identifier) @type))

; Patterns.

(wildcard_pattern) @variable.builtin

(call_pattern
  name: (identifier) @constructor)

(call_pattern
  name: (scoped_identifier
    name: (identifier) @constructor))

(catch_clause
  type: (identifier) @type)

(catch_clause
  type: (scoped_identifier
    name: (identifier) @type))

(catch_clause
  name: (identifier) @variable.parameter)

; Capabilities: names of tools, effects and groups.

(capability
  name: (identifier) @function)

(capability
  name: (scoped_identifier
    name: (identifier) @function))

(capabilities_definition
  value: (identifier) @function)

(capabilities_definition
  value: (array
    element: (identifier) @function))

(capabilities_definition
  value: (array
    element: (scoped_identifier
      name: (identifier) @function)))

; Rules: effects, what a call pattern binds, obligations, words behind.

(rule
  verb: [
    "allow"
    "deny"
  ]
  selector: (identifier) @function)

(rule
  verb: [
    "allow"
    "deny"
  ]
  selector: (scoped_identifier
    name: (identifier) @function))

(rule
  verb: [
    "allow"
    "deny"
  ]
  selector: (array
    element: (identifier) @function))

(rule
  verb: [
    "allow"
    "deny"
  ]
  selector: (array
    element: (scoped_identifier
      name: (identifier) @function)))

(rule
  verb: [
    "allow"
    "deny"
  ]
  selector: (call_expression
    function: (identifier) @function))

(rule
  verb: [
    "allow"
    "deny"
  ]
  selector: (array
    element: (call_expression
      function: (identifier) @function)))

(rule
  verb: [
    "allow"
    "deny"
  ]
  selector: (call_expression
    arguments: (arguments
      argument: (identifier) @variable.parameter)))

(rule
  verb: [
    "allow"
    "deny"
  ]
  selector: (array
    element: (call_expression
      arguments: (arguments
        argument: (identifier) @variable.parameter))))

((rule
  selector: (call_expression
    arguments: (arguments
      argument: (identifier) @variable.builtin)))
  (#any-of? @variable.builtin "any" "_"))

((rule
  selector: (array
    element: (call_expression
      arguments: (arguments
        argument: (identifier) @variable.builtin))))
  (#any-of? @variable.builtin "any" "_"))

((rule
  selector: (identifier) @variable.builtin)
  (#any-of? @variable.builtin "any" "_"))

(rule
  verb: [
    "require"
    "audit"
  ]
  selector: (identifier) @attribute)

(rule
  verb: [
    "require"
    "audit"
  ]
  selector: (array
    element: (identifier) @attribute))

(rule
  verb: [
    "require"
    "audit"
  ]
  selector: (call_expression
    function: (identifier) @attribute))

(rule
  verb: [
    "require"
    "audit"
  ]
  selector: (record
    field: (record_field
      name: (identifier) @attribute)))

(rule_tail
  word: (identifier) @label)

(tail_group
  word: (identifier) @label)

((rule_tail
  word: (identifier) @keyword)
  (#any-of? @keyword "for" "from" "in" "with" "without" "to" "by" "of" "on" "always" "never" "unless" "when"))

; What the host tells a guard.
((member_expression
  object: (identifier) @variable.builtin)
  (#any-of? @variable.builtin "context" "invocation"))

((binary_expression
  left: (identifier) @variable.builtin)
  (#any-of? @variable.builtin "principal" "now"))

; Sandbox tiers.

((entry
  key: (identifier) @property
  value: (identifier) @constant.builtin)
  (#eq? @property "sandbox")
  (#any-of? @constant.builtin
    "none" "docker" "gvisor" "firecracker" "e2b" "landlock" "tier0" "tier1" "tier2" "tier3"))

((entry
  key: (identifier) @property
  value: (string
    content: (string_content) @constant.builtin))
  (#eq? @property "sandbox")
  (#any-of? @constant.builtin
    "none" "docker" "gvisor" "firecracker" "e2b" "landlock" "tier0" "tier1" "tier2" "tier3"))

((record_field
  name: (identifier) @attribute
  value: (string
    content: (string_content) @constant.builtin))
  (#eq? @attribute "sandbox_tier")
  (#any-of? @constant.builtin
    "none" "docker" "gvisor" "firecracker" "e2b" "landlock" "tier0" "tier1" "tier2" "tier3"))
