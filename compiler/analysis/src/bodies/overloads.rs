//! Calls of the standard library: which of several functions of one name is
//! meant, and what its type parameters stand for.
//!
//! A call means the first function that takes all its arguments. Where their
//! types are not known well enough to tell, it may be any of those they fit.

use symbi_diagnostics::{Diagnostic, types as codes};
use symbi_syntax::ast::{Argument, AstNode, CallExpr, Expr};

use super::calls::value_of;
use super::expect::{Use, Why, is_secret};
use super::generics::{Bindings, mentions};
use super::literals::listed;
use super::relate::{a, fits, is_unknown, join, plain};
use super::scope::Checker;
use crate::findings::at_node;
use crate::stdlib::FunctionFacts;
use crate::ty::{ParamTy, Signature, Ty};

/// A function of the library.
#[derive(Clone, Copy)]
pub(super) struct Overload {
    pub signature: &'static Signature,
    pub facts: &'static FunctionFacts,
}

/// What a method is called on.
#[derive(Clone, Copy)]
pub(super) struct Receiver<'r, 'i> {
    pub ty: &'r Ty,
    /// The place that a method of this kind changes.
    pub changed: Option<Expr<'i>>,
    pub value: Expr<'i>,
}

impl<'i> Checker<'i> {
    /// The functions of the library with this name.
    pub(super) fn overloads(&self, name: &str) -> Vec<Overload> {
        let all = self.program.stdlib().overloads(name);
        all.map(|(signature, facts)| Overload { signature, facts })
            .collect()
    }

    /// `f(…)`, where f is of the library.
    pub(super) fn library_call(&mut self, name: &str, call: CallExpr<'i>) -> Ty {
        let overloads = self.overloads(name);
        self.choose(name, &overloads, call, None)
    }

    /// A call of one of several functions. For a method they all have a `self`
    /// that the receiver fits.
    #[inline(never)]
    pub(super) fn choose(
        &mut self,
        name: &str,
        overloads: &[Overload],
        call: CallExpr<'i>,
        receiver: Option<Receiver<'_, 'i>>,
    ) -> Ty {
        let arguments: Vec<Argument<'i>> = call.arguments().collect();
        if let [only] = overloads {
            return self.chosen(name, *only, call, receiver, &arguments, &[]);
        }
        let mut known: Vec<Option<Ty>> = Vec::with_capacity(arguments.len());
        for argument in &arguments {
            known.push(match value_of(*argument) {
                Some(Expr::Lambda(_)) | None => None,
                Some(value) => Some(self.expr(value, Use::ANY)),
            });
        }
        match self.decide(name, overloads, receiver, &arguments, &known) {
            Ok(one) => self.chosen(name, one, call, receiver, &arguments, &known),
            Err(ty) => {
                self.lambdas(&arguments);
                ty
            }
        }
    }

    /// The function that is meant, or the type of the result if it cannot be
    /// told which.
    #[inline(never)]
    fn decide(
        &mut self,
        name: &str,
        overloads: &[Overload],
        receiver: Option<Receiver<'_, 'i>>,
        arguments: &[Argument<'i>],
        known: &[Option<Ty>],
    ) -> Result<Overload, Ty> {
        let taken = usize::from(receiver.is_some());
        let counts = |one: &&Overload| places(one.signature, taken, arguments).is_some();
        let by_count: Vec<Overload> = overloads.iter().filter(counts).copied().collect();
        let takes = |one: &&Overload| takes_all(one.signature, taken, arguments, known);
        let fitting: Vec<Overload> = by_count.iter().filter(takes).copied().collect();
        match (&*fitting, &*by_count) {
            ([one], _) | ([], [one]) => Ok(*one),
            ([first, ..], _) if is_certain(receiver.map(|it| it.ty), known) => Ok(*first),
            ([first, others @ ..], _) => {
                let result = &first.signature.result;
                Err(
                    match others.iter().all(|one| one.signature.result == *result) {
                        true => Bindings::default().fill(result),
                        false => Ty::Any,
                    },
                )
            }
            ([], []) => {
                let mut named = overloads.iter();
                let named = named.find(|one| takes_names(one.signature, arguments));
                named.or(overloads.first()).copied().ok_or(Ty::Any)
            }
            ([], several) => {
                self.none_takes(name, several, taken, arguments, known);
                Err(Ty::Any)
            }
        }
    }

    fn lambdas(&mut self, arguments: &[Argument<'i>]) {
        for argument in arguments {
            if let Some(value @ Expr::Lambda(_)) = value_of(*argument) {
                self.expr(value, Use::ANY);
            }
        }
    }

    /// None of the functions takes these arguments: the first argument that
    /// none takes is marked.
    #[cold]
    fn none_takes(
        &mut self,
        name: &str,
        several: &[Overload],
        taken: usize,
        arguments: &[Argument<'i>],
        known: &[Option<Ty>],
    ) {
        for (at, (argument, ty)) in arguments.iter().zip(known).enumerate() {
            let (Some(value), Some(ty)) = (value_of(*argument), ty) else {
                continue;
            };
            let params: Vec<&ParamTy> = several
                .iter()
                .filter_map(|one| {
                    let places = places(one.signature, taken, arguments)?;
                    one.signature.params.get(places[at]? + taken)
                })
                .collect();
            if params.is_empty() || params.iter().any(|param| accepts(param, ty)) {
                continue;
            }
            let mut wanted: Vec<String> = params.iter().map(|param| param.ty.to_string()).collect();
            wanted.dedup();
            let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
            let report = Diagnostic::new(
                &codes::T0303,
                at_node(value.node()),
                format!("`{name}` does not take {} here", a(ty)),
            );
            self.report(match &*wanted {
                [one] => report.help(format!("it takes `{one}`")),
                several => report.help(format!("it takes one of {}", listed(several))),
            });
            return;
        }
        let Some(first) = arguments.first().and_then(|first| value_of(*first)) else {
            return;
        };
        let report = Diagnostic::new(
            &codes::T0303,
            at_node(first.node()),
            format!("`{name}` takes none of these arguments together"),
        );
        let forms: Vec<String> = several
            .iter()
            .map(|one| one.signature.to_string())
            .collect();
        let forms: Vec<&str> = forms.iter().map(String::as_str).collect();
        self.report(report.help(format!("it is one of {}", listed(&forms))));
    }

    /// A call of one function of the library. `known` has the types of the
    /// arguments that were walked already.
    #[inline(never)]
    fn chosen(
        &mut self,
        name: &str,
        overload: Overload,
        call: CallExpr<'i>,
        receiver: Option<Receiver<'_, 'i>>,
        arguments: &[Argument<'i>],
        known: &[Option<Ty>],
    ) -> Ty {
        let mut chosen = self.prepare(name, overload, call, receiver, arguments);
        // Lambdas come last: the other arguments say what they are given.
        for lambdas in [false, true] {
            for (at, argument) in arguments.iter().enumerate() {
                let Some(value) = value_of(*argument) else {
                    continue;
                };
                if matches!(value, Expr::Lambda(_)) == lambdas {
                    let known = known.get(at).and_then(Option::as_ref);
                    self.argument(name, &mut chosen, at, value, known);
                }
            }
        }
        self.result(&chosen, receiver)
    }

    #[inline(never)]
    fn prepare(
        &mut self,
        name: &str,
        overload: Overload,
        call: CallExpr<'i>,
        receiver: Option<Receiver<'_, 'i>>,
        arguments: &[Argument<'i>],
    ) -> Box<Chosen> {
        let signature = overload.signature;
        let mut bindings = Bindings::default();
        if let (Some(receiver), Some(first)) = (receiver, signature.params.first()) {
            bindings.learn(&first.ty, receiver.ty);
            if is_secret(receiver.ty) && !may_hold(overload, &first.name) {
                let why = Why::Argument(&first.name, name);
                self.expect(receiver.value.node(), receiver.ty, Use::of(&first.ty, why));
            }
        }
        let params = signature.params.get(usize::from(receiver.is_some())..);
        let params = params.unwrap_or(&[]);
        let slots = self.slots(name, signature, params, call, arguments);
        let changed = receiver.and_then(|receiver| receiver.changed);
        Box::new(Chosen {
            overload,
            params,
            slots,
            before: bindings.clone(),
            bindings,
            strict: changed.is_some_and(|place| self.is_declared(place)),
        })
    }

    #[inline(never)]
    fn result(&mut self, chosen: &Chosen, receiver: Option<Receiver<'_, 'i>>) -> Ty {
        let signature = chosen.overload.signature;
        let changed = receiver.and_then(|receiver| receiver.changed);
        let (before, after) = (&chosen.before, &chosen.bindings);
        if let Some(place) = changed
            && !chosen.strict
            && signature
                .type_params
                .iter()
                .any(|it| before.get(it) != after.get(it))
        {
            self.loosen(place);
        }
        match signature.type_params.is_empty() {
            true => signature.result.clone(),
            false => after.fill(&signature.result),
        }
    }

    #[inline(never)]
    fn argument(
        &mut self,
        name: &str,
        chosen: &mut Chosen,
        at: usize,
        value: Expr<'i>,
        known: Option<&Ty>,
    ) {
        let param = chosen.slots[at].map(|slot| &chosen.params[slot]);
        let sought = param.and_then(|param| chosen.sought(param));
        let want = param.and_then(|param| chosen.want(param));
        let used = match (param, &sought, &want) {
            (Some(param), Some(sought), _) => Use::of(sought, Why::Sought(&param.name, name)),
            (Some(param), None, Some(want)) => Use::of(want, Why::Argument(&param.name, name)),
            _ => Use::ANY,
        };
        let mark = self.run.reports.len();
        let ty = match known {
            Some(ty) => {
                self.expect(value.node(), ty, used);
                ty.clone()
            }
            None => self.expr(value, used),
        };
        if param.is_none()
            && is_secret(&ty)
            && let Overload { signature, facts } = chosen.overload
            && let (Some(want), Some(rest)) = (&signature.rest, &facts.rest)
            && !may_hold(chosen.overload, rest)
        {
            self.expect(value.node(), &ty, Use::of(want, Why::Argument(rest, name)));
        }
        if let Some(param) = param {
            if chosen.turned_out_different(param, &ty) {
                self.run.reports.truncate(mark);
            }
            chosen.bindings.learn(&param.ty, &ty);
        }
    }
}

/// A call of one function of the library, on the way.
struct Chosen {
    overload: Overload,
    params: &'static [ParamTy],
    /// The parameter of each argument.
    slots: Vec<Option<usize>>,
    /// What the receiver says about the type parameters.
    before: Bindings,
    bindings: Bindings,
    /// It changes a place whose type is declared: nothing else may get in.
    strict: bool,
}

impl Chosen {
    /// What is looked for where a type parameter is the whole type of an argument
    /// and stands for what the others say: nothing of another type is found.
    fn sought(&self, param: &ParamTy) -> Option<Ty> {
        let Ty::Parameter(name) = &param.ty else {
            return None;
        };
        if self.strict || self.overload.facts.updates {
            return None;
        }
        let known = self.bindings.get(name)?;
        let given = mentions(&self.overload.signature.result, name);
        (!given && !is_unknown(known)).then(|| known.clone())
    }

    /// What an argument should be, as far as anything can be said against it.
    fn want(&self, param: &ParamTy) -> Option<Ty> {
        if matches!(param.ty, Ty::Parameter(_)) && !self.strict {
            return None;
        }
        let want = self.bindings.fill(&param.ty);
        let passes = is_unknown(&want) && may_hold(self.overload, &param.name);
        (!passes).then_some(want)
    }

    /// `(acc, x) => …` is walked with the type of the first `acc`. If what it
    /// gives is of another type, what was found in it does not hold.
    fn turned_out_different(&self, param: &ParamTy, ty: &Ty) -> bool {
        let (Ty::Function(declared), Ty::Function(given)) = (&param.ty, ty) else {
            return false;
        };
        let Ty::Parameter(result) = &declared.result else {
            return false;
        };
        let circular = declared.params.iter().any(|param| mentions(param, result));
        let before = self.bindings.get(result).filter(|_| circular);
        before.is_some_and(|before| join(before.clone(), given.result.clone()) != *before)
    }
}

fn may_hold(overload: Overload, param: &str) -> bool {
    let allowed = &overload.facts.may_hold_secrets;
    allowed.iter().any(|name| **name == *param)
}

/// The parameter of each argument; `None` if the function does not take so
/// many, or not by these names.
fn places(
    signature: &Signature,
    taken: usize,
    arguments: &[Argument<'_>],
) -> Option<Vec<Option<usize>>> {
    let params = signature.params.get(taken..).unwrap_or(&[]);
    let mut given = vec![false; params.len()];
    let mut places = vec![None; arguments.len()];
    let mut next = 0;
    for (place, argument) in places.iter_mut().zip(arguments) {
        if let Argument::Named(argument) = argument {
            if let Some(name) = argument.name() {
                let text = name.text();
                let at = params.iter().position(|param| *param.name == *text)?;
                *given.get_mut(at)? = true;
                *place = Some(at);
            }
            continue;
        }
        while given.get(next) == Some(&true) {
            next += 1;
        }
        match given.get_mut(next) {
            Some(slot) => {
                *slot = true;
                *place = Some(next);
            }
            None if signature.rest.is_some() => {}
            None => return None,
        }
    }
    let complete = params
        .iter()
        .zip(&given)
        .all(|(param, given)| *given || param.optional);
    complete.then_some(places)
}

/// Whether a parameter takes a value. The methods of JSON are those of lists and
/// records: a single value is no `self` of them.
pub(super) fn accepts(param: &ParamTy, ty: &Ty) -> bool {
    match (&param.ty, plain(ty)) {
        (Ty::Json, Ty::Record(_) | Ty::Struct(_) | Ty::Map(..) | Ty::Array(_)) => true,
        (Ty::Json, known) if &*param.name == "self" => is_unknown(known),
        _ => fits(ty, &param.ty),
    }
}

/// Whether a function has parameters of all the names that are given.
fn takes_names(signature: &Signature, arguments: &[Argument<'_>]) -> bool {
    arguments.iter().all(|argument| {
        let Argument::Named(argument) = argument else {
            return true;
        };
        let name = argument.name().map(|name| name.text());
        let mut params = signature.params.iter();
        name.is_none_or(|name| params.any(|param| *param.name == *name))
    })
}

fn takes_all(
    signature: &Signature,
    taken: usize,
    arguments: &[Argument<'_>],
    known: &[Option<Ty>],
) -> bool {
    let Some(places) = places(signature, taken, arguments) else {
        return false;
    };
    let params = signature.params.get(taken..).unwrap_or(&[]);
    places
        .iter()
        .zip(known)
        .all(|(place, ty)| match (place, ty) {
            (Some(at), Some(ty)) => accepts(&params[*at], ty),
            _ => true,
        })
}

/// Whether the types say which of several functions is meant.
fn is_certain(receiver: Option<&Ty>, known: &[Option<Ty>]) -> bool {
    receiver
        .into_iter()
        .chain(known.iter().flatten())
        .all(is_whole)
}

/// Nothing in the type is unknown.
fn is_whole(ty: &Ty) -> bool {
    match plain(ty) {
        Ty::Array(inner) | Ty::Set(inner) | Ty::Secret(inner) => is_whole(inner),
        Ty::Map(key, value) => is_whole(key) && is_whole(value),
        ty => !is_unknown(ty),
    }
}
