//! A checked program with the files that it runs with, in one bundle.
//!
//! The container (`symbi-bundle`) knows nothing of programs, the program
//! (`symbi-ir`) nothing of files. Here the two meet: which entries a bundle has,
//! and that each is the one which the program was checked with. Host and
//! command line read bundles through [`read`] alone.
//!
//! | entry | what it is |
//! |---|---|
//! | `program.symbir` | the program, in its compact form |
//! | `tools/NAME.clad.toml` | the manifest of a tool |
//! | `toolclad.toml` | the custom types of the arguments of tools |
//! | `policies/…/NAME.cedar` | a policy of Cedar |
//! | `sources/PATH` | a source, if they are included |

mod error;

use std::collections::BTreeMap;

use symbi_bundle::{Bundle, SigningKey};
use symbi_ir::{Program, Sha256, binary};

pub use error::PackageError;

/// The path of the program.
pub const PROGRAM: &str = "program.symbir";

/// The folder of the sources.
pub const SOURCES: &str = "sources/";

/// The path of the custom types of arguments.
pub const TYPES: &str = "toolclad.toml";

/// A program and the bundle that it is from.
#[derive(Clone, Debug)]
pub struct Package {
    /// The program.
    pub program: Program,
    /// All that it came with.
    pub bundle: Bundle,
}

impl Package {
    /// The source of a module, if sources are included.
    pub fn source(&self, path: &str) -> Option<&str> {
        let bytes = self.bundle.get(&format!("{SOURCES}{path}"))?;
        std::str::from_utf8(bytes).ok()
    }
}

/// The bytes of a bundle of a program and its files, by their paths from the
/// root of the project. The same arguments give the same bytes, in whatever
/// order the files are given.
///
/// # Errors
/// The program does not hold together, a file that it names is missing or is
/// another one, a file is none that a bundle has, or the container cannot hold
/// them.
pub fn write(
    program: &Program,
    files: &[(String, Vec<u8>)],
    toolchain: &str,
    key: Option<&SigningKey>,
) -> Result<Vec<u8>, PackageError> {
    program.validate().map_err(PackageError::Program)?;
    let contents = files.iter();
    let contents: Contents<'_> = contents
        .map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
        .collect();
    check(program, &contents)?;
    let bytes = binary::write(program).map_err(PackageError::Program)?;
    let mut entries: Vec<(&str, &[u8])> = vec![(PROGRAM, &bytes)];
    entries.extend(contents);
    Ok(symbi_bundle::write(&entries, toolchain, key)?)
}

/// The program of a bundle, with all files checked that it names.
///
/// # Errors
/// It holds no program, one that this build does not read, or files other than
/// those which the program was checked with.
pub fn read(bundle: Bundle) -> Result<Package, PackageError> {
    let bytes = bundle.get(PROGRAM).ok_or(PackageError::NoProgram)?;
    let program = binary::read(bytes).map_err(PackageError::Program)?;
    let contents: Contents<'_> = bundle
        .entries()
        .filter(|entry| entry.path != PROGRAM)
        .map(|entry| (entry.path, entry.bytes))
        .collect();
    check(&program, &contents)?;
    Ok(Package { program, bundle })
}

/// Files by their paths.
type Contents<'c> = BTreeMap<&'c str, &'c [u8]>;

/// Whether the files are those which the program names, each as it was, and no
/// others.
fn check(program: &Program, contents: &Contents<'_>) -> Result<(), PackageError> {
    let tools = program
        .tools
        .iter()
        .map(|tool| (&tool.manifest, tool.sha256));
    let cedar = program.cedar.iter().map(|file| (&file.path, file.sha256));
    let mut known: BTreeMap<String, Sha256> = BTreeMap::new();
    for (path, sha256) in tools.chain(cedar) {
        let bytes = contents.get(&**path).ok_or_else(|| PackageError::Missing {
            path: path.to_string(),
        })?;
        same(path, bytes, sha256)?;
        known.insert(path.to_string(), sha256);
    }
    let sources = program
        .modules
        .iter()
        .map(|module| (format!("{SOURCES}{}", module.path), module.sha256));
    let sources: BTreeMap<String, Sha256> = sources.collect();
    let mut included = 0;
    for (path, bytes) in contents {
        if known.contains_key(*path) || *path == TYPES {
            continue;
        }
        let Some(sha256) = sources.get(*path) else {
            return Err(PackageError::Stray {
                path: (*path).to_owned(),
            });
        };
        same(path, bytes, *sha256)?;
        included += 1;
    }
    // All of them or none: a part would look like the whole.
    match sources.keys().find(|path| !contents.contains_key(&***path)) {
        Some(missing) if included > 0 => Err(PackageError::Missing {
            path: missing.clone(),
        }),
        _ => Ok(()),
    }
}

fn same(path: &str, bytes: &[u8], wanted: Sha256) -> Result<(), PackageError> {
    match Sha256::of(bytes) == wanted {
        true => Ok(()),
        false => Err(PackageError::Changed {
            path: path.to_owned(),
        }),
    }
}
