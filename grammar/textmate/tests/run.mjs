// Runs the tests of the grammar. Called by `../test`, which installs what they need.
//
// One line a failure, and `N passed, N failed` at the end. Each assertion file, snapshot,
// conformance case and long line counts as one; so do the build and the lock file.
// `UPDATE=1` writes the snapshots anew.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { complaints, filesUnder, milliseconds, tokenize } from "./lib/tokenize.mjs";
import { LONG_LINES } from "./lib/long-lines.mjs";
import { snapshot } from "./lib/snapshot.mjs";

const run = promisify(execFile);
const HERE = fileURLToPath(new URL("..", import.meta.url));
const ROOT = join(HERE, "../..");
const EXAMPLES = join(ROOT, "examples");
const CASES = process.env.CONFORMANCE_CASES ?? join(ROOT, "grammar/conformance/cases");
const SNAPSHOTS = join(HERE, "tests/snapshots");
const update = process.env.UPDATE === "1";
/** A line of this many characters is read in far less; a pattern gone wild takes minutes. */
const LONG = 1 << 16;
const LIMIT_MS = 20_000;
/** What one assertion file may take; the tool hangs on some malformed assertions. */
const FILE_MS = 60_000;

let passed = 0;
let failed = 0;
function report(name, problems) {
  if (problems.length === 0) {
    passed += 1;
    return;
  }
  failed += 1;
  console.log(`FAILED ${name}`);
  for (const problem of problems.slice(0, 10)) console.log(`    ${problem}`);
}
/** A suite that finds nothing to run has failed. */
function some(list, what) {
  if (list.length === 0) report(what, ["nothing found to test"]);
  return list;
}

async function built() {
  const result = await run(process.execPath, [join(HERE, "build.mjs"), "--check"]).catch((e) => e);
  report("build.mjs --check", result.code ? [result.stderr.trim()] : []);
}

function lockFile() {
  const hosts = readFileSync(join(HERE, "package-lock.json"), "utf8").match(/https?:\/\/[^"]*/g);
  report("package-lock.json", hosts ? [`names a host: ${hosts[0]}`] : []);
}

async function scopes() {
  const tool = join(HERE, "node_modules/.bin/vscode-tmgrammar-test");
  const grammar = join(HERE, "symbi.tmLanguage.json");
  const waiting = some(filesUnder(join(HERE, "tests/scopes"), [".symbi"]), "tests/scopes");
  const one = async (file) => {
    const problems = [];
    if (!/^\/\/ *<?[\^~-]/m.test(readFileSync(file, "utf8"))) problems.push("asserts nothing");
    try {
      await run(tool, ["-c", "-g", grammar, file], { timeout: FILE_MS });
    } catch (error) {
      problems.push(...`${error.stdout}${error.stderr}`.trim().split("\n"));
      if (error.killed) problems.push("took too long");
    }
    report(relative(HERE, file), problems);
  };
  const queue = [...waiting];
  const worker = async () => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) await one(file);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

function examples() {
  const wanted = new Set();
  for (const file of some(filesUnder(EXAMPLES, [".symbi", ".dsl"]), "examples")) {
    const name = relative(EXAMPLES, file);
    const text = readFileSync(file, "utf8");
    report(`examples/${name}`, complaints(text));
    const path = join(SNAPSHOTS, `${name}.snap`);
    wanted.add(path);
    const now = snapshot(text);
    if (update) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, now);
    }
    const before = existsSync(path) ? readFileSync(path, "utf8") : null;
    const problems = [];
    if (before === null) problems.push("missing: run UPDATE=1 ./test and read it");
    else if (before !== now) problems.push(...firstDifference(before, now));
    report(`tests/snapshots/${name}.snap`, problems);
  }
  for (const path of existsSync(SNAPSHOTS) ? filesUnder(SNAPSHOTS, [".snap"]) : []) {
    if (wanted.has(path)) continue;
    if (update) rmSync(path);
    else report(relative(HERE, path), ["belongs to no example"]);
  }
}

function firstDifference(before, now) {
  const [old, fresh] = [before.split("\n"), now.split("\n")];
  const at = fresh.findIndex((line, i) => line !== old[i]);
  const line = at < 0 ? fresh.length : at;
  return [`line ${line + 1} was: ${old[line] ?? ""}`, `line ${line + 1} is:  ${fresh[line] ?? ""}`];
}

function conformance() {
  if (!existsSync(CASES)) {
    report("grammar/conformance/cases", ["the folder is missing"]);
    return;
  }
  for (const file of some(filesUnder(CASES, [".symbi"]), "grammar/conformance/cases")) {
    const text = readFileSync(file, "utf8");
    const expect = readFileSync(file.replace(/\.symbi$/, ".expect"), "utf8");
    const verdict = /^verdict: (ok|warning|error)/.exec(expect)?.[1];
    const name = relative(ROOT, file);
    if (verdict === undefined) report(name, ["its .expect has no verdict"]);
    else if (verdict !== "error") report(name, complaints(text));
    else if (/^textmate: invalid$/m.test(expect))
      report(name, hasIllegal(text) ? [] : ["no token is invalid.illegal"]);
    else report(name, []);
  }
}

const hasIllegal = (text) =>
  tokenize(text).some(({ tokens }) =>
    tokens.some(({ scopes }) => scopes.some((scope) => scope.startsWith("invalid.illegal"))),
  );

function longLines() {
  for (const [name, make] of some(Object.entries(LONG_LINES), "long lines")) {
    const took = milliseconds(make(LONG));
    report(`long line: ${name}`, took > LIMIT_MS ? [`took ${Math.round(took)} ms`] : []);
  }
}

await built();
lockFile();
await scopes();
examples();
conformance();
longLines();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
