//! What people see: a snapshot a case, the source above its reports.

use symbi_diagnostics::SourceFile;
use symbi_diagnostics::render::{Style, human};

use crate::{Kind, cases};

fn shown(kind: Kind, stem: &str, text: &str) -> String {
    let name = kind.file_name(stem);
    let reports = kind.reports(text, &name);
    let file = SourceFile::new(name.as_str(), text);
    let mut shown = format!("{text}\n=====\n");
    if reports.is_empty() {
        shown.push_str("nothing to report\n");
    }
    for report in &reports {
        shown.push_str(&human(&file, report, Style::default()));
        shown.push('\n');
    }
    shown
}

fn check(kind: Kind) {
    for (stem, text) in cases(kind) {
        let name = format!("{}_{stem}", kind.folder());
        insta::assert_snapshot!(name, shown(kind, &stem, &text));
    }
}

#[test]
fn project_files() {
    check(Kind::Project);
}

#[test]
fn manifests() {
    check(Kind::Manifest);
}

#[test]
fn custom_types() {
    check(Kind::Types);
}
