; Other languages inside comments and strings. An editor without the language
; leaves the text as it is.

([
  (line_comment)
  (block_comment)
] @injection.content
  (#set! injection.language "comment"))

; When a schedule fires.
((schedule_definition
  body: (entry_block
    entry: (entry
      key: (identifier) @_key
      value: (string
        content: (string_content) @injection.content))))
  (#eq? @_key "cron")
  (#set! injection.language "cron"))

; Which calls of a webhook count.
((entry
  key: (identifier) @_key
  value: (string
    content: (string_content) @injection.content))
  (#eq? @_key "json_path")
  (#set! injection.language "jsonpath"))

; What a model is told.
((entry
  key: (identifier) @_key
  value: [
    (string
      content: (string_content) @injection.content)
    (raw_string
      content: (string_content) @injection.content)
  ])
  (#any-of? @_key "system_prompt" "prompt")
  (#set! injection.language "markdown"))

((named_argument
  name: (identifier) @_key
  value: [
    (string
      content: (string_content) @injection.content)
    (raw_string
      content: (string_content) @injection.content)
  ])
  (#any-of? @_key "system_prompt" "system" "prompt")
  (#set! injection.language "markdown"))
