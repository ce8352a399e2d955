//! Writes the tree-sitter parser from its grammar.
//!
//! In: `grammar/tree-sitter-symbi/grammar.js`, which Node evaluates. Out: the
//! files under its `src/` that the generator writes, as bytes. It must not know
//! the language: what is accepted stands in the grammar, and whether that is
//! right is for `grammar/conformance` to say. Begin reading at [`generate`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tree_sitter_generate::{OptLevel, generate_parser_in_directory};

/// The version of the interface between parser and library: the highest that
/// the editors in `grammar/tree-sitter-symbi/README.md` all load.
pub const ABI: usize = 14;

/// Why no parser was written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The grammar is wrong, or Node is missing.
    #[error("{0}")]
    Grammar(String),
    /// The grammar is right, but something in it is not needed.
    #[error("the grammar has parts that it does not need: {0}")]
    Unneeded(String),
    /// A file could not be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
}

fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.to_owned();
    move |error| Error::File { path, error }
}

/// Generated files, by their path under `src/`.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// The folder of the grammar.
pub fn grammar_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tree-sitter-symbi")
}

/// Generates the parser of the grammar in `folder`, and writes nothing there.
///
/// # Errors
/// When the grammar is wrong, or a file cannot be read or written.
pub fn generate(folder: &Path) -> Result<Files, Error> {
    let out = tempfile::tempdir().map_err(at(Path::new("a temporary folder")))?;
    let mut notes = Vec::new();
    generate_parser_in_directory(
        folder,
        Some(out.path()),
        None::<PathBuf>,
        ABI,
        None,
        Some("node"),
        true,
        OptLevel::default(),
        &mut notes,
    )
    .map_err(|error| Error::Grammar(error.to_string()))?;
    if !notes.is_empty() {
        let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
        return Err(Error::Unneeded(notes.join("; ")));
    }
    let mut files = Files::new();
    read_folder(out.path(), out.path(), &mut files)?;
    Ok(files)
}

fn read_folder(root: &Path, folder: &Path, files: &mut Files) -> Result<(), Error> {
    for entry in std::fs::read_dir(folder).map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        if path.is_dir() {
            read_folder(root, &path, files)?;
        } else {
            let bytes = std::fs::read(&path).map_err(at(&path))?;
            let name = path.strip_prefix(root).unwrap_or(&path);
            files.insert(name.to_owned(), bytes);
        }
    }
    Ok(())
}

/// The files that are not, or not so, under `src/` of the grammar in `folder`.
///
/// # Errors
/// When a file is there and cannot be read.
pub fn differing(folder: &Path, files: &Files) -> Result<Vec<PathBuf>, Error> {
    let mut names = Vec::new();
    for (name, bytes) in files {
        let path = folder.join("src").join(name);
        match std::fs::read(&path) {
            Ok(there) if there == *bytes => {}
            Ok(_) => names.push(name.clone()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => names.push(name.clone()),
            Err(error) => return Err(at(&path)(error)),
        }
    }
    Ok(names)
}

/// Writes the files under `src/` of the grammar in `folder`; none is ever half
/// written.
///
/// # Errors
/// When one cannot be written.
pub fn write(folder: &Path, files: &Files) -> Result<(), Error> {
    for (name, bytes) in files {
        let path = folder.join("src").join(name);
        let parent = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent).map_err(at(parent))?;
        let temporary = tempfile::NamedTempFile::new_in(parent).map_err(at(parent))?;
        std::fs::write(temporary.path(), bytes).map_err(at(temporary.path()))?;
        make_readable(temporary.path()).map_err(at(temporary.path()))?;
        temporary
            .persist(&path)
            .map_err(|error| at(&path)(error.error))?;
    }
    Ok(())
}

/// Temporary files are private to their owner; sources are not.
#[cfg(unix)]
fn make_readable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &Path) -> std::io::Result<()> {
    Ok(())
}
