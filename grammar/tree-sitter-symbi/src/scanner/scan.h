// The scan at hand: characters, and words.

#ifndef SYMBI_SCANNER_SCAN_H
#define SYMBI_SCANNER_SCAN_H

#include "../tree_sitter/parser.h"
#include "symbols.h"

#include <string.h>

// A token that was looked at.
enum Kind {
  T_END,
  T_WORD,
  // A name with a letter outside ASCII.
  T_BAD_NAME,
  T_STRING,
  T_TRIPLE,
  T_LITERAL,
  T_EQ,
  T_EQ_EQ,
  T_FAT_ARROW,
  T_COLON,
  T_COLON_COLON,
  T_DOT,
  T_COMMA,
  T_SEMICOLON,
  T_OPEN_PAREN,
  T_CLOSE_PAREN,
  T_OPEN_BRACKET,
  T_CLOSE_BRACKET,
  T_OPEN_BRACE,
  T_CLOSE_BRACE,
  T_MINUS,
  T_ASSIGN,
  T_OTHER,
};

typedef struct {
  enum Kind kind;
  enum Word word;
  bool attribute;
  // The first on its line.
  bool line_start;
  // Nothing stands before it.
  bool glued;
} Token;

#define AHEAD_MAX 4

// How many comments in a row are looked behind at once.
#define COMMENTS_MAX 64

typedef struct {
  // The block comment before had a line break before it or in it.
  bool break_before;
  // The string before has a name glued to it.
  bool glued_to_string;
  // What stands here was refused: nothing that the language has begins so. The
  // parser asks again, for whatever it could be anywhere, and must not get a
  // token that happens to fit. Lives between two calls only.
  bool refused;
} Scanner;

typedef struct {
  TSLexer *lexer;
  const bool *valid;
  Scanner *state;
  // What stood before the token at hand.
  bool line_start;
  bool spaced;
  bool break_before;
  // What stands here, if nothing is found, must not be found after an error
  // either: see `refused`.
  bool refusable;
  bool glued_to_string;
  // Tokens after the word at hand, as far as they were asked for.
  Token ahead[AHEAD_MAX];
  unsigned known;
  // A `:` after a word was read to see whether an address follows.
  bool colon_read;
  bool colon_double;
  bool slash_read;
} Scan;

// Characters.

static inline bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static inline bool starts_word(int32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool in_word(int32_t c) { return starts_word(c) || is_digit(c); }

static inline bool is_break(int32_t c) { return c == '\n' || c == '\r'; }

// White space as the compiler has it: that of Unicode.
static inline bool is_space(int32_t c) {
  if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r');
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

// Whether a name goes on with this character, which makes it a bad name. The
// scanner has no table of letters: of what is not ASCII, only marks and signs
// that nobody takes for a letter end a name.
static inline bool is_wide_letter(int32_t c) {
  if (c < 0x80 || is_space(c)) return false;
  if (c >= 0x2010 && c <= 0x2BFF) return false;  // dashes, quotes, arrows, mathematics
  if (c >= 0x3001 && c <= 0x3004) return false;  // CJK punctuation
  if (c >= 0xFF01 && c <= 0xFF0F) return false;  // wide ASCII signs
  if (c >= 0x1F000 && c <= 0x1FAFF) return false;  // pictures
  if (c >= 0xA1 && c <= 0xBF) return c == 0xAA || c == 0xB2 || c == 0xB3 || c == 0xB5 ||
                                     c == 0xB9 || c == 0xBA || (c >= 0xBC && c <= 0xBE);
  return c != 0xD7 && c != 0xF7 && c != 0xFEFF && c != 0x200B;
}

static inline int32_t peek(const Scan *scan) { return scan->lexer->lookahead; }

static inline bool at_end(const Scan *scan) { return scan->lexer->eof(scan->lexer); }

static inline void step(Scan *scan) { scan->lexer->advance(scan->lexer, false); }

static inline void mark(Scan *scan) { scan->lexer->mark_end(scan->lexer); }

static inline bool give(Scan *scan, enum Symbol symbol) {
  scan->lexer->result_symbol = symbol;
  return true;
}

static inline bool wants(const Scan *scan, enum Symbol symbol) { return scan->valid[symbol]; }

// Reads a word, and says which. `text` has room for WORD_MAX + 1 bytes and
// gets the empty text for longer words.
static enum Word read_word(Scan *scan, char *text) {
  unsigned length = 0;
  bool letters = true;
  for (;;) {
    int32_t c = peek(scan);
    if (!in_word(c)) break;
    if (length < WORD_MAX) text[length] = (char)c;
    letters = letters && c != '_' && !is_digit(c);
    length++;
    step(scan);
  }
  if (length > WORD_MAX) length = 0;
  text[length] = 0;
  // No word that is more than a name is longer than `capabilities`.
  if (length == 0 || length > 12 || !letters) return W_OTHER;
  for (unsigned i = 0; i < LENGTH(WORDS); i++) {
    const char *word = WORDS[i].text;
    // Most words differ in one of these two.
    if (word[0] == text[0] && word[1] == text[1] && strcmp(word, text) == 0) {
      return WORDS[i].word;
    }
  }
  return W_OTHER;
}

static bool is_attribute(const char *text) {
  for (unsigned i = 0; i < LENGTH(ATTRIBUTES); i++) {
    if (ATTRIBUTES[i][0] == text[0] && strcmp(ATTRIBUTES[i], text) == 0) return true;
  }
  return false;
}

#endif
