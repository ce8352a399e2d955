//! Expressions. Each stands in brackets where that may matter.

use super::{Function, Generator, TYPES, Ty};

impl Generator<'_> {
    pub(super) fn any(&mut self, depth: usize) -> String {
        // Functions are shown alike.
        let ty = TYPES[self.tape.pick(TYPES.len() - 2)];
        self.expr(ty, depth)
    }

    /// What may be put behind a text.
    pub(super) fn shown(&mut self, depth: usize) -> String {
        let types = [Ty::Text, Ty::Int, Ty::List, Ty::Float, Ty::Bool, Ty::Point];
        let ty = types[self.tape.pick(types.len())];
        self.expr(ty, depth)
    }

    pub(super) fn key(&mut self) -> String {
        ["\"a\"", "\"b\"", "\"c d\""][self.tape.pick(3)].to_owned()
    }

    pub(super) fn expr(&mut self, ty: Ty, depth: usize) -> String {
        if depth == 0 || self.left == 0 || self.tape.is_over() {
            return self.leaf(ty);
        }
        self.left -= 1;
        let inner = depth - 1;
        match self.tape.pick(8) {
            0..=2 => self.leaf(ty),
            3 => self.anywhere(ty, inner),
            _ => match ty {
                Ty::Int => self.int(inner),
                Ty::Float => self.float(inner),
                Ty::Bool => self.bool(inner),
                Ty::Text => self.text(inner),
                Ty::List => self.list(inner),
                Ty::Map => self.map(inner),
                Ty::Point => {
                    let a = self.expr(Ty::Int, inner);
                    match self.tape.pick(4) {
                        0 => format!("Point {{ a: {a} }}"),
                        3 => "Point::new()".to_owned(),
                        1 => format!("Point {{ b: {}, a: {a} }}", self.expr(Ty::Text, inner)),
                        _ => format!("Point {{ c: {}, a: {a} }}", self.expr(Ty::List, inner)),
                    }
                }
                Ty::Option => match self.tape.pick(3) {
                    0 => format!("maybe({})", self.expr(Ty::Int, inner)),
                    1 => {
                        let list = self.expr(Ty::List, inner);
                        format!(
                            "({list}).find({})",
                            self.lambda(&[Ty::Int], Ty::Bool, inner)
                        )
                    }
                    _ => format!("({}).first()", self.expr(Ty::List, inner)),
                },
                Ty::Lambda => match self.tape.pick(5) {
                    4 => "twice".to_owned(),
                    _ => self.lambda(&[Ty::Int], Ty::Int, inner),
                },
                Ty::Any => self.any(inner),
                Ty::Grid => match self.tape.pick(3) {
                    0 => {
                        let (one, two) = (self.expr(Ty::List, inner), self.expr(Ty::List, inner));
                        format!("[{one}, {two}]")
                    }
                    1 => {
                        let list = self.expr(Ty::List, inner);
                        let row = self.lambda(&[Ty::Int], Ty::List, inner);
                        format!("({list}).map({row})")
                    }
                    _ => format!("[{}]", self.expr(Ty::List, inner)),
                },
            },
        }
    }

    pub(super) fn leaf(&mut self, ty: Ty) -> String {
        let vars = self.of(ty);
        if let 1..=4 = self.tape.pick(6)
            && let Some(name) = self.one(&vars)
        {
            return name;
        }
        match ty {
            Ty::Int => {
                let all = ["0", "1", "2", "3", "(-1)", "7", "9223372036854775807"];
                all[self.tape.pick(all.len())].to_owned()
            }
            Ty::Float => ["0.5", "1.0", "(-2.5)", "1e300"][self.tape.pick(4)].to_owned(),
            Ty::Bool => ["true", "false"][self.tape.pick(2)].to_owned(),
            Ty::Text => ["\"\"", "\"a\"", "\"é\"", "\"x😀y\""][self.tape.pick(4)].to_owned(),
            Ty::List => ["[]", "[1]", "[3, 1, 2]"][self.tape.pick(3)].to_owned(),
            Ty::Map => "map_of(1, 2)".to_owned(),
            Ty::Point => "Point { a: 1 }".to_owned(),
            Ty::Option => "maybe(2)".to_owned(),
            Ty::Lambda => format!("({} => 1)", self.fresh()),
            Ty::Any => ["null", "1", "\"t\"", "[1]", "{ a: 1 }"][self.tape.pick(5)].to_owned(),
            Ty::Grid => "[[1, 2], [3]]".to_owned(),
        }
    }

    /// What gives a value of any type.
    pub(super) fn anywhere(&mut self, ty: Ty, depth: usize) -> String {
        match self.tape.pick(7) {
            1 => {
                let condition = self.expr(Ty::Bool, depth);
                let (one, two) = (self.given(ty, depth), self.given(ty, depth));
                format!("(if {condition} {one} else {two})")
            }
            2 => {
                let body = self.given(ty, depth);
                let name = self.fresh();
                format!("(try {body} catch ({name}) {})", self.given(ty, depth))
            }
            3 => {
                let (subject, arms) = self.patterns(depth);
                let mut text = format!("(match {subject} {{ ");
                for (pattern, bound) in arms {
                    let mark = self.vars.len();
                    if let Some((name, ty)) = bound {
                        self.declare(&name, ty, false);
                    }
                    let guard = self.guard();
                    text += &format!("{pattern}{guard} => {}, ", self.expr(ty, depth));
                    self.vars.truncate(mark);
                }
                text + "})"
            }
            4 => format!("echo({})", self.expr(ty, depth)),
            5 => {
                let any = self.of(Ty::Any);
                match self.one(&any) {
                    Some(name) => name,
                    None => self.leaf(ty),
                }
            }
            _ => self.called(ty, depth),
        }
    }

    /// A block that gives a value.
    pub(super) fn given(&mut self, ty: Ty, depth: usize) -> String {
        let mark = self.vars.len();
        let mut text = String::from("{ ");
        if self.tape.pick(2) == 1 {
            text += &self.statement(0);
        }
        text += &format!("{} }}", self.expr(ty, depth));
        self.vars.truncate(mark);
        text
    }

    pub(super) fn called(&mut self, ty: Ty, depth: usize) -> String {
        let functions = self.functions.iter().filter(|one| one.result == ty);
        let functions: Vec<Function> = functions.cloned().collect();
        if functions.is_empty() {
            return self.leaf(ty);
        }
        let function = functions[self.tape.pick(functions.len())].clone();
        let mut arguments = Vec::new();
        let mut named = false;
        for (number, (ty, optional)) in function.params.iter().enumerate() {
            if *optional && self.tape.pick(3) == 1 {
                named = true;
                continue;
            }
            let value = self.expr(*ty, depth);
            match named {
                true => arguments.push(format!("p{number}: {value}")),
                false => arguments.push(value),
            }
        }
        format!("{}({})", function.name, arguments.join(", "))
    }

    pub(super) fn lambda(&mut self, params: &[Ty], result: Ty, depth: usize) -> String {
        let mark = self.vars.len();
        self.level += 1;
        self.loops.push(0);
        let before = std::mem::replace(&mut self.result, result);
        let mut names = Vec::new();
        for ty in params {
            let name = self.fresh();
            self.declare(&name, *ty, true);
            names.push(name);
        }
        let body = match self.tape.pick(4) {
            1 => {
                let mut text = String::from("{ ");
                text += &self.statement(depth.min(1));
                text += &self.expr(result, depth);
                text + " }"
            }
            _ => self.expr(result, depth),
        };
        self.result = before;
        self.loops.pop();
        self.level -= 1;
        self.vars.truncate(mark);
        match &*names {
            [name] => format!("({name} => {body})"),
            names => format!("(({}) => {body})", names.join(", ")),
        }
    }

    pub(super) fn int(&mut self, depth: usize) -> String {
        match self.tape.pick(14) {
            0..=2 => {
                let op = ["+", "-", "*", "%"][self.tape.pick(4)];
                let (one, two) = (self.expr(Ty::Int, depth), self.expr(Ty::Int, depth));
                format!("({one} {op} {two})")
            }
            3 => {
                let list = self.expr(Ty::List, depth);
                format!("({list})[{}]", self.expr(Ty::Int, depth))
            }
            4 if self.tape.pick(2) == 1 => {
                let (grid, row) = (self.expr(Ty::Grid, depth), self.expr(Ty::Int, depth));
                format!("({grid})[{row}].length")
            }
            4 => format!("({}).length", self.expr(Ty::List, depth)),
            5 => format!("({}).length()", self.expr(Ty::Text, depth)),
            6 => format!("({}).a", self.expr(Ty::Point, depth)),
            7 => {
                let map = self.expr(Ty::Map, depth);
                format!("({map})[{}]", self.key())
            }
            8 => self.unbound(),
            9 => {
                let lambdas = self.of(Ty::Lambda);
                match self.one(&lambdas) {
                    Some(name) => format!("{name}({})", self.expr(Ty::Int, depth)),
                    None => self.leaf(Ty::Int),
                }
            }
            10 => {
                let list = self.expr(Ty::List, depth);
                let lambda = self.lambda(&[Ty::Int, Ty::Int], Ty::Int, depth);
                format!("({list}).reduce({lambda}, {})", self.expr(Ty::Int, depth))
            }
            11 => format!("(-{})", self.expr(Ty::Int, depth)),
            12 => format!("risky({})", self.expr(Ty::Int, depth)),
            _ => {
                let (map, key) = (self.expr(Ty::Map, depth), self.key());
                format!("({map}).get({key}, {})", self.expr(Ty::Int, depth))
            }
        }
    }

    pub(super) fn float(&mut self, depth: usize) -> String {
        let one = match self.tape.pick(2) {
            0 => self.expr(Ty::Int, depth),
            _ => self.expr(Ty::Float, depth),
        };
        let two = self.expr(Ty::Float, depth);
        match self.tape.pick(5) {
            0 => {
                let (one, two) = (self.expr(Ty::Int, depth), self.expr(Ty::Int, depth));
                format!("({one} / {two})")
            }
            1 => format!("({one} + {two})"),
            2 => format!("({one} * {two})"),
            3 => format!("({two} - {one})"),
            _ => format!("({one} / {two})"),
        }
    }

    pub(super) fn bool(&mut self, depth: usize) -> String {
        let order = ["==", "!=", "<", "<=", ">", ">="];
        match self.tape.pick(12) {
            0 | 1 => {
                let op = order[self.tape.pick(order.len())];
                let (one, two) = (self.expr(Ty::Int, depth), self.expr(Ty::Int, depth));
                format!("({one} {op} {two})")
            }
            2 => {
                let op = order[self.tape.pick(order.len())];
                let (one, two) = (self.expr(Ty::Text, depth), self.expr(Ty::Text, depth));
                format!("({one} {op} {two})")
            }
            3 => {
                let op = order[self.tape.pick(order.len())];
                let (one, two) = (self.expr(Ty::Int, depth), self.expr(Ty::Float, depth));
                format!("({one} {op} {two})")
            }
            4 => {
                let op = ["==", "!="][self.tape.pick(2)];
                let all = [Ty::List, Ty::Point, Ty::Map, Ty::Option, Ty::Grid];
                let ty = all[self.tape.pick(all.len())];
                let (one, two) = (self.expr(ty, depth), self.expr(ty, depth));
                format!("({one} {op} {two})")
            }
            5 => {
                let op = ["&&", "||"][self.tape.pick(2)];
                let (one, two) = (self.expr(Ty::Bool, depth), self.expr(Ty::Bool, depth));
                format!("({one} {op} {two})")
            }
            6 => format!("(!{})", self.expr(Ty::Bool, depth)),
            7 => {
                let op = ["in", "not in"][self.tape.pick(2)];
                let (one, two) = (self.expr(Ty::Int, depth), self.expr(Ty::List, depth));
                format!("({one} {op} {two})")
            }
            8 => {
                let (one, two) = (self.expr(Ty::Text, depth), self.expr(Ty::Text, depth));
                format!("({one} in {two})")
            }
            9 => format!("({} == null)", self.expr(Ty::Option, depth)),
            10 => {
                let any = self.of(Ty::Any);
                match self.one(&any) {
                    Some(name) => format!("({name}.a != null)"),
                    None => self.leaf(Ty::Bool),
                }
            }
            _ => {
                let method = ["any", "all"][self.tape.pick(2)];
                let list = self.expr(Ty::List, depth);
                let test = self.lambda(&[Ty::Int], Ty::Bool, depth);
                format!("({list}).{method}({test})")
            }
        }
    }

    pub(super) fn text(&mut self, depth: usize) -> String {
        match self.tape.pick(7) {
            0 | 1 => {
                let (one, two) = (self.expr(Ty::Text, depth), self.shown(depth));
                format!("({one} + {two})")
            }
            2 => format!("({}).upper()", self.expr(Ty::Text, depth)),
            3 => format!("({}).b", self.expr(Ty::Point, depth)),
            4 => {
                let text = self.expr(Ty::Text, depth);
                format!("({text})[{}]", self.expr(Ty::Int, depth))
            }
            5 => format!("({}).join(\",\")", self.expr(Ty::List, depth)),
            _ => format!("to_string({})", self.any(depth)),
        }
    }

    pub(super) fn list(&mut self, depth: usize) -> String {
        match self.tape.pick(8) {
            0 => {
                let items: Vec<String> = (0..self.tape.pick(4))
                    .map(|_| self.expr(Ty::Int, depth))
                    .collect();
                format!("[{}]", items.join(", "))
            }
            1 => {
                let (one, two) = (self.expr(Ty::List, depth), self.expr(Ty::List, depth));
                format!("({one} + {two})")
            }
            2 => {
                let list = self.expr(Ty::List, depth);
                format!("({list}).map({})", self.lambda(&[Ty::Int], Ty::Int, depth))
            }
            3 => {
                let list = self.expr(Ty::List, depth);
                format!(
                    "({list}).filter({})",
                    self.lambda(&[Ty::Int], Ty::Bool, depth)
                )
            }
            4 => format!("({}).values()", self.expr(Ty::Map, depth)),
            5 => format!("({}).c", self.expr(Ty::Point, depth)),
            6 => format!("({}).sorted()", self.expr(Ty::List, depth)),
            _ => format!("({}).reversed()", self.expr(Ty::List, depth)),
        }
    }

    pub(super) fn map(&mut self, depth: usize) -> String {
        match self.tape.pick(3) {
            0 => {
                let (one, two) = (self.expr(Ty::Int, depth), self.expr(Ty::Int, depth));
                format!("map_of({one}, {two})")
            }
            1 => {
                let (one, two) = (self.expr(Ty::Map, depth), self.expr(Ty::Map, depth));
                format!("({one}).merge({two})")
            }
            _ => {
                let map = self.expr(Ty::Map, depth);
                let lambda = self.lambda(&[Ty::Int], Ty::Int, depth);
                format!("({map}).map_values({lambda})")
            }
        }
    }
}
