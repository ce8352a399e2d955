//! Sources as one checked program, for `symbi build` and `symbi dsl --ir`.

use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, SourceFile};
use symbi_ir::{CedarFile, Program, Sha256};

use crate::exit::Exit;
use crate::output::Output;
use crate::project::{self, Naming, Projects};
use crate::report::{self, Format};
use crate::sources::{self, Source};
use crate::verdict::Failure;
use crate::{Stop, parallel};

/// A program, and the files that it comes from.
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// The files that it runs with, by their paths from the root.
    pub beside: Vec<(String, Vec<u8>)>,
    /// Its sources, likewise.
    pub sources: Vec<(String, Arc<str>)>,
    /// How many warnings there are.
    pub warnings: usize,
}

/// What is said while a program is made.
#[derive(Clone, Copy, Debug)]
pub struct Telling {
    /// Only the line of a source that fails, without its reports.
    pub quiet: bool,
    /// What they look like.
    pub format: Format,
    /// Warnings are shown, and fail as errors do. Else they are only counted:
    /// a check shows them.
    pub deny_warnings: bool,
}

/// Makes one program of sources that belong together. What is wrong is told on
/// stderr, and then there is none.
pub fn compile(
    sources: &[Source],
    telling: Telling,
    output: &mut Output,
) -> Result<Result<Compiled, Exit>, Stop> {
    let projects = Projects::load_as(sources, false, Naming::FromRoot)?;
    let mut told = Told {
        telling,
        output,
        exit: Exit::Fine,
        warnings: 0,
    };
    if projects.roots().len() > 1 {
        told.output.error(
            "these sources are of several projects, and a program is made of one: name the sources \
             of one folder with a `symbiont.toml`",
        )?;
        return Ok(Err(Exit::Unusable));
    }
    for beside in &projects.beside {
        match &beside.text {
            Ok(text) => told.tell(
                &beside.name,
                &beside.path,
                text.as_str().into(),
                &beside.reports,
            )?,
            Err(problem) => told.unreadable(&beside.name, &problem.to_string())?,
        }
    }
    let mut modules = Vec::with_capacity(sources.len());
    let mut texts = Vec::with_capacity(sources.len());
    let mut order = sources.iter();
    let numbered: Vec<usize> = (0..sources.len()).collect();
    parallel::in_order(
        &numbered,
        |&index| projects.compile(index),
        |compiled| -> Result<(), Stop> {
            let Some(source) = order.next() else {
                return Ok(());
            };
            match compiled {
                Err(problem) => told.unreadable(&source.name, &problem.to_string()),
                Ok(compiled) => {
                    let text = compiled.summary.text().clone();
                    told.tell(&source.name, &source.path, text.clone(), &compiled.reports)?;
                    texts.push((compiled.summary.path().to_string(), text));
                    modules.extend(compiled.module.map(Arc::new));
                    Ok(())
                }
            }
        },
    )?;
    let (root, tools, settings) = match projects.roots().first() {
        Some((root, tools, settings)) => (root.clone(), tools.clone(), settings.clone()),
        None => Default::default(),
    };
    let in_project = root.filter(|root| root.join(project::PROJECT_FILE).is_file());
    let beside = match in_project.map(|root| project::run_with(&root)) {
        None => Vec::new(),
        Some(Ok(files)) => files,
        Some(Err((file, problem))) => {
            let name = sources::printable(file.as_os_str());
            told.unreadable(&name, &problem.to_string())?;
            Vec::new()
        }
    };
    let cedar = beside.iter().filter(|(path, _)| project::is_policy(path));
    let cedar = cedar.map(|(path, bytes)| CedarFile {
        path: path.as_str().into(),
        sha256: Sha256::of(bytes),
    });
    let program = symbi_analysis::program(&settings, modules, tools, cedar.collect());
    if told.exit == Exit::Fine
        && let Err(error) = program.validate()
    {
        told.output.error(&error.to_string())?;
        told.exit = Exit::Errors;
    }
    if told.exit != Exit::Fine {
        return Ok(Err(told.exit));
    }
    texts.sort();
    Ok(Ok(Compiled {
        program,
        beside,
        sources: texts,
        warnings: told.warnings,
    }))
}

/// What has been told so far.
struct Told<'o> {
    telling: Telling,
    output: &'o mut Output,
    exit: Exit,
    warnings: usize,
}

impl Told<'_> {
    fn tell(
        &mut self,
        name: &str,
        path: &str,
        text: Arc<str>,
        reports: &[Diagnostic],
    ) -> Result<(), Stop> {
        if reports.is_empty() {
            return Ok(());
        }
        let file = SourceFile::new(name, text);
        let warnings = reports
            .iter()
            .filter(|one| !one.is_error() && !one.is_hint());
        self.warnings += warnings.clone().count();
        let denied = warnings.filter(|_| self.telling.deny_warnings);
        let failure = Failure::of(&file, reports.iter().filter(|one| one.is_error()))
            .or_else(|| Failure::of(&file, denied));
        if let Some(failure) = failure {
            self.exit = self.exit.max(Exit::Errors);
            let colour = self.output.stderr_colour;
            let line = format!("{name}  {}", failure.verdict(colour));
            self.output.report(&format!("{line}\n"))?;
        }
        let shown: Vec<Diagnostic> = reports
            .iter()
            .filter(|one| one.is_error() || (self.telling.deny_warnings && !one.is_hint()))
            .cloned()
            .collect();
        if !self.telling.quiet && !shown.is_empty() {
            let origin = sources::from_here(path);
            let colour = self.output.stderr_colour;
            let text = report::text(self.telling.format, &origin, &file, &shown, colour);
            self.output.report(&text)?;
        }
        Ok(())
    }

    fn unreadable(&mut self, name: &str, problem: &str) -> Result<(), Stop> {
        self.exit = self.exit.max(Exit::Unusable);
        Ok(self.output.error(&format!("{name}: {problem}"))?)
    }
}
