//! A project of 100 agents as a bundle: built, and loaded.

use std::sync::Arc;

use symbi_analysis::{OneShot, Summary, Text, program, read_manifests};
use symbi_bundle::Limits;
use symbi_syntax::decode;

use super::{Inputs, Limit, On, Report, Row};
use crate::Error;
use crate::clock::best;
use crate::corpus::{self, SEED};

/// How many agents there are, at least.
const AGENTS: usize = 100;
/// The size of a file in bytes: one to three agents.
const BYTES: usize = 3_000;
const RUNS: usize = 15;

pub(super) fn rows(inputs: &Inputs, report: &mut Report) -> Result<(), Error> {
    let manifests: Vec<(String, String)> = corpus::tools(&corpus::examples_folder())?
        .into_iter()
        .map(|(name, text)| (format!("tools/{name}"), text))
        .collect();
    let mut files: Vec<(String, String)> = Vec::new();
    let mut agents = 0;
    while agents < AGENTS {
        let number = files.len();
        let text = inputs.corpus.generate_part(BYTES, SEED, number).text;
        agents += text
            .lines()
            .filter(|line| line.starts_with("agent "))
            .count();
        files.push((format!("agents/file{number:03}.symbi"), text));
    }
    let build = || build(&files, &manifests);
    let bytes = build()?;
    let time = best(RUNS, build, |built| match built {
        Ok(built) if *built == bytes => Ok(()),
        _ => Err(Error::Wrong(
            "the same sources gave another bundle".to_owned(),
        )),
    })?;
    report.rows.push(
        Row::new(
            "build of a bundle of 100 agents, one thread",
            milliseconds(time),
            "ms",
        )
        .detail(format!("{} files, {} bytes", files.len(), bytes.len()))
        .goal(On::Ours, Limit::AtMost(100.0)),
    );
    let load = || {
        let bundle = symbi_bundle::read(&bytes, &Limits::default());
        let package = bundle.map_err(symbi_package::PackageError::from);
        package.and_then(symbi_package::read)
    };
    let time = best(RUNS, load, |loaded| match loaded {
        Ok(package) if package.program.agents().count() >= AGENTS => Ok(()),
        Ok(_) => Err(Error::Wrong("agents are missing in the bundle".to_owned())),
        Err(error) => Err(Error::Wrong(error.to_string())),
    })?;
    report
        .rows
        .push(Row::new("load of it", milliseconds(time), "ms").goal(On::Ours, Limit::AtMost(5.0)));
    Ok(())
}

/// From texts to the bytes of a bundle.
fn build(files: &[(String, String)], manifests: &[(String, String)]) -> Result<Vec<u8>, Error> {
    let texts: Vec<Text<'_>> = manifests
        .iter()
        .map(|(path, text)| Text { path, text })
        .collect();
    let read = read_manifests(&texts, None);
    let summaries = files
        .iter()
        .map(|(path, text)| Summary::new(&**path, decode(text.clone().into_bytes()), true))
        .collect();
    let settings = corpus::settings();
    let one_shot = OneShot::new(summaries, read.tools, settings.clone());
    let mut modules = Vec::with_capacity(files.len());
    for (index, (path, _)) in files.iter().enumerate() {
        let (reports, module) = one_shot.compile(index);
        if reports.iter().any(symbi_diagnostics::Diagnostic::is_error) {
            return Err(Error::Wrong(format!("{path} has errors")));
        }
        modules.extend(module.map(Arc::new));
    }
    let program = program(&settings, modules, read.contracts, Vec::new());
    let beside: Vec<(String, Vec<u8>)> = manifests
        .iter()
        .map(|(path, text)| (path.clone(), text.as_bytes().to_vec()))
        .collect();
    symbi_package::write(&program, &beside, "symbi-bench", None)
        .map_err(|error| Error::Wrong(error.to_string()))
}

fn milliseconds(time: std::time::Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
