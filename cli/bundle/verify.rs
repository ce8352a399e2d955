//! `symbi bundle verify`: whether a bundle is whole, and who signed it.

use std::path::PathBuf;

use symbi_bundle::{PublicKey, Verdict};

use super::{open, tell};
use crate::Stop;
use crate::exit::Exit;
use crate::output::Output;
use crate::sources;

/// What `symbi bundle verify` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The bundle
    bundle: PathBuf,

    /// The public key that must have signed it: P-256, as PEM or JWK
    #[arg(long, value_name = "KEY")]
    key: Option<PathBuf>,
}

/// The beginning of the long help.
pub const ABOUT: &str = "\
Check that a bundle is whole, and who signed it

Every byte is checked: the container, the hash of each file, and that the program
holds together and was checked with these files. With --key the bundle must be
signed by that key. Without it, who signed is told and not checked: anybody can
write a bundle that names any key.

Exit codes: 0 it is as it should be, 1 it is not, 2 wrong usage or something could
not be read.";

/// Runs it.
pub fn run(args: &Args, output: &mut Output) -> Result<Exit, Stop> {
    let key = match args.key.as_deref().map(PublicKey::read_file) {
        None => None,
        Some(Ok(key)) => Some(key),
        Some(Err(error)) => return tell(args.key.as_deref(), &error.into(), output),
    };
    let package = match open(&args.bundle, output)? {
        Ok(package) => package,
        Err(exit) => return Ok(exit),
    };
    if let Some(key) = &key
        && let Err(error) = symbi_bundle::require(&package.bundle, key)
    {
        return tell(Some(&args.bundle), &error.into(), output);
    }
    let signed = match (symbi_bundle::verify(&package.bundle, key.as_ref()), &key) {
        (Verdict::Valid, _) => "signed by this key".to_owned(),
        (Verdict::UnknownKey { kid }, _) => {
            format!("signed by the key {kid}, which is not checked without --key")
        }
        _ => "not signed".to_owned(),
    };
    let name = sources::printable(args.bundle.as_os_str());
    output.line(&format!("{name}  OK {}, {signed}", package.bundle.digest()))?;
    Ok(Exit::Fine)
}
