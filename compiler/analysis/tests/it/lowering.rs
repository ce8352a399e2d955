//! What is lowered to what: `tests/lowering/*.md`, a page a topic.
//!
//! On a page each heading begins a case: a `symbi` fence, fences with `file=`
//! for what stands beside it, and a `text` fence with the program as it is
//! shown. `UPDATE_LOWERING=1` writes what is found into the pages: read it line
//! by line before it is kept.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use symbi_analysis::{
    Analysis, OneShot, Settings, Summary, Text, read_manifests, read_project_file,
};
use symbi_ir::{Module, Program};

use crate::support::{Given, texts};

/// The program of a project, whether it has errors or not.
pub fn program(files: &[Given]) -> Program {
    let mut settings = Settings::default();
    if let Some(file) = files.iter().find(|file| file.path == "symbiont.toml") {
        settings = read_project_file(&file.text).0;
    }
    let manifests: Vec<Text<'_>> = files
        .iter()
        .filter(|file| file.path.ends_with(".clad.toml"))
        .map(|file| Text {
            path: &file.path,
            text: &file.text,
        })
        .collect();
    let read = read_manifests(&manifests, None);
    let summaries: Vec<Summary> = files
        .iter()
        .filter(|file| symbi_syntax::is_symbi_file(Path::new(&file.path)))
        .map(|file| {
            let decoded = symbi_syntax::decode(file.text.clone().into_bytes());
            Summary::new(&*file.path, decoded, true)
        })
        .collect();
    let count = summaries.len();
    let one_shot = OneShot::new(summaries, read.tools, settings.clone());
    let modules = (0..count).filter_map(|index| one_shot.compile(index).1.map(Arc::new));
    symbi_analysis::program(&settings, modules.collect(), read.contracts, Vec::new())
}

/// What is shown: the lines that each agent has alike are left out.
fn shown(program: &Program) -> String {
    let text = program.to_text();
    let plain = [
        "program version 1",
        "    sandbox docker (default)",
        "    route run",
        "    route http",
        "    route schedule",
        "    route delegate",
        "    route chat",
        "    route mcp",
        "    route managed",
        "    refused on managed: R1102",
        "    refused on chat: R1105",
        "    refused on chat: R1105, R1105",
    ];
    let lines = text.lines().filter(|line| !plain.contains(line));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn programs_are_lowered_as_the_pages_say() {
    let update = std::env::var_os("UPDATE_LOWERING").is_some();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lowering");
    let (mut count, mut wrong) = (0, String::new());
    for entry in std::fs::read_dir(folder).expect("the pages") {
        let path = entry.expect("an entry").path();
        let page = std::fs::read_to_string(&path).expect("a page");
        let mut written = page.split("\n## ").next().unwrap_or_default().to_owned();
        for part in page.split("\n## ").skip(1) {
            count += 1;
            let (heading, rest) = part.split_once('\n').expect("a heading");
            let mut files = Vec::new();
            for fence in rest.split("\n```").skip(1).step_by(2) {
                let (info, text) = fence.split_once('\n').expect("a fence");
                let mut words = info.split_whitespace();
                let language = words.next().expect("a language");
                let file = words.find_map(|word| word.strip_prefix("file="));
                if language != "text" {
                    files.push(Given {
                        path: file.unwrap_or("main.symbi").to_owned(),
                        text: format!("{text}\n"),
                    });
                }
            }
            let found = shown(&program(&files));
            let (before, fence) = rest.split_once("\n```text\n").expect("what is expected");
            let (expected, _) = fence.split_once("\n```").expect("its end");
            if expected.trim_end() != found.trim_end() {
                let _ = writeln!(wrong, "{}: {heading}\n{found}", path.display());
            }
            let _ = write!(
                written,
                "\n## {heading}\n{before}\n```text\n{}\n```\n",
                found.trim_end()
            );
        }
        if update {
            std::fs::write(&path, written).expect("the page");
        }
    }
    assert!(update || wrong.is_empty(), "{wrong}");
    assert!(count >= 20, "{count} cases");
}

/// Whatever the text, its module holds together and reads back from both forms,
/// and a program that stays makes the same.
#[test]
fn every_module_holds_together_and_reads_back() {
    let mut all = texts();
    let folder = symbi_syntax_corpus();
    all.extend(folder);
    let mut resident = Analysis::new();
    for (number, text) in all.iter().enumerate() {
        let given = Given {
            path: "main.symbi".to_owned(),
            text: text.clone(),
        };
        let program = program(&[given]);
        program
            .validate()
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        let bytes = symbi_ir::binary::write(&program).expect("bytes");
        assert_eq!(
            symbi_ir::binary::read(&bytes).expect("a program"),
            program,
            "{text}"
        );
        if number % 8 == 0 {
            let json = symbi_ir::json::write(&program).expect("JSON");
            assert_eq!(
                symbi_ir::json::read(&json).expect("a program"),
                program,
                "{text}"
            );
        }
        resident.set_file(
            "main.symbi",
            symbi_syntax::decode(text.clone().into_bytes()),
        );
        let again: Option<Module> = resident.module("main.symbi");
        assert_eq!(
            again.as_ref(),
            program.modules.first().map(|module| &**module),
            "{text}"
        );
    }
    assert!(all.len() > 500, "{} texts", all.len());
}

/// The cases of the corpus that all grammars are held to, good and bad.
fn symbi_syntax_corpus() -> Vec<String> {
    let mut texts = Vec::new();
    let mut folders = vec![crate::support::repository().join("grammar/conformance")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if symbi_syntax::is_symbi_file(&path) {
                texts.extend(std::fs::read_to_string(path));
            }
        }
    }
    texts.sort();
    texts
}

/// What the host decides with is what the checks have looked at: for each agent
/// the policies of its module for it are those that govern it.
#[test]
fn a_program_has_the_policies_that_govern_its_agents() {
    let mut all = texts();
    all.extend(symbi_syntax_corpus());
    all.extend(suite_texts());
    let (mut agents, mut rules) = (0, 0);
    for text in &all {
        let decoded = symbi_syntax::decode(text.clone().into_bytes());
        let one_shot = OneShot::new(
            vec![Summary::new("main.symbi", decoded, true)],
            Default::default(),
            Settings::default(),
        );
        let module = Arc::new(one_shot.compile(0).1.expect("a module"));
        let program = symbi_analysis::program(
            &Settings::default(),
            vec![module.clone()],
            Vec::new(),
            Vec::new(),
        );
        for agent in &module.agents {
            let Some(governed) = one_shot.governed(0, agent.name()) else {
                continue;
            };
            // Of two agents of one name, which is an error, the first is asked
            // about.
            let first = module.agents.iter().find(|one| one.name() == agent.name());
            let found = program.policies(&module, first.expect("itself"));
            assert_eq!(found, governed.policies, "{} in\n{text}", agent.name());
            agents += 1;
            rules += found
                .blocks
                .iter()
                .map(|block| block.rules.len())
                .sum::<usize>();
        }
    }
    assert!(
        agents > 200 && rules > 300,
        "{agents} agents, {rules} rules"
    );
}

/// The sources on the pages about policies.
fn suite_texts() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites/policies");
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the pages") {
        let page = std::fs::read_to_string(entry.expect("an entry").path()).expect("a page");
        for part in page.split("\n```symbi").skip(1) {
            let (_, rest) = part.split_once('\n').expect("a fence");
            texts.extend(rest.split_once("\n```").map(|(text, _)| text.to_owned()));
        }
    }
    texts.sort();
    texts
}
