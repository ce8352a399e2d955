//! What is known while a body is walked: the names in scope, the reports so
//! far, and what the rest of the program was asked.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, Edit, names as codes};
use symbi_syntax::Place;
use symbi_syntax::ast::Name;

use super::relate::{bounded, join};
use super::signatures::{Callee, Fields};
use super::{Local, LocalKind, Resolution};
use crate::findings::Repeated;
use crate::program::{FileId, Program};
use crate::suggest::nearest;
use crate::ty::{Signature, Ty, TypeId};

/// How often an item searches for "did you mean": beyond that many unknown
/// names a file is of another kind, and each search looks at all names.
const SEARCHES: u32 = 40;

/// How many of the names in scope such a search looks at.
const NAMES_SEARCHED: usize = 500;

/// The checker of one item.
pub(super) struct Checker<'i> {
    pub program: &'i dyn Program,
    pub file: FileId,
    /// The agent that the item is, for the types in it.
    pub agent: Option<Arc<str>>,
    /// The names of that agent's types.
    pub own_types: Vec<Arc<str>>,
    /// The functions of that agent: their names in order, and what they take.
    pub own_names: Vec<Arc<str>>,
    pub own_functions: HashMap<Arc<str>, Rc<Signature>>,
    /// Which of them are called or read.
    pub called: HashSet<Arc<str>>,
    /// The body is a function's: it sees no blocks and no parameters of agents.
    pub in_function: bool,
    /// What was asked before.
    pub callees: HashMap<String, Callee>,
    /// Whether a name stands for something of the program; forgotten between
    /// functions and bodies, which do not see the same.
    pub globals: HashMap<String, bool>,
    pub structs: HashMap<TypeId, Rc<Fields>>,
    /// Reports of all bodies that are done.
    pub reports: Vec<Diagnostic<Place>>,
    pub repeated: Vec<Repeated>,
    /// Which of them a key has.
    pub repeats: HashMap<String, usize>,
    pub searches: u32,
    pub callable: Option<Rc<[Arc<str>]>>,
    /// Whether types and locals are kept.
    pub recording: bool,
    pub types: Vec<(u32, Ty)>,
    pub locals: Vec<Local>,
    pub names: Vec<(u32, Resolution)>,
    pub arguments: Vec<(u32, u32)>,
    /// The body at hand.
    pub run: Run,
}

/// One walk through a body.
#[derive(Default)]
pub(super) struct Run {
    pub reports: Vec<Diagnostic<Place>>,
    /// Types that nothing declares.
    pub opaque: Vec<(Arc<str>, Place)>,
    /// Unknown names in the order in which they were found: what makes them
    /// one, and the report.
    pub unknown: Vec<Unknown>,
    pub locals: Vec<Variable>,
    /// The variables that a name stands for, the innermost last.
    pub names: HashMap<Arc<str>, Vec<u32>>,
    /// Variables of the open blocks.
    pub open: Vec<u32>,
    pub frames: Vec<Frame>,
    pub types: Vec<(u32, Ty)>,
    /// The types that variables turned out to have in an earlier walk, by the
    /// token that declares them.
    pub settled: HashMap<u32, Ty>,
    /// The agent's functions that are called or read.
    pub called: Vec<Arc<str>>,
    /// What names stand for, if that is kept, and what arguments are for.
    pub resolved: Vec<(u32, Resolution)>,
    pub arguments: Vec<(u32, u32)>,
}

/// A name that nothing declares.
pub(super) struct Unknown {
    pub name: String,
    pub at: Place,
    pub call: bool,
}

/// A variable or parameter.
pub(super) struct Variable {
    pub name: Arc<str>,
    pub tokens: (u32, u32),
    pub kind: LocalKind,
    pub ty: Ty,
    /// Its type is written, so that no other value may be assigned.
    pub declared: Option<Place>,
    /// What was assigned so far, joined.
    pub assigned: Ty,
    /// Something was assigned after its declaration.
    pub changed: bool,
    pub read: bool,
    pub uses: Vec<u32>,
    /// The function or lambda it belongs to.
    pub frame: usize,
}

/// A function, agent body or lambda that is being walked.
#[derive(Default)]
pub(super) struct Frame {
    /// Names that an assignment declared.
    pub implicit: HashMap<Arc<str>, u32>,
    /// Where the outermost loop around that assignment began; 0 for none.
    pub implicit_loops: HashMap<Arc<str>, u32>,
    /// Names that were read before anything declared them.
    pub pending: Vec<Pending>,
    /// The loops around what is walked: the token they begin with, and
    /// whether a `break` was seen.
    pub loops: Vec<(u32, bool)>,
    pub is_lambda: bool,
    /// The type that is to be returned, if one is known.
    pub result: Option<Due>,
    /// What was returned so far.
    pub returned: Option<Ty>,
    /// A value was given, by a `return` or by the last statement.
    pub gave: bool,
}

/// What a function or agent has to give.
#[derive(Clone)]
pub(super) struct Due {
    pub ty: Ty,
    /// Where that is written.
    pub at: Place,
    /// `function f`, `agent a`.
    pub what: Rc<str>,
}

/// A read that nothing explains yet.
pub(super) struct Pending {
    pub name: Arc<str>,
    pub token: u32,
    pub outer_loop: u32,
    /// What it is if nothing declares a variable.
    pub otherwise: Resolution,
}

/// What assigning to a name means.
pub(super) enum Target {
    /// A variable of this function or lambda.
    Local(u32),
    /// One of the function around the lambda.
    Captured(u32),
    /// The assignment declares it.
    New,
}

impl<'i> Checker<'i> {
    pub(super) fn report(&mut self, report: Diagnostic<Place>) {
        self.run.reports.push(report);
    }

    /// Notes one more place of what is reported already; `false` if it is the
    /// first.
    pub(super) fn repeats(&mut self, key: &str, at: Place) -> bool {
        let Some(&known) = self.repeats.get(key) else {
            return false;
        };
        self.repeated[known].also.push(at);
        true
    }

    /// Reports something of which there may be more places.
    pub(super) fn report_repeated(
        &mut self,
        key: String,
        in_file: bool,
        report: Diagnostic<Place>,
    ) {
        self.repeats.insert(key.clone(), self.repeated.len());
        self.repeated.push(Repeated {
            key,
            in_file,
            report,
            also: Vec::new(),
        });
    }

    /// The innermost function or lambda. There always is one while a body is
    /// walked.
    pub(super) fn frame(&mut self) -> Option<&mut Frame> {
        self.run.frames.last_mut()
    }

    /// Opens a block; give what it returns to [`Checker::close`].
    pub(super) fn open(&self) -> usize {
        self.run.open.len()
    }

    /// Ends a block: its variables are out of scope.
    pub(super) fn close(&mut self, mark: usize) {
        while self.run.open.len() > mark {
            let Some(id) = self.run.open.pop() else {
                return;
            };
            let name = self.run.locals[id as usize].name.clone();
            if let Some(stack) = self.run.names.get_mut(&*name) {
                stack.pop();
            }
        }
    }

    /// Declares a variable in the innermost block.
    pub(super) fn declare(
        &mut self,
        name: Name<'i>,
        kind: LocalKind,
        ty: Ty,
        declared: Option<Place>,
    ) -> u32 {
        let text: Arc<str> = Arc::from(&*name.text());
        let id = self.variable(
            &text,
            name.tokens().start,
            name.tokens().end,
            kind,
            ty,
            declared,
        );
        let hidden = self
            .run
            .names
            .get(&*text)
            .and_then(|stack| stack.last())
            .copied();
        if let Some(hidden) = hidden
            && !text.starts_with('_')
        {
            self.hides(id, hidden);
        }
        self.run.names.entry(text).or_default().push(id);
        self.run.open.push(id);
        id
    }

    /// Declares a name of which nothing is known but that it stands somewhere.
    pub(super) fn declare_unknown(&mut self, name: &str, token: u32) {
        let text: Arc<str> = name.into();
        let id = self.variable(&text, token, token + 1, LocalKind::Assigned, Ty::Any, None);
        self.run.locals[id as usize].read = true;
        self.run.names.entry(text).or_default().push(id);
        self.run.open.push(id);
    }

    fn variable(
        &mut self,
        name: &Arc<str>,
        first: u32,
        end: u32,
        kind: LocalKind,
        ty: Ty,
        declared: Option<Place>,
    ) -> u32 {
        let ty = match self.run.settled.get(&first) {
            Some(settled) if declared.is_none() => settled.clone(),
            _ => ty,
        };
        self.run.locals.push(Variable {
            name: name.clone(),
            tokens: (first, end),
            kind,
            assigned: ty.clone(),
            changed: false,
            ty,
            declared,
            read: false,
            uses: Vec::new(),
            frame: self.run.frames.len(),
        });
        (self.run.locals.len() - 1) as u32
    }

    #[cold]
    fn hides(&mut self, id: u32, hidden: u32) {
        let (new, old) = (
            &self.run.locals[id as usize],
            &self.run.locals[hidden as usize],
        );
        let at = Place::Tokens(new.tokens.0, new.tokens.1 - 1);
        let first = Place::Tokens(old.tokens.0, old.tokens.1 - 1);
        let report = Diagnostic::new(
            &codes::N0242,
            at,
            format!("this `{}` hides the one that is declared before", new.name),
        )
        .note(first, "the other one is declared here");
        self.report(report);
    }

    /// The variable that a name stands for.
    pub(super) fn local(&self, name: &str) -> Option<u32> {
        if let Some(id) = self.run.names.get(name).and_then(|stack| stack.last()) {
            return Some(*id);
        }
        let frames = self.run.frames.iter().rev();
        frames
            .flat_map(|frame| frame.implicit.get(name))
            .next()
            .copied()
    }

    /// Marks a variable as read and gives its type.
    pub(super) fn read_local(&mut self, id: u32, token: u32) -> Ty {
        self.resolve_name(token, || Resolution::Local(id));
        let recording = self.recording;
        let local = &mut self.run.locals[id as usize];
        local.read = true;
        if recording {
            local.uses.push(token);
        }
        local.ty.clone()
    }

    /// Keeps what a name stands for, if that is asked for.
    pub(super) fn resolve_name(&mut self, token: u32, to: impl FnOnce() -> Resolution) {
        if self.recording {
            self.run.resolved.push((token, to()));
        }
    }

    /// What an assignment to a name goes to.
    pub(super) fn target(&self, name: &str) -> Target {
        match self.local(name) {
            Some(id) if self.run.locals[id as usize].frame < self.run.frames.len() => {
                Target::Captured(id)
            }
            Some(id) => Target::Local(id),
            None => Target::New,
        }
    }

    /// Declares the name that an assignment is to, for the whole function.
    pub(super) fn declare_implicit(&mut self, name: Name<'i>, ty: Ty) {
        let text: Arc<str> = Arc::from(&*name.text());
        let tokens = name.tokens();
        let id = self.variable(
            &text,
            tokens.start,
            tokens.end,
            LocalKind::Assigned,
            ty,
            None,
        );
        self.resolve_name(tokens.start, || Resolution::Local(id));
        let Some(frame) = self.frame() else { return };
        let outer = frame.loops.first().map_or(0, |(token, _)| token + 1);
        frame.implicit.insert(text.clone(), id);
        frame.implicit_loops.insert(text, outer);
    }

    /// Remembers a read of a name that no variable has so far. A later
    /// assignment may declare one, even if the program has something else of
    /// this name.
    pub(super) fn read_later(&mut self, name: &str, token: u32, otherwise: Resolution) {
        let Some(frame) = self.frame() else { return };
        let outer_loop = frame.loops.first().map_or(0, |(token, _)| token + 1);
        frame.pending.push(Pending {
            name: name.into(),
            token,
            outer_loop,
            otherwise,
        });
    }

    /// Another value is given to a variable: one without a written type is of
    /// both types then.
    pub(super) fn widen(&mut self, id: u32, ty: Ty) {
        let local = &mut self.run.locals[id as usize];
        if local.declared.is_some() {
            return;
        }
        local.changed = true;
        if local.ty != ty {
            let before = std::mem::replace(&mut local.assigned, Ty::Any);
            local.assigned = bounded(join(before, ty));
        }
    }

    /// Begins a function, body or lambda.
    pub(super) fn enter(&mut self, is_lambda: bool, result: Option<Due>) {
        // Most bodies have one, and a frame is large.
        if self.run.frames.is_empty() {
            self.run.frames.reserve_exact(1);
        }
        self.run.frames.push(Frame {
            is_lambda,
            result,
            ..Frame::default()
        });
    }

    /// Ends it: what it read and nothing declares is handed on, or reported.
    pub(super) fn leave(&mut self) -> Frame {
        let mut frame = self.run.frames.pop().unwrap_or_default();
        for pending in std::mem::take(&mut frame.pending) {
            match frame.implicit.get(&*pending.name) {
                Some(&id) => {
                    self.resolve_name(pending.token, || Resolution::Local(id));
                    let local = &mut self.run.locals[id as usize];
                    local.read = true;
                    let declared = Place::Tokens(local.tokens.0, local.tokens.1 - 1);
                    let loops = frame.implicit_loops.get(&*pending.name).copied();
                    let again = pending.outer_loop != 0 && loops == Some(pending.outer_loop);
                    if !again {
                        self.report_early(&pending, declared);
                    }
                }
                None if frame.is_lambda => {
                    if let Some(outer) = self.run.frames.last_mut() {
                        let outer_loop = outer.loops.first().map_or(0, |(token, _)| token + 1);
                        outer.pending.push(Pending {
                            outer_loop,
                            ..pending
                        });
                    }
                }
                None => {
                    if pending.otherwise == Resolution::Unbound {
                        self.run.unknown.push(Unknown {
                            name: pending.name.to_string(),
                            at: Place::Tokens(pending.token, pending.token),
                            call: false,
                        });
                    }
                    self.resolve_name(pending.token, || pending.otherwise);
                }
            }
        }
        frame
    }

    #[cold]
    fn report_early(&mut self, pending: &Pending, declared: Place) {
        let at = Place::Tokens(pending.token, pending.token);
        let name = &pending.name;
        self.report(
            Diagnostic::new(
                &codes::N0204,
                at,
                format!("`{name}` is read before it has a value"),
            )
            .note(declared, "it gets its first value here")
            .help(format!(
                "give it a value before: `let {name} = …;`; reading it here raises `unbound_name`"
            )),
        );
    }

    /// Whether another walk is needed because a variable turned out to be of
    /// more types than the walk took it for; prepares it if so.
    pub(super) fn settle(&mut self, again: u32) -> bool {
        let mut settled = std::mem::take(&mut self.run.settled);
        let open = |local: &&Variable| local.declared.is_none() && local.changed;
        let changed = (self.run.locals.iter().filter(open)).any(|local| local.assigned != local.ty);
        if changed {
            for local in self.run.locals.iter().filter(open) {
                // The third walk is the last: what may still change is anything.
                let ty = if again == 0 {
                    local.assigned.clone()
                } else {
                    Ty::Any
                };
                settled.insert(local.tokens.0, ty);
            }
        }
        if changed {
            self.run = Run::default();
        }
        self.run.settled = settled;
        changed
    }

    /// Takes over what the walk through a body found.
    pub(super) fn commit(&mut self) {
        self.hints();
        let variables = match self.run.unknown.is_empty() {
            true => Vec::new(),
            false => self.variables(),
        };
        let mut run = std::mem::take(&mut self.run);
        self.reports.append(&mut run.reports);
        for (name, at) in run.opaque {
            self.report_opaque(&name, at);
        }
        self.called.extend(run.called);
        for unknown in run.unknown {
            self.report_unknown(&unknown, &variables);
        }
        if self.recording {
            let before = self.locals.len() as u32;
            let resolved = run.resolved.into_iter().map(|(token, to)| match to {
                Resolution::Local(id) => (token, Resolution::Local(before + id)),
                other => (token, other),
            });
            self.names.extend(resolved);
            self.arguments.append(&mut run.arguments);
            self.types.append(&mut run.types);
            self.locals
                .extend(run.locals.into_iter().map(|local| Local {
                    name: local.name,
                    tokens: local.tokens.0..local.tokens.1,
                    kind: local.kind,
                    ty: local.ty,
                    uses: local.uses,
                }));
        }
    }

    /// Whether there may be one more search for a near name in this item.
    pub(super) fn may_search(&mut self) -> bool {
        self.searches = self.searches.saturating_add(1);
        self.searches <= SEARCHES
    }

    /// The near name for one that nothing declares, unless too many were
    /// searched for.
    pub(super) fn near(&mut self, written: &str, known: &[Arc<str>]) -> Option<String> {
        if !self.may_search() {
            return None;
        }
        nearest(written, known.iter().map(|name| &**name)).map(str::to_owned)
    }

    /// The variables that were declared in this body, the last ones first.
    pub(super) fn variables(&self) -> Vec<Arc<str>> {
        let last = self.run.locals.iter().rev().take(NAMES_SEARCHED);
        last.map(|local| local.name.clone()).collect()
    }

    /// Variables and parameters that are never read.
    fn hints(&mut self) {
        let mut hints = Vec::new();
        for local in &self.run.locals {
            if local.read || local.name.starts_with('_') {
                continue;
            }
            let at = Place::Tokens(local.tokens.0, local.tokens.1 - 1);
            let name = &local.name;
            let (code, what) = match local.kind {
                LocalKind::Parameter => (&codes::N0241, "the parameter"),
                LocalKind::AgentParameter | LocalKind::Caught => continue,
                LocalKind::LambdaParameter => continue,
                _ => (&codes::N0240, "the value of"),
            };
            let underscore = Edit {
                at: Place::Before(local.tokens.0),
                text: "_".to_owned(),
            };
            hints.push(
                Diagnostic::new(code, at, format!("{what} `{name}` is never read"))
                    .help(format!(
                        "leave it out, or call it `_{name}` if it is there on purpose"
                    ))
                    .maybe_fix(format!("call it `_{name}`"), vec![underscore]),
            );
        }
        self.run.reports.append(&mut hints);
    }
}
