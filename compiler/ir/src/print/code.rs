//! Bodies in a readable form: one line a statement, what names stand for in
//! clear.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::code::{Argument, Assigned, Callee, Case, Code, Frame, Node, NodeId, Op};
use crate::print::types::ty;
use crate::print::{Out, duration, quoted};

/// How deep expressions are shown: what nests deeper is `…`. A chain of
/// operators can be thousands of levels deep, and nobody reads that.
const LEVELS: u32 = 200;

/// What is being shown of a body.
pub(super) struct Printer<'c> {
    code: &'c Code,
    frame: &'c Frame,
    /// How deep it stands in another expression.
    base: u32,
}

/// Shows what a frame runs, as statements.
pub(super) fn body(out: &mut Out, code: &Code, frame: &Frame) {
    let printer = Printer {
        code,
        frame,
        base: 0,
    };
    match frame.body {
        Some(body) => printer.statements(out, body),
        None => out.line("nothing"),
    }
}

/// An expression of the first frame on one line.
pub(super) fn one_line(code: &Code, id: NodeId) -> String {
    match code.frames.first() {
        Some(frame) => {
            let base = 0;
            Printer { code, frame, base }.expr(id, 0)
        }
        None => "nothing".to_owned(),
    }
}

impl Printer<'_> {
    fn slot(&self, slot: u32) -> String {
        let name = self.frame.slots.get(slot as usize);
        format!("{}#{slot}", name.map_or("?", |name| name))
    }

    /// A node as one or more lines.
    fn statements(&self, out: &mut Out, id: NodeId) {
        if out.is_full() {
            return;
        }
        let Some(node) = self.code.node(id) else {
            return;
        };
        match node {
            Node::Block { statements, value } => {
                let last = statements.last().copied();
                for statement in statements {
                    match *value && Some(*statement) == last && !self.is_compound(*statement) {
                        true => out.line(&format!("give {}", self.expr(*statement, 0))),
                        false => self.statements(out, *statement),
                    }
                }
            }
            Node::If { .. } | Node::IfLet { .. } => self.branches(out, id),
            Node::Match {
                subject,
                arms,
                value,
            } => {
                let or_raise = if *value { " or raise no_match" } else { "" };
                out.line(&format!("match {}{or_raise}", self.expr(*subject, 0)));
                for arm in arms {
                    let cases: Vec<String> = arm.cases.iter().map(|case| self.case(case)).collect();
                    let guard = arm
                        .guard
                        .map(|guard| format!(" if {}", self.expr(guard, 0)));
                    out.within(|out| {
                        out.line(&format!(
                            "{}{} =>",
                            cases.join(" | "),
                            guard.unwrap_or_default()
                        ));
                        out.within(|out| self.value(out, arm.body));
                    });
                }
            }
            Node::Try { body, catches } => {
                out.line("try");
                out.within(|out| self.value(out, *body));
                for catch in catches {
                    let kind = catch.kind.as_deref().unwrap_or("any");
                    let slot = catch.slot.map(|slot| format!(" as {}", self.slot(slot)));
                    out.line(&format!("catch {kind}{}", slot.unwrap_or_default()));
                    out.within(|out| self.value(out, catch.body));
                }
            }
            Node::For { slot, over, body } => {
                out.line(&format!(
                    "for {} in {}",
                    self.slot(*slot),
                    self.expr(*over, 0)
                ));
                out.within(|out| self.statements(out, *body));
            }
            Node::While { condition, body } => {
                out.line(&format!("while {}", self.expr(*condition, 0)));
                out.within(|out| self.statements(out, *body));
            }
            Node::Break => out.line("break"),
            Node::Continue => out.line("continue"),
            Node::Return(value) => match value {
                Some(value) => out.line(&format!("return {}", self.expr(*value, 0))),
                None => out.line("return"),
            },
            Node::Let {
                slot,
                ty: written,
                value,
            } => {
                let written = written.as_ref().map(|written| format!(": {}", ty(written)));
                let value = value.map(|value| format!(" = {}", self.expr(value, 0)));
                out.line(&format!(
                    "let {}{}{}",
                    self.slot(*slot),
                    written.unwrap_or_default(),
                    value.unwrap_or_default()
                ));
            }
            Node::Assign { place, op, value } => {
                let place = match place {
                    Assigned::Slot(slot) => self.slot(*slot),
                    Assigned::Unbound(name) => format!("unbound {name}"),
                    Assigned::Node(id) => self.expr(*id, 0),
                };
                let op = op.map_or("", sign);
                out.line(&format!("{place} {op}= {}", self.expr(*value, 0)));
            }
            _ => {
                let text = self.expr(id, 0);
                out.line(&text);
            }
        }
    }

    /// A branch whose value may be used.
    fn value(&self, out: &mut Out, id: NodeId) {
        let is_block = matches!(self.code.node(id), Some(Node::Block { .. }));
        match is_block || self.is_compound(id) {
            true => self.statements(out, id),
            false => {
                let text = self.expr(id, 0);
                out.line(&format!("give {text}"));
            }
        }
    }

    /// It takes lines of its own.
    fn is_compound(&self, id: NodeId) -> bool {
        matches!(
            self.code.node(id),
            Some(
                Node::If { .. }
                    | Node::IfLet { .. }
                    | Node::Match { .. }
                    | Node::Try { .. }
                    | Node::For { .. }
                    | Node::While { .. }
                    | Node::Break
                    | Node::Continue
                    | Node::Return(_)
                    | Node::Let { .. }
                    | Node::Assign { .. }
            )
        )
    }

    /// `if` with its `else if` parts, in a loop: there can be thousands.
    fn branches(&self, out: &mut Out, id: NodeId) {
        let mut at = id;
        let mut word = "if";
        loop {
            let (head, then, otherwise) = match self.code.node(at) {
                Some(Node::If {
                    condition,
                    then,
                    otherwise,
                }) => (self.expr(*condition, 0), *then, *otherwise),
                Some(Node::IfLet {
                    value,
                    case,
                    then,
                    otherwise,
                }) => (
                    format!("{} is {}", self.expr(*value, 0), self.case(case)),
                    *then,
                    *otherwise,
                ),
                _ => {
                    out.line("else");
                    out.within(|out| self.statements(out, at));
                    return;
                }
            };
            out.line(&format!("{word} {head}"));
            out.within(|out| self.statements(out, then));
            match otherwise {
                Some(next) => at = next,
                None => return,
            }
            word = "else if";
        }
    }

    fn list(&self, ids: impl Iterator<Item = NodeId>, level: u32) -> String {
        let parts: Vec<String> = ids.map(|id| self.expr(id, level)).collect();
        parts.join(", ")
    }

    fn fields(&self, fields: &[(Arc<str>, NodeId)], level: u32) -> String {
        let parts: Vec<String> = fields
            .iter()
            .map(|(name, id)| format!("{}: {}", quoted(name), self.expr(*id, level)))
            .collect();
        format!("{{{}}}", parts.join(", "))
    }

    fn arguments(&self, arguments: &[Argument], level: u32) -> String {
        let parts: Vec<String> = arguments
            .iter()
            .map(|argument| {
                let mut text = String::new();
                if let Some(parameter) = argument.parameter {
                    let _ = write!(text, "@{parameter} ");
                }
                if let Some(name) = &argument.name {
                    let _ = write!(text, "{name} = ");
                }
                text + &self.expr(argument.value, level)
            })
            .collect();
        parts.join(", ")
    }

    /// An expression on one line.
    fn expr(&self, id: NodeId, level: u32) -> String {
        let Some(node) = self.code.node(id).filter(|_| self.base + level < LEVELS) else {
            return "…".to_owned();
        };
        let next = level + 1;
        match node {
            Node::Null => "null".to_owned(),
            Node::Bool(value) => value.to_string(),
            Node::Int(value) => value.to_string(),
            Node::Float(value) => format!("{value:?}"),
            Node::Text(text) => quoted(text),
            Node::Duration(nanos) => duration(*nanos),
            Node::Size(bytes) => format!("{bytes} bytes"),
            Node::Secret(reference) => format!("secret {reference}"),
            Node::Local(slot) => self.slot(*slot),
            Node::Unbound(name) => format!("unbound {name}"),
            Node::Function { agent, name } => format!("function {}", owned(agent, name)),
            Node::Library(name) => format!("std {name}"),
            Node::Name(name) => format!("name {name}"),
            Node::List(parts) => format!("[{}]", self.list(parts.iter().copied(), next)),
            Node::Record(fields) => self.fields(fields, next),
            Node::Struct {
                agent,
                name,
                fields,
            } => format!("{} {}", owned(agent, name), self.fields(fields, next)),
            Node::New(made) => format!("new {}", ty(made)),
            Node::Field {
                object,
                name,
                or_null,
            } => {
                let mark = if *or_null { "?" } else { "" };
                format!("{}{mark}.{name}", self.expr(*object, next))
            }
            Node::Index { object, index } => {
                format!("{}[{}]", self.expr(*object, next), self.expr(*index, next))
            }
            Node::Not(of) => format!("!{}", self.expr(*of, next)),
            Node::Minus(of) => format!("-{}", self.expr(*of, next)),
            Node::And(one, two) => self.between(*one, "&&", *two, next),
            Node::Or(one, two) => self.between(*one, "||", *two, next),
            Node::Binary { op, left, right } => self.between(*left, sign(*op), *right, next),
            Node::Call { callee, arguments } => {
                let callee = match callee {
                    Callee::Value(id) => self.expr(*id, next),
                    Callee::Function { agent, name } => owned(agent, name),
                    Callee::Library(name) => format!("std {name}"),
                    Callee::Tool(name) => format!("tool {name}"),
                    Callee::Agent(agent) => format!("agent {}#{}", agent.file, agent.name),
                    Callee::Ambiguous(name) => format!("ambiguous {name}"),
                    Callee::External(name) => format!("external {name}"),
                };
                format!("{callee}({})", self.arguments(arguments, next))
            }
            Node::Method {
                receiver,
                name,
                arguments,
                place,
            } => {
                let mark = if *place { "!" } else { "" };
                format!(
                    "{}.{name}{mark}({})",
                    self.expr(*receiver, next),
                    self.arguments(arguments, next)
                )
            }
            Node::Raise(of) => format!("raise {}", self.expr(*of, next)),
            Node::Lambda(number) => self.lambda(*number, next),
            Node::If { .. } | Node::IfLet { .. } | Node::Match { .. } | Node::Try { .. } => {
                self.flat(id, next)
            }
            Node::Block { .. } => self.flat(id, next),
            Node::For { .. }
            | Node::While { .. }
            | Node::Break
            | Node::Continue
            | Node::Return(_)
            | Node::Let { .. }
            | Node::Assign { .. } => self.flat(id, next),
        }
    }

    /// The lines of a node as one, in braces.
    fn flat(&self, id: NodeId, level: u32) -> String {
        let mut out = Out::default();
        let inner = Printer {
            base: self.base + level,
            ..*self
        };
        inner.statements(&mut out, id);
        let text = out.finish();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        format!("{{ {} }}", lines.join("; "))
    }

    fn between(&self, one: NodeId, sign: &str, two: NodeId, level: u32) -> String {
        format!(
            "({} {sign} {})",
            self.expr(one, level),
            self.expr(two, level)
        )
    }

    fn lambda(&self, number: u32, level: u32) -> String {
        let Some(frame) = self.code.frames.get(number as usize) else {
            return "…".to_owned();
        };
        let inner = Printer {
            code: self.code,
            frame,
            base: self.base + level,
        };
        let params: Vec<String> = (0..frame.params).map(|slot| inner.slot(slot)).collect();
        let captures: Vec<String> = frame
            .captures
            .iter()
            .map(|capture| format!("{} = {}", inner.slot(capture.to), self.slot(capture.from)))
            .collect();
        let takes = match captures.is_empty() {
            true => String::new(),
            false => format!(" with {}", captures.join(", ")),
        };
        let body = frame.body.map(|body| inner.expr(body, 1));
        format!(
            "({}){takes} => {}",
            params.join(", "),
            body.unwrap_or_else(|| "nothing".to_owned())
        )
    }

    fn case(&self, case: &Case) -> String {
        match case {
            Case::Any => "_".to_owned(),
            Case::Bind(slot) => self.slot(*slot),
            Case::Null => "null".to_owned(),
            Case::Bool(value) => value.to_string(),
            Case::Int(value) => value.to_string(),
            Case::Float(value) => format!("{value:?}"),
            Case::Text(text) => quoted(text),
            Case::Duration(nanos) => duration(*nanos),
            Case::Size(bytes) => format!("{bytes} bytes"),
            Case::Some(inner) => format!("some {}", self.case(inner)),
            Case::Ok(inner) => format!("ok {}", self.case(inner)),
            Case::Err(inner) => format!("err {}", self.case(inner)),
        }
    }
}

/// `agent.name` or `name`.
fn owned(agent: &Option<Arc<str>>, name: &str) -> String {
    match agent {
        Some(agent) => format!("{agent}.{name}"),
        None => name.to_owned(),
    }
}

/// As it is written.
fn sign(op: Op) -> &'static str {
    match op {
        Op::Equal => "==",
        Op::Unequal => "!=",
        Op::Less => "<",
        Op::AtMost => "<=",
        Op::Greater => ">",
        Op::AtLeast => ">=",
        Op::In => "in",
        Op::NotIn => "not in",
        Op::Add => "+",
        Op::Subtract => "-",
        Op::Multiply => "*",
        Op::Divide => "/",
        Op::Remainder => "%",
    }
}
