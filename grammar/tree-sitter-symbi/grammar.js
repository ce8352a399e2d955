/**
 * The Symbi language for tree-sitter.
 *
 * It accepts what the compiler (compiler/syntax) reads without an error, and
 * nothing else; grammar/conformance holds the two together. Words are
 * contextual: whether `if` is a keyword or a name depends on what follows it,
 * so words, numbers, strings and the ends of rules come from src/scanner.c,
 * whose head says how. The order of `externals` is the order of its enum.
 *
 * Every child that means something has a field.
 */

/** How tightly operators bind; grammar/reference.md 2.3. */
const PREC = {
  lambda: -1,
  // A name that `{` or `=>` may follow ends before it, where a block or an
  // arm may begin: the heads of if, for, while and match, the guards of arms.
  name: 1,
  or: 2,
  and: 3,
  equality: 4,
  comparison: 5,
  additive: 6,
  multiplicative: 7,
  unary: 8,
  postfix: 9,
};

/** Elements with commas between them; the last may have one too. */
const commas = (element) =>
  seq(element, repeat(seq(',', element)), optional(','));

/** Parts that end in a comma, a semicolon or nothing; stray semicolons. */
const separated = (part) =>
  seq(
    repeat(';'),
    repeat(seq(part, optional(seq(choice(',', ';'), repeat(';'))))),
  );

const identifier = ($, token) => alias(token, $.identifier);

module.exports = grammar({
  name: 'symbi',

  externals: ($) => [
    // Of no width: what follows decides.
    $._rule_end,
    $._tail_start,
    $._list_ahead,
    $._list_ahead_on_line,
    $._selector_ahead,
    $._selector_ahead_on_line,
    $._guard_ahead,
    $._expression_ahead,
    // Words as names, by what they may be.
    $._name,
    $._underscore,
    $._reference,
    $._item_name,
    $._key,
    $._expression_key,
    $._argument_key,
    $._field_key,
    $._value_name,
    $._selector_name,
    $._tail_word,
    $._group_word,
    // Words as keywords.
    $._metadata,
    $._agent,
    $._capabilities,
    $._policy,
    $._type,
    $._function,
    $._schedule,
    $._channel,
    $._memory,
    $._webhook,
    $._with,
    $._constraints,
    $._executor,
    $._extern,
    $._allow,
    $._deny,
    $._require,
    $._audit,
    $._let,
    $._if_statement_word,
    $._if_expression_word,
    $._if_word,
    $._match_statement_word,
    $._match_expression_word,
    $._try_statement_word,
    $._try_expression_word,
    $._for,
    $._while,
    $._return,
    $._break,
    $._continue,
    $._else,
    $._catch,
    $._in,
    $._not_in,
    $._and,
    $._or,
    $._not,
    $._true,
    $._false,
    $._null,
    $._tool,
    $._size_unit,
    // Literals.
    $._integer,
    $._float,
    $._duration,
    $._size,
    $._secret,
    $._environment,
    $._quote,
    $._key_quote,
    $._string_content,
    $._known_escape,
    $._unknown_escape,
    $._string_end,
    $._triple_quote,
    $._triple_content,
    $._triple_end,
    // The rest.
    $._entry_equals,
    $._entry_colon,
    $._attribute_brace,
    $._arm_brace,
    $.block_comment,
    $._never,
  ],

  extras: ($) => [
    /[\s\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/,
    $.line_comment,
    $.block_comment,
  ],

  supertypes: ($) => [$.expression, $.statement, $.pattern, $.type],

  // Each saves a step of the parser where it stands.
  inline: ($) => [
    $._top_item,
    $._agent_item,
    $._entry_key,
    $._entry_sign,
    $._value,
    $._literal,
    $._literal_token,
    $._string_rest,
    $._rule_sign,
    $._result,
    $._tail_name,
  ],

  conflicts: ($) => [
    [$.lambda_parameters, $.expression],
    [$.lambda_parameters, $.boolean],
    [$.lambda_parameters, $.null],
  ],

  rules: {
    source_file: ($) => repeat(choice(field('item', $._top_item), ';')),

    line_comment: () => token(choice(/\/\/[^\r\n]*/, /#[^\r\n]*/)),

    // Items.

    _top_item: ($) =>
      choice(
        $.metadata_block,
        $.agent_definition,
        $.capabilities_definition,
        $.policy_definition,
        $.type_definition,
        $.function_definition,
        $.schedule_definition,
        $.channel_definition,
        $.memory_definition,
        $.webhook_definition,
        alias($._top_with_block, $.with_block),
        $.extern_definition,
      ),

    _agent_item: ($) =>
      choice(
        $.metadata_block,
        $.capabilities_definition,
        alias($._agent_policy, $.policy_definition),
        $.type_definition,
        $.function_definition,
        $.schedule_definition,
        $.channel_definition,
        $.memory_definition,
        $.webhook_definition,
        $.with_block,
        $.constraints_block,
        $.executor_block,
        $.entry,
        $.nested_block,
      ),

    agent_definition: ($) =>
      seq(
        alias($._agent, 'agent'),
        field('name', identifier($, $._item_name)),
        optional(field('parameters', $.parameters)),
        optional($._result),
        field('body', $.agent_body),
      ),

    agent_body: ($) => seq('{', separated(field('item', $._agent_item)), '}'),

    metadata_block: ($) =>
      seq(alias($._metadata, 'metadata'), field('body', $.entry_block)),

    constraints_block: ($) =>
      seq(alias($._constraints, 'constraints'), field('body', $.entry_block)),

    executor_block: ($) =>
      seq(alias($._executor, 'executor'), field('body', $.entry_block)),

    schedule_definition: ($) =>
      seq(
        alias($._schedule, 'schedule'),
        optional(field('name', identifier($, $._item_name))),
        field('body', $.entry_block),
      ),

    memory_definition: ($) =>
      seq(
        alias($._memory, 'memory'),
        optional(field('name', identifier($, $._item_name))),
        field('body', $.entry_block),
      ),

    webhook_definition: ($) =>
      seq(
        alias($._webhook, 'webhook'),
        optional(field('name', identifier($, $._item_name))),
        field('body', $.entry_block),
      ),

    channel_definition: ($) =>
      seq(
        alias($._channel, 'channel'),
        optional(field('name', identifier($, $._item_name))),
        field('body', $.channel_body),
      ),

    channel_body: ($) =>
      seq(
        '{',
        separated(
          field(
            'entry',
            choice(
              $.entry,
              $.nested_block,
              alias($._agent_policy, $.policy_definition),
            ),
          ),
        ),
        '}',
      ),

    capabilities_definition: ($) =>
      seq(
        alias($._capabilities, 'capabilities'),
        choice(
          field('body', $.capability_block),
          seq(
            choice(seq(choice('=', ':'), $._list_ahead), $._list_ahead_on_line),
            field('value', $.expression),
          ),
        ),
      ),

    capability_block: ($) =>
      seq('{', separated(field('capability', $.capability)), '}'),

    capability: ($) =>
      seq(
        optional(field('kind', alias($._tool, 'tool'))),
        field(
          'name',
          choice(
            identifier($, $._name),
            alias($._scoped_name, $.scoped_identifier),
            $.string,
          ),
        ),
      ),

    type_definition: ($) =>
      prec.right(
        seq(
          alias($._type, 'type'),
          field('name', identifier($, $._item_name)),
          '=',
          field('value', choice($.type, $.struct_type)),
          optional(';'),
        ),
      ),

    function_definition: ($) =>
      seq(
        alias($._function, 'function'),
        field('name', identifier($, $._item_name)),
        field('parameters', $.parameters),
        optional($._result),
        field('body', $.block),
      ),

    extern_definition: ($) =>
      prec.right(seq(
        alias($._extern, 'extern'),
        field('kind', identifier($, $._name)),
        field(
          'name',
          choice(
            identifier($, $._name),
            alias($._scoped_name, $.scoped_identifier),
          ),
        ),
        optional(field('type_parameters', $.type_parameters)),
        optional(field('parameters', $.parameters)),
        optional($._result),
        optional(seq(':', field('type', $.type))),
        choice(
          seq(optional(seq('=', field('value', $.expression))), ';'),
          seq(field('body', $.entry_block), optional(';')),
        ),
      )),

    type_parameters: ($) =>
      seq(
        '<',
        optional(commas(field('name', alias($._name, $.type_identifier)))),
        '>',
      ),

    parameters: ($) =>
      seq(
        '(',
        repeat(seq(field('parameter', $.parameter), optional(','))),
        ')',
      ),

    parameter: ($) =>
      seq(
        field('name', identifier($, $._name)),
        ':',
        field('type', $.type),
        optional(seq('=', field('default', $.expression))),
      ),

    _result: ($) => seq('->', field('result', $.type)),

    with_block: ($) =>
      seq(
        alias($._with, 'with'),
        choice(
          field('attributes', $.attribute_block),
          seq(
            repeat(';'),
            optional(field('header', $.attribute_list)),
            field('body', $.block),
          ),
        ),
      ),

    // At the top level the braces always hold attributes.
    _top_with_block: ($) =>
      seq(
        alias($._with, 'with'),
        choice(
          field('attributes', alias($.entry_block, $.attribute_block)),
          seq(field('header', $.attribute_list), field('body', $.block)),
          seq(
            repeat1(';'),
            optional(field('header', $.attribute_list)),
            field('body', $.block),
          ),
        ),
      ),

    attribute_block: ($) =>
      seq(
        alias($._attribute_brace, '{'),
        separated(field('entry', choice($.entry, $.nested_block))),
        '}',
      ),

    attribute_list: ($) =>
      repeat1(
        seq(
          field('entry', alias($._attribute, $.entry)),
          optional(seq(choice(',', ';'), repeat(';'))),
        ),
      ),

    _attribute: ($) =>
      seq(
        field(
          'key',
          choice(identifier($, $._argument_key), alias($._key_string, $.string)),
        ),
        $._entry_sign,
        field('value', $._value),
      ),

    // Entries.

    entry_block: ($) =>
      prec(
        1,
        seq(
          '{',
          separated(field('entry', choice($.entry, $.nested_block))),
          '}',
        ),
      ),

    entry: ($) =>
      choice(
        seq(
          field('key', identifier($, $._expression_key)),
          $._entry_sign,
          $._expression_ahead,
          field('value', $.expression),
        ),
        seq(
          $._entry_key,
          optional($._entry_sign),
          field('value', $._value),
        ),
      ),

    _entry_sign: ($) =>
      choice(alias($._entry_equals, '='), alias($._entry_colon, ':')),

    nested_block: ($) =>
      seq(
        $._entry_key,
        optional(field('label', $.string)),
        field('body', $.entry_block),
      ),

    _entry_key: ($) =>
      field(
        'key',
        choice(identifier($, $._key), alias($._key_string, $.string)),
      ),

    _value: ($) =>
      choice(
        $._literal,
        alias($._negative_number, $.unary_expression),
        $._dotted_name,
        $.array,
        $.record,
      ),

    _negative_number: ($) =>
      seq(
        field('operator', '-'),
        field('operand', choice($.integer, $.float, $.duration, $.size)),
      ),

    _dotted_name: ($) =>
      choice(
        identifier($, $._value_name),
        alias($._value_path, $.scoped_identifier),
        alias($._value_member, $.member_expression),
      ),

    _value_path: ($) =>
      seq(
        field(
          'path',
          choice(
            identifier($, $._value_name),
            alias($._value_path, $.scoped_identifier),
          ),
        ),
        '::',
        field('name', identifier($, $._name)),
      ),

    _value_member: ($) =>
      seq(
        field('object', $._dotted_name),
        token.immediate('.'),
        field('property', identifier($, $._name)),
      ),

    // Policies.

    policy_definition: ($) =>
      seq(
        alias($._policy, 'policy'),
        field('name', identifier($, $._item_name)),
        field('body', $.policy_body),
      ),

    _agent_policy: ($) =>
      seq(
        alias($._policy, 'policy'),
        optional(field('name', identifier($, $._item_name))),
        field('body', $.policy_body),
      ),

    policy_body: ($) =>
      seq(
        '{',
        separated(
          choice(
            field('rule', $.rule),
            field(
              'entry',
              choice(
                $.entry,
                $.nested_block,
                alias($._named_block, $.nested_block),
                alias($._verb_block, $.nested_block),
              ),
            ),
          ),
        ),
        '}',
      ),

    // `agent x { … }` in a policy.
    _named_block: ($) =>
      seq(
        $._entry_key,
        field(
          'label',
          choice(
            identifier($, $._value_name),
            // Any word is a name here.
            identifier($, $._true),
            identifier($, $._false),
            identifier($, $._null),
          ),
        ),
        field('body', $.entry_block),
      ),

    // `audit { … }`: settings, not a rule.
    _verb_block: ($) =>
      seq(
        field(
          'key',
          choice(
            alias($._allow, 'allow'),
            alias($._deny, 'deny'),
            alias($._require, 'require'),
            alias($._audit, 'audit'),
          ),
        ),
        field('body', $.entry_block),
      ),

    rule: ($) =>
      seq(
        choice(
          seq(
            field(
              'verb',
              choice(
                alias($._allow, 'allow'),
                alias($._deny, 'deny'),
                alias($._audit, 'audit'),
              ),
            ),
            $._rule_sign,
            choice(
              field('selector', $.expression),
              // `read in workspace`: what follows the name is a tail.
              field(
                'selector',
                choice(
                  identifier($, $._selector_name),
                  alias($._selector_path, $.scoped_identifier),
                ),
              ),
            ),
          ),
          seq(
            field('verb', alias($._require, 'require')),
            $._rule_sign,
            field('selector', $.expression),
          ),
        ),
        optional($._tail),
        optional(seq(field('guard', $.rule_guard), optional($._tail))),
        $._rule_end,
      ),

    _rule_sign: ($) =>
      choice(seq(choice(':', '='), $._selector_ahead), $._selector_ahead_on_line),

    _selector_path: ($) =>
      seq(
        field('path', identifier($, $._selector_name)),
        '::',
        field('name', identifier($, $._name)),
      ),

    rule_guard: ($) =>
      seq(
        alias($._if_word, 'if'),
        $._guard_ahead,
        field('condition', $.expression),
      ),

    // Words behind a selector, on its line.
    _tail: ($) => seq($._tail_start, field('tail', $.rule_tail)),

    rule_tail: ($) =>
      seq(
        $._tail_name,
        repeat(choice(seq($._tail_start, $._tail_name), $._tail_token)),
      ),

    _tail_name: ($) => field('word', identifier($, $._tail_word)),

    _tail_token: ($) =>
      choice(
        field('word', $._literal_token),
        field('word', $.tail_group),
        $._tail_sign,
      ),

    tail_group: ($) =>
      choice(
        seq('(', repeat($._group_token), ')'),
        seq('[', repeat($._group_token), ']'),
        seq('{', repeat($._group_token), '}'),
      ),

    _group_token: ($) =>
      choice(
        field('word', identifier($, $._group_word)),
        $._tail_token,
        ',',
        ';',
      ),

    _tail_sign: () =>
      choice(
        '=', ':', '::', '.', '..', '?', '->', '=>', '==', '!=', '<', '<=', '>',
        '>=', '+', '-', '*', '/', '%', '!', '&&', '||', '+=', '-=', '*=', '/=',
        '%=', '|', '&', '^', '~', '**', '++',
      ),

    // Types.

    type: ($) => choice($.named_type, $.optional_type, $.function_type),

    named_type: ($) =>
      prec.right(
        seq(
          field(
            'name',
            choice(
              alias($._name, $.type_identifier),
              alias($._type_path, $.scoped_type_identifier),
            ),
          ),
          optional(field('arguments', $.type_arguments)),
        ),
      ),

    _type_path: ($) =>
      prec.left(
        seq(
          field(
            'path',
            choice(
              alias($._name, $.type_identifier),
              alias($._type_path, $.scoped_type_identifier),
            ),
          ),
          '::',
          field('name', alias($._name, $.type_identifier)),
        ),
      ),

    type_arguments: ($) =>
      seq('<', optional(commas(field('argument', $.type))), '>'),

    optional_type: ($) => prec(2, seq(field('type', $.type), '?')),

    function_type: ($) =>
      prec.right(
        seq(
          '(',
          optional(commas(field('parameter', $.type))),
          ')',
          '->',
          field('result', $.type),
        ),
      ),

    struct_type: ($) =>
      seq(
        '{',
        repeat(
          seq(field('field', $.field_declaration), optional(choice(',', ';'))),
        ),
        '}',
      ),

    field_declaration: ($) =>
      seq(
        field('name', choice(identifier($, $._name), $.string)),
        ':',
        field('type', $.type),
        optional(seq('=', field('default', $.expression))),
      ),

    // Statements.

    block: ($) =>
      seq(
        '{',
        repeat(field('statement', $.statement)),
        optional(field('value', $.expression)),
        '}',
      ),

    // `{}` is a record as the body of a lambda, and a block as that of an arm.
    _full_block: ($) =>
      seq(
        '{',
        choice(
          seq(
            repeat1(field('statement', $.statement)),
            optional(field('value', $.expression)),
          ),
          field('value', $.expression),
        ),
        '}',
      ),

    _empty_block: ($) => seq(alias($._arm_brace, '{'), '}'),

    statement: ($) =>
      choice(
        $.let_statement,
        $.assignment_statement,
        $.expression_statement,
        $.return_statement,
        $.break_statement,
        $.continue_statement,
        $.for_statement,
        $.while_statement,
        alias($._if_statement, $.if_expression),
        alias($._match_statement, $.match_expression),
        alias($._try_statement, $.try_expression),
        $.empty_statement,
      ),

    empty_statement: () => ';',

    let_statement: ($) =>
      seq(
        alias($._let, 'let'),
        field('name', identifier($, $._name)),
        optional(seq(':', field('type', $.type))),
        '=',
        field('value', $.expression),
        ';',
      ),

    assignment_statement: ($) => seq($._assignment, ';'),

    _assignment: ($) =>
      seq(
        field(
          'left',
          choice(
            identifier($, $._reference),
            $.member_expression,
            $.index_expression,
          ),
        ),
        field('operator', choice('=', '+=', '-=', '*=', '/=', '%=')),
        field('right', $.expression),
      ),

    expression_statement: ($) => seq(field('expression', $.expression), ';'),

    return_statement: ($) =>
      seq(
        alias($._return, 'return'),
        optional(field('value', $.expression)),
        ';',
      ),

    break_statement: ($) => seq(alias($._break, 'break'), ';'),

    continue_statement: ($) => seq(alias($._continue, 'continue'), ';'),

    for_statement: ($) =>
      seq(
        alias($._for, 'for'),
        field('name', identifier($, $._name)),
        alias($._in, 'in'),
        field('iterable', $.expression),
        field('body', $.block),
      ),

    while_statement: ($) =>
      seq(
        alias($._while, 'while'),
        field('condition', $.expression),
        field('body', $.block),
      ),

    _if_statement: ($) =>
      seq(alias($._if_statement_word, 'if'), $._if_rest),

    if_expression: ($) =>
      seq(alias($._if_expression_word, 'if'), $._if_rest),

    _else_if: ($) => seq(alias($._if_word, 'if'), $._if_rest),

    _if_rest: ($) =>
      seq(
        field('condition', choice($.expression, $.let_condition)),
        field('consequence', $.block),
        optional(
          seq(
            alias($._else, 'else'),
            field(
              'alternative',
              choice($.block, alias($._else_if, $.if_expression)),
            ),
          ),
        ),
      ),

    let_condition: ($) =>
      seq(
        alias($._let, 'let'),
        field('pattern', $.pattern),
        '=',
        field('value', $.expression),
      ),

    _try_statement: ($) =>
      seq(alias($._try_statement_word, 'try'), $._try_rest),

    try_expression: ($) =>
      seq(alias($._try_expression_word, 'try'), $._try_rest),

    _try_rest: ($) =>
      seq(field('body', $.block), repeat(field('handler', $.catch_clause))),

    catch_clause: ($) =>
      seq(
        alias($._catch, 'catch'),
        choice(
          seq('(', optional($._caught), ')'),
          $._caught,
        ),
        field('body', $.block),
      ),

    _caught: ($) =>
      seq(optional(field('type', $._caught_name)), field('name', $._caught_name)),

    _caught_name: ($) =>
      choice(
        identifier($, $._name),
        alias($._scoped_name, $.scoped_identifier),
      ),

    _match_statement: ($) =>
      seq(alias($._match_statement_word, 'match'), $._match_rest),

    match_expression: ($) =>
      seq(alias($._match_expression_word, 'match'), $._match_rest),

    _match_rest: ($) =>
      seq(field('value', $.expression), field('body', $.match_body)),

    match_body: ($) =>
      seq(
        '{',
        repeat(';'),
        repeat(
          seq(
            field('arm', $.match_arm),
            optional(seq(',', repeat(';'))),
          ),
        ),
        '}',
      ),

    match_arm: ($) =>
      seq(
        field('pattern', $.pattern),
        repeat(seq('|', field('pattern', $.pattern))),
        optional(field('guard', $.arm_guard)),
        '=>',
        field(
          'body',
          choice(
            alias($._empty_block, $.block),
            alias($._full_block, $.block),
            $.expression,
            alias($._assignment, $.assignment_expression),
          ),
        ),
      ),

    arm_guard: ($) =>
      seq(alias($._if_word, 'if'), field('condition', $.expression)),

    // Patterns.

    pattern: ($) =>
      choice(
        $.wildcard_pattern,
        $.literal_pattern,
        $.name_pattern,
        $.call_pattern,
      ),

    wildcard_pattern: ($) => $._underscore,

    literal_pattern: ($) =>
      field(
        'value',
        choice($._literal, alias($._negative_number, $.unary_expression)),
      ),

    name_pattern: ($) =>
      field(
        'name',
        choice(
          identifier($, $._name),
          alias($._scoped_name, $.scoped_identifier),
        ),
      ),

    call_pattern: ($) =>
      seq(
        field(
          'name',
          choice(
            identifier($, $._name),
            alias($._scoped_name, $.scoped_identifier),
          ),
        ),
        '(',
        optional(
          seq(
            field('argument', $.pattern),
            repeat(
              choice(
                seq(',', field('argument', $.pattern)),
                // The comma before a name may be missing.
                field(
                  'argument',
                  choice(
                    alias($.wildcard_pattern, $.wildcard_pattern),
                    $.name_pattern,
                    $.call_pattern,
                  ),
                ),
              ),
            ),
            optional(','),
          ),
        ),
        ')',
      ),

    _scoped_name: ($) =>
      prec.left(
        seq(
          field(
            'path',
            choice(
              identifier($, $._name),
              alias($._scoped_name, $.scoped_identifier),
            ),
          ),
          '::',
          field('name', identifier($, $._name)),
        ),
      ),

    // Expressions.

    expression: ($) =>
      choice(
        $._literal,
        prec(PREC.name, identifier($, $._reference)),
        prec(PREC.name, $.scoped_identifier),
        $.binary_expression,
        $.unary_expression,
        $.member_expression,
        $.call_expression,
        $.index_expression,
        $.array,
        $.record,
        $.struct_expression,
        $.parenthesized_expression,
        $.lambda_expression,
        $.if_expression,
        $.match_expression,
        $.try_expression,
      ),

    scoped_identifier: ($) =>
      seq(
        field(
          'path',
          choice(identifier($, $._reference), $.scoped_identifier),
        ),
        '::',
        field('name', identifier($, $._name)),
      ),

    binary_expression: ($) => {
      const table = [
        [PREC.or, choice('||', alias($._or, 'or'))],
        [PREC.and, choice('&&', alias($._and, 'and'))],
        [
          PREC.equality,
          choice('==', '!=', alias($._in, 'in'), alias($._not_in, 'not in')),
        ],
        [PREC.comparison, choice('<', '<=', '>', '>=')],
        [PREC.additive, choice('+', '-')],
        [PREC.multiplicative, choice('*', '/', '%')],
      ];
      return choice(
        ...table.map(([precedence, operator]) =>
          prec.left(
            precedence,
            seq(
              field('left', $.expression),
              field('operator', operator),
              field('right', $.expression),
            ),
          ),
        ),
      );
    },

    unary_expression: ($) =>
      prec(
        PREC.unary,
        seq(
          field('operator', choice('!', '-', alias($._not, 'not'))),
          field('operand', $.expression),
        ),
      ),

    member_expression: ($) =>
      prec(
        PREC.postfix,
        seq(
          field('object', $.expression),
          '.',
          field('property', identifier($, $._name)),
        ),
      ),

    call_expression: ($) =>
      prec(
        PREC.postfix,
        seq(
          field('function', $.expression),
          field('arguments', $.arguments),
        ),
      ),

    arguments: ($) =>
      seq(
        '(',
        optional(commas(field('argument', choice($.expression, $.named_argument)))),
        ')',
      ),

    named_argument: ($) =>
      seq(
        field('name', identifier($, $._argument_key)),
        choice('=', ':'),
        field('value', $.expression),
      ),

    index_expression: ($) =>
      prec(
        PREC.postfix,
        seq(
          field('object', $.expression),
          '[',
          field('index', $.expression),
          ']',
        ),
      ),

    array: ($) =>
      seq('[', optional(commas(field('element', $.expression))), ']'),

    record: ($) => $._fields,

    struct_expression: ($) =>
      prec(
        0,
        seq(
          field('type', choice(identifier($, $._reference), $.scoped_identifier)),
          field('fields', $.record),
        ),
      ),

    _fields: ($) =>
      seq('{', repeat(seq(field('field', $.record_field), optional(','))), '}'),

    record_field: ($) =>
      seq(
        field('name', choice(identifier($, $._field_key), $.string)),
        ':',
        field('value', $.expression),
      ),

    parenthesized_expression: ($) =>
      seq('(', field('expression', $.expression), ')'),

    lambda_expression: ($) =>
      prec.right(
        PREC.lambda,
        seq(
          field(
            'parameters',
            choice(identifier($, $._reference), $.lambda_parameters),
          ),
          '=>',
          field(
            'body',
            choice($.expression, alias($._full_block, $.block)),
          ),
        ),
      ),

    // As tight as a name alone: `(a)` is read both ways until `=>` decides. Where
    // both go on, in the guard of an arm, it is no lambda.
    lambda_parameters: ($) =>
      prec.dynamic(
        -1,
        prec(PREC.name, seq(
          '(',
          optional(
            commas(
              field(
                'parameter',
                choice(
                  identifier($, $._reference),
                  // Any word is a name here.
                  identifier($, $._true),
                  identifier($, $._false),
                  identifier($, $._null),
                ),
              ),
            ),
          ),
          ')',
        )),
      ),

    // Literals.

    _literal: ($) => choice($._literal_token, $.boolean, $.null),

    _literal_token: ($) =>
      choice(
        $.string,
        $.raw_string,
        $.integer,
        $.float,
        $.duration,
        $.size,
        $.secret,
        $.environment_variable,
      ),

    boolean: ($) =>
      prec(
        PREC.name,
        choice(alias($._true, 'true'), alias($._false, 'false')),
      ),
    null: ($) => prec(PREC.name, $._null),
    integer: ($) => $._integer,
    float: ($) => $._float,
    duration: ($) => $._duration,
    // `10 MB` is odd and understood.
    size: ($) => choice($._size, seq($._integer, $._size_unit)),
    secret: ($) => $._secret,
    environment_variable: ($) => $._environment,

    string: ($) =>
      seq(alias($._quote, '"'), $._string_rest),

    _key_string: ($) =>
      seq(alias($._key_quote, '"'), $._string_rest),

    _string_rest: ($) =>
      seq(
        repeat(
          choice(
            field('content', alias($._string_content, $.string_content)),
            field('escape', alias($._known_escape, $.escape_sequence)),
            field('escape', alias($._unknown_escape, $.unknown_escape)),
          ),
        ),
        alias($._string_end, '"'),
      ),

    raw_string: ($) =>
      seq(
        alias($._triple_quote, '"""'),
        repeat(
          choice(
            field('content', alias($._triple_content, $.string_content)),
            field('escape', alias($._known_escape, $.escape_sequence)),
            field('escape', alias($._unknown_escape, $.unknown_escape)),
          ),
        ),
        alias($._triple_end, '"""'),
      ),
  },
});
