//! The machine: runs chunks, one instruction after the other.
//!
//! It has no effects. What touches the world is a [`Request`]: the machine
//! stops, and goes on when it is given the answer. Calls are frames in a list,
//! and functions of the library that call back are frames too, so no program
//! uses the stack of the host, and the state can be written down at any time.

mod calls;
mod errors;
mod memory;
mod ops;
mod patterns;
mod places;
mod request;
mod state;

use std::sync::Arc;

use crate::fits::{empty, hold};
use crate::image::{CONST, Chunk, Image, Instr, Reg};
use crate::library::Each;
use crate::meter::Meter;
use crate::raise::{Failure, Raise, kinds};
use crate::value::{At, List, Map, Problem, Value};

pub use request::{Given, Request, What};
pub use state::{State, StateError};

/// How deep calls may nest.
pub const MAX_CALLS: usize = 10_000;

/// A program that runs.
#[derive(Debug)]
pub struct Machine {
    image: Arc<Image>,
    stack: Vec<Value>,
    frames: Vec<Frame>,
    meter: Meter,
    status: Status,
    /// How often the host was asked.
    asked: u64,
}

/// A call that is not over.
#[derive(Debug)]
enum Frame {
    Code {
        chunk: u32,
        /// The next instruction.
        pc: u32,
        /// Where its registers begin.
        base: u32,
        /// Where its value goes.
        dst: u32,
        /// Where the registers of it and of all frames below it end. A callee
        /// with few registers may end before its caller does.
        top: u32,
    },
    /// A function of the library that calls back.
    Each { each: Box<Each>, dst: u32 },
}

#[derive(Debug)]
enum Status {
    Ready,
    /// The host was asked, and the answer goes here.
    Waiting {
        dst: u32,
    },
    Ended,
}

/// Why a machine stops.
#[derive(Debug)]
pub enum Step {
    /// The host is asked.
    Asked(Box<Request>),
    /// As many steps as were given have been taken. It may go on.
    Paused,
    /// It has ended.
    Ended(Ended),
}

/// How a program ends.
#[derive(Debug)]
pub enum Ended {
    /// With a value.
    Value(Value),
    /// With an error that nobody caught.
    Raised(Arc<Problem>),
    /// It has used all steps that it may.
    Fuel,
    /// It needs more memory than it may.
    Memory,
}

/// Where the machine is.
struct Now<'i> {
    chunk: &'i Chunk,
    base: usize,
    pc: usize,
}

impl Machine {
    /// A machine that will run the body of an agent with these parameters, in
    /// their order; those that are left out are [`Value::Unset`].
    ///
    /// `None` if there is no such agent.
    pub fn agent(
        image: &Arc<Image>,
        module: u32,
        name: &str,
        input: Vec<Value>,
        meter: Meter,
    ) -> Option<Self> {
        let chunk = *image.agents.get(&(module, name.into()))?;
        Some(Self::start(image, chunk, input, meter))
    }

    /// A machine that will run a function of a file.
    ///
    /// `None` if there is no such function.
    pub fn function(
        image: &Arc<Image>,
        module: u32,
        name: &str,
        input: Vec<Value>,
        meter: Meter,
    ) -> Option<Self> {
        let chunk = *image.functions.get(&(module, None, name.into()))?;
        Some(Self::start(image, chunk, input, meter))
    }

    /// The chunk is one of the image.
    fn start(image: &Arc<Image>, chunk: u32, mut input: Vec<Value>, meter: Meter) -> Self {
        let registers = image
            .chunks
            .get(chunk as usize)
            .map_or(0, |chunk| chunk.registers);
        input.resize(registers as usize, Value::Unset);
        Machine {
            image: image.clone(),
            stack: input,
            frames: vec![Frame::Code {
                chunk,
                pc: 0,
                base: 0,
                dst: 0,
                top: registers,
            }],
            meter,
            status: Status::Ready,
            asked: 0,
        }
    }

    /// The steps that are left.
    pub fn fuel(&self) -> u64 {
        self.meter.fuel
    }

    /// What it has used and may use.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// The values of its first variables: of one that has not begun, its
    /// parameters.
    pub fn first(&self, count: usize) -> Vec<Value> {
        self.stack.iter().take(count).cloned().collect()
    }

    /// Gives the answer to what was asked.
    pub fn answer(&mut self, answer: Result<Value, Raise>) {
        let Status::Waiting { dst } = self.status else {
            return;
        };
        self.status = Status::Ready;
        match answer {
            Ok(value) => {
                // It is there already; what there is too much of is seen when
                // memory is asked for next.
                self.meter.since = self.meter.since.saturating_add(memory::size(&value));
                if let Some(place) = self.stack.get_mut(dst as usize) {
                    *place = value;
                }
            }
            Err(raise) => {
                let image = self.image.clone();
                if let Err(problem) = self.raise(&image, raise) {
                    self.status = Status::Ended;
                    self.frames.clear();
                    self.stack.clear();
                    self.stack.push(Value::Error(problem));
                }
            }
        }
    }

    /// Runs until the host is asked, the program ends, or so many steps are
    /// taken.
    pub fn run(&mut self, steps: u64) -> Step {
        match self.status {
            Status::Ready => {}
            Status::Waiting { .. } => return Step::Paused,
            Status::Ended => {
                return Step::Ended(match self.stack.pop() {
                    Some(Value::Error(problem)) if self.frames.is_empty() => Ended::Raised(problem),
                    Some(value) => Ended::Value(value),
                    None => Ended::Value(Value::Null),
                });
            }
        }
        let image = self.image.clone();
        let step = self.execute(&image, self.meter.fuel.saturating_sub(steps));
        if let Step::Ended(_) = step {
            self.status = Status::Ended;
            self.frames.clear();
            self.stack.clear();
        }
        step
    }

    /// The frame on top, which is one of code.
    fn now<'i>(&self, image: &'i Image) -> Option<Now<'i>> {
        match self.frames.last()? {
            Frame::Code {
                chunk, pc, base, ..
            } => Some(Now {
                chunk: image.chunks.get(*chunk as usize)?,
                base: *base as usize,
                pc: *pc as usize,
            }),
            Frame::Each { .. } => None,
        }
    }

    /// Writes down where the machine is.
    fn save(&mut self, at: usize) {
        if let Some(Frame::Code { pc, .. }) = self.frames.last_mut() {
            *pc = at as u32;
        }
    }

    fn execute(&mut self, image: &Image, stop: u64) -> Step {
        let Some(Now {
            mut chunk,
            mut base,
            mut pc,
        }) = self.now(image)
        else {
            return Step::Ended(Ended::Value(Value::Null));
        };
        let mut retry = false;

        // The value of an operand. Registers and constants are in range, because
        // the chunk was made here.
        macro_rules! get {
            ($opd:expr) => {
                match $opd & CONST == 0 {
                    true => &self.stack[base + $opd as usize],
                    false => &chunk.consts[($opd & !CONST) as usize],
                }
            };
        }
        macro_rules! set {
            ($reg:expr, $value:expr) => {{
                let value = $value;
                self.stack[base + $reg as usize] = value;
            }};
        }
        macro_rules! reload {
            () => {
                match self.now(image) {
                    Some(now) => (chunk, base, pc) = (now.chunk, now.base, now.pc),
                    None => return Step::Ended(Ended::Value(Value::Null)),
                }
            };
        }
        // What an instruction gives, or on with its error.
        macro_rules! ok {
            ($outcome:expr) => {
                match $outcome {
                    Ok(value) => value,
                    Err(failure) => {
                        self.save(pc);
                        match self.failed(image, failure.into(), retry) {
                            errors::Then::Again => {
                                retry = true;
                                pc -= 1;
                                continue;
                            }
                            errors::Then::Caught => {
                                reload!();
                                continue;
                            }
                            errors::Then::Ended(ended) => return Step::Ended(ended),
                        }
                    }
                }
            };
        }
        macro_rules! entered {
            ($flow:expr) => {{
                self.save(pc);
                match ok!($flow) {
                    calls::Flow::Next => {}
                    calls::Flow::Entered => reload!(),
                    calls::Flow::Asked(request) => return Step::Asked(request),
                    calls::Flow::Ended(value) => return Step::Ended(Ended::Value(value)),
                }
            }};
        }

        loop {
            if self.meter.fuel <= stop {
                self.save(pc);
                return match self.meter.fuel {
                    0 => Step::Ended(Ended::Fuel),
                    _ => Step::Paused,
                };
            }
            self.meter.fuel -= 1;
            let instr = chunk.code[pc];
            pc += 1;
            match instr {
                Instr::Move { dst, from } => {
                    let value = get!(from).clone();
                    set!(dst, value);
                }
                Instr::Take { dst, from } => {
                    let value = std::mem::take(&mut self.stack[base + from as usize]);
                    set!(dst, value);
                }
                Instr::Unset { dst } => set!(dst, Value::Unset),
                Instr::IsBound { reg, name } => {
                    if let Value::Unset = self.stack[base + reg as usize] {
                        ok!(Err::<(), Failure>(errors::unbound(chunk, name)));
                    }
                }
                Instr::Unbound { name } => {
                    ok!(Err::<(), Failure>(errors::unbound(chunk, name)));
                }
                Instr::Add { dst, a, b } => {
                    if let (Value::Int(one), Value::Int(two)) = (get!(a), get!(b))
                        && let Some(sum) = one.checked_add(*two)
                    {
                        set!(dst, Value::Int(sum));
                    } else if dst == a && a != b {
                        let mut place = std::mem::take(&mut self.stack[base + a as usize]);
                        let done = ops::add_to(&mut place, get!(b), &mut self.meter);
                        self.stack[base + a as usize] = place;
                        ok!(done);
                    } else {
                        let value = ok!(ops::add(get!(a), get!(b), &mut self.meter));
                        set!(dst, value);
                    }
                }
                Instr::Subtract { dst, a, b } => {
                    if let (Value::Int(one), Value::Int(two)) = (get!(a), get!(b))
                        && let Some(difference) = one.checked_sub(*two)
                    {
                        set!(dst, Value::Int(difference));
                    } else {
                        let op = symbi_ir::Op::Subtract;
                        let value = ok!(ops::arithmetic(op, get!(a), get!(b)));
                        set!(dst, value);
                    }
                }
                Instr::Multiply { dst, a, b } => {
                    if let (Value::Int(one), Value::Int(two)) = (get!(a), get!(b))
                        && let Some(product) = one.checked_mul(*two)
                    {
                        set!(dst, Value::Int(product));
                    } else {
                        let op = symbi_ir::Op::Multiply;
                        let value = ok!(ops::arithmetic(op, get!(a), get!(b)));
                        set!(dst, value);
                    }
                }
                Instr::Binary { op, dst, a, b } => {
                    let value = ok!(ops::binary(op, get!(a), get!(b), &mut self.meter));
                    set!(dst, value);
                }
                Instr::Not { dst, from } => {
                    let value = !ok!(ops::boolean(get!(from)));
                    set!(dst, Value::Bool(value));
                }
                Instr::Minus { dst, from } => {
                    let value = ok!(ops::minus(get!(from)));
                    set!(dst, value);
                }
                Instr::Jump { to } => pc = to as usize,
                Instr::JumpIf { cond, to } => {
                    if ok!(ops::boolean(get!(cond))) {
                        pc = to as usize;
                    }
                }
                Instr::JumpUnless { cond, to } => {
                    if !ok!(ops::boolean(get!(cond))) {
                        pc = to as usize;
                    }
                }
                Instr::JumpUnlessCompared { op, a, b, to } => {
                    if !ok!(ops::compared(op, get!(a), get!(b), &mut self.meter)) {
                        pc = to as usize;
                    }
                }
                Instr::IsBool { reg } => {
                    ok!(ops::boolean(get!(reg)));
                }
                Instr::JumpIfSet { reg, to } => {
                    if !matches!(self.stack[base + reg as usize], Value::Unset) {
                        pc = to as usize;
                    }
                }
                Instr::Check { reg, ty } => {
                    let bound = &chunk.types[ty as usize];
                    let value = &mut self.stack[base + reg as usize];
                    ok!(hold(value, &bound.ty, &bound.what));
                }
                Instr::List { dst, start, count } => {
                    let value = ok!(self.list(base + start as usize, count as usize));
                    set!(dst, value);
                }
                Instr::Extend { dst, start, count } => {
                    let start = base + start as usize;
                    ok!(self.extend(base + dst as usize, start, count as usize));
                }
                Instr::Record { dst, start, shape } => {
                    let fields = &chunk.shapes[shape as usize];
                    let value = ok!(self.record(fields, base + start as usize));
                    set!(dst, value);
                }
                Instr::Lacks { name } => {
                    ok!(Err::<(), Failure>(errors::lacks(chunk, name)));
                }
                Instr::New { dst, ty } => {
                    let ty = &chunk.types[ty as usize].ty;
                    match ok!(empty(ty)) {
                        Some(value) => set!(dst, value),
                        None => ok!(Err::<(), Failure>(errors::no_empty(ty))),
                    }
                }
                Instr::Lambda { dst, lambda } => {
                    let value = ok!(self.lambda(&chunk.lambdas[lambda as usize], base));
                    set!(dst, value);
                }
                Instr::Field { dst, object, name } => {
                    let object = get!(object);
                    let name = errors::text(chunk, name);
                    // What is looked up most is looked up first.
                    if let Value::Map(map) = object
                        && let Some(value) = map.field(name)
                    {
                        let value = value.clone();
                        set!(dst, value);
                        continue;
                    }
                    let at = |at: At| errors::span(image, at);
                    let value = ok!(ops::field(object, name, &at));
                    set!(dst, value);
                }
                Instr::FieldOrNull { dst, object, name } => {
                    let name = errors::text(chunk, name);
                    let at = |at: At| errors::span(image, at);
                    let value = match ops::field(get!(object), name, &at) {
                        Err(Failure::Raise(raise)) if raise.kind == kinds::MISSING_FIELD => {
                            Value::Null
                        }
                        other => ok!(other),
                    };
                    set!(dst, value);
                }
                Instr::Index { dst, object, index } => {
                    ok!(ops::pay(get!(index), &mut self.meter));
                    let value = ok!(ops::index(get!(object), get!(index)));
                    set!(dst, value);
                }
                Instr::Set { path, from } => {
                    let path = &chunk.paths[path as usize];
                    ok!(self.set_place(chunk, path, base, base + from as usize));
                }
                Instr::Get { dst, path } => {
                    let path = &chunk.paths[path as usize];
                    let value = ok!(self.get_place(chunk, path, base));
                    set!(dst, value);
                }
                Instr::Call {
                    dst,
                    chunk: number,
                    base: arguments,
                } => {
                    self.save(pc);
                    let from = base + arguments as usize;
                    ok!(self.enter(image, number, from, base + dst as usize));
                    reload!();
                }
                Instr::WrongCall { chunk: number } => {
                    ok!(Err::<(), Failure>(errors::wrong_call(image, number)));
                }
                Instr::CallValue { dst, callee, site } => {
                    let callee = get!(callee).clone();
                    let site = &chunk.sites[site as usize];
                    let from = base + site.base as usize;
                    let dst = base + dst as usize;
                    entered!(self.call_value(
                        image,
                        &callee,
                        &site.names,
                        from,
                        site.names.len(),
                        dst
                    ));
                }
                Instr::Library {
                    dst,
                    site,
                    base: arguments,
                } => {
                    let site = &chunk.sites[site as usize];
                    let from = base + arguments as usize;
                    let dst = base + dst as usize;
                    entered!(self.library(image, site, from, site.names.len(), dst));
                }
                Instr::Method {
                    dst,
                    site,
                    base: arguments,
                } => {
                    let site = &chunk.sites[site as usize];
                    let from = base + arguments as usize;
                    let dst = base + dst as usize;
                    entered!(self.method(image, site, from, dst));
                }
                Instr::MethodAt { dst, site } => {
                    let site = &chunk.sites[site as usize];
                    let path = &chunk.paths[site.path as usize];
                    let from = base + site.base as usize;
                    let dst = base + dst as usize;
                    entered!(self.method_at(image, chunk, site, path, base, from, dst));
                }
                Instr::Ask {
                    dst,
                    target,
                    base: arguments,
                } => {
                    let target = &chunk.calls[target as usize];
                    let from = base + arguments as usize;
                    let dst = base + dst as usize;
                    entered!(self.ask(image, target, from, dst));
                }
                Instr::JumpUnlessFits { subject, case, to } => {
                    let subject = base + subject as usize;
                    let fits = self.fits(&chunk.cases[case as usize], subject, base);
                    if !ok!(fits) {
                        pc = to as usize;
                    }
                }
                Instr::JumpUnlessKind { error, kind, to } => {
                    let kind = errors::text(chunk, kind);
                    let is = match get!(error) {
                        Value::Error(problem) => kinds::catches(kind, &problem.kind),
                        _ => false,
                    };
                    if !is {
                        pc = to as usize;
                    }
                }
                Instr::Raise { from } => {
                    let value = get!(from).clone();
                    ok!(Err::<(), Failure>(errors::given(value)));
                }
                Instr::Rethrow { error } => {
                    let value = get!(error).clone();
                    ok!(Err::<(), Failure>(errors::again(value)));
                }
                Instr::NoMatch => {
                    let message = "no arm of this `match` fits";
                    ok!(Err::<(), Raise>(Raise::new(kinds::NO_MATCH, message)));
                }
                Instr::Begin { iter } => {
                    let iter = base + iter as usize;
                    ok!(self.begin(iter));
                }
                Instr::Next { iter, dst, to } => {
                    let place = match self.stack[base + iter as usize + 1] {
                        Value::Int(place) => place as usize,
                        _ => 0,
                    };
                    let item = match &self.stack[base + iter as usize] {
                        Value::List(list) => list.items().get(place).cloned(),
                        Value::Text(text) => {
                            text.char_at(place).map(|c| Value::from(c.to_string()))
                        }
                        _ => None,
                    };
                    match item {
                        Some(item) => {
                            set!(iter + 1, Value::Int(place as i64 + 1));
                            set!(dst, item);
                        }
                        None => pc = to as usize,
                    }
                }
                Instr::Return { from } => {
                    let value = match from & CONST == 0 {
                        true => std::mem::take(&mut self.stack[base + from as usize]),
                        false => chunk.consts[(from & !CONST) as usize].clone(),
                    };
                    let value = match value {
                        Value::Unset => Value::Null,
                        value => value,
                    };
                    entered!(self.leave(image, value));
                }
            }
            retry = false;
        }
    }

    // What is made.

    fn list(&mut self, start: usize, count: usize) -> Result<Value, Failure> {
        self.meter.allocate(count * size_of::<Value>() + 64)?;
        let taken = self.stack[start..start + count]
            .iter_mut()
            .map(std::mem::take);
        Ok(List::new(taken.collect())?.into())
    }

    fn extend(&mut self, list: usize, start: usize, count: usize) -> Result<(), Failure> {
        self.meter.allocate(count * size_of::<Value>() * 2)?;
        let mut place = std::mem::take(&mut self.stack[list]);
        if let Value::List(list) = &mut place {
            let list = Arc::make_mut(list);
            for item in &mut self.stack[start..start + count] {
                list.push(std::mem::take(item))?;
            }
        }
        self.stack[list] = place;
        Ok(())
    }

    fn record(&mut self, fields: &crate::image::Fields, start: usize) -> Result<Value, Failure> {
        self.meter.allocate(fields.names.len() * 48 + 96)?;
        let mut map = Map::with_capacity(fields.names.len());
        map.of.clone_from(&fields.of);
        for (at, name) in fields.names.iter().enumerate() {
            map.insert(name.clone(), std::mem::take(&mut self.stack[start + at]))?;
        }
        Ok(map.into())
    }

    fn lambda(&mut self, at: &crate::image::LambdaAt, base: usize) -> Result<Value, Failure> {
        self.meter
            .allocate(at.from.len() * size_of::<Value>() + 64)?;
        let captured = at
            .from
            .iter()
            .map(|from: &Reg| self.stack[base + *from as usize].clone());
        let lambda = crate::value::Lambda::new(at.chunk, captured.collect())?;
        Ok(Value::Lambda(Arc::new(lambda)))
    }

    /// Makes a value ready to be gone through.
    fn begin(&mut self, iter: usize) -> Result<(), Failure> {
        let items = match &self.stack[iter] {
            Value::List(_) | Value::Text(_) => None,
            Value::Set(set) => Some(set.elements().cloned().collect::<Vec<Value>>()),
            Value::Map(map) => Some(map.entries().map(|(key, _)| key.clone()).collect()),
            other => {
                let message = format!(
                    "a loop goes over a list, and this is {}",
                    other.with_article()
                );
                return Err(Raise::new(kinds::WRONG_TYPE, message).into());
            }
        };
        if let Some(items) = items {
            self.meter.allocate(items.len() * size_of::<Value>())?;
            self.meter.work(items.len())?;
            self.stack[iter] = Value::list(items)?;
        }
        self.stack[iter + 1] = Value::Int(0);
        Ok(())
    }
}
