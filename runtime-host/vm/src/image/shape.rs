//! Whether code is of the shape that the compiler makes: its nodes are a tree,
//! each belongs to one frame, and none nests deeper than what walks it may go.

use symbi_ir::{Assigned, Case, Code, Node, NodeId};

/// How deep nodes may nest, without the links of chains: twice what the
/// parser's limit lets through.
const MAX_NESTING: u32 = 1024;

/// What is wrong with it.
pub(super) type Shape = Result<(), &'static str>;

/// Looks at the code of a function; `roots` are the defaults of parameters or
/// fields, which belong to the first frame.
pub(super) fn check(code: &Code, roots: &[NodeId]) -> Shape {
    let mut seen = vec![false; code.nodes.len()];
    let mut used = vec![false; code.frames.len()];
    let mut open: Vec<(NodeId, u32)> = Vec::new();
    let mut enter = |frame: u32, open: &mut Vec<(NodeId, u32)>| match used.get_mut(frame as usize) {
        Some(used) if !*used => {
            *used = true;
            let body = code.frames.get(frame as usize).and_then(|frame| frame.body);
            open.extend(body.map(|body| (body, frame)));
            Ok(())
        }
        _ => Err("a lambda is made in two places"),
    };
    if !code.frames.is_empty() {
        enter(0, &mut open)?;
    }
    open.extend(roots.iter().map(|root| (*root, 0)));
    while let Some((id, frame)) = open.pop() {
        let (Some(node), Some(seen)) = (code.node(id), seen.get_mut(id as usize)) else {
            return Err("a node is missing");
        };
        if std::mem::replace(seen, true) {
            return Err("a node is part of two others");
        }
        let slots = code
            .frames
            .get(frame as usize)
            .map_or(0, |frame| frame.slots.len());
        if !fits(node, slots) {
            return Err("a variable belongs to another function");
        }
        if let Node::Lambda(inner) = node {
            let captures = code
                .frames
                .get(*inner as usize)
                .map(|frame| &frame.captures);
            if captures.is_some_and(|all| all.iter().any(|one| one.from as usize >= slots)) {
                return Err("a lambda takes along what is not there");
            }
            enter(*inner, &mut open)?;
        }
        node.each_part(|part| open.push((part, frame)));
    }
    depth(code)
}

fn fits(node: &Node, slots: usize) -> bool {
    let is = |slot: u32| (slot as usize) < slots;
    match node {
        Node::Local(slot) | Node::For { slot, .. } | Node::Let { slot, .. } => is(*slot),
        Node::Assign {
            place: Assigned::Slot(slot),
            ..
        } => is(*slot),
        Node::IfLet { case, .. } => bound(case).is_none_or(is),
        Node::Match { arms, .. } => {
            let mut cases = arms.iter().flat_map(|arm| &arm.cases);
            cases.all(|case| bound(case).is_none_or(is))
        }
        Node::Try { catches, .. } => catches.iter().filter_map(|catch| catch.slot).all(is),
        _ => true,
    }
}

/// The variable that a pattern binds.
pub(super) fn bound(case: &Case) -> Option<u32> {
    let mut case = case;
    loop {
        match case {
            Case::Bind(slot) => return Some(*slot),
            Case::Some(inner) | Case::Ok(inner) | Case::Err(inner) => case = inner,
            _ => return None,
        }
    }
}

/// The part that a link of a chain goes on from; chains are walked in loops.
pub(super) fn link(node: &Node) -> Option<NodeId> {
    match node {
        Node::Field { object: on, .. }
        | Node::Index { object: on, .. }
        | Node::Not(on)
        | Node::Minus(on)
        | Node::And(on, _)
        | Node::Or(on, _)
        | Node::Binary { left: on, .. }
        | Node::Method { receiver: on, .. } => Some(*on),
        Node::Call {
            callee: symbi_ir::Callee::Value(on),
            ..
        } => Some(*on),
        _ => None,
    }
}

/// Parts stand before what they are part of, so one pass is enough.
fn depth(code: &Code) -> Shape {
    let mut depths = vec![1_u32; code.nodes.len()];
    for (at, node) in code.nodes.iter().enumerate() {
        let on = link(node);
        let next = match node {
            Node::If { otherwise, .. } | Node::IfLet { otherwise, .. } => *otherwise,
            _ => None,
        };
        let mut own = 1;
        let part_depth = |id: NodeId, depths: &[u32]| depths.get(id as usize).copied().unwrap_or(1);
        node.each_part(|part| {
            let depth = part_depth(part, &depths);
            own = own.max(match Some(part) == on || Some(part) == next {
                true => depth,
                false => depth + 1,
            });
        });
        if let Node::Lambda(frame) = node {
            let body = code
                .frames
                .get(*frame as usize)
                .and_then(|frame| frame.body);
            own = own.max(body.map_or(1, |body| part_depth(body, &depths)) + 1);
        }
        if own > MAX_NESTING {
            return Err("it nests too deep");
        }
        if let Some(depth) = depths.get_mut(at) {
            *depth = own;
        }
    }
    Ok(())
}
