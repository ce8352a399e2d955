// What is shipped: the committed WebAssembly module, the addon's exports and the queries.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { addon, engines, PACKAGE, QUERIES, WASM } from "./engines.mjs";

const HASHES = `${WASM}.sha256`;

test("tree-sitter-symbi.wasm is built from the sources that are here (else: run build-wasm)", () => {
  const listed = readFileSync(HASHES, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const sources = readdirSync(`${PACKAGE}src`, { recursive: true })
    .filter((name) => /\.[ch]$/.test(name))
    .map((name) => `src/${name}`);
  const current = ["tree-sitter-symbi.wasm", "build-wasm", ...sources.sort()].map((name) => {
    const hash = createHash("sha256").update(readFileSync(PACKAGE + name)).digest("hex");
    return `${hash}  ${name}`;
  });
  assert.deepEqual(listed, current);
});

test("the module imports only what hosts of such modules export", () => {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(WASM)));
  const functions = imports.filter((entry) => entry.kind === "function");
  assert.deepEqual(functions.map((entry) => `${entry.module}.${entry.name}`).sort(), [
    "env.calloc",
    "env.free",
    "env.memset",
    "env.strcmp",
    "env.strlen",
  ]);
});

test("both are the language that src/ has", () => {
  const [, abi] = readFileSync(`${PACKAGE}src/parser.c`, "utf8").match(/^#define LANGUAGE_VERSION (\d+)$/m);
  assert.equal(engines.wasm.language.abiVersion, Number(abi));
  assert.equal(addon.name, "symbi");
  assert.equal(addon.nodeTypeInfo.find((kind) => kind.root).type, "source_file");
  assert.ok(engines.wasm.language.types.includes("agent_definition"));
});

test("package.json, tree-sitter.json and package-lock.json are of one version and need no host", () => {
  const json = (name) => JSON.parse(readFileSync(PACKAGE + name, "utf8"));
  const { version } = json("package.json");
  assert.equal(json("tree-sitter.json").metadata.version, version);
  assert.equal(json("package-lock.json").version, version);
  assert.doesNotMatch(readFileSync(`${PACKAGE}package-lock.json`, "utf8"), /https?:|"resolved"/);
});

for (const name of QUERIES) {
  test(`queries/${name}.scm is a query, and the addon exports it`, () => {
    const text = readFileSync(`${PACKAGE}queries/${name}.scm`, "utf8");
    assert.equal(addon[`${name.toUpperCase()}_QUERY`], text);
    engines.wasm.query(text);
    // The directives of tags are for another consumer; the npm module refuses what it does not know.
    if (name !== "tags") engines.native.query(text);
  });
}

const SOURCE = `// é 🙂
agent greeter(name: string) { with timeout = 5m { return "hi"; } }
`;
/** Places that every theme colours, and how: by offset, as any capture of a place may be its last. */
const COLOURS = [
  ["// é 🙂", "comment"],
  ["agent", "keyword"],
  ["with", "keyword"],
  ["5m", "number"],
  ["return", "keyword"],
  ['"hi"', "string"],
];

for (const [name, engine] of Object.entries(engines)) {
  test(`${name} colours a text by queries/highlights.scm`, () => {
    const query = engine.query(readFileSync(`${PACKAGE}queries/highlights.scm`, "utf8"));
    const found = query
      .captures(engine.parser().parse(SOURCE).rootNode)
      .map((capture) => `${capture.node.startIndex} ${capture.name.split(".")[0]}`);
    for (const [text, colour] of COLOURS) {
      assert.ok(found.includes(`${SOURCE.indexOf(text)} ${colour}`), `${text}: no ${colour} in ${found}`);
    }
  });
}
