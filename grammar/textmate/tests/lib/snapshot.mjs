// The highlighting of a file as text: each line, and under it what its pieces are.
//
// A piece is `start-end scope`, columns from 0, end not included; neighbours of one scope are one
// piece. Only the innermost scope is shown, without `.symbi`; blanks are left out.

import { leaf, tokenize } from "./tokenize.mjs";

export function snapshot(text) {
  const out = [];
  for (const { line, tokens } of tokenize(text)) {
    out.push(`> ${line}`.trimEnd());
    const pieces = [];
    for (const { start, end, scopes } of tokens) {
      const scope = leaf(scopes).replaceAll(".symbi", "") || "-";
      const last = pieces.at(-1);
      if (line.slice(start, end).trim() === "") continue;
      if (last && last.scope === scope && last.end === start) last.end = end;
      else pieces.push({ start, end, scope });
    }
    let row = " ";
    for (const { start, end, scope } of pieces) {
      const piece = ` ${start}-${end} ${scope}`;
      if (row.length > 1 && row.length + piece.length > 118) {
        out.push(row);
        row = " ";
      }
      row += `${row.length > 1 ? "," : ""}${piece}`;
    }
    if (pieces.length > 0) out.push(row);
  }
  return out.join("\n") + "\n";
}
