//! Any text can be checked: nothing panics, every place can be shown, fixes can
//! be applied, and the resident program says what the one-shot says.

use symbi_syntax::decode;
use symbi_syntax::fuzzing::parser::assert_places;

use crate::{Analysis, OneShot, Settings, Summary, Tools};

/// Longer inputs only take longer.
const MOST: usize = 1 << 16;

/// Checks what must hold for these bytes as the text of a file.
///
/// # Panics
/// If something does not hold.
pub fn fuzz_one(data: &[u8]) {
    let data = &data[..data.len().min(MOST)];
    let settings = Settings {
        hints: true,
        ..Settings::default()
    };
    let source = decode(data.to_vec());
    let files = vec![Summary::new("x.symbi", source.clone(), true)];
    let program = OneShot::new(files, Tools::default(), settings.clone());
    let reports = program.check(0);
    assert_places(&source.text, &reports);
    for report in &reports {
        let edits = report.fix.iter().flat_map(|fix| &fix.edits);
        let mut end = 0;
        for edit in edits {
            assert!(
                edit.at.start >= end,
                "the fix of {} has edits over each other or out of order in {:?}",
                report.code.id,
                source.text
            );
            end = edit.at.end;
        }
    }
    assert_eq!(program.check(0), reports, "a second parse finds the same");
    let mut analysis = Analysis::new();
    analysis.set_settings(settings);
    analysis.set_file("x.symbi", source);
    assert_eq!(analysis.diagnostics("x.symbi"), Some(reports));
}
