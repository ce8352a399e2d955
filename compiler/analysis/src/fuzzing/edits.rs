//! Scripts of random edits: after any of them the resident program says what a
//! fresh one says (architecture.md, invariant 6).

use std::collections::BTreeMap;
use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, all};
use symbi_syntax::fuzzing::mutate::{self, Random};
use symbi_syntax::{Decoded, decode};

use crate::program::{Tool, ToolParam};
use crate::ty::Ty;
use crate::{Analysis, OneShot, Outdated, Settings, Summary, Tools};

/// What a script did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Edits of texts, files, settings and tools.
    pub edits: u64,
    /// Questions that an edit made unwind.
    pub cancelled: u64,
    /// Reports that were compared.
    pub reports: u64,
}

/// What has been edited so far, to make a fresh program of.
struct Model<'t> {
    texts: &'t [String],
    files: BTreeMap<String, String>,
    tools: Tools,
    settings: Settings,
    random: Random,
    done: Done,
}

/// Runs a script over texts and compares after every few edits.
///
/// # Errors
/// The first difference, with the path and both lists of reports.
pub fn run(seed: u64, edits: usize, texts: &[String]) -> Result<Done, String> {
    let mut model = Model {
        texts,
        files: BTreeMap::new(),
        tools: Tools::default(),
        settings: Settings {
            hints: true,
            ..Settings::default()
        },
        random: Random(seed),
        done: Done::default(),
    };
    let mut analysis = Analysis::new();
    analysis.set_settings(model.settings.clone());
    for _ in 0..2 + model.random.below(4) {
        model.new_file(&mut analysis);
    }
    for edit in 0..edits {
        model.edit(&mut analysis);
        if model.random.below(3) == 0 || edit + 1 == edits {
            model
                .compare(&analysis)
                .map_err(|difference| format!("seed {seed}, edit {edit}: {difference}"))?;
        }
    }
    Ok(model.done)
}

/// Names come from a small set, so that they meet.
const PATHS: &[&str] = &[
    "a.symbi",
    "agents/a.symbi",
    "agents/deploy.symbi",
    "agents/web-deploy.symbi",
    "b.dsl",
    "flows/report.symbi",
    "x.symbi",
];

impl Model<'_> {
    fn edit(&mut self, analysis: &mut Analysis) {
        self.done.edits += 1;
        if self.random.below(4) > 0 {
            self.change(analysis);
            return;
        }
        // Someone asks while the program changes.
        let snapshot = analysis.snapshot();
        let mut paths: Vec<String> = self.files.keys().cloned().collect();
        let turn = self.random.below(paths.len().max(1));
        paths.rotate_left(turn);
        let asking = std::thread::spawn(move || {
            for path in &paths {
                if snapshot.diagnostics(path) == Err(Outdated) {
                    return true;
                }
            }
            false
        });
        for _ in 0..self.random.below(200) {
            std::thread::yield_now();
        }
        self.change(analysis);
        self.done.cancelled += u64::from(asking.join().unwrap_or(false));
    }

    fn change(&mut self, analysis: &mut Analysis) {
        match self.random.below(20) {
            0 | 1 => self.new_file(analysis),
            2 => self.delete(analysis),
            3 => self.rename(analysis),
            4 => self.change_tools(analysis),
            5 => {
                let codes: Vec<_> = all().map(|code| code.id).collect();
                self.settings.hints = self.random.below(2) == 0;
                self.settings.off = (0..self.random.below(4))
                    .map(|_| Arc::from(codes[self.random.below(codes.len())]))
                    .collect();
                analysis.set_settings(self.settings.clone());
            }
            6 => {
                if let Some(path) = self.path() {
                    analysis.open_file(&path);
                }
            }
            _ => self.change_text(analysis),
        }
    }

    fn path(&mut self) -> Option<String> {
        let at = self.random.below(self.files.len());
        self.files.keys().nth(at).cloned()
    }

    fn any_text(&mut self) -> String {
        match self.random.below(self.texts.len() + 1) {
            0 => String::new(),
            n => self.texts[n - 1].clone(),
        }
    }

    fn put(&mut self, analysis: &mut Analysis, path: String, text: String) {
        analysis.set_file(&path, decoded(&text));
        self.files.insert(path, text);
    }

    fn new_file(&mut self, analysis: &mut Analysis) {
        let path = PATHS[self.random.below(PATHS.len())].to_owned();
        let text = self.any_text();
        self.put(analysis, path, text);
    }

    fn delete(&mut self, analysis: &mut Analysis) {
        if let Some(path) = self.path() {
            analysis.remove_file(&path);
            self.files.remove(&path);
        }
    }

    fn rename(&mut self, analysis: &mut Analysis) {
        let Some(from) = self.path() else {
            return;
        };
        let to = PATHS[self.random.below(PATHS.len())].to_owned();
        analysis.remove_file(&from);
        if let Some(text) = self.files.remove(&from) {
            self.put(analysis, to, text);
        }
    }

    fn change_tools(&mut self, analysis: &mut Analysis) {
        let names = ["scan", "notify", "restart", "query", "greet"];
        let tools = (0..self.random.below(4)).map(|_| Tool {
            name: names[self.random.below(names.len())].into(),
            description: "".into(),
            params: vec![ToolParam {
                name: "target".into(),
                ty: [Ty::String, Ty::Int][self.random.below(2)].clone(),
                required: self.random.below(2) == 0,
                rules: None,
            }],
        });
        let tools: Vec<Tool> = tools.collect();
        self.tools = Tools::new(tools);
        analysis.set_tools(self.tools.clone());
    }

    fn change_text(&mut self, analysis: &mut Analysis) {
        let Some(path) = self.path() else {
            return self.new_file(analysis);
        };
        let text = self.files[&path].clone();
        let text = match self.random.below(6) {
            0 => mutate::spacing(&text, &mut self.random),
            1 => {
                let other = self.any_text();
                mutate::tokens(&text, &other, &mut self.random)
            }
            2 => self.items(&text),
            _ => self.typed(text),
        };
        self.put(analysis, path, text);
    }

    /// One character more, another one, or one less.
    fn typed(&mut self, mut text: String) -> String {
        let mut at = self.random.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let chars = "abeinx_ 0125.:;,=(){}[]\"\n/#*-é";
        let pick = self.random.below(chars.chars().count());
        let typed = chars.chars().nth(pick).unwrap_or(' ');
        match self.random.below(3) {
            0 => text.insert(at, typed),
            1 if at < text.len() => {
                text.remove(at);
            }
            _ if at < text.len() => {
                text.remove(at);
                text.insert(at, typed);
            }
            _ => text.insert(at, typed),
        }
        text
    }

    /// Items taken out, doubled or moved.
    fn items(&mut self, text: &str) -> String {
        let file = symbi_syntax::File::parse(text);
        let mut pieces: Vec<&str> = file
            .items()
            .iter()
            .map(|placed| &text[placed.span.range()])
            .collect();
        if !pieces.is_empty() {
            let at = self.random.below(pieces.len());
            let to = self.random.below(pieces.len());
            match self.random.below(3) {
                0 => {
                    pieces.remove(at);
                }
                1 => pieces.insert(to, pieces[at]),
                _ => pieces.swap(at, to),
            }
        }
        pieces.join("\n\n")
    }

    /// Compares with a program that has not seen the edits.
    fn compare(&mut self, analysis: &Analysis) -> Result<(), String> {
        let summaries = self
            .files
            .iter()
            .map(|(path, text)| Summary::new(&**path, decoded(text), true))
            .collect();
        let fresh = OneShot::new(summaries, self.tools.clone(), self.settings.clone());
        for (index, path) in self.files.keys().enumerate() {
            let expected = lines(&fresh.check(index));
            let found = lines(&analysis.diagnostics(path).unwrap_or_default());
            if expected != found {
                return Err(format!(
                    "{path}\nfresh: {expected:#?}\nresident: {found:#?}\n{}",
                    self.files[path]
                ));
            }
            self.done.reports += expected.len() as u64;
            let expected = fresh.examine(index, true).1;
            let found = analysis.admission(path);
            if expected != found {
                return Err(format!(
                    "{path}\nfresh: {expected:#?}\nresident: {found:#?}\n{}",
                    self.files[path]
                ));
            }
        }
        Ok(())
    }
}

fn decoded(text: &str) -> Decoded {
    decode(text.as_bytes().to_vec())
}

/// Everything about each report.
fn lines(reports: &[Diagnostic]) -> Vec<String> {
    reports.iter().map(|report| format!("{report:?}")).collect()
}
