//! Which reports refuse an agent, and on which routes.

use symbi_diagnostics::{Code, Diagnostic, Level};

use super::routes::{Route, Routes};

/// Warnings about what nothing can enforce: the agent that they concern is
/// refused on every route, or on that of the block in which they stand.
const UNENFORCED: &[&str] = &[
    "B0702", "B0703", "B0704", "B0712", "B0721", "B0729", "B0742", "B0743", "B0761", "B0770",
    "C0509", "C0511", "K0801", "K0802", "P0404", "P0405", "P0406", "P0421", "P0440", "P0441",
    "P0452", "P0490",
];

/// Of these, what a project may waive: what is written is without effect, and
/// nothing else about the agent changes.
const WAIVABLE: &[&str] = &[
    "B0702", "B0703", "B0704", "P0404", "P0405", "P0406", "P0421", "P0440", "P0441", "P0452",
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

/// What a waiver calls the thing that a report is about; `None` if it cannot be
/// waived. It is the text that is marked, without quotes; of an entry or a block,
/// its key; of an obligation, its name.
pub(super) fn name_of<'t>(report: &'t Diagnostic, marked: &'t str) -> Option<&'t str> {
    if !WAIVABLE.contains(&report.code.id) {
        return None;
    }
    if report.code.id == "P0440" {
        // `deny: x if not context.has_human_approval` demands one that it does
        // not name.
        return report.message.split('`').nth(1);
    }
    Some(name_in(report.code, marked))
}

fn name_in<'t>(code: &Code, marked: &'t str) -> &'t str {
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
        for id in UNENFORCED.iter().chain(WAIVABLE) {
            let code = find(id).expect("a code");
            assert_eq!(code.level, Level::Warning, "{id}");
        }
    }

    #[test]
    fn things_are_waived_by_their_name() {
        let table = [
            ("P0441", "rate_limiting", "rate_limiting"),
            ("P0441", "\"rate_limiting\"", "rate_limiting"),
            ("P0404", "default: \"deny\"", "default"),
            ("P0405", "secret", "secret"),
            ("B0704", "routing \"support\"", "routing"),
            ("P0406", "for operations", "for operations"),
            ("B0703", "colour", "colour"),
        ];
        for (id, marked, expected) in table {
            let code = find(id).expect("a code");
            assert_eq!(name_in(code, marked), expected, "{id} {marked}");
        }
    }
}
