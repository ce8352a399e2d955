#!/usr/bin/env python3
"""Verifies a journal by docs/journal.md alone: python3 verify_journal.py RUN.jsonl KEY

Needs Python's own library, and `openssl` 3 for the signatures. Says what is
wrong and ends with 1, or how many records there are and ends with 0. Besides
the journal, it looks at anchors/RUN.json beside it.
"""

import base64
import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

# What stands before the 32 bytes of an Ed25519 key in DER (RFC 8410).
DER = bytes.fromhex("302a300506032b6570032100")


def fits(key, message, signature):
    with tempfile.TemporaryDirectory() as folder:
        for name, data in [("key", DER + bytes.fromhex(key)), ("message", message), ("signature", signature)]:
            (Path(folder) / name).write_bytes(data)
        command = ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", "key"]
        command += ["-rawin", "-in", "message", "-sigfile", "signature"]
        return subprocess.run(command, cwd=folder, capture_output=True).returncode == 0


def signature_fits(key, line, signature):
    before, separator, _ = line.rpartition(b'"ed25519":"')
    return fits(key, before + separator, base64.b64decode(signature, validate=True))


def wrong(what):
    print(what)
    sys.exit(1)


def main(path, key):
    text = path.read_bytes()
    lines = text.split(b"\n")
    if lines.pop() != b"":
        print("the last line has no end: nothing verifies it")
    previous, closed, length, heads = "0" * 64, False, 0, {0: "0" * 64}
    for number, line in enumerate(lines):
        try:
            record = json.loads(line)
            if closed:
                wrong(f"line {number + 1} is behind the last")
            if record["seq"] != number or record["previous"] != previous:
                wrong(f"line {number + 1} is not the one that follows")
            opened = record.get("opened")
            if (opened is not None) != (number == 0):
                wrong(f"line {number + 1}: a journal has one `opened`, which is its first line")
            if opened and (opened["run"], opened["key"]) != (path.stem, key):
                wrong("another run, or another key")
            signed = record.get("signed") or record.get("closed")
            if signed and not signature_fits(key, line, signed["ed25519"]):
                wrong(f"line {number + 1}: its signature does not fit")
            closed = "closed" in record
        except (ValueError, KeyError, TypeError) as error:
            wrong(f"line {number + 1} is no record: {error!r}")
        previous = hashlib.sha256(line + b"\n").hexdigest()
        length += len(line) + 1
        heads[length] = previous

    anchor = (path.parent / "anchors" / f"{path.stem}.json").read_bytes()
    said = json.loads(anchor)
    if said["run"] != path.stem or not signature_fits(key, anchor, said["ed25519"]):
        wrong("the anchor is not that of this journal")
    if heads.get(said["length"]) != said["head"]:
        wrong("the journal is not the one that the anchor knows, or its end is missing")
    print(f"{len(lines)} records, {'closed' if closed else 'not closed'}")


main(Path(sys.argv[1]), sys.argv[2])
