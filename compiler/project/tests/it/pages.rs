//! The page of each code has an example that gives exactly it, and the same
//! one mended, which gives nothing.

use symbi_diagnostics::project;

use crate::Kind;

/// The blocks of a page: what stands after the fence, and the text.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    page.split("\n```")
        .skip(1)
        .step_by(2)
        .map(|block| block.split_once('\n').unwrap())
        .collect()
}

#[test]
fn failing_examples_fail_and_mended_ones_do_not() {
    for code in project::ALL {
        let mut failing = 0;
        let mut mended = 0;
        for (info, text) in blocks(code.page) {
            let text = format!("{text}\n");
            let (fails, name) = match info.split(' ').collect::<Vec<_>>()[..] {
                ["toml", "fails", name] => (true, name),
                ["toml", name] => (false, name),
                _ => panic!("{}: {info}", code.id),
            };
            let name = name.strip_prefix("file=").unwrap();
            let kind = Kind::of(name);
            let reports = kind.reports(&text, name);
            let ids: Vec<&str> = reports.iter().map(|report| report.code.id).collect();
            if fails {
                failing += 1;
                assert_eq!(ids, [code.id], "{}: {reports:#?}", code.id);
            } else {
                mended += 1;
                assert_eq!(ids, [""; 0], "{}: {reports:#?}", code.id);
            }
        }
        assert_eq!((failing, mended), (1, 1), "{}", code.id);
    }
}

#[test]
fn the_examples_of_the_documentation_have_no_reports() {
    let pages = [
        include_str!("../../../../docs/project-file.md"),
        include_str!("../../../../docs/tools.md"),
    ];
    let mut read = Vec::new();
    for (info, text) in pages.into_iter().flat_map(blocks) {
        // Other blocks are no files of a project.
        let first = text.lines().next().unwrap_or_default();
        let name = match (info, first) {
            ("toml", "[check]") => "symbiont.toml",
            ("toml", "[tool]") => "tools/send_mail.clad.toml",
            ("toml", "[types.protocol]") => "toolclad.toml",
            _ => continue,
        };
        assert_eq!(Kind::of(name).reports(text, name), [], "{text}");
        read.push(name);
    }
    let expected = [
        "symbiont.toml",
        "tools/send_mail.clad.toml",
        "toolclad.toml",
    ];
    assert_eq!(read, expected);
}
