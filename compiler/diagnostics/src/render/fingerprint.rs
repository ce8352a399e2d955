//! What makes a report the same report in the next run, when lines were added
//! above it: its code, and the text that its line holds. Not its message, whose
//! words may change, and not its line.

use std::collections::HashMap;

use crate::{Diagnostic, SourceFile};

/// How much of a long line counts, in bytes on each side of the report: a file
/// may be one line with a report on each of its words.
const AROUND: usize = 100;

/// What a report is known by, not yet told from others that are equal to it.
pub(super) fn fingerprint(file: &SourceFile, diagnostic: &Diagnostic) -> u128 {
    let at = file.clamp(diagnostic.primary.at).start;
    let line = file.line_range(file.lines().line_of(at));
    let at = (at as usize).clamp(line.start, line.end);
    let start = line.start.max(at.saturating_sub(AROUND));
    let end = line.end.min(at + AROUND);
    let start = file.text.ceil_char_boundary(start).min(at);
    let end = file.text.floor_char_boundary(end).max(at);
    // Laying a file out anew changes nothing but spaces.
    let text: String = file.text[start..end].split_whitespace().collect();
    hash([diagnostic.code.id, &text])
}

/// FNV-1a over 128 bits: the same on every machine and in every version, which
/// the hashers of the standard library do not promise. Nobody is kept out by
/// it, so it need not be hard to forge.
pub(super) fn hash<'t>(texts: impl IntoIterator<Item = &'t str>) -> u128 {
    // No text holds 0xFF, so that `a`, `bc` is not `ab`, `c`.
    fnv(texts
        .into_iter()
        .flat_map(|text| text.bytes().chain([0xFF])))
}

fn fnv(bytes: impl Iterator<Item = u8>) -> u128 {
    const PRIME: u128 = (1 << 88) + 0x13b;
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    bytes.fold(OFFSET, |hash, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(PRIME)
    })
}

/// Tells equal fingerprints apart by their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Ordinals(HashMap<u128, usize>);

impl Ordinals {
    /// How many of these came before, and one more from now on.
    pub(super) fn next(&mut self, fingerprint: u128) -> usize {
        let seen = self.0.entry(fingerprint).or_default();
        *seen += 1;
        *seen - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Span, syntax};

    fn of(text: &str, what: &str) -> u128 {
        let at = text.find(what).unwrap_or(text.len()) as u32;
        let file = SourceFile::new("x.symbi", text);
        fingerprint(&file, &Diagnostic::new(&syntax::S0107, Span::at(at), "m"))
    }

    #[test]
    fn it_is_the_published_function() {
        let table = [
            ("", 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d),
            ("a", 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964),
            ("foobar", 0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18),
        ];
        for (text, expected) in table {
            assert_eq!(fnv(text.bytes()), expected, "{text}");
        }
        assert_ne!(hash(["a", "bc"]), hash(["ab", "c"]));
    }

    #[test]
    fn lines_above_and_layout_change_nothing() {
        let text = "agent a {\n  let x = 1\n}\n";
        let same = of(text, "x");
        assert_eq!(of(&format!("// one\r\n{text}"), "x"), same);
        assert_eq!(of(&text.replace("  let x =", "\tlet  x="), "x"), same);
        assert_eq!(of(&text.replace('\n', "\r"), "x"), same);
        assert_ne!(of(&text.replace('1', "2"), "x"), same);
    }

    #[test]
    fn a_long_line_counts_around_its_report() {
        let filler = "é🦀漢 ".repeat(400);
        let text = format!("{filler}HERE{filler}");
        let same = of(&text, "HERE");
        assert_eq!(of(&format!("z{text}"), "HERE"), same);
        assert_eq!(of(&format!("{text}z"), "HERE"), same);
        assert_ne!(of(&text.replace("HERE", "HERE2"), "HERE"), same);
    }

    #[test]
    fn equal_ones_are_told_apart_by_their_order() {
        let mut ordinals = Ordinals::default();
        let told: Vec<usize> = [1, 2, 1, 1].map(|hash| ordinals.next(hash)).to_vec();
        assert_eq!(told, [0, 0, 1, 2]);
    }
}
