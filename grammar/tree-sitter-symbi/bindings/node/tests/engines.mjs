// The two engines under test behind one face: each parses, edits and queries with its own runtime.

import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import * as web from "web-tree-sitter";

const require = createRequire(import.meta.url);
const Native = require("tree-sitter");

export const PACKAGE = fileURLToPath(new URL("../../../", import.meta.url));
const EXAMPLES = fileURLToPath(new URL("../../../../../examples/", import.meta.url));

export const WASM = `${PACKAGE}tree-sitter-symbi.wasm`;
export const QUERIES = ["highlights", "locals", "folds", "indents", "injections", "tags", "textobjects"];

/** The addon's export. */
export const addon = require("../index.js");

await web.Parser.init();
const module = await web.Language.load(readFileSync(WASM));

/** Both number columns and offsets in units of UTF-16, so that an edit is the same for each. */
export const engines = {
  wasm: {
    language: module,
    parser() {
      const parser = new web.Parser();
      parser.setLanguage(module);
      return { parse: (text, old) => parser.parse(text, old) };
    },
    query: (text) => new web.Query(module, text),
  },
  native: {
    language: addon,
    parser() {
      const parser = new Native();
      parser.setLanguage(addon);
      // It reads a string through a buffer, by default of 32 KiB, that a longer one does not fit in.
      return { parse: (text, old) => parser.parse(text, old, { bufferSize: 1 << 22 }) };
    },
    query: (text) => new Native.Query(addon, text),
  },
};

/** All examples of the project: `{ name, text }`. */
export const examples = readdirSync(EXAMPLES, { recursive: true })
  .filter((name) => /\.(symbi|dsl)$/.test(name))
  .sort()
  .map((name) => ({ name, text: readFileSync(EXAMPLES + name, "utf8") }));

/** Cases `=== name`, source, `---`, expectation; what a case is for is data, not code. */
export function cases(name) {
  const text = readFileSync(new URL(name, import.meta.url), "utf8");
  return text
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [head, expected, ...rest] = part.split(/^---\n/m);
      if (expected === undefined || rest.length > 0) throw new Error(`${name}: one --- a case: ${part}`);
      const line = head.indexOf("\n");
      return { name: head.slice(0, line), source: head.slice(line + 1), expected };
    });
}

/** A tree as the engine prints it, each node on its own line, deeper ones further right. */
export function outline(tree) {
  let depth = 0;
  return tree.rootNode.toString().replace(/'[^']*'|"[^"]*"| ?(?:[a-z_]+: )?\(|\)/g, (token) => {
    if (token === ")") depth--;
    if (!token.endsWith("(")) return token;
    const indent = depth++;
    return (indent > 0 ? "\n" : "") + "  ".repeat(indent) + token.trimStart();
  });
}

/** Where an offset is, as row and column. */
export function point(text, index) {
  const before = text.slice(0, index);
  return { row: before.split("\n").length - 1, column: index - (before.lastIndexOf("\n") + 1) };
}

/** The text with `from` (which it has once) replaced, and what to tell the tree about it. */
export function edit(text, from, to) {
  const startIndex = text.indexOf(from);
  if (startIndex < 0 || text.indexOf(from, startIndex + 1) >= 0) throw new Error(`not there once: ${from}`);
  const changed = text.slice(0, startIndex) + to + text.slice(startIndex + from.length);
  const oldEndIndex = startIndex + from.length;
  const newEndIndex = startIndex + to.length;
  return {
    text: changed,
    change: {
      startIndex,
      oldEndIndex,
      newEndIndex,
      startPosition: point(text, startIndex),
      oldEndPosition: point(text, oldEndIndex),
      newEndPosition: point(changed, newEndIndex),
    },
  };
}
