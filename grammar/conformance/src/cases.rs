//! The corpus: `cases/<topic>/<name>.symbi` and its `.expect`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::verdict::{CompilerVerdict, outline_text};

/// Files of this topic are read as files of the standard library.
const STDLIB: &str = "stdlib";

/// What can be wrong with the corpus.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// A file that cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// An `.expect` that is not in the form of the README.
    #[error("{}: {message}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

/// A case of the corpus.
#[derive(Debug)]
pub struct Case {
    /// `topic/name`.
    pub name: String,
    /// The source, byte by byte.
    pub text: String,
    /// It is read as a file of the standard library.
    pub stdlib: bool,
    /// Where its expectation stands.
    pub expect_path: PathBuf,
    /// What is expected, if it has been written down.
    pub expect: Option<Expect>,
}

/// An `.expect` file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expect {
    /// `ok`, `warning` or `error`, and the codes behind it.
    pub verdict: String,
    /// The TextMate grammar marks something as invalid.
    pub textmate_invalid: bool,
    /// Why tree-sitter's answer is meant to differ: `accepts …` or
    /// `rejects …`, and the reason.
    pub tree_sitter: Option<String>,
    /// The declarations, as [`outline_text`] writes them.
    pub outline: String,
}

impl Expect {
    /// The level alone.
    pub fn level(&self) -> &str {
        self.verdict.split(' ').next().unwrap_or_default()
    }

    /// What the compiler says, as an expectation.
    pub fn of(text: &str, answer: &CompilerVerdict) -> Expect {
        let level = match (answer.verdict.accepted, answer.codes.is_empty()) {
            (false, _) => "error",
            (true, false) => "warning",
            (true, true) => "ok",
        };
        let mut verdict = level.to_owned();
        for code in &answer.codes {
            verdict.push(' ');
            verdict.push_str(code);
        }
        Expect {
            verdict,
            outline: match answer.verdict.accepted {
                true => outline_text(text, &answer.verdict.outline),
                false => String::new(),
            },
            ..Expect::default()
        }
    }

    /// The file's text.
    pub fn print(&self) -> String {
        let mut out = format!("verdict: {}\n", self.verdict);
        if self.textmate_invalid {
            out.push_str("textmate: invalid\n");
        }
        if let Some(reason) = &self.tree_sitter {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "tree-sitter: {reason}");
        }
        if !self.outline.is_empty() {
            out.push_str("outline:\n");
            out.push_str(&self.outline);
        }
        out
    }

    fn read(text: &str) -> Result<Expect, String> {
        let mut expect = Expect::default();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let (key, value) = line
                .split_once(':')
                .ok_or_else(|| format!("no `key:` in `{line}`"))?;
            match (key, value.trim()) {
                ("verdict", value) => value.clone_into(&mut expect.verdict),
                ("textmate", "invalid") => expect.textmate_invalid = true,
                ("tree-sitter", reason)
                    if reason.starts_with("accepts ") || reason.starts_with("rejects ") =>
                {
                    expect.tree_sitter = Some(reason.to_owned());
                }
                ("outline", "") => {
                    for line in lines.by_ref() {
                        expect.outline.push_str(line);
                        expect.outline.push('\n');
                    }
                }
                _ => return Err(format!("`{line}` is no line of an expectation")),
            }
        }
        if !["ok", "warning", "error"].contains(&expect.level()) {
            return Err(format!("`{}` is no verdict", expect.verdict));
        }
        Ok(expect)
    }
}

/// All cases below a folder, in the order of their names.
///
/// # Errors
/// A file that cannot be read, or an expectation that is not in its form.
pub fn read(folder: &Path) -> Result<Vec<Case>, CaseError> {
    let mut cases = Vec::new();
    for topic in entries(folder)? {
        if !topic.is_dir() {
            continue;
        }
        for path in entries(&topic)? {
            if path
                .extension()
                .is_some_and(|extension| extension == "symbi")
            {
                cases.push(case(&path, &topic)?);
            }
        }
    }
    Ok(cases)
}

fn case(path: &Path, topic: &Path) -> Result<Case, CaseError> {
    let name = |path: &Path| {
        path.file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let expect_path = path.with_extension("expect");
    let expect = match expect_path.exists() {
        true => Some(
            Expect::read(&text(&expect_path)?).map_err(|message| CaseError::Form {
                path: expect_path.clone(),
                message,
            })?,
        ),
        false => None,
    };
    Ok(Case {
        name: format!("{}/{}", name(topic), name(path)),
        text: text(path)?,
        stdlib: name(topic) == STDLIB,
        expect_path,
        expect,
    })
}

fn text(path: &Path) -> Result<String, CaseError> {
    std::fs::read_to_string(path).map_err(|source| io(path, source))
}

fn io(path: &Path, source: std::io::Error) -> CaseError {
    CaseError::Io {
        path: path.to_owned(),
        source,
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, CaseError> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|source| io(folder, source))? {
        paths.push(entry.map_err(|source| io(folder, source))?.path());
    }
    paths.sort();
    Ok(paths)
}
