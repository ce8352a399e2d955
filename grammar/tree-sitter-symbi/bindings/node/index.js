// The Symbi language for the npm module `tree-sitter`, with its queries.
// index.d.ts says what there is.

"use strict";

const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const root = join(__dirname, "..", "..");

const language = require("node-gyp-build")(root);
language.nodeTypeInfo = require("../../src/node-types.json");

const QUERIES = ["highlights", "locals", "folds", "indents", "injections", "tags", "textobjects"];

// Read when they are asked for: who only parses needs none.
for (const name of QUERIES) {
  Object.defineProperty(language, `${name.toUpperCase()}_QUERY`, {
    get: () => readFileSync(join(root, "queries", `${name}.scm`), "utf8"),
    enumerable: true,
  });
}

module.exports = language;
