// Words: which of the keywords and names that may stand here one is.

#ifndef SYMBI_SCANNER_WORDS_H
#define SYMBI_SCANNER_WORDS_H

#include "ahead.h"

// The symbol of a word of an item or a rule.
static enum Symbol item_symbol(enum Word word) { return METADATA + (word - W_METADATA); }

// The symbol of a word that begins a statement.
static enum Symbol statement_symbol(enum Word word) {
  switch (word) {
    case W_LET:
      return LET;
    case W_IF:
      return IF_STATEMENT;
    case W_MATCH:
      return MATCH_STATEMENT;
    case W_TRY:
      return TRY_STATEMENT;
    case W_FOR:
      return FOR;
    case W_WHILE:
      return WHILE;
    case W_RETURN:
      return RETURN;
    case W_BREAK:
      return BREAK;
    default:
      return CONTINUE;
  }
}

// What an entry may begin with, told by what else may stand there: the items
// of an agent, the rules of a policy, the policies of a channel.
static bool entry_word(Scan *scan, enum Word word, const char *text) {
  const Token *next = ahead(scan, 0);
  if (wants(scan, WITH)) {
    // items.rs, `agent_item`.
    switch (word) {
      case W_CAPABILITIES:
      case W_WITH:
        return give(scan, item_symbol(word));
      case W_TYPE:
      case W_FUNCTION:
      case W_AGENT:
        if ((is_word(next) && !next->line_start) || next->kind == T_OPEN_PAREN ||
            starts_item(scan, word)) {
          return word != W_AGENT && give(scan, item_symbol(word));
        }
        break;
      case W_METADATA:
      case W_POLICY:
      case W_SCHEDULE:
      case W_CHANNEL:
      case W_MEMORY:
      case W_WEBHOOK:
      case W_CONSTRAINTS:
      case W_EXECUTOR:
        if (block_shape(scan, word)) return give(scan, item_symbol(word));
        break;
      case W_IF:
      case W_FOR:
      case W_LET:
      case W_WHILE:
      case W_TRY:
      case W_RETURN:
      case W_MATCH:
        // `foreign_in_agent`: a statement.
        if (is_keyword(scan, word) && !(next->kind == T_OPEN_BRACE && word != W_TRY)) {
          return false;
        }
        break;
      default:
        break;
    }
  } else if (wants(scan, ALLOW)) {
    // policy.rs, `rule_or_entry`.
    switch (word) {
      case W_ALLOW:
      case W_DENY:
      case W_REQUIRE:
      case W_AUDIT:
        return give(scan, item_symbol(word));
      case W_IF:
        if (is_keyword(scan, word)) return false;
        break;
      case W_FOREIGN_VERB:
        if (next->kind != T_OPEN_BRACE) return false;
        break;
      default:
        break;
    }
  } else if (wants(scan, POLICY) && word == W_POLICY) {
    // entries.rs, `entry`, in a channel.
    if (next->kind == T_OPEN_BRACE ||
        (is_word(next) && ahead(scan, 1)->kind == T_OPEN_BRACE)) {
      return give(scan, POLICY);
    }
  }
  // entries.rs, `entry_after_key`: a value stands on the line of its key.
  if (is_sign(next)) {
    bool expression = strcmp(text, "input") == 0 || strcmp(text, "capabilities") == 0;
    return give(scan, expression ? EXPRESSION_KEY : KEY);
  }
  if (next->kind == T_OPEN_BRACE) return give(scan, KEY);
  if (next->line_start || closes(next) || next->kind == T_COMMA || next->kind == T_SEMICOLON) {
    return false;
  }
  // A dash in a name.
  if (next->kind == T_MINUS && next->glued) {
    const Token *after = ahead(scan, 1);
    if (after->glued && (is_word(after) || after->kind == T_LITERAL)) return false;
  }
  return give(scan, KEY);
}

// primary.rs, `word_expression`, and what a statement may begin with.
static bool operand_word(Scan *scan, enum Word word) {
  const Token *next = ahead(scan, 0);
  if (wants(scan, ARGUMENT_KEY) && is_sign(next)) return give(scan, ARGUMENT_KEY);
  if (wants(scan, FIELD_KEY) && (next->kind == T_COLON || !wants(scan, REFERENCE))) {
    return give(scan, FIELD_KEY);
  }
  if (word == W_NOT && wants(scan, NOT) && next->kind != T_EQ && next->kind != T_DOT &&
      next->kind != T_COMMA && next->kind != T_COLON && next->kind != T_CLOSE_PAREN) {
    return give(scan, NOT);
  }
  bool statement = wants(scan, IF_STATEMENT);
  bool keyword = false;
  switch (word) {
    case W_LET:
    case W_IF:
    case W_MATCH:
    case W_TRY:
    case W_FOR:
    case W_WHILE:
    case W_RETURN:
    case W_BREAK:
    case W_CONTINUE:
      keyword = is_keyword(scan, word);
      break;
    default:
      break;
  }
  if (keyword && statement) return give(scan, statement_symbol(word));
  if (keyword) {
    switch (word) {
      case W_IF:
        return wants(scan, IF_EXPRESSION) && give(scan, IF_EXPRESSION);
      case W_MATCH:
        return wants(scan, MATCH_EXPRESSION) && give(scan, MATCH_EXPRESSION);
      case W_TRY:
        return wants(scan, TRY_EXPRESSION) && give(scan, TRY_EXPRESSION);
      case W_LET:
        // `if let`.
        return wants(scan, LET) && give(scan, LET);
      default:
        return false;
    }
  }
  if (next->kind == T_FAT_ARROW) return wants(scan, REFERENCE) && give(scan, REFERENCE);
  switch (word) {
    case W_TRUE:
      return give(scan, TRUE_WORD);
    case W_FALSE:
      return give(scan, FALSE_WORD);
    case W_NULL:
      return give(scan, NULL_WORD);
    case W_NEW:
      if (is_word(next) && !next->line_start) return false;
      break;
    case W_AWAIT:
      if (!next->line_start && ((is_word(next) && !is_infix(next->word)) ||
                                (next->kind == T_OPEN_PAREN && !next->glued))) {
        return false;
      }
      break;
    case W_ELSE:
    case W_CATCH:
      // foreign.rs, `foreign_statement`.
      if (statement && (next->kind == T_OPEN_BRACE || next->kind == T_OPEN_PAREN ||
                        (is_word(next) && next->word == W_IF))) {
        return false;
      }
      break;
    case W_FOREIGN_RAISE:
      if (statement && (next->kind == T_OPEN_PAREN ||
                        (!next->line_start &&
                         (next->kind == T_OPEN_BRACE || next->kind == T_OPEN_BRACKET)))) {
        return false;
      }
      break;
    case W_UNLESS:
    case W_FOREIGN_UNLESS:
      if (statement && !next->line_start &&
          (next->kind == T_OPEN_BRACE || next->kind == T_OPEN_BRACKET)) {
        return false;
      }
      break;
    default:
      break;
  }
  return wants(scan, REFERENCE) && give(scan, REFERENCE);
}

// entries.rs, `plain_value`.
static bool value_word(Scan *scan, enum Word word) {
  const Token *next;
  switch (word) {
    case W_TRUE:
      return give(scan, TRUE_WORD);
    case W_FALSE:
      return give(scan, FALSE_WORD);
    case W_NULL:
      return give(scan, NULL_WORD);
    case W_IF:
    case W_MATCH:
    case W_TRY:
      next = ahead(scan, 0);
      // Braces follow it where it labels a block of a policy.
      if (!next->line_start && !closes(next) && next->kind != T_COMMA &&
          next->kind != T_SEMICOLON && next->kind != T_OPEN_BRACE && !is_sign(next)) {
        return false;
      }
      break;
    default:
      break;
  }
  if (scan->line_start && starts_item(scan, word)) return false;
  return give(scan, VALUE_NAME);
}

// After an error: what the parser can go on with.
static bool word_after_error(Scan *scan, enum Word word) {
  if (scan->line_start) {
    if (word >= W_ALLOW && word <= W_AUDIT && is_sign(ahead(scan, 0))) {
      return give(scan, item_symbol(word));
    }
    if (word <= W_EXTERN && word != W_OTHER && starts_item(scan, word)) {
      return give(scan, item_symbol(word));
    }
    if (word >= W_LET && word <= W_CONTINUE && is_keyword(scan, word)) {
      return give(scan, statement_symbol(word));
    }
  }
  switch (word) {
    case W_TRUE:
      return give(scan, TRUE_WORD);
    case W_FALSE:
      return give(scan, FALSE_WORD);
    case W_NULL:
      return give(scan, NULL_WORD);
    default:
      break;
  }
  if (is_sign(ahead(scan, 0))) return give(scan, KEY);
  return give(scan, REFERENCE);
}

static bool in_ahead(Scan *scan) {
  return is_word(ahead(scan, 0)) && ahead(scan, 0)->word == W_IN;
}

static bool scan_word(Scan *scan) {
  char text[WORD_MAX + 1];
  enum Word word = read_word(scan, text);
  if (is_wide_letter(peek(scan))) return false;
  mark(scan);
  if (peek(scan) == ':' && read_address(scan, true)) {
    return is_secret(text) && wants(scan, SECRET) && give(scan, SECRET);
  }
  if (wants(scan, NEVER)) {
    if (scan->state->refused) return give(scan, NEVER);
    return word_after_error(scan, word);
  }

  // Operators and what goes on with a statement come before names.
  switch (word) {
    case W_IN:
      if (wants(scan, IN)) return give(scan, IN);
      break;
    case W_AND:
      if (wants(scan, AND)) return give(scan, AND);
      break;
    case W_OR:
      if (wants(scan, OR)) return give(scan, OR);
      break;
    case W_NOT:
      if (wants(scan, NOT_IN) && in_ahead(scan)) {
        // A `:` behind it has been read, and is no operand.
        if (scan->colon_read) return false;
        mark(scan);
        return give(scan, NOT_IN);
      }
      break;
    case W_IF:
      if (wants(scan, IF)) return give(scan, IF);
      break;
    case W_ELSE:
      if (wants(scan, ELSE)) return give(scan, ELSE);
      break;
    case W_CATCH:
      if (wants(scan, CATCH)) return give(scan, CATCH);
      break;
    case W_FOREIGN_ELSE:
      if (wants(scan, ELSE)) return false;
      break;
    case W_FOREIGN_CATCH:
      if (wants(scan, CATCH)) return false;
      break;
    case W_SIZE_UNIT:
      if (wants(scan, SIZE_UNIT) && !scan->line_start && !is_sign(ahead(scan, 0))) {
        return give(scan, SIZE_UNIT);
      }
      break;
    default:
      break;
  }
  if (wants(scan, GROUP_WORD)) return give(scan, GROUP_WORD);
  if (wants(scan, TAIL_WORD)) return give(scan, TAIL_WORD);
  if (wants(scan, EXTERN)) {
    // The top level.
    return word != W_OTHER && word <= W_EXTERN && word != W_CONSTRAINTS && word != W_EXECUTOR &&
           give(scan, item_symbol(word));
  }
  if (wants(scan, KEY)) return entry_word(scan, word, text);
  if (wants(scan, ITEM_NAME)) {
    return !(scan->line_start && starts_item(scan, word)) && give(scan, ITEM_NAME);
  }
  if (wants(scan, VALUE_NAME)) return value_word(scan, word);
  if (wants(scan, SELECTOR_NAME)) {
    // policy.rs, `tail_follows_name`.
    bool path = ahead(scan, 0)->kind == T_COLON_COLON && is_word(ahead(scan, 1));
    unsigned after = path ? 2 : 0;
    const Token *in = ahead(scan, after);
    if (is_word(in) && in->word == W_IN && !in->line_start && is_word(ahead(scan, after + 1))) {
      return give(scan, SELECTOR_NAME);
    }
  }
  if (wants(scan, REFERENCE) || wants(scan, FIELD_KEY)) return operand_word(scan, word);
  if (wants(scan, TOOL) && word == W_TOOL) {
    const Token *next = ahead(scan, 0);
    if (!next->line_start && (is_word(next) || next->kind == T_STRING)) return give(scan, TOOL);
  }
  if (wants(scan, LET) && word == W_LET && is_keyword(scan, word)) return give(scan, LET);
  if (wants(scan, ARGUMENT_KEY)) {
    return is_sign(ahead(scan, 0)) && give(scan, ARGUMENT_KEY);
  }
  if (wants(scan, UNDERSCORE) && strcmp(text, "_") == 0) return give(scan, UNDERSCORE);
  if (wants(scan, TRUE_WORD)) {
    // A pattern.
    if (word == W_TRUE) return give(scan, TRUE_WORD);
    if (word == W_FALSE) return give(scan, FALSE_WORD);
    if (word == W_NULL) return give(scan, NULL_WORD);
  }
  return wants(scan, NAME) && give(scan, NAME);
}

#endif
