//! The example agents of the peer, which the language must accept. They are
//! read from its crate, which the set-up of `tests/run` fetches and nothing
//! builds; no file of theirs is in this repository.

use symbi_syntax::File;

use crate::support::{assert_tiles, repository};

#[test]
fn the_peers_fifteen_agents_have_no_syntax_report() {
    let folder = repository().join("tests/peer-sources/vendor/symbi/agents");
    assert!(
        folder.is_dir(),
        "the peer's sources are missing: tests/set-up fetches them"
    );
    let mut seen = 0;
    let mut reports = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("the agents folder") {
        let path = entry.expect("an entry").path();
        if !symbi_syntax::is_symbi_file(&path) {
            continue;
        }
        seen += 1;
        let text = std::fs::read_to_string(&path).expect("a readable agent");
        let file = File::parse(&*text);
        assert_tiles(&file);
        assert!(
            file.outline().iter().any(|entry| entry.kind == "agent"),
            "{} declares an agent",
            path.display()
        );
        for diagnostic in file.diagnostics() {
            reports.push(format!(
                "{}: {} {}",
                path.display(),
                diagnostic.code.id,
                diagnostic.message
            ));
        }
    }
    assert_eq!(seen, 15);
    assert!(reports.is_empty(), "{}", reports.join("\n"));
}
