// Lines that make a careless pattern slow, each a function of its length.

const fill = (unit, length) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const after = (head, unit) => (length) => head + fill(unit, length);
const only = (unit) => after("", unit);

export const LONG_LINES = {
  "one word": only("a"),
  blanks: only(" "),
  "one number": only("1"),
  "a version": only("1."),
  quotes: only('"'),
  "escaped quotes": after('"', '\\"'),
  "escaped keys": after("metadata { ", '"a\\'),
  "single quotes": after("'", "\\'"),
  braces: only("{"),
  parentheses: after("function f() { x = ", "("),
  brackets: after("metadata { a = ", "["),
  comments: only("/*"),
  addresses: only("a://b "),
  "one address": after("metadata { a http://", ".-"),
  entries: after("metadata { ", 'key = "value", other: 30s '),
  "keyless entries": after("metadata { ", 'store markdown path "x" '),
  rules: after("policy p { ", 'allow: read(x) if x == "y" && not z; deny: [a, b::c] '),
  tails: after("policy p { allow: x ", "for a "),
  statements: after("function f() { ", "let x = g(a: 1, h => h.b[3]) + 2; if x { y } else { z } "),
  arms: after("function f() { match x { ", "1 | Some(x) if x > 2 => y(), "),
  lambdas: after("function f() { x(", "(a, "),
  types: after("type A = ", "Array<"),
  parameters: after("function f(", "a: int = 3, "),
  "bodies of with": after("agent a { ", "with a = 1 { } "),
  "letters outside ASCII": only("é"),
  "a wide gap": (length) => `policy p { allow: a${fill(" ", length)}b }`,
};
