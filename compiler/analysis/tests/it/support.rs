//! What the tests share: a project from texts, and what is reported about it.

use std::path::{Path, PathBuf};

use symbi_analysis::{
    Admission, OneShot, PolicyText, Route, Settings, Summary, Text, read_answering, read_manifests,
    read_policy_folder, read_project_file,
};
use symbi_diagnostics::Diagnostic;

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file of a project under test.
#[derive(Clone, Debug)]
pub struct Given {
    pub path: String,
    pub text: String,
}

/// The reports about each file of a project, hints included: project file and
/// manifests first, then the sources in their order.
pub fn check(files: &[Given]) -> Vec<(Given, Vec<Diagnostic>)> {
    check_on(files, None)
}

/// The same, with what refuses the agents on a route.
pub fn check_on(files: &[Given], route: Option<Route>) -> Vec<(Given, Vec<Diagnostic>)> {
    examine(files, route, &mut |_, _| {})
}

/// On which routes the agents of each source may run.
pub fn admissions(files: &[Given]) -> Vec<(Given, Admission)> {
    let mut all = Vec::new();
    examine(files, Some(Route::Run), &mut |file, admission| {
        all.push((file.clone(), admission.clone()));
    });
    all
}

fn examine(
    files: &[Given],
    route: Option<Route>,
    admitted: &mut dyn FnMut(&Given, &Admission),
) -> Vec<(Given, Vec<Diagnostic>)> {
    let is = |end: &str| {
        let end = end.to_owned();
        move |file: &&Given| file.path.ends_with(&end)
    };
    let mut all = Vec::new();
    let mut settings = Settings::default();
    for file in files.iter().filter(is("symbiont.toml")) {
        let (found, reports) = read_project_file(&file.text);
        settings = found;
        all.push((file.clone(), reports));
    }
    let mut manifests: Vec<&Given> = files.iter().filter(is(".clad.toml")).collect();
    manifests.sort_by(|a, b| a.path.cmp(&b.path));
    let texts: Vec<Text<'_>> = manifests
        .iter()
        .map(|file| Text {
            path: &file.path,
            text: &file.text,
        })
        .collect();
    let types = files.iter().find(is("toolclad.toml"));
    let read = read_manifests(&texts, types.map(|types| &*types.text));
    all.extend(types.map(|types| (types.clone(), read.type_reports)));
    let manifests = manifests.into_iter().cloned();
    all.extend(manifests.zip(read.reports));

    let policies: Vec<&Given> = files.iter().filter(is(".cedar")).collect();
    let folder = |file: &Given| {
        let folder = file.path.rsplit('/').nth(1);
        folder
            .filter(|folder| *folder != "policies")
            .map(str::to_owned)
    };
    let folders: Vec<Option<String>> = policies.iter().map(|file| folder(file)).collect();
    let texts: Vec<PolicyText<'_>> = policies
        .iter()
        .zip(&folders)
        .map(|(file, folder)| PolicyText {
            folder: folder.as_deref(),
            text: &file.text,
        })
        .collect();
    let mut answering = read_answering(&texts);
    for (index, (file, folder)) in policies.into_iter().zip(&folders).enumerate() {
        let report = folder.as_deref().and_then(read_policy_folder);
        let answers = answering.extract_if(.., |(at, _)| *at == index);
        let reports = report.into_iter().chain(answers.map(|(_, report)| report));
        all.push((file.clone(), reports.collect()));
    }

    let sources: Vec<&Given> = files
        .iter()
        .filter(|file| symbi_syntax::is_symbi_file(Path::new(&file.path)))
        .collect();
    let summaries = sources
        .iter()
        .map(|file| {
            let decoded = symbi_syntax::decode(file.text.clone().into_bytes());
            Summary::new(&*file.path, decoded, true)
        })
        .collect();
    settings.hints = true;
    let program = OneShot::new(summaries, read.tools, settings);
    let sources = sources.into_iter().cloned().enumerate();
    all.extend(sources.map(|(index, file)| {
        let (mut reports, admission) = program.examine(index, route.is_some());
        if let (Some(route), Some(admission)) = (route, admission) {
            admitted(&file, &admission);
            reports.extend(admission.errors(route));
        }
        (file, reports)
    }));
    all
}

/// The reports about one text, hints included.
pub fn check_text(text: &str) -> Vec<Diagnostic> {
    let given = Given {
        path: "main.symbi".to_owned(),
        text: text.to_owned(),
    };
    check(&[given]).remove(0).1
}

/// The examples, and the cases of the language.
pub fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    let mut folders = vec![repository().join("examples")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if symbi_syntax::is_symbi_file(&path) {
                texts.push(std::fs::read_to_string(path).expect("a text"));
            }
        }
    }
    texts.sort();
    for name in ["a", "b", "deploy"] {
        texts.push(format!(
            "policy p {{ agent {} {{ x: 1 }} agent web_deploy {{ }} allow: send }}\n\
             agent {name}(x: int) -> int {{ with {{ return f(x) + g(x); }} }}\n\
             function f(x: int) -> int {{ return x; }}\n\
             type T = {{ a: T?, b: int }}\n\
             memory {name} {{ store markdown }}\n\
             webhook w {{ path \"/{name}\" secret env://S agent {name} }}\n\
             schedule s {{ cron: \"0 9 * * *\" agent: \"a\" }}\n",
            if name == "a" { "deploy" } else { "a" }
        ));
    }
    texts
}

/// Whether a report says no more than that something is planned: such rules are
/// written, and enforced as soon as their row of the table names what does it.
pub fn is_planned(report: &Diagnostic) -> bool {
    ["P0440", "P0442"].contains(&report.code.id) && report.message.ends_with("it is planned")
}
