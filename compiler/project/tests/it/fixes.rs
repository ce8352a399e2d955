//! A fix that a tool may apply unasked mends what its report is about.

use symbi_diagnostics::{Applicability, Diagnostic, Fix};

use crate::{Kind, cases};

fn applied(text: &str, fix: &Fix) -> String {
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| edit.at.start);
    let mut out = String::new();
    let mut at = 0;
    for edit in &edits {
        out.push_str(&text[at..edit.at.range().start]);
        out.push_str(&edit.text);
        at = edit.at.range().end;
    }
    out.push_str(&text[at..]);
    out
}

/// Reports of one kind at one place's beginning.
fn told(reports: &[Diagnostic], code: &str, start: u32) -> usize {
    let same = |report: &&Diagnostic| report.code.id == code && report.primary.at.start == start;
    reports.iter().filter(same).count()
}

#[test]
fn fixes_mend_what_they_are_offered_for() {
    let mut mended = 0;
    for kind in [Kind::Manifest, Kind::Types] {
        for (stem, text) in cases(kind) {
            let name = kind.file_name(&stem);
            for report in kind.reports(&text, &name) {
                let Some(fix) = &report.fix else {
                    continue;
                };
                let sure = fix.applicability == Applicability::MachineApplicable;
                let fixed = applied(&text, fix);
                let after = kind.reports(&fixed, &name);
                let code = report.code.id;
                if sure {
                    let start = report.primary.at.start;
                    assert_eq!(told(&after, code, start), 0, "{stem}: {report:#?}\n{fixed}");
                    mended += 1;
                }
                assert!(
                    after.iter().all(|report| report.code.id != "K0850"),
                    "{stem}: {fixed}"
                );
            }
        }
    }
    assert!(mended >= 20, "{mended}");
}
