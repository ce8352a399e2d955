#!/usr/bin/env python3
"""Runs what the documentation says.

In: every Markdown page of the repository and the `symbi` of the debug build.
Out: one line a problem, then `N passed, N failed`. The conventions, also told
in CONTRIBUTING.md:

```console        Lines `$ command` (continued by `> `), each followed by what it
                  prints. Run in the repository's root, stdout and stderr
                  together; a line `…` stands for any lines. A command that
                  fails is followed by `$ echo $?`.
```sh no-run: WHY Commands that are too large to run here. Each is in NOT_RUN; a
                  `cargo run … -- ARGS` is run as `symbi ARGS`.
```symbi          Checked without an error or a warning.
```symbi S0107 …  Gives exactly these codes, in this order.

Links inside the repository must lead somewhere, and each folder of examples/
has sources and a page that runs them.
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 60

# Not ours to check, or checked by other tests: the codes' pages and the suites
# are compiled by the tests of compiler/analysis, or run by those of the machine.
LEFT_OUT = {
    "target",
    ".git",
    "node_modules",
    "vendor",
    "compiler/diagnostics/docs",
    "compiler/analysis/tests/lowering",
    "compiler/analysis/tests/privileges",
    "compiler/analysis/tests/routes",
    "compiler/analysis/tests/suites",
    "runtime-host/vm/tests/suites",
    "tests/cases",
}

# What a `sh no-run` block may hold: commands that build, install or wait for a
# person, and tests/run itself, which runs this script.
NOT_RUN = [
    r"tests/run",
    r"cargo run --release --locked -- .*",
    r"cargo build --release --locked",
    r"cargo run --release -p symbi-bench -- .*",
    r"cargo bench -p symbi-bench( .*)?",
    r"fuzz/run [a-z]+( \d+)?",
    r"cargo (build|clippy|nextest|test|fmt|insta)( .*)?",
    r"symbi doc --stdlib -o docs/stdlib",
    r"symbi bundle diff released\.symbib \.",
    r"git clone .*",
    r"sudo apt-get install .*",
    r"python3 tests/(dependencies|documents)\.py",
    r"tests/run-selftest",
    r"tests/integrations",
]
# Takes the place of an info string where a page ends inside a block.
UNCLOSED = "a block without its end"

# Blocks of the reference say more: `symbi ok in=body`. The tests of
# compiler/analysis compile them.
REFERENCE = re.compile(r"grammar/reference(\.md|/[a-z]+\.md)")

# Made of the declarations in stdlib/, whose examples are statements. The tests
# of compiler/analysis check them.
LIBRARY = re.compile(r"docs/stdlib/[A-Za-z]+\.md")

QUICK_START = "cargo run --release --locked -- "


def pages():
    def walk(folder):
        for entry in sorted(folder.iterdir()):
            inside = entry.relative_to(ROOT).as_posix()
            if entry.name in LEFT_OUT or inside in LEFT_OUT or entry.is_symlink():
                continue
            if entry.is_dir():
                yield from walk(entry)
            elif entry.suffix == ".md":
                yield entry

    return list(walk(ROOT))


def blocks(text):
    """The fenced blocks of a page: line number of the fence, info string, lines."""
    found, fence = [], None
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r" {0,3}(`{3,}|~{3,})\s*(.*)$", line)
        if fence is None and mark:
            fence = mark[1]
            found.append((number, mark[2].strip(), []))
        elif fence is not None and mark and mark[1].startswith(fence) and not mark[2]:
            fence = None
        elif fence is not None:
            found[-1][2].append(line)
    if fence is not None:
        found.append((len(text.splitlines()), UNCLOSED, []))
    return found


def prose(text):
    """A page without its fenced blocks and its inline code."""
    inside, kept = None, []
    for line in text.splitlines():
        mark = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if mark and (inside is None or mark[1].startswith(inside)):
            inside = mark[1] if inside is None else None
        elif inside is None:
            kept.append(re.sub(r"`[^`]*`", "", line))
    return "\n".join(kept)


# Running things.


def environment():
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR") and not name.startswith("SYMBI")
    }
    return {**kept, "PATH": f"{BINARIES}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "COLUMNS": "100"}


def run(arguments, stdin=""):
    """Status and output of a program; a hang is ended with all it started."""
    process = subprocess.Popen(
        arguments,
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    try:
        output, _ = process.communicate(stdin, timeout=SECONDS)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, f"not done after {SECONDS} s"


def matches(expected, actual):
    """Whether lines of output are as expected; `…` alone is any lines."""
    pattern = "".join(r"(?:.*\n)*" if line.strip() == "…" else re.escape(line.rstrip()) + r"\n" for line in expected)
    text = "".join(line.rstrip() + "\n" for line in actual)
    return re.fullmatch(pattern, text) is not None


# The kinds of blocks. Each gives the problems it finds.


def console(lines):
    commands = []
    for line in lines:
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif not commands:
            return ["the block must begin with `$ ` and a command"]
        elif line.startswith("> ") and not commands[-1][1]:
            commands[-1] = (commands[-1][0] + "\n" + line[2:], [])
        else:
            commands[-1][1].append(line)
    if not commands:
        return ["the block holds no command"]

    # One shell a block, so that `$?` and variables live from line to line.
    mark = "== end of a documented command"
    script = 'for command; do (exit "${status:-0}"); eval "$command"; status=$?; printf "\\n%s %s\\n" "$0" "$status"; done'
    _, output = run(["bash", "-c", script, mark, *(command for command, _ in commands)])
    parts = re.split(rf"\n{mark} (\d+)\n", output)
    outputs, statuses = parts[0::2], parts[1::2]

    problems = []
    for place, (command, expected) in enumerate(commands):
        if place >= len(statuses):
            problems.append(f"`{command}` did not come to its end: {outputs[-1].strip()}")
            break
        actual = outputs[place].rstrip("\n").split("\n") if outputs[place].strip() else []
        if not matches(expected, actual):
            problems.append(f"`{command}` prints\n" + "\n".join(f"    {line}" for line in actual))
        told = place + 1 < len(commands) and commands[place + 1][0] == "echo $?"
        if statuses[place] != "0" and not told:
            problems.append(f"`{command}` ends with status {statuses[place]}; let `$ echo $?` follow it")
    return problems


def not_run(reason, lines):
    problems = [] if reason else ["say why: ```sh no-run: REASON"]
    for line in lines:
        command = line.split(" #")[0].rstrip()
        if not command or command.startswith("#"):
            continue
        if not any(re.fullmatch(pattern, command) for pattern in NOT_RUN):
            problems.append(f"`{command}` is not in NOT_RUN of tests/documents.py; use a ```console block")
        elif command.startswith(QUICK_START):
            status, output = run(["symbi", *shlex.split(command.removeprefix(QUICK_START))])
            if status != 0:
                problems.append(f"`{command}` ends with status {status}:\n{output}")
    return problems


def source(codes, lines):
    _, output = run(["symbi", "dsl", "--check", "--format", "short", "-"], "\n".join(lines) + "\n")
    found = re.findall(r"(?:error|warning)\[([A-Z]\d{4})\]", output)
    if found == codes:
        return []
    return [f"gives {' '.join(found) or 'no code'} where {' '.join(codes) or 'none'} is said:\n{output}"]


def block_problems(info, lines):
    word, _, rest = info.partition(" ")
    if info == "console":
        return console(lines)
    if word == "sh" and rest.startswith("no-run:"):
        return not_run(rest.removeprefix("no-run:").strip(), lines)
    if word == "symbi":
        return source(rest.split(), lines)
    if info == UNCLOSED:
        return [info]
    if word in ("console", "sh", "bash", "shell", "zsh", "dsl"):
        return [f"`{info}`: write ```console, ```sh no-run: WHY or ```symbi"]
    return None


# Pages and folders.


def dead_links(page, text):
    targets = re.findall(r"\]\(([^)\s]+)\)", prose(text))
    local = [t.split("#")[0] for t in targets if not re.match(r"[a-z]+:|#", t)]
    return [f"the link to {t} leads nowhere" for t in local if not (page.parent / t).exists()]


def example_problems(folder):
    page = folder / "README.md"
    if not page.exists():
        return ["no README.md"]
    problems = []
    if not any(info == "console" for _, info, _ in blocks(page.read_text(encoding="utf-8"))):
        problems.append("its README.md runs nothing: a ```console block is missing")
    if not any(f.suffix in (".symbi", ".dsl") for f in folder.rglob("*")):
        problems.append("no .symbi file")
    return problems


def comparison_problems():
    table = [
        (["a"], ["a"], True),
        (["a"], ["b"], False),
        (["a"], [], False),
        ([], ["a"], False),
        ([], [], True),
        (["a  "], ["a"], True),
        (["a.c"], ["abc"], False),
        (["a", "…"], ["a"], True),
        (["a", "…"], ["a", "b", "c"], True),
        (["…", "z"], ["a", "z"], True),
        (["…", "z"], ["a"], False),
        (["a …"], ["a b"], False),
    ]
    return [f"{e} and {a} must{'' if right else ' not'} match" for e, a, right in table if matches(e, a) != right]


def run_folders():
    """Where runs of agents leave their journals."""
    folders = [ROOT, *(ROOT / "examples").iterdir()]
    return {folder / ".symbiont" for folder in folders if (folder / ".symbiont").exists()}


def main():
    passed = failed = 0
    before = run_folders()

    def report(where, problems):
        nonlocal passed, failed
        if problems:
            failed += 1
            for problem in problems:
                print(f"FAILED: {where}: {problem}")
        else:
            passed += 1

    report("outputs are compared as told", comparison_problems())
    for page in pages():
        name = page.relative_to(ROOT)
        text = page.read_text(encoding="utf-8")
        report(f"{name}: links", dead_links(page, text))
        for number, info, lines in blocks(text):
            if info.startswith("symbi ") and REFERENCE.fullmatch(name.as_posix()):
                continue
            if info == "symbi" and LIBRARY.fullmatch(name.as_posix()):
                continue
            problems = block_problems(info, lines)
            if problems is not None:
                report(f"{name}:{number}", problems)
    for folder in sorted((ROOT / "examples").iterdir()):
        if folder.is_dir():
            report(f"examples/{folder.name}", example_problems(folder))
    for folder in run_folders() - before:
        shutil.rmtree(folder)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    metadata = ["cargo", "metadata", "--no-deps", "--format-version", "1", "--offline", "--locked"]
    target = json.loads(subprocess.run(metadata, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)["target_directory"]
    BINARIES = Path(target) / "debug"
    if not (BINARIES / "symbi").exists():
        print(f"{BINARIES / 'symbi'} is missing. Please run: cargo build --workspace", "0 passed, 1 failed", sep="\n")
        sys.exit(1)
    sys.exit(main())
