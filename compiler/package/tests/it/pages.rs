//! The pages of the codes: what a page says fails gives its code, and what it
//! says is right can be read.
//!
//! A fence `bundle` holds a line an entry, `entry PATH = CONTENT`; `program one
//! agent` and `program one tool` are programs of `programs.rs`; `version N`
//! gives the program another version.

use symbi_bundle::Limits;
use symbi_diagnostics::programs;
use symbi_package::PROGRAM;

use crate::programs::{one_agent, one_tool};

/// The code of the error that reading gives.
fn read(fence: &str) -> Result<(), &'static str> {
    let mut entries: Vec<(String, Vec<u8>)> = Vec::new();
    let mut program: Option<Vec<u8>> = None;
    for line in fence.lines() {
        let (word, rest) = line.split_once(' ').expect("a word and more");
        match word {
            "program" => {
                let made = match rest {
                    "one agent" => one_agent(),
                    "one tool" => one_tool(),
                    other => panic!("{other}"),
                };
                program = Some(symbi_ir::binary::write(&made).expect("bytes"));
            }
            "version" => {
                let version: u32 = rest.parse().expect("a number");
                let bytes = program.as_mut().expect("a program before it");
                bytes[8..12].copy_from_slice(&version.to_le_bytes());
            }
            "entry" => {
                let (path, content) = rest.split_once(" = ").expect("a path and its content");
                entries.push((path.to_owned(), content.as_bytes().to_vec()));
            }
            other => panic!("{other}"),
        }
    }
    entries.extend(program.map(|bytes| (PROGRAM.to_owned(), bytes)));
    let bytes = symbi_bundle::write(&entries, "symbi test", None).expect("a bundle");
    let bundle = symbi_bundle::read(&bytes, &Limits::default()).expect("a bundle");
    match symbi_package::read(bundle) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.code().id),
    }
}

#[test]
fn what_a_page_says_is_so() {
    for code in programs::ALL {
        let mut fences = code.page.split("\n```bundle").skip(1);
        let mut next = || {
            let fence = fences.next().unwrap_or_else(|| panic!("{}", code.id));
            let (head, rest) = fence.split_once('\n').expect("a fence");
            let (text, _) = rest.split_once("\n```").expect("its end");
            (head.trim(), text)
        };
        let (head, fails) = next();
        assert_eq!((head, read(fails)), ("fails", Err(code.id)), "{}", code.id);
        let (head, fixed) = next();
        assert_eq!((head, read(fixed)), ("", Ok(())), "{}", code.id);
    }
}
