//! Input of any size, made from our own examples with a fixed seed.
//!
//! A source file is copied again and again. Each copy declares other names
//! (and refers to them by these), has other words in its comments and texts,
//! other digits in its numbers, and its items in another order; the copies
//! stand in an order of their own. So nothing repeats that a cache could live
//! on, and every byte has the shape of what people write.
//!
//! Only files without a single report are sources, and what is generated has
//! none either. The same sources, size and seed give the same bytes.

mod edits;
mod words;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use symbi_analysis::{OneShot, Settings, Summary, Text, Tools, read_manifests};
use symbi_syntax::File;

use crate::Error;
use crate::rng::Rng;
use edits::{Edit, Unit, Vary};
use words::Words;

/// The seed behind every figure that is written down.
pub const SEED: u64 = 2026;

/// Sources, ready to be copied.
#[derive(Debug)]
pub struct Corpus {
    units: Vec<Unit>,
    words: Words,
    /// Every name in the sources: a new one must be none of them.
    taken: BTreeSet<String>,
}

/// Text made from a [`Corpus`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The text of one file.
    pub text: String,
    /// How many items it has.
    pub items: usize,
}

/// A tool's manifest: the name of its file, and its text.
pub type Manifest = (String, String);

/// The manifests below a folder, in the order of the names of their files, of
/// which no two are the same.
pub fn tools(folder: &Path) -> Result<Vec<Manifest>, Error> {
    let mut paths = Vec::new();
    find(folder, &mut paths, &|path| {
        path.to_string_lossy().ends_with(".clad.toml")
    })?;
    let mut tools = BTreeMap::new();
    for path in paths {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        tools.insert(
            name,
            std::fs::read_to_string(&path).map_err(Error::io(path))?,
        );
    }
    Ok(tools.into_iter().collect())
}

/// Manifests as the checks know them.
pub fn read(manifests: &[Manifest]) -> Tools {
    let texts: Vec<Text<'_>> = manifests
        .iter()
        .map(|(path, text)| Text { path, text })
        .collect();
    read_manifests(&texts, None).tools
}

/// The warnings that the measured projects switch off: the examples demand
/// obligations that are planned, and each has one.
pub const OFF: [&str; 2] = ["P0440", "P0442"];

/// The settings of the measured projects.
pub fn settings() -> Settings {
    Settings {
        off: OFF.iter().map(|id| (*id).into()).collect(),
        ..Settings::default()
    }
}

/// Nothing is reported about the text as a project of its own with these
/// tools, apart from what is switched off.
fn is_clean(text: &str, tools: &Tools) -> bool {
    let source = symbi_syntax::decode(text.as_bytes().to_vec());
    let files = vec![Summary::new("x.symbi", source, true)];
    OneShot::new(files, tools.clone(), settings())
        .check(0)
        .is_empty()
}

/// The texts of all sources below a folder, in the order of their paths.
pub fn texts(folder: &Path) -> Result<Vec<String>, Error> {
    source_paths(folder)?
        .into_iter()
        .map(|path| std::fs::read_to_string(&path).map_err(Error::io(path)))
        .collect()
}

impl Corpus {
    /// The sources below a folder, in the order of their paths. One with a report,
    /// checked as a project of its own with the tools of all, is left out.
    pub fn read(folder: &Path) -> Result<Corpus, Error> {
        let tools = read(&tools(folder)?);
        let clean = texts(folder)?
            .into_iter()
            .filter(|text| is_clean(text, &tools));
        Corpus::new(clean).ok_or_else(|| Error::NoExamples(folder.to_owned()))
    }

    /// The examples of this repository.
    pub fn examples() -> Result<Corpus, Error> {
        Corpus::read(&examples_folder())
    }

    /// Sources as texts. A text with a report or without an item is left out;
    /// `None` if nothing is left.
    pub fn new(texts: impl IntoIterator<Item = String>) -> Option<Corpus> {
        let files: Vec<File> = texts
            .into_iter()
            .map(File::parse)
            .filter(|file| file.diagnostics().is_empty() && !file.items().is_empty())
            .collect();
        if files.is_empty() {
            return None;
        }
        // A source about nothing but its file would be there once at most.
        let mut units: Vec<Unit> = files.iter().map(Unit::new).collect();
        let lasts = |unit: &Unit| unit.pieces.iter().any(|piece| !piece.of_file);
        if units.iter().any(lasts) {
            units.retain(lasts);
        }
        Some(Corpus {
            units,
            words: Words::of(&files),
            taken: edits::names(&files),
        })
    }

    /// A file of about so many bytes: of whole copies, so that every name in
    /// it is declared, and the last is there if that comes nearer. At least
    /// one copy.
    pub fn generate(&self, bytes: usize, seed: u64) -> Generated {
        self.generate_part(bytes, seed, 0)
    }

    /// The same, for one of the files of a workspace: no two parts declare a
    /// name, as long as none has more than 10,000 copies.
    pub fn generate_part(&self, bytes: usize, seed: u64, part: usize) -> Generated {
        let mut rng = Rng::new(seed.wrapping_add(part as u64));
        let mut made = Generated {
            text: String::with_capacity(bytes + bytes / 8),
            items: 0,
        };
        let mut order: Vec<usize> = Vec::new();
        for copy in part * 10_000.. {
            let next = order.pop().unwrap_or_else(|| {
                order = (0..self.units.len()).collect();
                rng.shuffle(&mut order);
                order.pop().unwrap_or(0)
            });
            let unit = &self.units[next];
            let before = made.text.len();
            let first = copy == part * 10_000;
            let items = self.copy(unit, copy, first, &mut rng, &mut made.text);
            let over = made.text.len().saturating_sub(bytes);
            if copy > part * 10_000 && over > bytes.saturating_sub(before) {
                made.text.truncate(before);
                break;
            }
            made.items += items;
            if over > 0 {
                break;
            }
        }
        made
    }

    /// Appends one copy of a unit, and says of how many items. What is about the
    /// whole file is in the first copy only.
    fn copy(
        &self,
        unit: &Unit,
        number: usize,
        first: bool,
        rng: &mut Rng,
        out: &mut String,
    ) -> usize {
        let names = self.new_names(unit, number, rng);
        let number = base36(number);
        let mut order: Vec<usize> = (0..unit.pieces.len()).collect();
        rng.shuffle(&mut order);
        // A source with nothing else is copied all the same: a copy must add
        // something.
        if !first && unit.pieces.iter().any(|piece| !piece.of_file) {
            order.retain(|&index| !unit.pieces[index].of_file);
        }
        let items = order.len();
        for index in order {
            let piece = &unit.pieces[index];
            if !out.is_empty() {
                out.push('\n');
            }
            let mut at = 0;
            for Edit { range, vary } in &piece.edits {
                out.push_str(&piece.text[at..range.start]);
                let old = &piece.text[range.clone()];
                match vary {
                    Vary::Name => out.push_str(names.get(old).map_or(old, |new| new)),
                    Vary::Words => self.words.vary(old, rng, out),
                    Vary::Digits => words::vary_digits(old, rng, out),
                    Vary::Number => {
                        out.push('-');
                        out.push_str(&number);
                    }
                }
                at = range.end;
            }
            out.push_str(&piece.text[at..]);
            out.push('\n');
        }
        items
    }

    /// What the names of a unit become in one of its copies.
    fn new_names<'u>(
        &self,
        unit: &'u Unit,
        number: usize,
        rng: &mut Rng,
    ) -> HashMap<&'u str, String> {
        let mut names = HashMap::new();
        let mut used = BTreeSet::new();
        // Names of items carry the copy's number: no two copies declare one.
        let number = base36(number);
        let declared = unit.declared.iter().map(|name| (name, &*number));
        let local = unit.locals.iter().map(|name| (name, ""));
        for (name, tail) in declared.chain(local) {
            let new = loop {
                let new = self.words.name_like(name, tail, rng);
                if !self.taken.contains(&new) && used.insert(new.clone()) {
                    break new;
                }
            };
            names.insert(name.as_str(), new);
        }
        names
    }
}

/// The folder of this repository's examples.
pub fn examples_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

/// The source files below a folder, sorted by their paths.
pub fn source_paths(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut paths = Vec::new();
    find(folder, &mut paths, &symbi_syntax::is_symbi_file)?;
    paths.sort();
    Ok(paths)
}

fn find(
    folder: &Path,
    found: &mut Vec<PathBuf>,
    wanted: &dyn Fn(&Path) -> bool,
) -> Result<(), Error> {
    for entry in std::fs::read_dir(folder).map_err(Error::io(folder))? {
        let path = entry.map_err(Error::io(folder))?.path();
        if path.is_dir() {
            find(&path, found, wanted)?;
        } else if wanted(&path) {
            found.push(path);
        }
    }
    Ok(())
}

fn base36(mut number: usize) -> String {
    let mut digits = Vec::new();
    loop {
        // INVARIANT: a remainder by 36 is a digit in base 36.
        let digit = char::from_digit((number % 36) as u32, 36).expect("a digit");
        digits.push(digit);
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_copies_are_short_and_differ() {
        assert_eq!(base36(0), "0");
        assert_eq!(base36(35), "z");
        assert_eq!(base36(36), "10");
        assert_eq!(base36(46_655), "zzz");
    }
}
