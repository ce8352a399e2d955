// What no table of states can say about the Symbi language: words that are
// keywords or names by what follows them, strings that lost a quote, nesting
// comments, numbers with their units, and where a rule of a policy ends.
//
// In: the symbols the parser could use here, and the text. Out: at most one
// token. It mirrors compiler/syntax (the lexer, and the look-ahead of the
// parser); grammar/conformance holds the two together. Rules are named after
// the functions there.
//
// How it looks ahead: a token ends where `mark_end` was last called. A token of
// no width is marked before anything is read, any other as soon as it is
// whole, and what is read after that only decides.
//
// State: one byte, with what a token of this scanner left behind for the next
// one; see `Scanner`.

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

#include "scanner/literals.h"
#include "scanner/rules.h"
#include "scanner/words.h"

static void skip_space(Scan *scan, bool before_token) {
  while (is_space(peek(scan)) && !at_end(scan)) {
    if (is_break(peek(scan))) scan->line_start = true;
    scan->spaced = true;
    scan->lexer->advance(scan->lexer, before_token);
  }
}

// Comments that have been read, as one.
static bool give_comment(Scan *scan) {
  mark(scan);
  return give(scan, BLOCK_COMMENT);
}

static bool scan_token(Scan *scan) {
  bool recovering = wants(scan, NEVER);
  if (!recovering) {
    if (wants(scan, STRING_END)) return scan_in_string(scan, false);
    if (wants(scan, TRIPLE_END)) return scan_in_string(scan, true);
  }

  mark(scan);
  // A rule looks behind its comments by itself.
  scan->line_start = scan->break_before && (wants(scan, ITEM_NAME) || wants(scan, VALUE_NAME));
  skip_space(scan, true);

  bool in_rule = !recovering && (wants(scan, RULE_END) || wants(scan, TAIL_START));
  bool selector =
      !recovering && (wants(scan, SELECTOR_AHEAD) || wants(scan, SELECTOR_AHEAD_ON_LINE) ||
                      wants(scan, GUARD_AHEAD) || wants(scan, EXPRESSION_AHEAD));
  bool list = !recovering && (wants(scan, LIST_AHEAD) || wants(scan, LIST_AHEAD_ON_LINE));
  bool ahead_decides = in_rule || selector || list;

  int32_t c = peek(scan);
  unsigned comments = 0;
  bool block_first = false;
  while (c == '/' || c == '#') {
    // Behind a comment that is ours a `/` may divide: the comment ends here.
    if (block_first && c == '/') return give_comment(scan);
    if (c == '/') step(scan);
    if (c == '/' && peek(scan) == '*') {
      step(scan);
      if (!read_block_comment(scan, &scan->line_start)) {
        // One that is never closed takes the rest of the file along.
        mark(scan);
        return recovering && give(scan, NEVER);
      }
      if (comments == 0) {
        // One that a rule goes on behind, or that nothing hangs on.
        if (!ahead_decides || !scan->line_start) {
          mark(scan);
          scan->state->break_before = scan->line_start;
          return give(scan, scan->state->refused ? NEVER : BLOCK_COMMENT);
        }
        block_first = true;
      }
    } else {
      if (c == '/' && peek(scan) != '/') {
        // A sign. A tail does not reach it on a later line.
        return in_rule && scan->line_start && tail_ends(scan) && give(scan, RULE_END);
      }
      // Comments to the end of the line are no business of this scanner, but
      // what stands behind them may decide.
      if (!ahead_decides) return false;
      skip_line(scan);
    }
    scan->spaced = true;
    skip_space(scan, false);
    c = peek(scan);
    // After many comments in a row the next one is only read when its turn
    // comes, or each would be read again for each one before it.
    if (++comments > COMMENTS_MAX) return block_first && give_comment(scan);
  }

  // The string's own state is for the token right behind it.
  scan->refusable = starts_word(c);
  if (list || selector) {
    if (list ? scan_list_ahead(scan) : scan_selector(scan)) return true;
    // A list or a selector on a later line is refused, whatever is between.
    if (list && c == '[') scan->refusable = true;
    return block_first && !scan->refusable && give_comment(scan);
  }
  if (in_rule) {
    bool undecided = false;
    bool found = scan_in_rule(scan, &undecided);
    if (comments == 0) {
      if (!undecided) return found;
    } else if (block_first) {
      // An `if` or `in` behind such comments has them in its token, and the
      // comments before an operator have the space behind them in theirs.
      return undecided ? give_comment(scan) : found;
    } else {
      // Behind a comment that is not ours only a token of no width can be given.
      enum Symbol symbol = (enum Symbol)scan->lexer->result_symbol;
      return found && (symbol == RULE_END || symbol == TAIL_START);
    }
  }

  if (starts_word(c)) return scan_word(scan);
  if (is_digit(c)) return wants(scan, INTEGER) && scan_number(scan);
  switch (c) {
    case '"':
      return scan_quote(scan);
    case '$':
      return wants(scan, ENVIRONMENT) && scan_environment(scan);
    case '=':
      if (!wants(scan, ENTRY_EQUALS)) return false;
      step(scan);
      mark(scan);
      return peek(scan) != '=' && peek(scan) != '>' && give(scan, ENTRY_EQUALS);
    case ':':
      if (!wants(scan, ENTRY_COLON)) return false;
      step(scan);
      mark(scan);
      return peek(scan) != ':' && give(scan, ENTRY_COLON);
    case '{':
      if (recovering) return false;
      if (wants(scan, ARM_BRACE)) return scan_arm_brace(scan);
      return wants(scan, ATTRIBUTE_BRACE) && scan_attribute_brace(scan);
    default:
      return false;
  }
}

void *tree_sitter_symbi_external_scanner_create(void) { return ts_calloc(1, sizeof(Scanner)); }

void tree_sitter_symbi_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_symbi_external_scanner_serialize(void *payload, char *buffer) {
  const Scanner *state = payload;
  buffer[0] = (char)((state->break_before ? 1 : 0) | (state->glued_to_string ? 2 : 0));
  return buffer[0] != 0;
}

void tree_sitter_symbi_external_scanner_deserialize(void *payload, const char *buffer,
                                                    unsigned length) {
  Scanner *state = payload;
  char flags = 0;
  if (length > 0) flags = buffer[0];
  state->break_before = (flags & 1) != 0;
  state->glued_to_string = (flags & 2) != 0;
}

bool tree_sitter_symbi_external_scanner_scan(void *payload, TSLexer *lexer,
                                             const bool *valid_symbols) {
  Scanner *state = payload;
  Scan scan;
  memset(&scan, 0, sizeof scan);
  scan.lexer = lexer;
  scan.valid = valid_symbols;
  scan.state = state;
  scan.glued_to_string = state->glued_to_string;
  state->glued_to_string = false;
  scan.break_before = state->break_before;
  state->break_before = false;
  if (wants(&scan, NEVER)) {
    bool found = scan_token(&scan);
    state->refused = false;
    return found;
  }
  state->refused = false;
  bool found = scan_token(&scan);
  state->refused = !found && scan.refusable;
  return found;
}
