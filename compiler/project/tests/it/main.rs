//! Tests of the whole crate, one module a subject. `../data/` holds a file a
//! case in a folder a kind of file.

#![allow(
    clippy::unwrap_used,
    reason = "clippy spares only functions marked as tests"
)]

mod broken;
mod data;
mod fixes;
mod keys;
mod pages;
mod real;
mod reports;
mod sweep;
mod values;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use symbi_diagnostics::Diagnostic;
use symbi_project::{CustomTypes, Manifest, ProjectFile};

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Project,
    Manifest,
    Types,
}

impl Kind {
    pub(crate) const ALL: [Kind; 3] = [Kind::Project, Kind::Manifest, Kind::Types];

    /// By the name that a project's file has.
    pub(crate) fn of(file_name: &str) -> Self {
        match file_name {
            "symbiont.toml" => Kind::Project,
            "toolclad.toml" => Kind::Types,
            name if name.ends_with(".clad.toml") => Kind::Manifest,
            name => panic!("{name} is no file of a project"),
        }
    }

    /// A name that a file of this kind has.
    pub(crate) fn file_name(self, stem: &str) -> String {
        match self {
            Kind::Project => "symbiont.toml".to_owned(),
            Kind::Manifest => format!("tools/{stem}.clad.toml"),
            Kind::Types => "toolclad.toml".to_owned(),
        }
    }

    /// The folder of its cases.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Kind::Project => "project",
            Kind::Manifest => "manifest",
            Kind::Types => "types",
        }
    }

    /// What there is to say about a text. Manifests may use the types of
    /// `types/everything.toml`.
    pub(crate) fn reports(self, text: &str, file_name: &str) -> Vec<Diagnostic> {
        match self {
            Kind::Project => ProjectFile::parse(text).diagnostics,
            Kind::Manifest => Manifest::parse_with(text, file_name, types()).diagnostics,
            Kind::Types => CustomTypes::parse(text).diagnostics,
        }
    }
}

pub(crate) fn types() -> &'static CustomTypes {
    static TYPES: LazyLock<CustomTypes> = LazyLock::new(|| {
        let parsed = CustomTypes::parse(include_str!("../data/types/everything.toml"));
        assert_eq!(parsed.diagnostics, []);
        parsed.data
    });
    &TYPES
}

/// The cases of a kind: stem and text, sorted.
pub(crate) fn cases(kind: Kind) -> Vec<(String, String)> {
    let folder = package().join("tests/data").join(kind.folder());
    let mut cases: Vec<(String, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (stem(&path), fs::read_to_string(&path).unwrap()))
        .collect();
    cases.sort();
    assert!(cases.len() > 1, "{kind:?} has no cases");
    cases
}

pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

pub(crate) fn package() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn repository() -> PathBuf {
    package().join("../..")
}
