//! "Did you mean": the nearest of the known names.

/// The known name that is nearest to the one written, if it is so near that a
/// slip is likely: edit distance 1, or 2 from six letters on (language.md
/// section 2.1). Of two equally near ones the first in the given order.
pub fn nearest<'n>(written: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let limit = match written.chars().count() {
        0 | 1 => return None,
        2..6 => 1,
        _ => 2,
    };
    let own = letters(written);
    known
        .into_iter()
        .filter(|known| *known != written && may_be_near(written, known, limit))
        // A slip takes one letter away and adds one, at most; a letter outside
        // ASCII has up to four bytes.
        .filter(|known| {
            let bytes = if written.is_ascii() && known.is_ascii() {
                1
            } else {
                4
            };
            (own ^ letters(known)).count_ones() as usize <= 2 * limit * bytes
        })
        // A swap of neighbours counts as one slip, as a wrong letter does.
        .map(|known| (strsim::osa_distance(written, known), known))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// Which bytes occur, some of them taken for one.
fn letters(text: &str) -> u64 {
    text.bytes().fold(0, |set, byte| set | 1 << (byte & 63))
}

/// Whether the lengths leave it open: a letter has up to four bytes.
fn may_be_near(written: &str, known: &str, limit: usize) -> bool {
    let bytes = match written.is_ascii() && known.is_ascii() {
        true => 1,
        false => 4,
    };
    written.len().abs_diff(known.len()) <= limit * bytes
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_are_near_and_other_words_are_not() {
        let known = ["sandbox", "timeout", "model", "cron", "at"];
        let table = [
            ("sandbx", Some("sandbox")),
            ("sandobx", Some("sandbox")),
            ("snadbxo", Some("sandbox")),
            ("tmeot", None),
            ("timeuot", Some("timeout")),
            ("modle", Some("model")),
            ("crn", Some("cron")),
            ("a", None),
            ("model", None),
            ("privacy", None),
        ];
        for (written, expected) in table {
            assert_eq!(nearest(written, known), expected, "{written}");
        }
    }
}
