//! What a schedule gives to its agent: a record of its parameters.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use symbi_ir::{Code, Frame, Node, NodeId};
use symbi_syntax::ast::{AstNode, Expr};

use super::code::Builder;
use super::cx::Lowering;
use crate::blocks::plain::{Plain, computed_part, plain};
use crate::blocks::references::Target;
use crate::blocks::{durations, numbers};
use crate::bodies::{infer_value, resolve_type};
use crate::declaration::{Param, TypeBody};
use crate::findings::at_node;
use crate::ty::Ty;

/// The levels of lists and records in which texts are read as what is expected:
/// as deep as the parser lets values nest.
const LEVELS: usize = 256;

/// The input of a schedule. A bare value is that of the only parameter, and a
/// text that holds what a parameter takes is read as that.
pub(super) fn input(cx: &Lowering<'_>, value: Expr<'_>, target: Option<&Target>) -> Code {
    let mut code = code(cx, value);
    // An agent that talks takes whatever it is told.
    let Some(target) = target.filter(|target| !target.talks) else {
        return code;
    };
    let Some(root) = code.frames.first().and_then(|frame| frame.body) else {
        return code;
    };
    if let Plain::Record(_) = plain(value) {
        let fields = match code.node(root) {
            Some(Node::Record(fields)) => fields.clone(),
            _ => return code,
        };
        let params: HashMap<&str, &Param> = target
            .params
            .iter()
            .map(|param| (&*param.name, param))
            .collect();
        for (name, id) in fields {
            if let Some(param) = params.get(&*name) {
                typed(cx, target, param, &mut code, id);
            }
        }
        return code;
    }
    let [param] = &*target.params else {
        return code;
    };
    typed(cx, target, param, &mut code, root);
    let whole = NodeId::try_from(code.nodes.len());
    if let (Ok(whole), Some(frame)) = (whole, code.frames.first_mut()) {
        frame.body = Some(whole);
        let at = code.span(root);
        code.nodes
            .push(Node::Record(vec![(param.name.clone(), root)]));
        code.spans.push(at);
    }
    code
}

/// A value that is written out, in which names are texts, or one that is
/// computed when the schedule fires.
fn code(cx: &Lowering<'_>, value: Expr<'_>) -> Code {
    if computed_part(value).is_some() {
        let inference = infer_value(cx.program, value);
        let mut builder = Builder::new(cx, &inference, None, value.node());
        builder.value_of(value);
        return builder.finish();
    }
    let mut code = Code::default();
    let root = written(cx, &mut code, value);
    code.frames.push(Frame {
        body: Some(root),
        ..Frame::default()
    });
    code
}

/// Lists and records nest as deep as the parser lets them, so this recursion is
/// bounded.
fn written(cx: &Lowering<'_>, code: &mut Code, value: Expr<'_>) -> NodeId {
    let int = |number: i128| i64::try_from(number).ok();
    let node = match plain(value) {
        Plain::Text(text) | Plain::Word(text) => Node::Text(text.into()),
        Plain::Int(number) => int(number).map_or(Node::Null, Node::Int),
        Plain::Float(number) => Node::Float(number),
        Plain::Duration(nanos) => int(nanos).map_or(Node::Null, Node::Duration),
        Plain::Size(bytes) => int(bytes).map_or(Node::Null, Node::Size),
        Plain::Bool(value) => Node::Bool(value),
        Plain::Secret(reference) => Node::Secret(reference.into()),
        Plain::Array(array) => {
            let elements = array.elements();
            Node::List(elements.map(|one| written(cx, code, one)).collect())
        }
        Plain::Record(record) => {
            let mut known = HashSet::new();
            let mut fields: Vec<(Arc<str>, NodeId)> = Vec::new();
            for field in record.fields() {
                // Of a name that is given twice the first value counts.
                if let (Some(name), Some(value)) = (field.key(), field.value())
                    && known.insert(name.clone())
                {
                    fields.push((name.into(), written(cx, code, value)));
                }
            }
            Node::Record(fields)
        }
        Plain::Null | Plain::Unread | Plain::Computed => Node::Null,
    };
    let id = code.nodes.len() as NodeId;
    code.nodes.push(node);
    code.spans.push((cx.span)(at_node(value.node())));
    id
}

/// A value for a parameter, whose type is as the agent's file sees it.
fn typed(cx: &Lowering<'_>, target: &Target, param: &Param, code: &mut Code, id: NodeId) {
    if let Some(written) = &param.ty {
        let wanted = resolve_type(cx.program, target.file, Some(&target.name), written);
        adapt(cx, code, id, &wanted, LEVELS);
    }
}

/// Reads literals as what is expected, where the checker does.
fn adapt(cx: &Lowering<'_>, code: &mut Code, id: NodeId, wanted: &Ty, levels: usize) {
    let Some(levels) = levels.checked_sub(1) else {
        return;
    };
    let mut wanted = wanted;
    while let Ty::Option(inner) | Ty::Result(inner, _) = wanted {
        wanted = inner;
    }
    let Some(node) = code.node(id) else { return };
    let parts: Vec<(NodeId, Ty)> = match (node, wanted) {
        (Node::Text(_) | Node::Int(_), _) => {
            if let Some(read) = literal(node, wanted)
                && let Some(node) = code.nodes.get_mut(id as usize)
            {
                *node = read;
            }
            return;
        }
        (Node::List(elements), Ty::Array(element) | Ty::Set(element)) => elements
            .iter()
            .map(|part| (*part, (**element).clone()))
            .collect(),
        (Node::Record(fields), Ty::Map(_, value)) => fields
            .iter()
            .map(|(_, part)| (*part, (**value).clone()))
            .collect(),
        (Node::Record(fields), Ty::Struct(id)) => {
            let declared = cx.program.type_declaration(id);
            let Some(TypeBody::Struct(known)) = declared.map(|declared| declared.body) else {
                return;
            };
            let types: HashMap<&str, Ty> = known
                .iter()
                .filter_map(|field| {
                    let agent = id.agent.as_deref();
                    let ty = resolve_type(cx.program, id.file, agent, field.ty.as_ref()?);
                    Some((&*field.name, ty))
                })
                .collect();
            let typed = fields
                .iter()
                .filter_map(|(name, part)| Some((*part, types.get(&**name)?.clone())));
            typed.collect()
        }
        _ => return,
    };
    for (part, ty) in parts {
        adapt(cx, code, part, &ty, levels);
    }
}

/// A literal that is read as a value of another type.
fn literal(node: &Node, wanted: &Ty) -> Option<Node> {
    let found = match node {
        Node::Text(text) => Plain::Text(text.to_string()),
        Node::Int(number) => Plain::Int((*number).into()),
        _ => return None,
    };
    let int = |number: Option<i128>| i64::try_from(number?).ok();
    Some(match (wanted, &found) {
        (Ty::Duration, _) => Node::Duration(int(durations::nanos(&found))?),
        (Ty::Size, Plain::Text(_)) => Node::Size(int(numbers::as_size(&found))?),
        (Ty::Int, Plain::Text(_)) => Node::Int(int(numbers::as_int(&found))?),
        (Ty::Float, Plain::Text(_)) => Node::Float(numbers::as_number(&found)?),
        (Ty::Bool, Plain::Text(_)) => Node::Bool(numbers::as_bool(&found)?),
        _ => return None,
    })
}
