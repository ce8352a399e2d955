//! Programs as people read them.

use std::sync::Arc;

use symbi_ir::{Code, Frame, Node, Span};

use crate::forms::program;

/// A body of a million nodes, each part of the next: it is validated, written,
/// read, shown and freed without a level of the stack for each.
#[test]
fn a_chain_of_a_million_nodes_needs_no_stack() {
    let run = || {
        let mut program = program();
        let module = Arc::make_mut(&mut program.modules[0]);
        let count = 1_000_000;
        let mut nodes = vec![Node::Int(1)];
        nodes.extend((1..count).map(|at| Node::Minus(at - 1)));
        let function = symbi_ir::Function {
            name: "deep".into(),
            at: Span::default(),
            params: Vec::new(),
            result: symbi_ir::Type::Any,
            code: Code {
                spans: vec![Span::default(); nodes.len()],
                nodes,
                frames: vec![Frame {
                    body: Some(count - 1),
                    ..Frame::default()
                }],
            },
        };
        module.functions.push(function);
        program.validate().expect("it holds together");
        let bytes = symbi_ir::binary::write(&program).expect("bytes");
        assert_eq!(symbi_ir::binary::read(&bytes).as_ref(), Ok(&program));
        let text = program.to_text();
        assert!(text.contains("give") || text.contains('…'), "cut short");
    };
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(run)
        .expect("a thread")
        .join()
        .expect("no overflow");
}
