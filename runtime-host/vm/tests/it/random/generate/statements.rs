//! Statements.

use super::{Generator, TYPES, Ty};

impl Generator<'_> {
    pub(super) fn block(&mut self, depth: usize) -> String {
        let mark = self.vars.len();
        let mut text = String::from("{\n");
        for _ in 0..1 + self.tape.pick(3) {
            text.push_str(&self.statement(depth));
        }
        text.push('}');
        self.vars.truncate(mark);
        text
    }

    pub(super) fn statement(&mut self, depth: usize) -> String {
        if self.left == 0 || self.tape.is_over() {
            return String::new();
        }
        self.left -= 1;
        let text = match self.tape.pick(if depth == 0 { 9 } else { 19 }) {
            0 => return format!("print({});\n", self.any(2)),
            1 | 2 => return self.let_(),
            3 | 4 => self.assign(),
            5 => self.change(),
            6 => Some(format!("{} = {};", self.unbound(), self.expr(Ty::Int, 2))),
            7 => self.leave(),
            8 => Some(format!("{} += {};", self.unbound(), self.expr(Ty::Int, 1))),
            9 | 10 => Some(self.if_(depth)),
            11 | 12 => Some(self.for_(depth)),
            13 => Some(self.while_(depth)),
            14 | 15 => Some(self.match_(depth)),
            16 | 17 => Some(self.try_(depth)),
            _ => Some(self.if_let(depth)),
        };
        // Names that nothing declares belong to the function, not to lambdas.
        match text {
            Some(text) if self.level == 0 || !text.starts_with('u') => text + "\n",
            _ => String::new(),
        }
    }

    pub(super) fn unbound(&mut self) -> String {
        format!("u{}", self.tape.pick(3))
    }

    pub(super) fn let_(&mut self) -> String {
        let ty = TYPES[self.tape.pick(TYPES.len())];
        let value = self.expr(ty, 3);
        let hidden = self.visible();
        let name = match self.tape.pick(8) {
            1 if !hidden.is_empty() => {
                let var = &hidden[self.tape.pick(hidden.len())];
                match var.free {
                    true => var.name.clone(),
                    false => self.fresh(),
                }
            }
            _ => self.fresh(),
        };
        // What is declared again in one block is one name for both.
        self.declare(&name, ty, true);
        format!("let {name}: {} = {value};\n", ty.written())
    }

    pub(super) fn assign(&mut self) -> Option<String> {
        let ty = TYPES[self.tape.pick(TYPES.len())];
        let places = self.places(ty);
        let name = self.one(&places)?;
        Some(match (ty, self.tape.pick(6)) {
            (Ty::Int, 1) => {
                let op = ["+", "-", "*", "%"][self.tape.pick(4)];
                format!("{name} {op}= {};", self.expr(Ty::Int, 2))
            }
            (Ty::Float, 1) => {
                let op = ["+", "-", "*", "/"][self.tape.pick(4)];
                format!("{name} {op}= {};", self.expr(Ty::Float, 2))
            }
            (Ty::Text, 1) => format!("{name} += {};", self.shown(2)),
            (Ty::Text, 2) => {
                let (one, two) = (self.shown(1), self.shown(1));
                format!("{name} = {name} + {one} + {two};")
            }
            (Ty::List, 1) => format!("{name} += {};", self.expr(Ty::List, 2)),
            (Ty::List, 2) => {
                let index = self.expr(Ty::Int, 1);
                format!("{name}[{index}] = {};", self.expr(Ty::Int, 2))
            }
            (Ty::List, 3) => {
                let index = self.expr(Ty::Int, 1);
                format!("{name}[{index}] += {};", self.expr(Ty::Int, 2))
            }
            (Ty::Map, 1) => {
                let key = self.key();
                format!("{name}[{key}] = {};", self.expr(Ty::Int, 2))
            }
            (Ty::Map, 2) => {
                let key = self.key();
                format!("{name}[{key}] -= {};", self.expr(Ty::Int, 2))
            }
            (Ty::Any, 1) => format!("{name}.a = {};", self.any(2)),
            (Ty::Any, 2) => format!("{name}.b += {};", self.expr(Ty::Int, 2)),
            (Ty::Any, 3) => {
                let index = self.expr(Ty::Int, 1);
                format!("{name}[{index}] = {};", self.any(2))
            }
            (Ty::Any, 4) => {
                let key = self.key();
                format!("{name}[{key}] = {};", self.any(2))
            }
            (Ty::Grid, 1 | 2) => {
                let (row, column) = (self.expr(Ty::Int, 1), self.expr(Ty::Int, 1));
                let op = ["=", "+=", "*="][self.tape.pick(3)];
                format!("{name}[{row}][{column}] {op} {};", self.expr(Ty::Int, 2))
            }
            (Ty::Grid, 3) => {
                let row = self.expr(Ty::Int, 1);
                format!("{name}[{row}] = {};", self.expr(Ty::List, 2))
            }
            (Ty::Point, 1) => format!("{name}.a = {};", self.expr(Ty::Int, 2)),
            (Ty::Point, 2) => format!("{name}.a *= {};", self.expr(Ty::Int, 2)),
            (Ty::Point, 3) => format!("{name}.b += {};", self.shown(2)),
            (Ty::Point, 4) => {
                let index = self.expr(Ty::Int, 1);
                format!("{name}.c[{index}] = {};", self.expr(Ty::Int, 2))
            }
            _ => format!("{name} = {};", self.expr(ty, 3)),
        })
    }

    /// Methods that change what stands on their left.
    pub(super) fn change(&mut self) -> Option<String> {
        let lists = self.places(Ty::List);
        let points = self.places(Ty::Point).into_iter();
        let mut all = lists;
        all.extend(points.map(|point| format!("{point}.c")));
        for grid in self.places(Ty::Grid) {
            all.push(format!("{grid}[{}]", self.expr(Ty::Int, 1)));
        }
        if self.tape.pick(4) == 3 {
            let maps = self.places(Ty::Map);
            let map = self.one(&maps)?;
            let key = self.key();
            return Some(match self.tape.pick(2) {
                0 => format!("{map}.insert({key}, {});", self.expr(Ty::Int, 2)),
                _ => format!("print({map}.remove({key}));"),
            });
        }
        let list = self.one(&all)?;
        Some(match self.tape.pick(4) {
            0 => format!("{list}.push({});", self.expr(Ty::Int, 2)),
            1 => {
                let place = self.expr(Ty::Int, 1);
                format!("{list}.insert({place}, {});", self.expr(Ty::Int, 2))
            }
            2 => format!("print({list}.remove({}));", self.expr(Ty::Int, 1)),
            _ => format!("{list}.sort();"),
        })
    }

    /// Leaves the loop, the function, or by an error, under a condition.
    pub(super) fn leave(&mut self) -> Option<String> {
        let condition = self.expr(Ty::Bool, 2);
        let loops = self.loops.last().copied().unwrap_or(0);
        let leaves = match self.tape.pick(6) {
            5 => "fail(\"mine\");".to_owned(),
            0 | 1 if loops > 0 => ["break;", "continue;"][self.tape.pick(2)].to_owned(),
            2 => format!("return {};", self.expr(self.result, 2)),
            3 => format!("error({}, kind: \"mine\");", self.expr(Ty::Text, 1)),
            _ => format!("error({});", self.expr(Ty::Text, 1)),
        };
        Some(format!("if {condition} {{ {leaves} }}"))
    }

    pub(super) fn if_(&mut self, depth: usize) -> String {
        let condition = self.expr(Ty::Bool, 2);
        let mut text = format!("if {condition} {}", self.block(depth - 1));
        if self.tape.pick(3) == 1 {
            let condition = self.expr(Ty::Bool, 2);
            text += &format!(" else if {condition} {}", self.block(depth - 1));
        }
        if self.tape.pick(2) == 1 {
            text += &format!(" else {}", self.block(depth - 1));
        }
        text
    }

    pub(super) fn looped(&mut self, depth: usize, name: &str, ty: Ty) -> String {
        let mark = self.vars.len();
        self.declare(name, ty, false);
        if let Some(loops) = self.loops.last_mut() {
            *loops += 1;
        }
        let body = self.block(depth - 1);
        if let Some(loops) = self.loops.last_mut() {
            *loops -= 1;
        }
        self.vars.truncate(mark);
        body
    }

    pub(super) fn for_(&mut self, depth: usize) -> String {
        let (over, ty) = match self.tape.pick(5) {
            1 => (self.expr(Ty::Text, 2), Ty::Text),
            2 => (format!("({}).keys()", self.expr(Ty::Map, 2)), Ty::Text),
            3 => (format!("({}).to_set()", self.expr(Ty::List, 2)), Ty::Int),
            4 => (format!("range(0, {})", self.tape.pick(5)), Ty::Int),
            _ => (self.expr(Ty::List, 2), Ty::Int),
        };
        let name = self.fresh();
        format!("for {name} in ({over}) {}", self.looped(depth, &name, ty))
    }

    pub(super) fn while_(&mut self, depth: usize) -> String {
        let name = self.fresh();
        let most = 1 + self.tape.pick(4);
        let condition = match self.tape.pick(2) {
            0 => String::new(),
            _ => format!(" && {}", self.expr(Ty::Bool, 2)),
        };
        let body = self.looped(depth, &name, Ty::Int);
        // It counts first, so that `continue` does too.
        let body = &body[1..];
        format!("let {name} = 0;\nwhile {name} < {most}{condition} {{\n{name} += 1;{body}")
    }

    pub(super) fn match_(&mut self, depth: usize) -> String {
        let (subject, arms) = self.patterns(2);
        let mut text = format!("match {subject} {{\n");
        for (pattern, bound) in arms {
            let mark = self.vars.len();
            if let Some((name, ty)) = bound {
                self.declare(&name, ty, true);
            }
            let guard = self.guard();
            text += &format!("{pattern}{guard} => {}\n", self.block(depth - 1));
            self.vars.truncate(mark);
        }
        text + "}"
    }

    pub(super) fn guard(&mut self) -> String {
        match self.tape.pick(4) {
            1 => format!(" if {}", self.expr(Ty::Bool, 2)),
            _ => String::new(),
        }
    }

    /// A subject, and patterns for it with the variables that they bind.
    #[allow(clippy::type_complexity)]
    pub(super) fn patterns(
        &mut self,
        depth: usize,
    ) -> (String, Vec<(String, Option<(String, Ty)>)>) {
        let plain = |text: &str| (text.to_owned(), None);
        let name = self.fresh();
        let bound = |pattern: String, ty: Ty| (pattern, Some((name.clone(), ty)));
        let (subject, mut arms) = match self.tape.pick(5) {
            1 => {
                let subject = self.expr(Ty::Option, depth);
                let arms = vec![plain("Some(2)"), bound(format!("Some({name})"), Ty::Int)];
                (subject, arms)
            }
            2 => {
                let subject = format!("risky({})", self.expr(Ty::Int, depth));
                let mut arms = vec![bound(format!("Ok({name})"), Ty::Int)];
                match self.tape.pick(3) {
                    0 => arms.push(plain("Err(_)")),
                    1 => arms.push(plain("Err(\"risk 0\")")),
                    _ => arms.push((
                        format!("Err({name}e)"),
                        Some((format!("{name}e"), Ty::Text)),
                    )),
                }
                return (subject, arms);
            }
            3 => {
                let subject = self.expr(Ty::Text, depth);
                (
                    subject,
                    vec![plain("\"a\" | \"é\""), bound(name.clone(), Ty::Text)],
                )
            }
            4 => {
                let subject = self.expr(Ty::Bool, depth);
                (subject, vec![plain("true"), plain("false")])
            }
            _ => {
                let subject = self.expr(Ty::Int, depth);
                let arms = vec![plain("0 | 1"), plain("-1"), bound(name.clone(), Ty::Int)];
                (subject, arms)
            }
        };
        if self.tape.pick(3) == 1 {
            arms.pop();
        }
        if self.tape.pick(3) != 1 {
            arms.push(plain("_"));
        }
        (subject, arms)
    }

    pub(super) fn try_(&mut self, depth: usize) -> String {
        let mut text = format!("try {}", self.block(depth - 1));
        let kinds = ["mine", "missing_field", "unbound_name", "no_match"];
        for _ in 0..self.tape.pick(2) {
            let kind = kinds[self.tape.pick(kinds.len())];
            text += &self.catch(kind, depth);
        }
        if self.tape.pick(4) != 1 || !text.contains("catch") {
            text += &self.catch("", depth);
        }
        text
    }

    pub(super) fn catch(&mut self, kind: &str, depth: usize) -> String {
        let name = self.fresh();
        let mark = self.vars.len();
        let body = self.block(depth - 1);
        self.vars.truncate(mark);
        let said = format!("print({name}.kind, {name}.message);");
        format!(" catch ({kind} {name}) {{\n{said}{}", &body[1..])
    }

    pub(super) fn if_let(&mut self, depth: usize) -> String {
        let value = self.expr(Ty::Option, 2);
        let name = self.fresh();
        let mark = self.vars.len();
        self.declare(&name, Ty::Int, true);
        let then = self.block(depth - 1);
        self.vars.truncate(mark);
        let otherwise = match self.tape.pick(2) {
            0 => String::new(),
            _ => format!(" else {}", self.block(depth - 1)),
        };
        format!("if let Some({name}) = {value} {then}{otherwise}")
    }
}
