//! A program from a bundle, or from the sources of a project.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use symbi_ir::Program;

use crate::Stop;
use crate::bundle;
use crate::compile::{Telling, compile};
use crate::exit::Exit;
use crate::output::Output;
use crate::report::Format;
use crate::sources::{self, Input};

/// A program, with what is known of its sources.
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// The texts of its files that are at hand.
    sources: HashMap<String, Arc<str>>,
}

impl Loaded {
    /// The text of a file, if it is at hand.
    pub fn source(&self, path: &str) -> Option<&str> {
        self.sources.get(path).map(|text| &**text)
    }
}

/// How the name of a bundle ends.
const BUNDLE: &str = "symbib";

/// Reads a program. What is wrong is told on stderr.
pub fn load(path: &Path, output: &mut Output) -> Result<Result<Loaded, Exit>, Stop> {
    if path.extension().is_some_and(|end| end == BUNDLE) {
        return Ok(bundle::open(path, output)?.map(|package| {
            let modules = package.program.modules.iter();
            let sources = modules.filter_map(|module| {
                let text = package.source(&module.path)?;
                Some((module.path.to_string(), text.into()))
            });
            Loaded {
                sources: sources.collect(),
                program: package.program,
            }
        }));
    }
    let sources = sources::discover(vec![Input::Path(path.to_owned())]);
    let telling = Telling {
        quiet: false,
        format: Format::Human,
        deny_warnings: false,
    };
    Ok(compile(&sources, telling, output)?.map(|compiled| Loaded {
        program: compiled.program,
        sources: compiled.sources.into_iter().collect(),
    }))
}
