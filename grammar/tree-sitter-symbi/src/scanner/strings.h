// Comments and strings, from their first to their last character.

#ifndef SYMBI_SCANNER_STRINGS_H
#define SYMBI_SCANNER_STRINGS_H

#include "scan.h"

// Comments.

// Reads what follows `/*`. False if the comment is never closed.
static bool read_block_comment(Scan *scan, bool *line_break) {
  unsigned depth = 1;
  while (!at_end(scan)) {
    int32_t c = peek(scan);
    step(scan);
    if (is_break(c)) *line_break = true;
    if (c == '*' && peek(scan) == '/') {
      step(scan);
      if (--depth == 0) return true;
    } else if (c == '/' && peek(scan) == '*') {
      step(scan);
      depth++;
    }
  }
  return false;
}

static void skip_line(Scan *scan) {
  while (!at_end(scan) && !is_break(peek(scan))) step(scan);
}

// Strings. lexer.rs: a quote further down that something is glued to opens a
// string, and no string reaches over a line that begins an item.

// anchors.rs, `opens_a_string`, for what follows a quote.
static bool opens_a_string(Scan *scan) {
  int32_t c = peek(scan);
  if (at_end(scan)) return false;
  if (c == '/') {
    step(scan);
    return peek(scan) != '/' && peek(scan) != '*';
  }
  return in_word(c) || c >= 0x80 || c == '$' || c == '@' || c == '<' || c == '\\' || c == '\'' ||
         c == '{' || c == '(' || c == '%';
}

static void skip_blanks(Scan *scan) {
  while (peek(scan) == ' ' || peek(scan) == '\t') step(scan);
}

static bool skip_name(Scan *scan) {
  if (!in_word(peek(scan))) return false;
  while (in_word(peek(scan))) step(scan);
  skip_blanks(scan);
  return true;
}

// anchors.rs, `line_is_anchor`. Reads no quote, backslash or line end, so the
// search for the end of a string can go on where this one stops.
static bool at_anchor(Scan *scan) {
  int32_t c = peek(scan);
  if (c == '}') return true;
  if (c < 'a' || c > 'z') return false;
  char text[WORD_MAX + 1];
  enum Word word = read_word(scan, text);
  switch (word) {
    case W_METADATA:
      skip_blanks(scan);
      return peek(scan) == '{';
    case W_CAPABILITIES:
      skip_blanks(scan);
      if (peek(scan) == '{') return true;
      if (peek(scan) != '=' && peek(scan) != ':') return false;
      step(scan);
      skip_blanks(scan);
      return peek(scan) == '[';
    case W_WITH:
      skip_blanks(scan);
      return peek(scan) == '{' || (skip_name(scan) && peek(scan) == '=');
    case W_AGENT:
      skip_blanks(scan);
      if (peek(scan) == '{') return true;
      if (!skip_name(scan)) return false;
      if (peek(scan) == '-') {
        step(scan);
        return peek(scan) == '>';
      }
      return peek(scan) == '{' || peek(scan) == '(';
    case W_POLICY:
    case W_SCHEDULE:
    case W_CHANNEL:
    case W_MEMORY:
    case W_WEBHOOK:
      skip_blanks(scan);
      return peek(scan) == '{' || (skip_name(scan) && peek(scan) == '{');
    case W_FUNCTION:
      skip_blanks(scan);
      return skip_name(scan) && peek(scan) == '(';
    case W_TYPE:
      skip_blanks(scan);
      return skip_name(scan) && peek(scan) == '=';
    default:
      return false;
  }
}

// Reads a string behind its first quote. False if it lost its own. After an
// error the end of its first line is marked: a string without its end ends there.
static bool read_string(Scan *scan) {
  bool broken = false;
  while (!at_end(scan)) {
    int32_t c = peek(scan);
    if (c == '"') {
      step(scan);
      return !(broken && opens_a_string(scan));
    }
    step(scan);
    if (c == '\\') {
      // A line end after a backslash still ends a line.
      if (!at_end(scan) && !is_break(peek(scan))) step(scan);
    } else if (is_break(c)) {
      if (c == '\r' && peek(scan) == '\n') step(scan);
      if (!broken && wants(scan, NEVER)) mark(scan);
      broken = true;
      if (at_anchor(scan)) return false;
    }
  }
  return false;
}

// Reads a `"""` string behind its quotes. False if it is never closed.
static bool read_triple(Scan *scan) {
  unsigned quotes = 0;
  while (!at_end(scan)) {
    int32_t c = peek(scan);
    step(scan);
    if (c == '"') {
      if (++quotes == 3) return true;
      continue;
    }
    quotes = 0;
    if (c == '\\' && !at_end(scan)) step(scan);
  }
  return false;
}

#endif
