//! Calls: what is called (language.md section 2.6), and whether the arguments
//! are what it takes.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, names, types as codes};
use symbi_syntax::ast::{Argument, AstNode, CallExpr, Expr, NameExpr, PathExpr};
use symbi_syntax::{NodeRef, SyntaxKind as K};

use super::expect::{Use, Why, did_you_mean, is_secret};
use super::literals::listed;
use super::relate::{a, is_unknown, plain};
use super::scope::{Checker, Unknown};
use super::signatures::Callee;
use crate::declaration::TypeRef;
use crate::findings::{at_name, at_node, at_token};
use crate::program::Tool;
use crate::suggest::nearest;
use crate::ty::{FunctionTy, ParamTy, Signature, Ty};

/// What a call by name calls.
enum Called {
    /// `Some(x)` or `Ok(x)`.
    Wrapped,
    /// `Err(e)`.
    Raising,
    /// Something of which nothing is known.
    Unchecked,
    /// An external action.
    External(String),
    /// A lambda in a variable.
    Value(String, Arc<FunctionTy>),
    /// Something of the program.
    Signature(String, Rc<Signature>),
    /// A tool.
    Tool(String, Rc<Signature>, Arc<Tool>),
    /// The library.
    Library(String),
}

impl<'i> Checker<'i> {
    /// `f(…)`.
    #[inline(never)]
    pub(super) fn named_call(&mut self, call: CallExpr<'i>, name: NameExpr<'i>) -> Ty {
        match self.called(call, name) {
            Called::Wrapped => self.wrapped(call),
            Called::Raising => {
                self.unchecked_arguments(call);
                Ty::Never
            }
            Called::Unchecked => self.unchecked_arguments(call),
            Called::External(name) => self.external_arguments(call, &name),
            Called::Value(name, function) => self.function_call(call, &name, &function),
            Called::Signature(name, signature) => {
                self.signature_call(&name, &signature, call, None)
            }
            Called::Tool(name, signature, tool) => {
                self.signature_call(&name, &signature, call, Some(&tool))
            }
            Called::Library(name) => self.library_call(&name, call),
        }
    }

    /// What a call by name calls. No argument is looked at here: this stays
    /// out of the way of recursion.
    #[inline(never)]
    fn called(&mut self, call: CallExpr<'i>, name: NameExpr<'i>) -> Called {
        let Some(name) = name.name() else {
            return Called::Unchecked;
        };
        let token = name.tokens().start;
        match call.node().item().token_kind(token) {
            K::SomeKw | K::OkKw => return Called::Wrapped,
            K::ErrKw => return Called::Raising,
            _ => {}
        }
        let text = name.text();
        if let Some(id) = self.local(&text) {
            let ty = self.run.locals[id as usize].ty.clone();
            match plain(&ty) {
                Ty::Function(function) => {
                    self.read_local(id, token);
                    return Called::Value(text.into_owned(), function.clone());
                }
                unknown if is_unknown(unknown) => {
                    self.read_local(id, token);
                    return Called::Unchecked;
                }
                _ => {}
            }
        }
        let callee = self.callee(&text);
        let to = self.called_as(&text, &callee);
        self.resolve_name(token, || to);
        match callee {
            Callee::Function(signature) => {
                if self.own_functions.contains_key(&*text) {
                    self.run.called.push(Arc::from(&*text));
                }
                Called::Signature(text.into_owned(), signature)
            }
            Callee::Agent(signature, ..) => Called::Signature(text.into_owned(), signature),
            Callee::Tool(signature, tool) => Called::Tool(text.into_owned(), signature, tool),
            Callee::Library => Called::Library(text.into_owned()),
            Callee::Unclear | Callee::Ambiguous => Called::Unchecked,
            Callee::External => {
                let called = text.into_owned();
                self.run.unknown.push(Unknown {
                    name: called.clone(),
                    at: at_name(name),
                    call: true,
                });
                Called::External(called)
            }
        }
    }

    /// `A::b(…)`: an empty value of a type, or an external action.
    pub(super) fn path_call(&mut self, call: CallExpr<'i>, path: PathExpr<'i>) -> Ty {
        let text = path.text();
        if let Some(name) = text.strip_suffix("::new")
            && call.arguments().next().is_none()
            && (super::types::is_builtin(name) || self.declared_type(name).is_some())
        {
            return self.resolve(&TypeRef::Named(name.into(), Vec::new()));
        }
        let callee = self.callee(&text);
        let to = self.called_as(&text, &callee);
        self.resolve_name(path.node().tokens().start, || to);
        match callee {
            Callee::Tool(signature, tool) => {
                return self.signature_call(&text, &signature, call, Some(&tool));
            }
            Callee::External => {
                self.run.unknown.push(Unknown {
                    name: text.clone(),
                    at: at_node(path.node()),
                    call: true,
                });
                return self.external_arguments(call, &text);
            }
            _ => {}
        }
        self.unchecked_arguments(call);
        Ty::Any
    }

    /// A call of a value that is not a plain name.
    pub(super) fn value_call(&mut self, call: CallExpr<'i>, ty: &Ty) -> Ty {
        match plain(ty) {
            Ty::Function(function) => {
                let function = function.clone();
                self.function_call(call, "the function", &function)
            }
            unknown if is_unknown(unknown) => {
                self.unchecked_arguments(call);
                Ty::Any
            }
            _ => {
                self.not_callable(call, ty);
                self.unchecked_arguments(call);
                Ty::Any
            }
        }
    }

    #[cold]
    pub(super) fn not_callable(&mut self, call: CallExpr<'i>, ty: &Ty) {
        let at = call.callee().map_or(call.node(), |callee| callee.node());
        let report = Diagnostic::new(
            &codes::T0311,
            at_node(at),
            format!("this is {}, and not a function that can be called", a(ty)),
        );
        self.report(report);
    }

    /// Arguments of a call about which nothing is known: it gives anything.
    pub(super) fn unchecked_arguments(&mut self, call: CallExpr<'i>) -> Ty {
        self.arguments(call, None);
        Ty::Any
    }

    /// Those of an external action, which nothing declares to take secrets.
    fn external_arguments(&mut self, call: CallExpr<'i>, action: &str) -> Ty {
        self.arguments(call, Some(action));
        Ty::Any
    }

    /// `Some(x)` and `Ok(x)`, of which is expected what is expected of the whole,
    /// and `Err(e)`, of which is expected that it is what the function fails
    /// with.
    #[inline(never)]
    pub(super) fn wrapping_call(&mut self, call: CallExpr<'i>, used: Use<'_>) -> Ty {
        let Some((word, value)) = wrapping(call) else {
            return Ty::Any;
        };
        if word != K::ErrKw {
            return self.expr(value, used);
        }
        self.gives(used);
        match used.want {
            Some((Ty::Result(_, error), Why::Returned(what, at))) if **error != Ty::Error => {
                self.expr(value, Use::of(error, Why::Raised(what, at)));
            }
            _ => {
                self.expr(value, Use::ANY);
            }
        }
        Ty::Never
    }

    /// `Some(x)` and `Ok(x)`.
    fn wrapped(&mut self, call: CallExpr<'i>) -> Ty {
        self.arguments(call, None)
    }

    /// Arguments by place and by name, whatever they are for; gives the type of
    /// the only one.
    fn arguments(&mut self, call: CallExpr<'i>, action: Option<&str>) -> Ty {
        let mut named: HashMap<String, NodeRef<'i>> = HashMap::new();
        let mut ty = Ty::Any;
        for (at, argument) in call.arguments().enumerate() {
            let value = match argument {
                Argument::Positional(value) => Some(value),
                Argument::Named(argument) => {
                    if let Some(name) = argument.name() {
                        let text = name.text();
                        match named.get(&*text) {
                            Some(first) => self.twice(argument.node(), *first, &text),
                            None => {
                                named.insert(text.into_owned(), argument.node());
                            }
                        }
                    }
                    argument.value()
                }
            };
            if let Some(value) = value {
                let found = self.expr(value, Use::ANY);
                if let Some(action) = action
                    && is_secret(&found)
                {
                    self.secret_to_action(value.node(), action);
                }
                ty = if at == 0 { found } else { Ty::Any };
            }
        }
        ty
    }

    #[cold]
    fn twice(&mut self, second: NodeRef<'i>, first: NodeRef<'i>, name: &str) {
        let place = |node: NodeRef<'i>| at_token(node.tokens().start);
        let report = Diagnostic::new(
            &names::N0207,
            place(second),
            format!("the argument `{name}` is given twice"),
        )
        .note(place(first), "it is given here first")
        .help("leave one of the two out");
        self.report(report);
    }

    /// A call of a lambda or of a parameter of a function type: its parameters
    /// have no names.
    pub(super) fn function_call(
        &mut self,
        call: CallExpr<'i>,
        name: &str,
        function: &FunctionTy,
    ) -> Ty {
        let mut count = 0;
        let mut named = false;
        for argument in call.arguments() {
            match argument {
                Argument::Positional(value) => {
                    match function.params.get(count) {
                        Some(want) if !is_unknown(want) => {
                            let place = format!("argument {}", count + 1);
                            self.expr(value, Use::of(want, Why::Argument(&place, name)));
                        }
                        _ => {
                            self.expr(value, Use::ANY);
                        }
                    }
                    count += 1;
                }
                Argument::Named(argument) => {
                    named = true;
                    if let Some(value) = argument.value() {
                        self.expr(value, Use::ANY);
                    }
                }
            }
        }
        if !named && count != function.params.len() {
            let what = match name {
                "the function" => name.to_owned(),
                name => format!("`{name}`"),
            };
            self.wrong_count(call, &what, function.params.len(), count, None);
        }
        function.result.clone()
    }

    #[cold]
    fn wrong_count(
        &mut self,
        call: CallExpr<'i>,
        what: &str,
        takes: usize,
        given: usize,
        declared: Option<&Signature>,
    ) {
        let takes = match takes {
            0 => "no arguments".to_owned(),
            1 => "one argument".to_owned(),
            n => format!("{n} arguments"),
        };
        let given = match given {
            0 => "none is given".to_owned(),
            1 => "one is given".to_owned(),
            n => format!("{n} are given"),
        };
        let report = Diagnostic::new(
            &codes::T0307,
            at_node(call.node()),
            format!("{what} takes {takes}, and {given}"),
        );
        self.report(match declared {
            Some(signature) => report.help(format!("it is declared as `{signature}`")),
            None => report,
        });
    }

    /// A call of something of the program whose parameters are known. If it is
    /// a tool, literals are held to its manifest.
    pub(super) fn signature_call(
        &mut self,
        name: &str,
        signature: &Signature,
        call: CallExpr<'i>,
        tool: Option<&Tool>,
    ) -> Ty {
        let arguments: Vec<Argument<'i>> = call.arguments().collect();
        let slots = self.slots(name, signature, &signature.params, call, &arguments);
        for (argument, slot) in arguments.iter().zip(&slots) {
            let Some(value) = value_of(*argument) else {
                continue;
            };
            match *slot {
                Some(at) => {
                    let param = &signature.params[at];
                    if self.recording {
                        let node = value.node().index();
                        self.run.arguments.push((node, at as u32));
                    }
                    self.expr(value, Use::of(&param.ty, Why::Argument(&param.name, name)));
                    if let Some(param) = tool.and_then(|tool| tool.params.get(at)) {
                        self.tool_value(name, param, value);
                    }
                }
                None => {
                    self.expr(value, Use::ANY);
                }
            }
        }
        signature.result.clone()
    }

    /// Which parameter each argument is for. What comes by place fills the
    /// first that nothing before it takes.
    pub(super) fn slots(
        &mut self,
        name: &str,
        signature: &Signature,
        params: &[ParamTy],
        call: CallExpr<'i>,
        arguments: &[Argument<'i>],
    ) -> Vec<Option<usize>> {
        let mut taken: Vec<Option<NodeRef<'i>>> = vec![None; params.len()];
        let mut slots: Vec<Option<usize>> = vec![None; arguments.len()];
        let mut wrong = false;
        let by_name = ByName::of(params);
        let mut next = 0;
        let mut left_over = 0;
        for (at, argument) in arguments.iter().enumerate() {
            let argument = match argument {
                Argument::Named(argument) => argument,
                Argument::Positional(value) => {
                    while taken.get(next).is_some_and(Option::is_some) {
                        next += 1;
                    }
                    match taken.get_mut(next) {
                        Some(slot) => {
                            *slot = Some(value.node());
                            slots[at] = Some(next);
                        }
                        None => left_over += 1,
                    }
                    continue;
                }
            };
            let Some(written) = argument.name() else {
                wrong = true;
                continue;
            };
            let text = written.text();
            match by_name.find(params, &text) {
                Some(slot) => match taken[slot] {
                    Some(first) => {
                        wrong = true;
                        self.twice(argument.node(), first, &text);
                    }
                    None => {
                        taken[slot] = Some(argument.node());
                        slots[at] = Some(slot);
                    }
                },
                None if signature.rest.is_some() => {}
                None => {
                    wrong = true;
                    let near = nearest(&text, params.iter().map(|param| &*param.name));
                    let report = Diagnostic::new(
                        &codes::T0308,
                        at_name(written),
                        format!("`{name}` takes no argument `{text}`"),
                    );
                    self.report(match near {
                        Some(near) => did_you_mean(report, near),
                        None => report.help(format!("it is declared as `{signature}`")),
                    });
                }
            }
        }
        if wrong {
            return slots;
        }
        let total = signature.params.len();
        if left_over > 0 && signature.rest.is_none() {
            let given = arguments.len() + total - params.len();
            self.wrong_count(call, &format!("`{name}`"), total, given, Some(signature));
            return slots;
        }
        let missing: Vec<&str> = params
            .iter()
            .zip(&taken)
            .filter(|(param, taken)| taken.is_none() && !param.optional)
            .map(|(param, _)| &*param.name)
            .collect();
        if !missing.is_empty() {
            self.missing_arguments(call, name, signature, &missing);
        }
        slots
    }

    #[cold]
    fn missing_arguments(
        &mut self,
        call: CallExpr<'i>,
        name: &str,
        signature: &Signature,
        missing: &[&str],
    ) {
        let report = Diagnostic::new(
            &codes::T0307,
            at_node(call.node()),
            match missing {
                ["self", ..] => format!("`{name}` needs a value to work on"),
                missing => format!("`{name}` needs {} here", listed(missing)),
            },
        )
        .help(format!("it is declared as `{signature}`"));
        self.report(report);
    }
}

/// `Some`, `Ok` or `Err` and the one value behind it.
pub(super) fn wrapping(call: CallExpr<'_>) -> Option<(K, Expr<'_>)> {
    let Some(Expr::Name(name)) = call.callee() else {
        return None;
    };
    let word = call.node().item().token_kind(name.name()?.tokens().start);
    if !matches!(word, K::SomeKw | K::OkKw | K::ErrKw) {
        return None;
    }
    let mut arguments = call.arguments();
    match (arguments.next(), arguments.next()) {
        (Some(Argument::Positional(value)), None) => Some((word, value)),
        _ => None,
    }
}

/// The value of an argument.
pub(super) fn value_of(argument: Argument<'_>) -> Option<Expr<'_>> {
    match argument {
        Argument::Positional(value) => Some(value),
        Argument::Named(argument) => argument.value(),
    }
}

/// Parameters by name: a table where there are many.
struct ByName<'p>(Option<HashMap<&'p str, usize>>);

impl<'p> ByName<'p> {
    fn of(params: &'p [ParamTy]) -> Self {
        ByName((params.len() > 16).then(|| {
            let places = params.iter().enumerate();
            places.map(|(at, param)| (&*param.name, at)).collect()
        }))
    }

    fn find(&self, params: &[ParamTy], name: &str) -> Option<usize> {
        match &self.0 {
            Some(table) => table.get(name).copied(),
            None => params.iter().position(|param| *param.name == *name),
        }
    }
}
