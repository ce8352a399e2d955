//! Types as the checks see them (language.md section 2.5).

use std::fmt;
use std::sync::Arc;

use crate::program::FileId;

/// A type. Aliases are expanded; a struct is named by where it is declared, so
/// types that hold themselves are finite.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// Unknown, or `Any`: fits everything.
    Any,
    /// The type of `null`.
    Null,
    /// The type of what gives no value: `return`, `error("…")`.
    Never,
    /// `String`, `string`.
    String,
    /// `int`.
    Int,
    /// `float`; `number` is an alias.
    Float,
    /// `bool`, `boolean`.
    Bool,
    /// `Duration`.
    Duration,
    /// `Size`.
    Size,
    /// `Time`.
    Time,
    /// `JSON`: its fields are [`Ty::Any`].
    Json,
    /// `Error`, which `catch` binds.
    Error,
    /// `Secret<T>`, `SecureString`, `EncryptedX`.
    Secret(Arc<Ty>),
    /// `Array<T>`, `List<T>`.
    Array(Arc<Ty>),
    /// `Map<K, V>`.
    Map(Arc<Ty>, Arc<Ty>),
    /// `Set<T>`.
    Set(Arc<Ty>),
    /// `Option<T>`, `T?`.
    Option(Arc<Ty>),
    /// `Result<T, E>`.
    Result(Arc<Ty>, Arc<Ty>),
    /// `(A, B) -> C`.
    Function(Arc<FunctionTy>),
    /// A record literal's type.
    Record(Arc<RecordTy>),
    /// A declared struct.
    Struct(TypeId),
    /// A type declared nowhere: fits everything.
    Opaque(Arc<str>),
    /// A type parameter of a declaration in the standard library.
    Parameter(Arc<str>),
}

/// Where a struct is declared.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId {
    /// The file.
    pub file: FileId,
    /// The agent, for a type declared in one.
    pub agent: Option<Arc<str>>,
    /// Its name.
    pub name: Arc<str>,
}

/// `(A, B) -> C`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionTy {
    /// What it takes.
    pub params: Vec<Ty>,
    /// What it gives.
    pub result: Ty,
}

/// The fields that a record is known to have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RecordTy {
    /// In order.
    pub fields: Vec<(Arc<str>, Ty)>,
    /// It may have others.
    pub open: bool,
}

/// A function's or agent's types, resolved.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// Its name.
    pub name: Arc<str>,
    /// Its type parameters: of the standard library alone.
    pub type_params: Vec<Arc<str>>,
    /// What it takes.
    pub params: Vec<ParamTy>,
    /// The type of what is left over when positional arguments are more than
    /// the parameters: `format("{}", a, b)`. Of the standard library alone.
    pub rest: Option<Ty>,
    /// What it gives.
    pub result: Ty,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ParamTy {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Ty,
    /// It may be left out.
    pub optional: bool,
}

/// As the language writes it. A record's type, which has no spelling, is
/// `{ name: type, … }`.
impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Any => f.write_str("Any"),
            Ty::Null => f.write_str("null"),
            Ty::Never => f.write_str("no value"),
            Ty::String => f.write_str("String"),
            Ty::Int => f.write_str("int"),
            Ty::Float => f.write_str("float"),
            Ty::Bool => f.write_str("bool"),
            Ty::Duration => f.write_str("Duration"),
            Ty::Size => f.write_str("Size"),
            Ty::Time => f.write_str("Time"),
            Ty::Json => f.write_str("JSON"),
            Ty::Error => f.write_str("Error"),
            Ty::Secret(inner) => write!(f, "Secret<{inner}>"),
            Ty::Array(element) => write!(f, "Array<{element}>"),
            Ty::Map(key, value) => write!(f, "Map<{key}, {value}>"),
            Ty::Set(element) => write!(f, "Set<{element}>"),
            Ty::Option(inner) => write!(f, "Option<{inner}>"),
            Ty::Result(value, error) => write!(f, "Result<{value}, {error}>"),
            Ty::Function(function) => write!(f, "{function}"),
            Ty::Record(record) => write!(f, "{record}"),
            Ty::Struct(id) => f.write_str(&id.name),
            Ty::Opaque(name) | Ty::Parameter(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for FunctionTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (at, param) in self.params.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{param}")?;
        }
        write!(f, ") -> {}", self.result)
    }
}

/// How many fields of a record a message shows.
const FIELDS_SHOWN: usize = 4;

impl fmt::Display for RecordTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (at, (name, ty)) in self.fields.iter().take(FIELDS_SHOWN).enumerate() {
            let comma = if at == 0 { " " } else { ", " };
            write!(f, "{comma}{name}: {ty}")?;
        }
        match (self.fields.is_empty(), self.fields.len() > FIELDS_SHOWN) {
            (true, _) => f.write_str("}"),
            (_, true) => f.write_str(", … }"),
            _ => f.write_str(" }"),
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name)?;
        for (at, param) in self.params.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            let optional = if param.optional { " = …" } else { "" };
            write!(f, "{comma}{}: {}{optional}", param.name, param.ty)?;
        }
        if self.rest.is_some() {
            f.write_str(if self.params.is_empty() {
                "…"
            } else {
                ", …"
            })?;
        }
        write!(f, ") -> {}", self.result)
    }
}
