#!/usr/bin/env python3
"""Holds the dependency tree to deny.toml and to the house rules.

In: `cargo metadata`, deny.toml, docs/dependencies.md, the manifests. Out: one
line a problem, then `N passed, N failed`. No network. It reads only the part
of deny.toml that it enforces and fails on any other setting, so that no rule
there is decoration.
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Which of our crates may use which: the rooms of docs/architecture.md. A crate
# that is not here has no place yet, and the check says so.
ROOMS = {
    "symbi": {"symbi-analysis", "symbi-bundle", "symbi-diagnostics", "symbi-host", "symbi-ir", "symbi-journal", "symbi-mini", "symbi-package", "symbi-policy", "symbi-syntax"},
    "symbi-analysis": {"symbi-diagnostics", "symbi-ir", "symbi-mini", "symbi-policy", "symbi-project", "symbi-syntax"},
    "symbi-bench": {"symbi-analysis", "symbi-bundle", "symbi-diagnostics", "symbi-package", "symbi-policy", "symbi-syntax", "tree-sitter-symbi"},
    "symbi-bundle": {"symbi-diagnostics"},
    "symbi-conformance": {"symbi-syntax", "tree-sitter-symbi"},
    "symbi-diagnostics": set(),
    "symbi-grammar": set(),
    "symbi-host": {"symbi-ir", "symbi-journal", "symbi-mini", "symbi-policy", "symbi-vm"},
    "symbi-ir": {"symbi-mini", "symbi-policy"},
    "symbi-journal": set(),
    "symbi-mini": set(),
    "symbi-package": {"symbi-bundle", "symbi-diagnostics", "symbi-ir"},
    "symbi-policy": {"symbi-mini"},
    "symbi-project": {"symbi-diagnostics"},
    "symbi-syntax": {"symbi-diagnostics"},
    "symbi-vm": {"symbi-ir", "symbi-mini"},
    "tree-sitter-symbi": set(),
}

# What only the tests of a crate may use besides: another room as a witness.
WITNESSES = {
    # The compiler: what runs in its tests was checked before.
    "symbi-host": {"symbi-analysis", "symbi-syntax"},
    "symbi-vm": {"symbi-analysis", "symbi-syntax"},
    # Its table of codes, of which each has a case.
    "symbi-conformance": {"symbi-diagnostics"},
    # Its literals, which strings must agree with.
    "symbi-mini": {"symbi-syntax"},
}

# Crates with lints of their own, and why.
OWN_LINTS = {
    "grammar/tree-sitter-symbi/Cargo.toml": "its parser is C, and calling it is unsafe, which no other crate is",
}

# The settings of deny.toml that this script enforces, or that only tell
# cargo-deny how to look (`None`).
SETTINGS = {
    "graph": {"all-features": None},
    "bans": {
        "multiple-versions": {"allow", "warn"},
        "wildcards": {"deny"},
        "allow-wildcard-paths": {True},
        "deny": list,
    },
    "licenses": {
        "allow": list,
        "unused-allowed-license": {"deny"},
        "include-dev": {True},
        "confidence-threshold": None,
    },
    "sources": {"unknown-registry": {"deny"}, "unknown-git": {"deny"}},
}


def toml(path):
    return tomllib.loads((ROOT / path).read_text(encoding="utf-8"))


def cargo_metadata():
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--offline", "--all-features"]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)


# Licences.


def licence_satisfied(expression, allowed, used):
    """Whether an SPDX expression can be met with the allowed licences alone.

    `used` collects the ones that were needed: of a choice, the first that is
    allowed in the order of deny.toml. The old `MIT/Apache-2.0` means OR.
    """
    words = re.findall(r"[()]|[^\s()]+", expression.replace("/", " OR "))
    place = 0

    def peek():
        return words[place] if place < len(words) else None

    def take():
        nonlocal place
        place += 1
        return words[place - 1]

    def either():
        choices = [both()]
        while peek() == "OR":
            take()
            choices.append(both())
        possible = [choice for choice in choices if choice is not None]
        return min(possible, key=lambda choice: [allowed.index(name) for name in choice], default=None)

    def both():
        needed = single()
        while peek() == "AND":
            take()
            more = single()
            needed = None if needed is None or more is None else needed + more
        return needed

    def single():
        word = take()
        if word == "(":
            inner = either()
            if peek() != ")":
                raise ValueError("a bracket without its end")
            take()
            return inner
        if word in (")", "AND", "OR", "WITH"):
            raise ValueError(f"`{word}` where a licence is expected")
        if peek() == "WITH":
            take()
            word += " WITH " + take()
        return [word] if word in allowed else None

    try:
        needed = either()
        if peek() is not None:
            raise ValueError(f"`{peek()}` after its end")
    except (ValueError, IndexError):
        return False
    used.update(needed or [])
    return needed is not None


def check_reading_of_licences(_):
    """licence expressions are read as SPDX says"""
    allowed = ["Apache-2.0", "MIT", "Apache-2.0 WITH LLVM-exception"]
    table = [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("MIT OR GPL-3.0-only", True),
        ("GPL-3.0-only/MIT", True),
        ("MIT AND GPL-3.0-only", False),
        ("(MIT OR GPL-3.0-only) AND Apache-2.0", True),
        ("(MIT AND GPL-3.0-only) OR Zlib", False),
        ("MIT AND Zlib OR Apache-2.0", True),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("MIT WITH LLVM-exception", False),
        ("MIT OR", False),
        ("(MIT", False),
        ("MIT MIT", False),
        ("", False),
    ]
    return [
        f"`{expression}` must be {'accepted' if right else 'refused'}"
        for expression, right in table
        if licence_satisfied(expression, allowed, set()) != right
    ]


def check_licences(facts):
    """every dependency has a licence of the list, and the list no other"""
    allowed, used, problems = facts.deny["licenses"]["allow"], set(), []
    for package in facts.packages:
        expression = package["license"] or ""
        if not licence_satisfied(expression, allowed, used):
            problems.append(f"{label(package)}: licence `{expression or 'none stated'}`")
    problems += [f"{name} is allowed in deny.toml, and nothing needs it" for name in allowed if name not in used]
    return problems


# Bans and sources.


def check_settings(facts):
    """deny.toml holds no setting that nothing enforces"""
    problems = []
    for table, settings in facts.deny.items():
        for name, value in settings.items():
            known = SETTINGS.get(table, {})
            if name not in known:
                problems.append(f"[{table}] {name}: this check does not know it")
            elif isinstance(known[name], set) and value not in known[name]:
                problems.append(f"[{table}] {name} = {value!r}: this check does not enforce that")
    for entry in facts.deny["bans"]["deny"]:
        if set(entry) != {"crate", "reason"}:
            problems.append(f"[bans] deny: {entry} must have a crate and a reason, and no more")
    return problems


def check_bans(facts):
    """no banned crate is in the tree"""
    banned = {entry["crate"]: entry["reason"] for entry in facts.deny["bans"]["deny"]}
    users = {}
    for package in facts.packages:
        for dependency in package["dependencies"]:
            users.setdefault(dependency["name"], set()).add(package["name"])
    return [
        f"{label(package)} (used by {', '.join(sorted(users.get(package['name'], {'?'})))}): {banned[package['name']]}"
        for package in facts.packages
        if package["name"] in banned
    ]


def check_wildcards(facts):
    """no dependency of ours takes any version"""
    return [
        f"{package['name']}: {dependency['name']} = \"*\""
        for package in facts.members
        for dependency in package["dependencies"]
        if dependency["req"] == "*" and "path" not in dependency
    ]


def check_sources(facts):
    """every crate is ours or from the default registry"""
    problems = []
    for package in facts.packages:
        source = package["source"]
        if source is None:
            if not Path(package["manifest_path"]).is_relative_to(ROOT):
                problems.append(f"{label(package)}: a path outside the repository")
        elif not source.startswith("registry+"):
            problems.append(f"{label(package)}: {source}")
        # Cargo writes a registry here only if it is not the default one.
        problems += [
            f"{label(package)}: {dependency['name']} from {dependency['registry']}"
            for dependency in package["dependencies"]
            if dependency.get("registry")
        ]
    return problems


# House rules.


def check_rooms(facts):
    """our crates use only those that the architecture lets them"""
    problems = []
    for package in facts.members:
        name = package["name"]
        if name not in ROOMS:
            problems.append(f"{name}: no row in ROOMS of tests/dependencies.py; say which of our crates it may use")
            continue
        ours = {(d["name"], d["kind"]) for d in package["dependencies"] if d["name"] in facts.member_names}
        known = {None: ROOMS[name], "build": ROOMS[name], "dev": ROOMS[name] | WITNESSES.get(name, set())}
        problems += [f"{name} uses {other}, which it must not know" for other, kind in sorted(ours, key=str) if other not in known[kind]]
    return problems


def check_reasons(facts):
    """every dependency has its reason in docs/dependencies.md"""
    page = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE))
    problems = [f"{name}: no row in docs/dependencies.md" for name in sorted(facts.shared - explained)]
    problems += [
        f"{name}: a row in docs/dependencies.md, but not in [workspace.dependencies]"
        for name in sorted(explained - facts.shared)
    ]
    return problems


def check_manifests(facts):
    """dependencies and settings stand once, in the workspace"""
    problems, used = [], set()
    inherited = ("version", "edition", "rust-version", "license", "repository", "publish")
    for path in facts.manifests:
        manifest = tomllib.loads(path.read_text(encoding="utf-8"))
        where = path.relative_to(ROOT)
        tables = [manifest, *manifest.get("target", {}).values()]
        for kind in ("dependencies", "dev-dependencies", "build-dependencies"):
            for name, value in [entry for table in tables for entry in table.get(kind, {}).items()]:
                used.add(name)
                if not (isinstance(value, dict) and value.get("workspace") is True):
                    problems.append(f"{where}: {name} must be `{name}.workspace = true`")
        for key in inherited:
            if manifest["package"].get(key) != {"workspace": True}:
                problems.append(f"{where}: `{key}.workspace = true` is missing")
        if manifest.get("lints") != {"workspace": True} and str(where) not in OWN_LINTS:
            problems.append(f"{where}: `[lints] workspace = true` is missing")
    problems += [
        f"{name}: in [workspace.dependencies], but no crate uses it" for name in sorted(facts.shared - used)
    ]
    return problems


def check_peer_sources(_):
    """the peer's sources are one crate, at one version"""
    lock = toml("tests/peer-sources/Cargo.lock")
    found = [f"{p['name']} {p['version']}" for p in lock["package"] if "source" in p]
    return [] if found == ["symbi 3.0.0"] else [f"tests/peer-sources/Cargo.lock downloads {', '.join(found) or 'nothing'}"]


class Facts:
    def __init__(self):
        metadata = cargo_metadata()
        self.packages = metadata["packages"]
        self.members = [p for p in self.packages if p["id"] in metadata["workspace_members"]]
        self.member_names = {p["name"] for p in self.members}
        self.manifests = [Path(p["manifest_path"]) for p in self.members]
        self.deny = toml("deny.toml")
        shared = toml("Cargo.toml")["workspace"]["dependencies"]
        self.shared = {n for n, v in shared.items() if not (isinstance(v, dict) and "path" in v)}


def label(package):
    return f"{package['name']} {package['version']}"


CHECKS = [
    check_settings,
    check_bans,
    check_wildcards,
    check_reading_of_licences,
    check_licences,
    check_sources,
    check_rooms,
    check_reasons,
    check_manifests,
    check_peer_sources,
]


def main():
    facts = Facts()
    failed = 0
    for check in CHECKS:
        problems = check(facts)
        failed += bool(problems)
        for problem in problems:
            print(f"FAILED: {check.__doc__}: {problem}")
    print(f"{len(CHECKS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
