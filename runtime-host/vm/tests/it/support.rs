//! What the tests share: programs from texts, and a world that answers them.

use std::sync::Arc;

use symbi_analysis::{OneShot, Settings, Summary};
use symbi_ir::Program;

/// The program of a text, and the errors in it.
pub fn compile(text: &str) -> (Arc<Program>, Vec<String>) {
    let decoded = symbi_syntax::decode(text.as_bytes().to_vec());
    let summary = Summary::new("main.symbi", decoded, true);
    let settings = Settings::default();
    let one_shot = OneShot::new(vec![summary], Default::default(), settings.clone());
    let (reports, _) = one_shot.examine(0, false);
    let errors = reports
        .iter()
        .filter(|report| report.code.level.word() == "error")
        .map(|report| {
            let marked = &text[report.primary.at.range()];
            format!("{} {} at `{marked}`", report.code.id, report.message)
        });
    let errors = errors.collect();
    let modules = one_shot.compile(0).1.map(Arc::new).into_iter().collect();
    let program = symbi_analysis::program(&settings, modules, Vec::new(), Vec::new());
    (Arc::new(program), errors)
}
