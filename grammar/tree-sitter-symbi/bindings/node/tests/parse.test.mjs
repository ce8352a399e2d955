// Both engines give the same trees, the right ones, and keep them right through edits.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cases, edit, engines, examples, outline } from "./engines.mjs";

test("there are examples", () => assert.ok(examples.length >= 28, `${examples.length}`));

for (const { name, text } of examples) {
  test(`${name} has no error, and both engines read it alike`, () => {
    const [wasm, native] = ["wasm", "native"].map((engine) => engines[engine].parser().parse(text));
    assert.equal(wasm.rootNode.hasError, false);
    assert.equal(native.rootNode.hasError, false);
    assert.equal(wasm.rootNode.endIndex, text.length);
    assert.equal(outline(native), outline(wasm));
  });
}

// What an edit must change besides its own text: a word's meaning, the reach of
// a string or a comment, the end of a rule.
const BASE = `// é 🙂
agent a(name: string) {
  policy p {
    allow: read
    deny: write
  }
  with timeout = 5m {
    let kind = "🙂";
    match = kind;
    return kind;
  }
}

agent b { }
`;
const EDITS = [
  ["a name becomes a keyword", "match = kind", 'match kind { "🙂" => 1 }'],
  ["a rule goes on over a line break", "read\n", "read if name\n      == x\n"],
  ["a rule gets a tail", "read\n", "read for deny\n"],
  ["a quote is lost", '"🙂"', '"🙂'],
  ["a comment opens", "(name: string)", "/* (name: string)"],
  ["a brace is lost", "  }\n}", "  \n}"],
  ["a block becomes attributes", "with timeout = 5m {\n", "with {\n sandbox = docker\n"],
  ["three quotes open", '"🙂"', '"""🙂'],
];

for (const engine of Object.keys(engines)) {
  const parse = (text, old) => engines[engine].parser().parse(text, old);

  describe(engine, () => {
    for (const { name, source, expected } of cases("trees.txt")) {
      test(name, () => assert.equal(`${outline(parse(source))}\n`, expected));
    }

    for (const [name, from, to] of EDITS) {
      test(`${name}, and back`, () => {
        const { text, change } = edit(BASE, from, to);
        const first = parse(BASE);
        assert.equal(first.rootNode.hasError, false);
        first.edit(change);
        const second = parse(text, first);
        assert.equal(outline(second), outline(parse(text)));
        assert.notEqual(outline(second), outline(parse(BASE)));

        const start = change.startIndex;
        second.edit({
          startIndex: start,
          oldEndIndex: change.newEndIndex,
          newEndIndex: change.oldEndIndex,
          startPosition: change.startPosition,
          oldEndPosition: change.newEndPosition,
          newEndPosition: change.oldEndPosition,
        });
        assert.equal(outline(parse(BASE, second)), outline(parse(BASE)));
      });
    }

    test("an edit of one word keeps the nodes before it", () => {
      const { text, change } = edit(BASE, "agent b", "agent second");
      const policy = (tree) => tree.rootNode.namedChild(1).childForFieldName("body").namedChild(0);
      const old = parse(BASE);
      const kept = policy(old).id;
      assert.notEqual(policy(parse(BASE)).id, kept);
      old.edit(change);
      const changed = parse(text, old);
      assert.equal(policy(changed).id, kept);
      assert.equal(changed.rootNode.namedChild(2).childForFieldName("name").text, "second");
    });
  });
}
