//! For tests and fuzzers only: what must hold of any bytes that are read as a
//! program, as a function that panics where it does not.

use crate::{IrError, binary, json};

/// Reads bytes as a program in its compact form, as the data of one behind the
/// head that it has, and as JSON. What is read holds together, is written as it
/// was, and can be shown.
///
/// # Panics
/// If it is not so.
pub fn fuzz_one(data: &[u8]) {
    let mut headed = binary::MAGIC.to_vec();
    headed.extend_from_slice(&crate::IR_VERSION.to_le_bytes());
    headed.extend_from_slice(data);
    for bytes in [data, &headed] {
        match binary::read(bytes) {
            Ok(program) => {
                assert_eq!(binary::write(&program).as_deref(), Ok(bytes));
                assert!(program.to_text().starts_with("program version"));
            }
            Err(error) => told(&error),
        }
    }
    if let Ok(text) = std::str::from_utf8(data) {
        match json::read(text) {
            Ok(program) => {
                let written = json::write(&program);
                let again = written.and_then(|text| json::read(&text));
                assert_eq!(again.as_ref(), Ok(&program));
            }
            Err(error) => told(&error),
        }
    }
}

fn told(error: &IrError) {
    assert!(error.to_string().len() > 10, "{error:?}");
}
