// Text to lines of tokens, by the built grammar and the engine of VS Code.

import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const ROOT = "source.symbi";
const json = fileURLToPath(new URL("../../symbi.tmLanguage.json", import.meta.url));

async function load() {
  const wasm = require.resolve("vscode-oniguruma/release/onig.wasm");
  await oniguruma.loadWASM(readFileSync(wasm).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(readFileSync(json, "utf8"), json),
  });
  return registry.loadGrammar(ROOT);
}

const grammar = await load();

/** The lines of a text, whatever ends them. */
export const linesOf = (text) => text.split(/\r\n|\r|\n/);

/**
 * One entry a line: `{ line, tokens }`; a token has `start`, `end` and `scopes` without the root.
 * Where the engine gives up on a line, that is an error.
 */
export function tokenize(text) {
  let stack = textmate.INITIAL;
  return linesOf(text).map((line) => {
    const result = grammar.tokenizeLine(line, stack);
    if (result.stoppedEarly) throw new Error("the engine stopped in the middle of a line");
    stack = result.ruleStack;
    const tokens = result.tokens
      .map(({ startIndex, endIndex, scopes }) => ({
        start: startIndex,
        end: Math.min(endIndex, line.length),
        scopes: scopes.filter((scope) => scope !== ROOT),
      }))
      .filter(({ start, end }) => start < end);
    return { line, tokens };
  });
}

/** Reads a text as an editor does, colours only, and gives the milliseconds that it took. */
export function milliseconds(text) {
  const begin = performance.now();
  let stack = textmate.INITIAL;
  for (const line of linesOf(text)) {
    const result = grammar.tokenizeLine2(line, stack);
    if (result.stoppedEarly) throw new Error("the engine stopped in the middle of a line");
    stack = result.ruleStack;
  }
  return performance.now() - begin;
}

/** The innermost scope that says what the characters are, `meta.*` aside; "" if there is none. */
export const leaf = (scopes) => scopes.filter((scope) => !scope.startsWith("meta.")).at(-1) ?? "";

/** Every file under a folder with one of these endings, in a fixed order. */
export function filesUnder(folder, endings) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesUnder(path, endings);
      return endings.some((ending) => entry.name.endsWith(ending)) ? [path] : [];
    });
}

/** What a file without mistakes must not have: `line:column` and why. */
export function complaints(text, { illegal = true } = {}) {
  const found = [];
  tokenize(text).forEach(({ line, tokens }, at) => {
    for (const { start, end, scopes } of tokens) {
      const piece = line.slice(start, end);
      const where = `${at + 1}:${start + 1} \`${piece.trim()}\``;
      if (illegal && scopes.some((scope) => scope.startsWith("invalid.illegal")))
        found.push(`${where} is ${leaf(scopes)}`);
      else if (piece.trim() !== "" && leaf(scopes) === "") found.push(`${where} has no scope`);
    }
  });
  return found;
}
