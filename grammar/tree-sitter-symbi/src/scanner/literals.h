// Numbers, strings and the braces of `with`.

#ifndef SYMBI_SCANNER_LITERALS_H
#define SYMBI_SCANNER_LITERALS_H

#include "ahead.h"

// lexer.rs, `number`.
static bool scan_number(Scan *scan) {
  enum Symbol kind = INTEGER;
  int32_t last = 0;
  while (is_digit(peek(scan)) || peek(scan) == '_') {
    last = peek(scan);
    step(scan);
  }
  mark(scan);
  bool dotted = false;
  if (peek(scan) == '.') {
    step(scan);
    dotted = true;
    if (is_digit(peek(scan))) {
      kind = FLOAT;
      dotted = false;
      while (is_digit(peek(scan)) || peek(scan) == '_') {
        last = peek(scan);
        step(scan);
      }
      mark(scan);
      if (peek(scan) == '.') {
        step(scan);
        dotted = true;
        // `1.2.3` is a version without its quotes.
        if (is_digit(peek(scan))) return false;
      }
    }
  }
  if (last == '_') return false;
  if (!dotted && starts_word(peek(scan))) {
    char unit[WORD_MAX + 1];
    bool exponent = peek(scan) == 'e' || peek(scan) == 'E';
    enum Word word = read_word(scan, unit);
    if (is_wide_letter(peek(scan))) return false;
    if (exponent) {
      const char *digits = unit + 1;
      if (*digits == 0) {
        if (peek(scan) != '+' && peek(scan) != '-') return false;
        step(scan);
        if (!is_digit(peek(scan))) return false;
        while (is_digit(peek(scan)) || peek(scan) == '_') step(scan);
        if (in_word(peek(scan)) || is_wide_letter(peek(scan))) return false;
      } else {
        if (!is_digit(*digits)) return false;
        for (; *digits; digits++) {
          if (!is_digit(*digits) && *digits != '_') return false;
        }
      }
      mark(scan);
      return give(scan, FLOAT);
    }
    mark(scan);
    if (word == W_SIZE_UNIT) return give(scan, SIZE);
    // Only short units are glued: `30.seconds` has its dot.
    if (word == W_TIME_UNIT && (strlen(unit) <= 2 || strcmp(unit, "months") == 0)) {
      return give(scan, DURATION);
    }
    return false;
  }
  if (!dotted && is_wide_letter(peek(scan))) return false;
  if (dotted && starts_word(peek(scan))) {
    char unit[WORD_MAX + 1];
    enum Word word = read_word(scan, unit);
    if (word == W_TIME_UNIT && strlen(unit) > 3 && strcmp(unit, "months") != 0 &&
        peek(scan) != '(' && !is_wide_letter(peek(scan))) {
      mark(scan);
      return give(scan, DURATION);
    }
  }
  return give(scan, kind);
}

static bool scan_quote(Scan *scan) {
  step(scan);
  mark(scan);
  if (wants(scan, NEVER)) {
    // A whole string, so that what stands in it is not taken for code.
    if (read_any_string(scan) != T_OTHER || at_end(scan)) mark(scan);
    return give(scan, NEVER);
  }
  if (peek(scan) == '"') {
    step(scan);
    if (peek(scan) == '"') {
      step(scan);
      mark(scan);
      return wants(scan, TRIPLE_QUOTE) && read_triple(scan) && give(scan, TRIPLE_QUOTE);
    }
  } else if (!read_string(scan)) {
    return false;
  }
  if (!wants(scan, KEY_QUOTE)) return wants(scan, QUOTE) && give(scan, QUOTE);
  const Token *next = ahead(scan, 0);
  if (wants(scan, ARGUMENT_KEY)) return is_sign(next) && give(scan, KEY_QUOTE);
  if (is_sign(next) || next->kind == T_OPEN_BRACE) return give(scan, KEY_QUOTE);
  if (next->line_start || closes(next) || next->kind == T_COMMA || next->kind == T_SEMICOLON) {
    return false;
  }
  return give(scan, KEY_QUOTE);
}

static bool is_hex(int32_t c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Behind a backslash: whether an escape of the language stands here, which is
// read (decode.rs).
static bool read_escape(Scan *scan) {
  int32_t c = peek(scan);
  switch (c) {
    case 'n':
    case 't':
    case 'r':
    case '0':
    case '"':
    case '\\':
      step(scan);
      mark(scan);
      return true;
    case 'x': {
      step(scan);
      if (!is_hex(peek(scan))) return false;
      step(scan);
      if (!is_hex(peek(scan))) return false;
      step(scan);
      mark(scan);
      return true;
    }
    case 'u': {
      step(scan);
      if (peek(scan) != '{') return false;
      step(scan);
      unsigned digits = 0;
      uint32_t value = 0;
      while (is_hex(peek(scan)) && digits < 7) {
        int32_t digit = peek(scan);
        value = value * 16 + (uint32_t)(is_digit(digit) ? digit - '0' : (digit | 32) - 'a' + 10);
        digits++;
        step(scan);
      }
      bool scalar = value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
      if (digits == 0 || digits > 6 || !scalar || peek(scan) != '}') return false;
      step(scan);
      mark(scan);
      return true;
    }
    default:
      return false;
  }
}

// Inside a string whose end is known to be there.
static bool scan_in_string(Scan *scan, bool triple) {
  bool any = false;
  for (;;) {
    int32_t c = peek(scan);
    if (at_end(scan)) return false;
    if (c == '\\') {
      if (any) break;
      step(scan);
      mark(scan);
      return give(scan, read_escape(scan) ? KNOWN_ESCAPE : UNKNOWN_ESCAPE);
    }
    if (c == '"') {
      if (any) mark(scan);
      step(scan);
      if (!triple) {
        if (any) return give(scan, STRING_CONTENT);
        mark(scan);
        scan->state->glued_to_string = starts_word(peek(scan));
        return give(scan, STRING_END);
      }
      if (peek(scan) == '"') {
        step(scan);
        if (peek(scan) == '"') {
          if (any) return give(scan, TRIPLE_CONTENT);
          step(scan);
          mark(scan);
          return give(scan, TRIPLE_END);
        }
      }
      any = true;
      continue;
    }
    any = true;
    step(scan);
  }
  mark(scan);
  return give(scan, triple ? TRIPLE_CONTENT : STRING_CONTENT);
}

static bool scan_environment(Scan *scan) {
  step(scan);
  bool braced = peek(scan) == '{';
  if (braced) step(scan);
  if (!starts_word(peek(scan))) return false;
  while (in_word(peek(scan))) step(scan);
  if (braced) {
    if (peek(scan) != '}') return false;
    step(scan);
  }
  mark(scan);
  return give(scan, ENVIRONMENT);
}

// patterns.rs, `arm_body`: `{}` as the body of an arm is a block.
static bool scan_arm_brace(Scan *scan) {
  step(scan);
  mark(scan);
  return read_token(scan).kind == T_CLOSE_BRACE && give(scan, ARM_BRACE);
}

static bool opens(const Token *token) {
  return token->kind == T_OPEN_BRACE || token->kind == T_OPEN_PAREN ||
         token->kind == T_OPEN_BRACKET;
}

// The token behind a pair of brackets, given the first one in it.
static Token behind_pair(Scan *scan, Token token) {
  unsigned depth = 1;
  while (token.kind != T_END) {
    if (opens(&token)) depth++;
    if (closes(&token)) depth--;
    token = read_token(scan);
    if (depth == 0) break;
  }
  return token;
}

// Whether a word and the token behind it begin a statement.
static bool begins_statement(const Token *word, const Token *next) {
  return word->kind == T_WORD && word->word >= W_LET && word->word <= W_CONTINUE &&
         !is_sign(next) && next->kind != T_DOT && next->kind != T_COMMA &&
         next->kind != T_CLOSE_PAREN;
}

// with.rs, `attribute_block_follows`: the first token is a known attribute
// with a value, and no entry starts with a statement word.
static bool scan_attribute_brace(Scan *scan) {
  step(scan);
  mark(scan);
  Token first = read_token(scan);
  if (first.kind != T_WORD || !first.attribute) return false;
  Token token = read_token(scan);
  bool simple = is_word(&token) || token.kind == T_STRING || token.kind == T_TRIPLE ||
                token.kind == T_LITERAL || token.kind == T_MINUS || token.kind == T_OPEN_BRACKET;
  if (!is_sign(&token) && (!simple || token.line_start)) return false;
  // An entry is a key, perhaps a sign, and a value; its first token is at hand
  // in `key`, and the one behind that in `token`.
  Token key = first;
  for (;;) {
    if (key.kind == T_END) return false;
    if (closes(&key)) return give(scan, ATTRIBUTE_BRACE);
    if (begins_statement(&key, &token)) return false;
    if (opens(&key)) token = behind_pair(scan, token);
    bool sign = false;
    while (is_sign(&token)) {
      sign = true;
      token = read_token(scan);
    }
    bool none = closes(&token) || token.kind == T_END || token.kind == T_COMMA ||
                token.kind == T_SEMICOLON || (!sign && token.line_start);
    if (!none) {
      if (token.kind == T_MINUS) token = read_token(scan);
      Token value = token;
      token = read_token(scan);
      if (value.line_start && begins_statement(&value, &token)) return false;
      if (value.kind == T_END) return false;
      if (closes(&value)) return give(scan, ATTRIBUTE_BRACE);
      if (opens(&value)) token = behind_pair(scan, token);
      while (token.kind == T_DOT || token.kind == T_COLON_COLON) {
        token = read_token(scan);
        if (!closes(&token)) token = read_token(scan);
      }
    }
    while (token.kind == T_COMMA || token.kind == T_SEMICOLON) token = read_token(scan);
    key = token;
    token = closes(&key) ? key : read_token(scan);
  }
}

#endif
