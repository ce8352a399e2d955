//! Which reports refuse an agent, and on which routes.

use symbi_diagnostics::{Code, Level};

use super::routes::{Route, Routes};

/// Warnings about what nothing can enforce: the agent that they concern is
/// refused on every route, or on that of the block in which they stand.
const UNENFORCED: &[&str] = &[
    "B0702", "B0703", "B0704", "B0712", "B0721", "B0729", "B0742", "B0743", "B0761", "B0770",
    "C0509", "C0511", "K0801", "K0802", "P0404", "P0405", "P0406", "P0421", "P0440", "P0441",
    "P0452", "P0490",
];

/// Routes on which an agent is selected by its name.
const BY_NAME: &[Route] = &[
    Route::Http,
    Route::Schedule,
    Route::Delegate,
    Route::Chat,
    Route::Mcp,
];

/// The routes that a report of this code refuses.
pub(super) fn refused_by(code: &Code) -> Routes {
    match (code.level, code.id) {
        (Level::Error, _) => Routes::ALL,
        (Level::Warning, "K0820") => Routes::of(BY_NAME),
        (Level::Warning, id) if UNENFORCED.contains(&id) => Routes::ALL,
        _ => Routes::NONE,
    }
}

/// What a waiver calls the thing that a report is about: the text that it
/// marks, without quotes; of an entry or a block, its key.
pub(super) fn name_of<'t>(code: &Code, marked: &'t str) -> &'t str {
    let unquoted = marked.trim().trim_matches('"');
    if !["P0404", "P0405", "B0704"].contains(&code.id) {
        return unquoted;
    }
    let end = marked
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(marked.len());
    match marked.get(..end) {
        Some("") | None => unquoted,
        Some(word) => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbi_diagnostics::find;

    #[test]
    fn every_code_of_the_list_is_a_warning() {
        for id in UNENFORCED {
            let code = find(id).expect("a code");
            assert_eq!(code.level, Level::Warning, "{id}");
        }
    }

    #[test]
    fn things_are_waived_by_their_name() {
        let table = [
            ("P0440", "human_approval", "human_approval"),
            ("P0440", "\"human_approval\"", "human_approval"),
            ("P0404", "default: \"deny\"", "default"),
            ("P0405", "secret", "secret"),
            ("B0704", "routing \"support\"", "routing"),
            ("P0406", "for operations", "for operations"),
            ("B0703", "colour", "colour"),
        ];
        for (id, marked, expected) in table {
            let code = find(id).expect("a code");
            assert_eq!(name_of(code, marked), expected, "{id} {marked}");
        }
    }
}
