//! The example agents of the peer, which the language must accept. They are
//! read from its crate, which the set-up of `tests/run` fetches and nothing
//! builds; no file of theirs is in this repository.

use symbi_syntax::File;

use crate::support::{assert_tiles, repository};

/// Name and text of each.
pub fn agents() -> Vec<(String, String)> {
    let folder = repository().join("tests/peer-sources/vendor/symbi/agents");
    assert!(
        folder.is_dir(),
        "the peer's sources are missing: tests/set-up fetches them"
    );
    let mut agents = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("the agents folder") {
        let path = entry.expect("an entry").path();
        if symbi_syntax::is_symbi_file(&path) {
            let text = std::fs::read_to_string(&path).expect("a readable agent");
            agents.push((path.display().to_string(), text));
        }
    }
    agents
}

#[test]
fn the_peers_fifteen_agents_have_no_syntax_report() {
    let agents = agents();
    assert_eq!(agents.len(), 15);
    let mut reports = Vec::new();
    for (name, text) in agents {
        let file = File::parse(&*text);
        assert_tiles(&file);
        assert!(
            file.outline().iter().any(|entry| entry.kind == "agent"),
            "{name} declares an agent"
        );
        for diagnostic in file.diagnostics() {
            reports.push(format!(
                "{name}: {} {}",
                diagnostic.code.id, diagnostic.message
            ));
        }
    }
    assert!(reports.is_empty(), "{}", reports.join("\n"));
}
