//! The readable form.

use serde::Deserialize;

use crate::binary::MAX_SIZE;
use crate::error::IrError;
use crate::program::{IR_VERSION, Program};

/// A program as JSON, on lines, with a newline at its end.
///
/// # Errors
/// It has a number that JSON does not have.
pub fn write(program: &Program) -> Result<String, IrError> {
    let mut text = serde_json::to_string_pretty(program)
        .map_err(|error| IrError::Unreadable(error.to_string()))?;
    text.push('\n');
    Ok(text)
}

/// The program of a text, validated. Its own layout does not matter.
///
/// # Errors
/// It is not the text of a program of a version that is known, and of one that
/// holds together.
pub fn read(text: &str) -> Result<Program, IrError> {
    #[derive(Deserialize)]
    struct Head {
        version: Option<u32>,
    }
    if text.len() > MAX_SIZE {
        return Err(IrError::TooLarge { limit: MAX_SIZE });
    }
    let unreadable = |error: serde_json::Error| IrError::Unreadable(error.to_string());
    let head: Head = serde_json::from_str(text).map_err(unreadable)?;
    let found = head.version.ok_or(IrError::NotAProgram)?;
    if found != IR_VERSION {
        return Err(IrError::UnknownVersion {
            found,
            known: IR_VERSION,
        });
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    // What nests counts its levels itself, so that a program which nests as
    // deep as the language lets it can be read back.
    reader.disable_recursion_limit();
    let program = Program::deserialize(&mut reader).map_err(unreadable)?;
    reader.end().map_err(unreadable)?;
    program.validate()?;
    Ok(program)
}

/// The JSON Schema (2020-12) of a program.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Program).to_value()
}
