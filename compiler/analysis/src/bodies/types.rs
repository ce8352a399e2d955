//! From types as they are written to types as they are checked, and what there
//! is to say about the writing: names that nothing declares, too many
//! arguments, types that stand for themselves.

use std::collections::HashSet;
use std::sync::Arc;

use symbi_diagnostics::{Diagnostic, types as codes};
use symbi_syntax::Place;
use symbi_syntax::ast::{AstNode, NamedType, Type};

use super::expect::did_you_mean;
use super::relate::{bounded, option};
use super::scope::Checker;
use crate::declaration::{Kind, TypeBody, TypeDeclaration, TypeRef, type_ref};
use crate::findings::at_node;
use crate::program::{FileId, Program};
use crate::suggest::nearest;
use crate::ty::{FunctionTy, Ty, TypeId};

/// Parts of a written type, aliases followed, beyond which it is `Any`: a few
/// lines of aliases can stand for a type of any size.
const PARTS: u32 = 512;

/// Aliases that one type leads through beyond which it is `Any`, and a circle
/// is not looked for any further.
const ALIASES: u32 = 64;

/// The built-in types and their usual other names, for "did you mean".
const BUILTINS: &[&str] = &[
    "String",
    "int",
    "float",
    "bool",
    "Duration",
    "Size",
    "Time",
    "JSON",
    "Any",
    "Secret",
    "Array",
    "Map",
    "Set",
    "Option",
    "Result",
    "Error",
    "string",
    "number",
    "boolean",
    "SecureString",
    "Optional",
    "Maybe",
    "List",
];

/// The type that a written one stands for, seen from a file and perhaps from
/// one of its agents. A name that nothing declares is [`Ty::Opaque`].
pub fn resolve_type(
    program: &dyn Program,
    file: FileId,
    agent: Option<&str>,
    written: &TypeRef,
) -> Ty {
    let mut resolver = Resolver {
        program,
        file,
        left: PARTS,
        aliases: ALIASES,
        open: Vec::new(),
        circular: false,
    };
    let ty = resolver.resolve(agent, written);
    // What leads back to itself is reported where it is declared.
    match resolver.circular {
        true => Ty::Any,
        false => bounded(ty),
    }
}

struct Resolver<'p> {
    program: &'p dyn Program,
    file: FileId,
    /// Parts that may still be looked at.
    left: u32,
    /// Aliases that may still be followed.
    aliases: u32,
    /// Aliases that are being followed.
    open: Vec<TypeId>,
    /// One of them led back to itself.
    circular: bool,
}

impl Resolver<'_> {
    /// Recursion is bounded by [`PARTS`].
    fn resolve(&mut self, agent: Option<&str>, written: &TypeRef) -> Ty {
        let Some(left) = self.left.checked_sub(1) else {
            return Ty::Any;
        };
        self.left = left;
        match written {
            TypeRef::Optional(inner) => option(self.resolve(agent, inner)),
            TypeRef::Function(params, result) => Ty::Function(Arc::new(FunctionTy {
                params: params
                    .iter()
                    .map(|param| self.resolve(agent, param))
                    .collect(),
                result: match result {
                    Some(result) => self.resolve(agent, result),
                    None => Ty::Any,
                },
            })),
            TypeRef::Named(name, arguments) => self.named(agent, name, arguments),
        }
    }

    fn named(&mut self, agent: Option<&str>, name: &Arc<str>, arguments: &[TypeRef]) -> Ty {
        match Builtin::always(name) {
            Some(builtin) => return self.filled(builtin, agent, arguments),
            None if name.contains("::") => return Ty::Opaque(name.clone()),
            None => {}
        }
        if let Some((id, declaration)) = declared(self.program, self.file, agent, name) {
            return match declaration.body {
                TypeBody::Struct(_) => Ty::Struct(id),
                TypeBody::Unreadable => Ty::Any,
                TypeBody::Alias(_) if self.open.contains(&id) => {
                    self.circular = true;
                    Ty::Any
                }
                TypeBody::Alias(_) if self.aliases == 0 => Ty::Any,
                TypeBody::Alias(alias) => {
                    self.aliases -= 1;
                    let inside = id.agent.clone();
                    self.open.push(id);
                    let ty = self.resolve(inside.as_deref(), &alias);
                    self.open.pop();
                    ty
                }
            };
        }
        match Builtin::unless_declared(name) {
            Some(builtin) => self.filled(builtin, agent, arguments),
            None => Ty::Opaque(name.clone()),
        }
    }

    fn filled(&mut self, builtin: Builtin, agent: Option<&str>, arguments: &[TypeRef]) -> Ty {
        builtin.with(&mut |at| {
            Arc::new(match arguments.get(at) {
                Some(argument) => self.resolve(agent, argument),
                None => Ty::Any,
            })
        })
    }
}

/// The declaration that a type's name leads to: in the agent first.
pub(super) fn declared(
    program: &dyn Program,
    file: FileId,
    agent: Option<&str>,
    name: &str,
) -> Option<(TypeId, TypeDeclaration)> {
    let mut id = TypeId {
        file,
        agent: agent.map(Arc::from),
        name: name.into(),
    };
    if agent.is_some() {
        if let Some(declaration) = program.type_declaration(&id) {
            return Some((id, declaration));
        }
        id.agent = None;
    }
    let declaration = program.type_declaration(&id)?;
    Some((id, declaration))
}

/// Whether this is the name of a built-in type.
pub(super) fn is_builtin(name: &str) -> bool {
    Builtin::always(name)
        .or(Builtin::unless_declared(name))
        .is_some()
}

/// A built-in type before its arguments are filled in.
#[derive(Clone, Copy)]
enum Builtin {
    Plain(fn() -> Ty),
    One(fn(Arc<Ty>) -> Ty),
    Two(fn(Arc<Ty>, Arc<Ty>) -> Ty),
    Result,
    /// `EncryptedString`: a secret without an argument.
    Secret(fn() -> Ty),
}

impl Builtin {
    /// The types that every program has, so that no question is asked for them.
    fn always(name: &str) -> Option<Builtin> {
        Some(match name {
            "String" | "string" => Builtin::Plain(|| Ty::String),
            "int" => Builtin::Plain(|| Ty::Int),
            "float" | "number" => Builtin::Plain(|| Ty::Float),
            "bool" | "boolean" => Builtin::Plain(|| Ty::Bool),
            "Any" => Builtin::Plain(|| Ty::Any),
            "JSON" => Builtin::Plain(|| Ty::Json),
            "Array" => Builtin::One(Ty::Array),
            "Map" => Builtin::Two(Ty::Map),
            "Option" => Builtin::One(|inner| option(Arc::unwrap_or_clone(inner))),
            "Result" => Builtin::Result,
            _ => return None,
        })
    }

    /// The ones that a program may have a type of its own for.
    fn unless_declared(name: &str) -> Option<Builtin> {
        Some(match name {
            "Duration" => Builtin::Plain(|| Ty::Duration),
            "Size" => Builtin::Plain(|| Ty::Size),
            "Time" => Builtin::Plain(|| Ty::Time),
            "Error" => Builtin::Plain(|| Ty::Error),
            "Secret" => Builtin::One(Ty::Secret),
            "Set" => Builtin::One(Ty::Set),
            "List" => Builtin::One(Ty::Array),
            "Optional" | "Maybe" => Builtin::One(|inner| option(Arc::unwrap_or_clone(inner))),
            "SecureString" => Builtin::Plain(|| Ty::Secret(Arc::new(Ty::String))),
            "Encrypted" => Builtin::One(Ty::Secret),
            "EncryptedString" => Builtin::Secret(|| Ty::Secret(Arc::new(Ty::String))),
            name if name.starts_with("Encrypted") => {
                Builtin::Secret(|| Ty::Secret(Arc::new(Ty::Any)))
            }
            _ => return None,
        })
    }

    /// How many arguments it takes; `None` for any number.
    fn arity(self) -> Option<usize> {
        match self {
            Builtin::Plain(_) => Some(0),
            Builtin::One(_) => Some(1),
            Builtin::Two(_) | Builtin::Result => Some(2),
            Builtin::Secret(_) => None,
        }
    }

    fn with(self, argument: &mut dyn FnMut(usize) -> Arc<Ty>) -> Ty {
        match self {
            Builtin::Plain(ty) | Builtin::Secret(ty) => ty(),
            Builtin::One(ty) => ty(argument(0)),
            Builtin::Two(ty) => {
                let first = argument(0);
                ty(first, argument(1))
            }
            Builtin::Result => {
                let value = argument(0);
                match &*argument(1) {
                    Ty::Any => Ty::Result(value, Arc::new(Ty::Error)),
                    error => Ty::Result(value, Arc::new(error.clone())),
                }
            }
        }
    }
}

impl<'i> Checker<'i> {
    /// The type that is written, and what there is to say about how.
    pub(super) fn written(&mut self, type_: Type<'i>) -> Ty {
        self.check_written(type_);
        self.resolve(&type_ref(type_))
    }

    /// The type that is written here.
    pub(super) fn resolve(&self, written: &TypeRef) -> Ty {
        resolve_type(self.program, self.file, self.agent.as_deref(), written)
    }

    /// Types nest as deep as the parser lets them; a `?` behind a `?` is a
    /// chain, which is walked in a loop.
    fn check_written(&mut self, type_: Type<'i>) {
        let mut type_ = type_;
        while let Type::Optional(optional) = type_ {
            match optional.inner() {
                Some(inner) => type_ = inner,
                None => return,
            }
        }
        match type_ {
            Type::Optional(_) => {}
            Type::Function(function) => {
                for part in function.types() {
                    self.check_written(part);
                }
            }
            Type::Named(named) => {
                self.check_name(named);
                for argument in named.arguments() {
                    self.check_written(argument);
                }
            }
        }
    }

    fn check_name(&mut self, named: NamedType<'i>) {
        let name = named.name();
        let arity = match Builtin::always(&name) {
            Some(builtin) => builtin.arity(),
            None if self.declared_type(&name).is_some() => Some(0),
            None => match Builtin::unless_declared(&name) {
                Some(builtin) => builtin.arity(),
                None => {
                    let arguments = named.arguments().next();
                    let end = arguments.map(|first| first.node().tokens().start - 1);
                    let tokens = named.node().tokens();
                    let end = end.unwrap_or(tokens.end);
                    self.opaque(&name, Place::Tokens(tokens.start, end - 1));
                    return;
                }
            },
        };
        let Some(arity) = arity else { return };
        let Some(extra) = named.arguments().nth(arity) else {
            return;
        };
        let takes = match arity {
            0 => "no type arguments".to_owned(),
            1 => "one type argument".to_owned(),
            _ => format!("{arity} type arguments"),
        };
        self.report(
            Diagnostic::new(
                &codes::T0316,
                at_node(extra.node()),
                format!("`{name}` takes {takes}"),
            )
            .label("this one is too many"),
        );
    }

    /// Whether the file or the agent declares a type of this name.
    pub(super) fn declared_type(&mut self, name: &str) -> Option<(TypeId, TypeDeclaration)> {
        if name.contains("::") {
            return None;
        }
        declared(self.program, self.file, self.agent.as_deref(), name)
    }

    /// The report about a type that nothing declares.
    pub(super) fn opaque(&mut self, name: &str, at: Place) {
        self.run.opaque.push((name.into(), at));
    }

    /// Reports a type that nothing declares, once a file.
    pub(super) fn report_opaque(&mut self, name: &str, at: Place) {
        let key = format!("type {name}");
        if self.repeats(&key, at) {
            return;
        }
        let mut report = Diagnostic::new(
            &codes::T0320,
            at,
            format!("nothing declares the type `{name}`"),
        )
        .label("it fits every other type, and nothing about it is checked");
        let near = match self.may_search() {
            true => {
                let declared = self.program.names_in(self.file, Kind::Type);
                let own = self.own_types.iter().chain(&declared);
                nearest(
                    name,
                    BUILTINS.iter().copied().chain(own.map(|name| &**name)),
                )
                .map(str::to_owned)
            }
            false => None,
        };
        report = match near {
            Some(near) => did_you_mean(report, near),
            None if ["void", "Void", "Null", "null", "Unit", "unit", "None"].contains(&name) => {
                report.help("leave the type out: a function without a result has no `->`")
            }
            None => report.help(format!("declare it: `type {name} = {{ … }}`")),
        };
        self.report_repeated(key, true, report);
    }
}

/// The smallest of the names in the circle of aliases that a type belongs to,
/// and the way round; `None` if it belongs to none. Only the declaration of
/// that name reports the circle, so each has one report in any order.
pub(super) fn circle(
    program: &dyn Program,
    file: FileId,
    agent: Option<&str>,
    name: &str,
) -> Option<(Arc<str>, Vec<Arc<str>>)> {
    let (start, _) = declared(program, file, agent, name)?;
    let mut left = ALIASES;
    // Every alias that is reached, and the one it was reached from.
    let mut reached: Vec<(TypeId, usize)> = vec![(start.clone(), 0)];
    let mut seen: HashSet<TypeId> = HashSet::from([start.clone()]);
    let mut way: Option<Vec<Arc<str>>> = None;
    let mut at = 0;
    while at < reached.len() {
        let id = reached[at].0.clone();
        for next in aliases_in(program, &id, &mut left) {
            if next == start && way.is_none() {
                let mut back = vec![start.name.clone()];
                let mut step = at;
                while step != 0 {
                    back.push(reached[step].0.name.clone());
                    step = reached[step].1;
                }
                back.push(start.name.clone());
                back.reverse();
                way = Some(back);
            }
            if seen.insert(next.clone()) {
                reached.push((next, at));
            }
        }
        at += 1;
    }
    let way = way?;
    let smallest = way.iter().min()?.clone();
    Some((smallest, way))
}

/// The aliases that a type names directly.
fn aliases_in(program: &dyn Program, id: &TypeId, left: &mut u32) -> Vec<TypeId> {
    let Some(TypeBody::Alias(alias)) = program.type_declaration(id).map(|found| found.body) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut todo = vec![&alias];
    while let Some(part) = todo.pop() {
        let Some(fewer) = left.checked_sub(1) else {
            break;
        };
        *left = fewer;
        match part {
            TypeRef::Optional(inner) => todo.push(inner),
            TypeRef::Function(params, result) => {
                todo.extend(params);
                todo.extend(result.as_deref());
            }
            TypeRef::Named(name, arguments) => {
                todo.extend(arguments);
                if Builtin::always(name).is_some() || name.contains("::") {
                    continue;
                }
                if let Some((id, declaration)) =
                    declared(program, id.file, id.agent.as_deref(), name)
                    && matches!(declaration.body, TypeBody::Alias(_))
                {
                    found.push(id);
                }
            }
        }
    }
    found.sort();
    found
}
