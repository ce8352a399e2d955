//! What is no program is refused by name, and nothing that is read breaks the
//! reader.

use symbi_ir::{IrError, Node, Program, Span, binary, json};

use crate::forms::{kept, program};

fn refused(bytes: &[u8]) -> IrError {
    binary::read(bytes).expect_err("no program")
}

#[test]
fn bytes_that_are_no_program_are_refused_by_name() {
    let bytes = binary::write(&program()).expect("bytes");
    assert_eq!(refused(b""), IrError::NotAProgram);
    assert_eq!(refused(b"SYMBI-IR"), IrError::NotAProgram);
    assert_eq!(refused(b"PK\x03\x04 something else"), IrError::NotAProgram);

    let mut newer = bytes.clone();
    newer[8] = 2;
    let error = refused(&newer);
    assert_eq!(error, IrError::UnknownVersion { found: 2, known: 1 });
    assert_eq!(
        error.to_string(),
        "the program is of version 2, and this build reads version 1: build it again with this \
         toolchain"
    );

    let mut longer = bytes.clone();
    longer.extend_from_slice(b"xyz");
    assert_eq!(refused(&longer), IrError::Trailing(3));

    // A number in two bytes that fits into one: the version, behind the head.
    let mut wide = bytes[..12].to_vec();
    assert_eq!(bytes[12], 1);
    wide.extend_from_slice(&[0x81, 0x00]);
    wide.extend_from_slice(&bytes[13..]);
    assert_eq!(refused(&wide), IrError::NotCanonical);
}

#[test]
fn every_cut_is_refused() {
    let bytes = binary::write(&program()).expect("bytes");
    for end in 0..bytes.len() {
        refused(&bytes[..end]);
    }
}

/// A flipped bit gives another program or none, never the same and no panic.
#[test]
fn every_flipped_bit_is_noticed() {
    let program = program();
    let bytes = binary::write(&program).expect("bytes");
    let mut read = 0;
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        if let Ok(other) = binary::read(&flipped) {
            read += 1;
            assert_ne!(other, program, "byte {at}");
            assert_eq!(binary::write(&other).as_deref(), Ok(&*flipped), "byte {at}");
        }
    }
    assert!(read > 100, "{read} were programs");
}

#[test]
fn texts_that_are_no_program_are_refused_by_name() {
    let text = kept();
    let table: [(String, &str); 6] = [
        (String::new(), "the program cannot be read: EOF"),
        ("{}".to_owned(), "this is no compiled program"),
        (
            text.replacen("\"version\": 1", "\"version\": 9", 1),
            "the program is of version 9",
        ),
        (
            text.replacen("\"version\": 1,", "\"version\": 1, \"more\": 1,", 1),
            "the program cannot be read: unknown field `more`",
        ),
        (format!("{text} 1"), "the program cannot be read: trailing"),
        (
            text.replacen("\"lines\": [\n        0,", "\"lines\": [\n        1,", 1),
            ": its table of lines cannot be",
        ),
    ];
    for (text, expected) in table {
        let error = json::read(&text).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}, not {expected}");
    }
}

/// Each change of a program that holds together makes one that does not.
#[test]
fn programs_that_contradict_themselves_are_refused() {
    type Change = fn(&mut Program);
    let changes: &[(&str, Change)] = &[
        ("the modules: they are not in order", |program| {
            let again = program.modules[0].clone();
            program.modules.push(again);
        }),
        ("the effects: they are not in order", |program| {
            program.effects.reverse();
        }),
        ("a place lies behind its end", |program| {
            module(program).agents[0].span = Span {
                start: u32::MAX,
                length: 2,
            };
        }),
        ("its routes are not all told in order", |program| {
            module(program).agents[0].admission.pop();
        }),
        ("its identity is that of another name", |program| {
            module(program).agents[0].principal = "someone".into();
        }),
        ("its nodes and their places are not as many", |program| {
            code(program).spans.pop();
        }),
        ("a part stands behind what it is part of", |program| {
            let code = code(program);
            let last = code.nodes.len() as u32;
            code.nodes[0] = Node::Not(last - 1);
        }),
        ("a part stands behind what it is part of", |program| {
            code(program).nodes[0] = Node::Not(0);
        }),
        ("a node names something that is not there", |program| {
            code(program).nodes[0] = Node::Local(9_999);
        }),
        ("a node names something that is not there", |program| {
            code(program).nodes[0] = Node::Lambda(0);
        }),
        ("a frame is of no shape that frames have", |program| {
            code(program).frames[0].body = Some(9_999_999);
        }),
        ("a frame is of no shape that frames have", |program| {
            code(program).frames[0].params = 999;
        }),
        ("its rules and their places are not as many", |program| {
            let agents = &mut module(program).agents;
            let policies = agents.iter_mut().flat_map(|agent| &mut agent.policies);
            let policy = policies.into_iter().find(|policy| !policy.rules.is_empty());
            policy.expect("a policy with rules").rules.clear();
        }),
    ];
    for (expected, change) in changes {
        let mut changed = program();
        change(&mut changed);
        let error = changed.validate().expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}, not {expected}");
        let bytes = binary::write(&changed).expect("bytes");
        assert!(binary::read(&bytes).is_err(), "{expected}");
    }
}

fn module(program: &mut Program) -> &mut symbi_ir::Module {
    let module = program.modules.iter_mut().find(|module| {
        let mut agents = module.agents.iter();
        agents.any(|agent| agent.is_executable() && !agent.policies.is_empty())
    });
    std::sync::Arc::make_mut(module.expect("a module with an agent"))
}

fn code(program: &mut Program) -> &mut symbi_ir::Code {
    let agents = module(program).agents.iter_mut();
    let agent = agents.into_iter().find(|agent| agent.is_executable());
    &mut agent.expect("an agent that runs").entry.code
}

/// Nesting is bounded before the stack is.
#[test]
fn what_nests_too_deep_is_refused_in_a_small_stack() {
    let deep = |levels: usize, open: &str, close: &str| {
        format!("{}\"null\"{}", open.repeat(levels), close.repeat(levels))
    };
    let run = move || {
        for (field, open, close) in [
            ("ty", "{\"array\": ", "}"),
            (
                "ty",
                "{\"function\": {\"params\": [",
                "], \"result\": \"any\"}}",
            ),
        ] {
            let text = kept();
            let at = text.find("\"ty\": \"").expect("a type");
            let end = at + text[at..].find('\n').expect("its end");
            for (levels, fits) in [(200, true), (400, false), (100_000, false)] {
                let put = format!("\"{field}\": {}", deep(levels, open, close));
                let comma = if text[..end].ends_with(',') { "," } else { "" };
                let changed = format!("{}{put}{comma}{}", &text[..at], &text[end..]);
                match json::read(&changed) {
                    Ok(read) => {
                        assert!(fits, "{levels}");
                        let bytes = binary::write(&read).expect("bytes");
                        assert_eq!(binary::read(&bytes), Ok(read));
                    }
                    Err(error) => {
                        assert!(!fits, "{levels}: {error}");
                        assert!(error.to_string().contains("nests deeper"), "{error}");
                    }
                }
            }
        }
    };
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(run)
        .expect("a thread")
        .join()
        .expect("no overflow");
}

/// The fuzz target, over the kept program with bytes changed, cut and put in.
#[test]
fn what_is_near_to_a_program_breaks_nothing() {
    let bytes = binary::write(&program()).expect("bytes");
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |end: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % end.max(1)
    };
    symbi_ir::fuzzing::fuzz_one(&bytes);
    symbi_ir::fuzzing::fuzz_one(kept().as_bytes());
    for _ in 0..2_000 {
        let mut near = bytes.clone();
        for _ in 0..=next(3) {
            let at = next(near.len());
            match next(4) {
                0 => near[at] = next(256) as u8,
                1 => near.truncate(at.max(1)),
                2 => near.insert(at, next(256) as u8),
                _ => {
                    near.remove(at);
                }
            }
        }
        symbi_ir::fuzzing::fuzz_one(&near);
        symbi_ir::fuzzing::fuzz_one(near.get(12..).unwrap_or_default());
    }
}
