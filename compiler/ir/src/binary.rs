//! The compact form: a head, then the data in the encoding of `postcard`
//! (<https://postcard.jamesmunns.com/wire-format>).

use crate::error::IrError;
use crate::hash::Sha256;
use crate::program::{IR_VERSION, Program};

/// What a program begins with; the version follows in four bytes, the least
/// first.
pub const MAGIC: &[u8; 8] = b"SYMBI-IR";

/// The most bytes that are read: 256 MiB.
pub const MAX_SIZE: usize = 256 << 20;

/// The bytes of a program. Equal programs have equal bytes.
///
/// # Errors
/// It has more than [`MAX_SIZE`] bytes.
pub fn write(program: &Program) -> Result<Vec<u8>, IrError> {
    let mut head = MAGIC.to_vec();
    head.extend_from_slice(&program.version.to_le_bytes());
    let bytes = postcard::to_extend(program, head)
        .map_err(|error| IrError::Unreadable(error.to_string()))?;
    match bytes.len() > MAX_SIZE {
        true => Err(IrError::TooLarge { limit: MAX_SIZE }),
        false => Ok(bytes),
    }
}

/// The identity of a program: the SHA-256 of its bytes.
///
/// # Errors
/// Those of [`write`].
pub fn hash(program: &Program) -> Result<Sha256, IrError> {
    Ok(Sha256::of(&write(program)?))
}

/// The program of these bytes, validated.
///
/// # Errors
/// They are not the bytes of a program of a version that is known, and of one
/// that holds together.
pub fn read(bytes: &[u8]) -> Result<Program, IrError> {
    if bytes.len() > MAX_SIZE {
        return Err(IrError::TooLarge { limit: MAX_SIZE });
    }
    let rest = bytes.strip_prefix(MAGIC).ok_or(IrError::NotAProgram)?;
    let (version, data) = rest.split_first_chunk::<4>().ok_or(IrError::NotAProgram)?;
    let found = u32::from_le_bytes(*version);
    if found != IR_VERSION {
        return Err(IrError::UnknownVersion {
            found,
            known: IR_VERSION,
        });
    }
    let (program, behind): (Program, &[u8]) =
        postcard::take_from_bytes(data).map_err(|error| IrError::Unreadable(error.to_string()))?;
    if !behind.is_empty() {
        return Err(IrError::Trailing(behind.len()));
    }
    program.validate()?;
    // A number can be written with more bytes than it needs, and fields of a
    // record in another order: one program would have several hashes.
    if write(&program)? != bytes {
        return Err(IrError::NotCanonical);
    }
    Ok(program)
}
