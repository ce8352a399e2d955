// Tokens behind the word at hand, and what they say about it.

#ifndef SYMBI_SCANNER_AHEAD_H
#define SYMBI_SCANNER_AHEAD_H

#include "strings.h"

// What follows `"` that has been read: `T_STRING`, `T_TRIPLE`, or `T_OTHER` if
// a quote is missing.
static enum Kind read_any_string(Scan *scan) {
  if (peek(scan) != '"') return read_string(scan) ? T_STRING : T_OTHER;
  step(scan);
  if (peek(scan) != '"') return T_STRING;
  step(scan);
  return read_triple(scan) ? T_TRIPLE : T_OTHER;
}

// lexer.rs, `url`: whether `://path` follows a word. It is read and, where
// `marks` says so, its end marked. If none follows, the `:` has been read all
// the same.
static bool read_address(Scan *scan, bool marks) {
  step(scan);
  scan->colon_read = true;
  scan->colon_double = false;
  scan->slash_read = false;
  if (peek(scan) == ':') {
    step(scan);
    scan->colon_double = true;
    return false;
  }
  if (peek(scan) != '/') return false;
  step(scan);
  scan->slash_read = true;
  if (peek(scan) != '/') return false;
  step(scan);
  bool any = false;
  for (;;) {
    int32_t c = peek(scan);
    bool inner = c == '.' || c == '-';
    if (!in_word(c) && c != '/' && !inner) break;
    step(scan);
    if (!inner) {
      any = true;
      if (marks) mark(scan);
    }
  }
  return any;
}

// Whether an address with this scheme is a value.
static bool is_secret(const char *scheme) {
  return strcmp(scheme, "vault") == 0 || strcmp(scheme, "env") == 0;
}

static Token read_token(Scan *scan) {
  Token token = {T_OTHER, W_OTHER, false, false, true};
  if (scan->colon_read) {
    scan->colon_read = false;
    token.kind = scan->colon_double ? T_COLON_COLON : T_COLON;
    return token;
  }
  if (scan->slash_read) {
    // What follows a `:` and begins with `/` is no value.
    scan->slash_read = false;
    return token;
  }
  for (;;) {
    int32_t c = peek(scan);
    if (at_end(scan)) {
      token.kind = T_END;
      return token;
    }
    if (is_space(c)) {
      token.glued = false;
      if (is_break(c)) token.line_start = true;
      step(scan);
      continue;
    }
    if (c == '#') {
      token.glued = false;
      skip_line(scan);
      continue;
    }
    if (c == '/') {
      step(scan);
      if (peek(scan) == '/') {
        token.glued = false;
        skip_line(scan);
        continue;
      }
      if (peek(scan) == '*') {
        token.glued = false;
        step(scan);
        if (!read_block_comment(scan, &token.line_start)) {
          token.kind = T_END;
          return token;
        }
        continue;
      }
      if (peek(scan) == '=') {
        step(scan);
        token.kind = T_ASSIGN;
      }
      return token;
    }
    break;
  }
  int32_t c = peek(scan);
  if (starts_word(c)) {
    char text[WORD_MAX + 1];
    token.word = read_word(scan, text);
    token.attribute = is_attribute(text);
    token.kind = is_wide_letter(peek(scan)) ? T_BAD_NAME : T_WORD;
    if (peek(scan) == ':' && read_address(scan, false)) token.kind = T_LITERAL;
    return token;
  }
  if (is_digit(c)) {
    while (in_word(peek(scan))) step(scan);
    token.kind = T_LITERAL;
    return token;
  }
  step(scan);
  switch (c) {
    case '"':
      token.kind = read_any_string(scan);
      return token;
    case '$':
      token.kind = T_LITERAL;
      if (peek(scan) == '{') {
        step(scan);
        while (in_word(peek(scan))) step(scan);
        if (peek(scan) == '}') step(scan);
      } else {
        while (in_word(peek(scan))) step(scan);
      }
      return token;
    case '=':
      token.kind = T_EQ;
      if (peek(scan) == '=') {
        step(scan);
        token.kind = T_EQ_EQ;
      } else if (peek(scan) == '>') {
        step(scan);
        token.kind = T_FAT_ARROW;
      }
      return token;
    case ':':
      token.kind = T_COLON;
      if (peek(scan) == ':') {
        step(scan);
        token.kind = T_COLON_COLON;
      }
      return token;
    case '.':
      token.kind = T_DOT;
      if (peek(scan) == '.') {
        step(scan);
        token.kind = T_OTHER;
      }
      return token;
    case ',':
      token.kind = T_COMMA;
      return token;
    case ';':
      token.kind = T_SEMICOLON;
      return token;
    case '(':
      token.kind = T_OPEN_PAREN;
      return token;
    case ')':
      token.kind = T_CLOSE_PAREN;
      return token;
    case '[':
      token.kind = T_OPEN_BRACKET;
      return token;
    case ']':
      token.kind = T_CLOSE_BRACKET;
      return token;
    case '{':
      token.kind = T_OPEN_BRACE;
      return token;
    case '}':
      token.kind = T_CLOSE_BRACE;
      return token;
    case '-':
      token.kind = T_MINUS;
      if (peek(scan) == '=') {
        step(scan);
        token.kind = T_ASSIGN;
      } else if (peek(scan) == '>') {
        step(scan);
        token.kind = T_OTHER;
      }
      return token;
    case '+':
    case '*':
    case '%':
      if (peek(scan) == '=') {
        step(scan);
        token.kind = T_ASSIGN;
      } else if (peek(scan) == c) {
        step(scan);
      }
      return token;
    case '<':
    case '!':
      if (peek(scan) == '=') step(scan);
      return token;
    case '&':
    case '|':
      if (peek(scan) == c) step(scan);
      return token;
    default:
      return token;
  }
}

// The n-th token after the word at hand, from 0.
static const Token *ahead(Scan *scan, unsigned n) {
  while (scan->known <= n) {
    scan->ahead[scan->known] = read_token(scan);
    scan->known++;
  }
  return &scan->ahead[n];
}

static inline bool is_sign(const Token *token) {
  return token->kind == T_EQ || token->kind == T_COLON;
}

static inline bool is_word(const Token *token) {
  return token->kind == T_WORD || token->kind == T_BAD_NAME;
}

static inline bool closes(const Token *token) {
  return token->kind == T_END || token->kind == T_CLOSE_BRACE || token->kind == T_CLOSE_PAREN ||
         token->kind == T_CLOSE_BRACKET;
}

// statements.rs, `is_keyword`.
static bool is_keyword(Scan *scan, enum Word word) {
  switch (ahead(scan, 0)->kind) {
    case T_EQ:
    case T_DOT:
    case T_COMMA:
    case T_COLON:
    case T_CLOSE_PAREN:
    case T_ASSIGN:
      return false;
    case T_SEMICOLON:
      return word == W_RETURN || word == W_BREAK || word == W_CONTINUE;
    default:
      return true;
  }
}

// headers.rs, `starts_item`.
static bool starts_item(Scan *scan, enum Word word) {
  const Token *next = ahead(scan, 0);
  switch (word) {
    case W_TYPE:
      return is_word(next) &&
             (ahead(scan, 1)->kind == T_EQ || ahead(scan, 1)->kind == T_OPEN_BRACE);
    case W_FUNCTION:
      return is_word(next) && ahead(scan, 1)->kind == T_OPEN_PAREN;
    case W_AGENT:
    case W_EXTERN:
      return is_word(next) || next->kind == T_STRING;
    case W_METADATA:
    case W_CAPABILITIES:
    case W_POLICY:
    case W_SCHEDULE:
    case W_CHANNEL:
    case W_MEMORY:
    case W_WEBHOOK:
    case W_WITH:
      return is_word(next) || next->kind == T_OPEN_BRACE || is_sign(next) ||
             next->kind == T_STRING;
    default:
      return false;
  }
}

static bool braces_ahead(Scan *scan, unsigned n) {
  return ahead(scan, n)->kind == T_OPEN_BRACE ||
         (is_sign(ahead(scan, n)) && ahead(scan, n + 1)->kind == T_OPEN_BRACE);
}

// items.rs, `block_shape`.
static bool block_shape(Scan *scan, enum Word word) {
  if (braces_ahead(scan, 0)) return true;
  const Token *name = ahead(scan, 0);
  if (!is_word(name) && name->kind != T_STRING) return false;
  bool named = !name->line_start || (is_word(name) && name->word >= W_INPUT) ||
               (is_word(name) && name->word == W_OTHER);
  if (name->line_start && !(named && ahead(scan, 1)->kind == T_OPEN_BRACE)) return false;
  const Token *next = ahead(scan, 1);
  return braces_ahead(scan, 1) ||
         (word == W_POLICY && is_word(next) && next->word >= W_ALLOW && next->word <= W_AUDIT);
}

static bool is_infix(enum Word word) { return word == W_IN || word == W_AND || word == W_OR; }

// policy.rs, `next_starts`, for the word at hand.
static bool next_starts(Scan *scan, enum Word word) {
  const Token *next = ahead(scan, 0);
  if (is_sign(next)) return true;
  if (word < W_ALLOW || word > W_AUDIT) return false;
  if (next->kind == T_STRING || next->kind == T_OPEN_BRACKET || next->kind == T_OPEN_BRACE) {
    return true;
  }
  return is_word(next) && next->word != W_IF && next->word != W_IN;
}

#endif
