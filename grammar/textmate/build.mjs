#!/usr/bin/env node
// Builds symbi.tmLanguage.json from symbi.tmLanguage.yaml; with `--check` it only compares.
//
// `{{name}}` in a pattern stands for the variable `name`, which may use others.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const source = fileURLToPath(new URL("symbi.tmLanguage.yaml", import.meta.url));
const target = fileURLToPath(new URL("symbi.tmLanguage.json", import.meta.url));
const PATTERNS = new Set(["match", "begin", "end", "while"]);

/** The pattern with every variable put in. Unknown and circular ones are errors. */
function expand(text, variables, open = []) {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name) => {
    if (!Object.hasOwn(variables, name)) throw new Error(`no variable {{${name}}}`);
    if (open.includes(name)) throw new Error(`{{${name}}} is made of itself`);
    return expand(variables[name], variables, [...open, name]);
  });
}

function walk(node, variables) {
  if (Array.isArray(node)) return node.map((part) => walk(part, variables));
  if (node === null || typeof node !== "object") return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      PATTERNS.has(key) && typeof value === "string"
        ? expand(value, variables)
        : walk(value, variables),
    ]),
  );
}

/** Every `#rule` that is included exists, and every rule is included. */
function checkIncludes(grammar) {
  const used = new Set();
  const visit = (node) => {
    if (node === null || typeof node !== "object") return;
    if (typeof node.include === "string") used.add(node.include.slice(1));
    Object.values(node).forEach(visit);
  };
  visit(grammar);
  const known = new Set(Object.keys(grammar.repository));
  for (const name of used) if (!known.has(name)) throw new Error(`no rule #${name}`);
  for (const name of known) if (!used.has(name)) throw new Error(`nothing includes #${name}`);
}

/** The text of the JSON grammar. */
export function build() {
  const { variables, ...rest } = parse(readFileSync(source, "utf8"));
  const grammar = walk(rest, variables);
  checkIncludes(grammar);
  return JSON.stringify(grammar, null, 2) + "\n";
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = build();
  if (process.argv[2] !== "--check") {
    writeFileSync(target, text);
  } else if (readFileSync(target, "utf8") !== text) {
    console.error("symbi.tmLanguage.json is stale: run ./build.mjs in grammar/textmate");
    process.exit(1);
  }
}
