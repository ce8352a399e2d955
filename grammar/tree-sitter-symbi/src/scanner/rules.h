// Ends of rules, and other tokens of no width. The end of the token before was
// marked before anything was read.

#ifndef SYMBI_SCANNER_RULES_H
#define SYMBI_SCANNER_RULES_H

#include "words.h"

// At a word after a selector, a guard or a tail.
static bool word_in_rule(Scan *scan) {
  // `"a"for x`: a lost quote must not pass for a tail.
  bool glued = !scan->spaced && scan->glued_to_string;
  char text[WORD_MAX + 1];
  enum Word word = read_word(scan, text);
  if (is_wide_letter(peek(scan)) || word == W_UNLESS) return false;
  if ((word == W_ELSE && wants(scan, ELSE)) || (word == W_CATCH && wants(scan, CATCH))) {
    mark(scan);
    return give(scan, word == W_ELSE ? ELSE : CATCH);
  }
  if (word == W_IF) {
    mark(scan);
    return wants(scan, IF) && give(scan, IF);
  }
  if (wants(scan, IN)) {
    if (is_infix(word)) {
      mark(scan);
      return give(scan, word == W_IN ? IN : word == W_AND ? AND : OR);
    }
    if (word == W_NOT && in_ahead(scan)) {
      if (scan->colon_read) return false;
      mark(scan);
      return give(scan, NOT_IN);
    }
  }
  if (peek(scan) == ':' && read_address(scan, false)) {
    if (scan->line_start) return wants(scan, RULE_END) && give(scan, RULE_END);
    mark(scan);
    return is_secret(text) && wants(scan, SECRET) && give(scan, SECRET);
  }
  if (wants(scan, SIZE_UNIT) && !scan->line_start) {
    if (word == W_SIZE_UNIT) {
      mark(scan);
      return give(scan, SIZE_UNIT);
    }
    if (word == W_TIME_UNIT) return false;
  }
  if (scan->line_start || next_starts(scan, word)) {
    return wants(scan, RULE_END) && give(scan, RULE_END);
  }
  return wants(scan, TAIL_START) && !glued && give(scan, TAIL_START);
}

// A tail stands on one line, with whatever is on it: numbers, too.
static bool tail_ends(const Scan *scan) {
  return wants(scan, RULE_END) && wants(scan, INTEGER);
}

// Whether a token of no width, or a word, was found in a rule. `undecided` is
// set if something else stands here, which has not been read.
static bool scan_in_rule(Scan *scan, bool *undecided) {
  int32_t c = peek(scan);
  if (at_end(scan) || c == '}' || c == ',' || c == ';') {
    return wants(scan, RULE_END) && give(scan, RULE_END);
  }
  if (starts_word(c)) return word_in_rule(scan);
  if (scan->line_start && tail_ends(scan)) return give(scan, RULE_END);
  if (scan->line_start && wants(scan, RULE_END)) {
    switch (c) {
      case '"':
      case '(':
      case '[':
      case '{':
      case '.':
      case '$':
        return give(scan, RULE_END);
      case '-':
        return give(scan, RULE_END);
      default:
        if (is_digit(c)) return give(scan, RULE_END);
        break;
    }
  }
  *undecided = true;
  return false;
}

// Whether a selector or a guard may begin here: not with the `if` of a guard,
// nor on a later line with the next rule. The value of an entry that may be
// computed does not begin on a later line with the next item
// (entries.rs, `value_missing`).
static bool scan_selector(Scan *scan) {
  int32_t c = peek(scan);
  if (wants(scan, EXPRESSION_AHEAD)) {
    if (scan->line_start && starts_word(c)) {
      char text[WORD_MAX + 1];
      if (starts_item(scan, read_word(scan, text))) return false;
    }
    return give(scan, EXPRESSION_AHEAD);
  }
  if (wants(scan, SELECTOR_AHEAD_ON_LINE) &&
      (scan->line_start || c == ':' || c == '=' || c == '{')) {
    return false;
  }
  if (at_end(scan) || c == '}' || c == ',' || c == ';') return false;
  if (starts_word(c)) {
    char text[WORD_MAX + 1];
    enum Word word = read_word(scan, text);
    bool address = peek(scan) == ':' && read_address(scan, false);
    if (word == W_IF && !wants(scan, GUARD_AHEAD) && is_keyword(scan, word)) return false;
    if (!address && scan->line_start && next_starts(scan, word)) return false;
  }
  if (wants(scan, GUARD_AHEAD)) return give(scan, GUARD_AHEAD);
  return give(scan, wants(scan, SELECTOR_AHEAD) ? SELECTOR_AHEAD : SELECTOR_AHEAD_ON_LINE);
}

static bool scan_list_ahead(Scan *scan) {
  if (peek(scan) != '[') return false;
  if (wants(scan, LIST_AHEAD)) return give(scan, LIST_AHEAD);
  return !scan->line_start && give(scan, LIST_AHEAD_ON_LINE);
}

#endif
