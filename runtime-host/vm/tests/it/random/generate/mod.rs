//! Programs that the checker accepts, from a tape.
//!
//! What has a type here is of that type when it runs, but for variables of type
//! `Any`, which may hold anything and raise where they do not fit.

mod expressions;
mod statements;

use super::tape::Tape;

/// Which types are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ty {
    Int,
    Float,
    Bool,
    Text,
    List,
    Map,
    Point,
    Option,
    Lambda,
    Any,
    Grid,
}

const TYPES: [Ty; 11] = [
    Ty::Int,
    Ty::Text,
    Ty::List,
    Ty::Bool,
    Ty::Float,
    Ty::Map,
    Ty::Point,
    Ty::Option,
    Ty::Grid,
    Ty::Lambda,
    Ty::Any,
];

impl Ty {
    fn written(self) -> &'static str {
        match self {
            Ty::Int => "int",
            Ty::Float => "float",
            Ty::Bool => "bool",
            Ty::Text => "String",
            Ty::List => "Array<int>",
            Ty::Map => "Map<String, int>",
            Ty::Point => "Point",
            Ty::Option => "int?",
            Ty::Lambda => "(int) -> int",
            Ty::Any => "Any",
            Ty::Grid => "Array<Array<int>>",
        }
    }
}

/// What every program begins with.
const PRELUDE: &str = "\
type Point = { a: int, b: String = \"p\", c: Array<int> = [1, 2] }
type mine = { }
function map_of(x: int, y: int) -> Map<String, int> { return { a: x, b: y }; }
function twice(x: int) -> int { return x * 2; }
function maybe(x: int) -> int? { if x % 2 == 0 { return x; } return null; }
function risky(x: int) -> Result<int, String> { if x % 2 == 0 { return Err(\"risk \" + x); } return x; }
";

#[derive(Clone, Debug)]
struct Var {
    name: String,
    ty: Ty,
    /// How many lambdas it stands in.
    level: usize,
    /// Programs may assign to it.
    free: bool,
}

#[derive(Clone, Debug)]
struct Function {
    name: String,
    params: Vec<(Ty, bool)>,
    result: Ty,
}

struct Generator<'t> {
    tape: Tape<'t>,
    vars: Vec<Var>,
    functions: Vec<Function>,
    /// How many lambdas are open.
    level: usize,
    /// The loops of each open lambda and function.
    loops: Vec<usize>,
    result: Ty,
    names: usize,
    /// How many nodes may still be made.
    left: usize,
}

/// The program of a tape; what runs is its function `main`.
pub(super) fn program(choices: &[u32]) -> String {
    let mut generator = Generator {
        tape: Tape::new(choices),
        vars: Vec::new(),
        functions: Vec::new(),
        level: 0,
        loops: vec![0],
        result: Ty::Any,
        names: 0,
        left: 400,
    };
    let mut text = PRELUDE.to_owned();
    for number in 0..generator.tape.pick(3) {
        let function = generator.function(&format!("f{number}"));
        text.push_str(&function);
    }
    text.push_str(&generator.main());
    text
}

impl Generator<'_> {
    fn function(&mut self, name: &str) -> String {
        self.vars.clear();
        let mut params = Vec::new();
        let mut written = Vec::new();
        self.result = TYPES[self.tape.pick(TYPES.len())];
        for number in 0..self.tape.pick(4) {
            let ty = TYPES[self.tape.pick(TYPES.len())];
            let param = format!("p{number}");
            let optional =
                params.last().is_some_and(|(_, optional)| *optional) || self.tape.pick(3) == 1;
            written.push(match optional {
                true => format!("{param}: {} = {}", ty.written(), self.expr(ty, 2)),
                false => format!("{param}: {}", ty.written()),
            });
            params.push((ty, optional));
            self.declare(&param, ty, true);
        }
        let body = self.body(3);
        let result = self.result;
        self.functions.push(Function {
            name: name.to_owned(),
            params,
            result,
        });
        format!(
            "function {name}({}) -> {} {body}\n",
            written.join(", "),
            result.written()
        )
    }

    fn main(&mut self) -> String {
        self.vars.clear();
        self.result = Ty::Any;
        format!("function main() -> Any {}\n", self.body(4))
    }

    /// The body of a function: it gives a value in the end.
    fn body(&mut self, depth: usize) -> String {
        let mark = self.vars.len();
        let mut text = String::from("{\n");
        for _ in 0..1 + self.tape.pick(6) {
            text.push_str(&self.statement(depth));
        }
        let all: Vec<String> = match self.result {
            Ty::Any => {
                let vars = self.visible().into_iter();
                let vars = vars.filter(|var| var.ty != Ty::Lambda);
                vars.map(|var| var.name.clone()).collect()
            }
            _ => Vec::new(),
        };
        let value = match all.is_empty() {
            true => self.expr(self.result, 2),
            false => format!("[{}]", all.join(", ")),
        };
        match self.tape.pick(2) {
            0 => text.push_str(&format!("return {value};\n}}")),
            _ => text.push_str(&format!("{value}\n}}")),
        }
        self.vars.truncate(mark);
        text
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn declare(&mut self, name: &str, ty: Ty, free: bool) {
        self.vars.push(Var {
            name: name.to_owned(),
            ty,
            level: self.level,
            free,
        });
    }

    /// The variables that others do not hide.
    fn visible(&self) -> Vec<Var> {
        let mut seen: Vec<Var> = Vec::new();
        for var in self.vars.iter().rev() {
            if !seen.iter().any(|one| one.name == var.name) {
                seen.push(var.clone());
            }
        }
        seen.reverse();
        seen
    }

    fn of(&self, ty: Ty) -> Vec<String> {
        let vars = self.visible().into_iter().filter(|var| var.ty == ty);
        vars.map(|var| var.name).collect()
    }

    /// The variables that may be changed here.
    fn places(&self, ty: Ty) -> Vec<String> {
        let vars = self.visible().into_iter();
        let vars = vars.filter(|var| var.ty == ty && var.free && var.level == self.level);
        vars.map(|var| var.name).collect()
    }

    fn one(&mut self, of: &[String]) -> Option<String> {
        if of.is_empty() {
            return None;
        }
        let at = self.tape.pick(of.len());
        Some(of[at].clone())
    }
}
