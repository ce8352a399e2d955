//! "Did you mean": the nearest of the known words.

/// The known word that is nearest to the one written, if a slip is likely: edit
/// distance 1, or 2 from six letters on (language.md section 2.1). Upper and
/// lower case are the same.
pub fn nearest<'n>(written: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let written = written.to_lowercase();
    let limit = match written.chars().count() {
        0 | 1 => return None,
        2..6 => 1,
        _ => 2,
    };
    known
        .into_iter()
        .filter(|known| known.len().abs_diff(written.len()) <= 8)
        .map(|known| {
            let distance = strsim::osa_distance(&written, &known.to_lowercase());
            (distance, known)
        })
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}
