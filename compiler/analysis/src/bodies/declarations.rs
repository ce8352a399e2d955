//! The declarations of an item: parameters, fields, defaults, and the bodies.

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, names, types as codes};
use symbi_syntax::ast::{
    AgentDef, AgentItem, AstNode, Block, Expr, FunctionDef, Name, Param, Type, TypeDef, WithBody,
};
use symbi_syntax::{NodeRef, Place};

use super::LocalKind;
use super::expect::{Use, Why};
use super::relate::{a, fits, is_unknown};
use super::scope::{Checker, Due};
use super::signatures::function_signature;
use super::statements::Given;
use super::types::circle;
use crate::declaration::{Kind, function_declaration};
use crate::duplicates::duplicate;
use crate::findings::{at_name, at_node};
use crate::ty::Ty;

/// Walks through a body; the last is the one that counts.
const WALKS: u32 = 3;

/// What a body is the body of.
#[derive(Clone, Copy)]
struct Owner<'i> {
    name: Option<Name<'i>>,
    is_agent: bool,
    result: Option<Type<'i>>,
    /// The agent, whose policies may name its parameters.
    node: NodeRef<'i>,
}

impl<'i> Checker<'i> {
    /// A function of the file or of an agent.
    pub(super) fn function(&mut self, function: FunctionDef<'i>) {
        self.in_function = true;
        self.globals.clear();
        let params: Vec<Param<'i>> = function.params().collect();
        self.body(
            Owner {
                name: function.name(),
                is_agent: false,
                result: function.result(),
                node: function.node(),
            },
            &params,
            function.body(),
        );
        self.in_function = false;
        self.globals.clear();
    }

    /// An agent, with the types and functions in it.
    pub(super) fn agent(&mut self, agent: AgentDef<'i>) {
        let items: Vec<AgentItem<'i>> = agent.items().collect();
        self.agent = agent.name().map(|name| Arc::from(&*name.text()));
        self.own_declarations(&items);
        let mut bodies: Vec<Block<'i>> = Vec::new();
        for item in &items {
            if let AgentItem::With(with) = item
                && let Some(WithBody::Statements(block)) = with.body()
                && !block.is_empty()
            {
                bodies.push(block);
            }
        }
        let params: Vec<Param<'i>> = agent.params().map(Iterator::collect).unwrap_or_default();
        let owner = Owner {
            name: agent.name(),
            is_agent: true,
            result: agent.result(),
            node: agent.node(),
        };
        self.body(owner, &params, bodies.first().copied());
        for body in bodies.iter().skip(1) {
            self.body(owner, &params, Some(*body));
        }
        for item in &items {
            match item {
                AgentItem::Type(type_) => self.type_declaration(*type_),
                AgentItem::Function(function) => self.function(*function),
                _ => {}
            }
        }
        self.uncalled(&items);
    }

    /// Learns the agent's own types and functions, and reports the second of
    /// one name.
    fn own_declarations(&mut self, items: &[AgentItem<'i>]) {
        let mut types: HashMap<Arc<str>, Name<'i>> = HashMap::new();
        let mut functions: HashMap<Arc<str>, Name<'i>> = HashMap::new();
        for item in items {
            let (kind, known, name) = match item {
                AgentItem::Type(type_) => (Kind::Type, &mut types, type_.name()),
                AgentItem::Function(function) => (Kind::Function, &mut functions, function.name()),
                _ => continue,
            };
            let Some(name) = name else { continue };
            let text: Arc<str> = Arc::from(&*name.text());
            match known.get(&text) {
                Some(first) => {
                    let report = duplicate(kind, &text, at_name(name), at_name(*first));
                    self.reports.push(report);
                    continue;
                }
                None => known.insert(text.clone(), name),
            };
            match item {
                AgentItem::Type(_) => self.own_types.push(text),
                AgentItem::Function(function) => {
                    if let Some(declared) = function_declaration(*function) {
                        let agent = self.agent.clone();
                        let signature = function_signature(
                            self.program,
                            self.file,
                            agent.as_deref(),
                            &declared,
                        );
                        self.own_names.push(text.clone());
                        self.own_functions.insert(text, Rc::new(signature));
                    }
                }
                _ => {}
            }
        }
    }

    /// Hints at functions of the agent that it never calls: nothing else can.
    fn uncalled(&mut self, items: &[AgentItem<'i>]) {
        for item in items {
            let AgentItem::Function(function) = item else {
                continue;
            };
            let Some(name) = function.name() else {
                continue;
            };
            let text = name.text();
            if text.starts_with('_') || self.called.contains(&*text) {
                continue;
            }
            self.reports.push(
                Diagnostic::new(
                    &names::N0243,
                    at_name(name),
                    format!("the agent never calls `{text}`"),
                )
                .help("leave it out, or call it from the body"),
            );
        }
    }

    /// A type: its fields or what it stands for.
    pub(super) fn type_declaration(&mut self, type_: TypeDef<'i>) {
        if let Some(structure) = type_.structure() {
            let mut known: HashMap<String, Name<'i>> = HashMap::new();
            for field in structure.fields() {
                if let Some(name) = field.name() {
                    self.declared_once("field", name, &mut known);
                }
                let written = field.type_().map(|type_| (self.written(type_), type_));
                self.default(field.name(), written, field.default());
            }
        } else if let Some(alias) = type_.alias() {
            self.written(alias);
            if let Some(name) = type_.name() {
                self.circle(name);
            }
        }
        self.commit();
    }

    /// Reports aliases that lead back to themselves.
    fn circle(&mut self, name: Name<'i>) {
        let text = name.text();
        let agent = self.agent.clone();
        let Some((smallest, way)) = circle(self.program, self.file, agent.as_deref(), &text) else {
            return;
        };
        if *smallest != *text {
            return;
        }
        let way: Vec<String> = way.iter().map(|name| format!("`{name}`")).collect();
        let report = Diagnostic::new(
            &codes::T0315,
            at_name(name),
            format!("`{text}` stands for itself: {}", way.join(" is ")),
        )
        .help("a struct may hold itself: `type T = { next: T? }`; another name may not");
        self.report(report);
    }

    /// Reports the second of two parameters or fields of one name.
    pub(super) fn declared_once(
        &mut self,
        what: &str,
        name: Name<'i>,
        known: &mut HashMap<String, Name<'i>>,
    ) {
        let text = name.text();
        let Some(first) = known.get(&*text) else {
            known.insert(text.into_owned(), name);
            return;
        };
        let report = Diagnostic::new(
            &names::N0206,
            at_name(name),
            format!("there is a {what} `{text}` already"),
        )
        .note(at_name(*first), "it is declared here first")
        .help("give it another name, or leave it out");
        self.report(report);
    }

    /// Compares a default with the type that is written.
    fn default(
        &mut self,
        name: Option<Name<'i>>,
        written: Option<(Ty, Type<'i>)>,
        default: Option<Expr<'i>>,
    ) {
        let Some(default) = default else { return };
        let text = name.map(|name| name.text()).unwrap_or_default();
        match &written {
            Some((ty, type_)) => {
                let why = Why::Default(&text, at_node(type_.node()));
                self.expr(default, Use::of(ty, why));
            }
            None => {
                self.expr(default, Use::ANY);
            }
        }
    }

    /// Walks through a body until the types of its variables are settled.
    fn body(&mut self, owner: Owner<'i>, params: &[Param<'i>], body: Option<Block<'i>>) {
        for walk in 0..WALKS {
            self.walk_body(owner, params, body);
            if walk + 1 == WALKS || !self.settle(walk) {
                break;
            }
        }
        self.commit();
    }

    fn walk_body(&mut self, owner: Owner<'i>, params: &[Param<'i>], body: Option<Block<'i>>) {
        let what: Rc<str> = match owner.name {
            Some(name) => format!("`{}`", name.text()).into(),
            None => "the function".into(),
        };
        let result = owner.result.map(|type_| Due {
            ty: self.written(type_),
            at: at_node(type_.node()),
            what,
        });
        self.enter(false, result.clone());
        let mark = self.open();
        self.params(owner, params, body.is_some());
        if let Some(body) = body {
            let used = match &result {
                Some(result) => Use {
                    needed: false,
                    ..Use::of(&result.ty, Why::Returned(&result.what, result.at))
                },
                None => Use::IGNORED,
            };
            let given = self.block(body, used);
            if let Some(result) = &result {
                // What is not written yet, or answers in another way, is no
                // contradiction.
                let open = owner.is_agent || body.is_empty();
                self.end(body, &given, result, open);
            }
        }
        self.close(mark);
        self.leave();
    }

    fn params(&mut self, owner: Owner<'i>, params: &[Param<'i>], has_body: bool) {
        let mut known: HashMap<String, Name<'i>> = HashMap::new();
        let elsewhere = match owner.is_agent && has_body && !params.is_empty() {
            true => in_policies(owner.node, params),
            false => Vec::new(),
        };
        for param in params {
            let written = param.type_().map(|type_| (self.written(type_), type_));
            self.default(param.name(), written.clone(), param.default());
            let Some(name) = param.name() else { continue };
            self.declared_once("parameter", name, &mut known);
            let (ty, declared) = match written {
                Some((ty, type_)) => (ty, at_node(type_.node())),
                None => (Ty::Any, at_name(name)),
            };
            let kind = match owner.is_agent {
                true => LocalKind::AgentParameter,
                false => LocalKind::Parameter,
            };
            let id = self.declare(name, kind, ty, Some(declared));
            let used = !has_body || elsewhere.binary_search(&name.text()).is_ok();
            self.run.locals[id as usize].read = used;
        }
    }

    /// What there is to say about a body whose end is reached without a value,
    /// where one is declared.
    fn end(&mut self, body: Block<'i>, given: &Given, result: &Due, open: bool) {
        let optional = is_unknown(&result.ty) || fits(&Ty::Null, &result.ty);
        if optional || !given.nothing || given.told || given.ty == Ty::Never {
            return;
        }
        let gave = self.frame().is_some_and(|frame| frame.gave);
        let closing = body.node().tokens().end.saturating_sub(1);
        let at = Place::Tokens(closing, closing);
        let (what, wanted) = (&result.what, a(&result.ty));
        let (code, message, help) = match (gave, open) {
            (true, _) => (
                &codes::T0333,
                format!("{what} gives {wanted}, and some paths come here without a value"),
                "write `return …;` here, or raise an error: `error(\"…\")`",
            ),
            (false, true) => (
                &codes::T0333,
                format!("{what} gives {wanted}, and no value is ever returned"),
                "write `return …;`, or leave the result type out",
            ),
            (false, false) => (
                &codes::T0317,
                format!("{what} gives {wanted}, and no value is ever returned"),
                "write `return …;`, or leave the result type out",
            ),
        };
        let report = Diagnostic::new(code, at, message)
            .label("`null` is given here")
            .help(help);
        self.report(report.note(result.at, "the result is declared here"));
    }
}

/// The names of parameters that an agent's policies and other blocks have, in
/// order.
fn in_policies<'i>(agent: NodeRef<'i>, params: &[Param<'i>]) -> Vec<Cow<'i, str>> {
    let item = agent.item();
    let mut names: Vec<(Cow<'i, str>, bool)> = params
        .iter()
        .filter_map(|param| Some((param.name()?.text(), false)))
        .collect();
    names.sort();
    names.dedup();
    let Some(body) = agent.child(symbi_syntax::SyntaxKind::AgentBody) else {
        return Vec::new();
    };
    for part in body.children() {
        if matches!(
            AgentItem::cast(part),
            Some(AgentItem::With(_) | AgentItem::Function(_) | AgentItem::Type(_))
        ) {
            continue;
        }
        for token in part.tokens() {
            if item.token_kind(token).is_word() {
                let word = item.token_text(token);
                let at = names.binary_search_by(|(name, _)| (**name).cmp(word));
                if let Ok(at) = at {
                    names[at].1 = true;
                }
            }
        }
    }
    let found = names.into_iter().filter(|(_, found)| *found);
    found.map(|(name, _)| name).collect()
}
