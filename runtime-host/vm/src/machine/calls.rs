//! Calls: of chunks, of functions of the library, of methods, of values; and
//! what the host is asked for.

use std::sync::Arc;

use super::errors::{fixed, wrong_count};
use super::{Frame, MAX_CALLS, Machine, Status};
use super::{Given, Request, What};
use crate::image::{Chunk, Image, Path, Target, TargetKind};
use crate::library::{self, Candidate, Cx, Does, Each, Next, Site};
use crate::raise::{Failure, Raise, kinds};
use crate::text::Text;
use crate::value::{Function, Value};

/// What follows on a call.
pub(super) enum Flow {
    /// Its value is there.
    Next,
    /// A frame was entered or left.
    Entered,
    /// The host is asked.
    Asked(Box<Request>),
    /// The program ends with a value.
    Ended(Value),
}

impl Machine {
    /// Enters a chunk whose parameters stand from `from` on.
    pub(super) fn enter(
        &mut self,
        image: &Image,
        number: u32,
        from: usize,
        dst: usize,
    ) -> Result<(), Failure> {
        if self.frames.len() >= MAX_CALLS {
            return Err(Raise::new(
                kinds::TOO_DEEP,
                format!("calls nest deeper than {MAX_CALLS}"),
            )
            .into());
        }
        let chunk = &image.chunks[number as usize];
        let end = from + chunk.registers as usize;
        if self.stack.len() < end {
            if self.stack.capacity() < end {
                self.meter
                    .allocate((end - self.stack.len()) * size_of::<Value>())?;
            }
            self.stack.resize(end, Value::Unset);
        }
        let params = from + chunk.params as usize;
        let slots = from + chunk.slots as usize;
        if params < slots {
            self.stack[params..slots].fill(Value::Unset);
        }
        self.frames.push(Frame::Code {
            chunk: number,
            pc: 0,
            base: from as u32,
            dst: dst as u32,
            top: end.max(self.top()) as u32,
        });
        Ok(())
    }

    /// Where the registers of all frames end.
    pub(super) fn top(&self) -> usize {
        let mut frames = self.frames.iter().rev();
        let top = frames.find_map(|frame| match frame {
            Frame::Code { top, .. } => Some(*top as usize),
            Frame::Each { .. } => None,
        });
        top.unwrap_or(0)
    }

    /// Leaves the top frame with a value.
    pub(super) fn leave(&mut self, image: &Image, value: Value) -> Result<Flow, Failure> {
        let Some(Frame::Code { base, dst, .. }) = self.frames.pop() else {
            return Ok(Flow::Ended(value));
        };
        let base = base as usize;
        let dst = dst as usize;
        match self.frames.last() {
            None => Ok(Flow::Ended(value)),
            Some(Frame::Code { top, .. }) => {
                self.stack.truncate(*top as usize);
                // What is left would keep values from being changed in place.
                for left in &mut self.stack[base..] {
                    *left = Value::Unset;
                }
                self.stack[dst] = value;
                Ok(Flow::Entered)
            }
            Some(Frame::Each { .. }) => {
                self.stack.truncate(base);
                self.resume(image, value)
            }
        }
    }

    /// Gives a function of the library what its lambda gave.
    fn resume(&mut self, image: &Image, value: Value) -> Result<Flow, Failure> {
        let Some(Frame::Each { dst, .. }) = self.frames.last() else {
            return Ok(Flow::Entered);
        };
        let dst = *dst as usize;
        let next = self.resume_top(value)?;
        self.go_on(image, next, dst)
    }

    /// Lets the function of the library on top go on. Nothing can be done once
    /// more by the instruction here, which is that of the lambda: where memory
    /// is short, it is counted at once.
    fn resume_top(&mut self, value: Value) -> Result<Next, Failure> {
        let kept = value.clone();
        match self.resume_once(value) {
            Err(Failure::Memory) => {
                self.measure()?;
                self.resume_once(kept)
            }
            other => other,
        }
    }

    fn resume_once(&mut self, value: Value) -> Result<Next, Failure> {
        let Some(Frame::Each { each, .. }) = self.frames.last_mut() else {
            return Ok(Next::Done(value));
        };
        let mut cx = Cx {
            meter: &mut self.meter,
        };
        each.resume(&mut cx, value)
    }

    /// Calls the lambda of the library function on top, or ends that.
    fn go_on(&mut self, image: &Image, next: Next, dst: usize) -> Result<Flow, Failure> {
        let mut next = next;
        loop {
            let (function, arguments) = match next {
                Next::Done(value) => {
                    self.frames.pop();
                    if let Some(Frame::Code { top, .. }) = self.frames.last() {
                        self.stack.truncate(*top as usize);
                        self.stack[dst] = value;
                        return Ok(Flow::Entered);
                    }
                    // It was called back itself.
                    return self.resume(image, value);
                }
                Next::Call { function, args } => (function, args),
            };
            let from = self.stack.len();
            let count = arguments.len();
            self.stack.extend(arguments);
            // What a plain function of the library gives is there at once.
            self.stack.push(Value::Unset);
            let place = from + count;
            match self.call_value(image, &function, &[], from, count, place)? {
                Flow::Next => {
                    let value = std::mem::take(&mut self.stack[place]);
                    self.stack.truncate(from);
                    next = self.resume_top(value)?;
                }
                other => return Ok(other),
            }
        }
    }

    /// Calls a value; its arguments stand from `from` on.
    pub(super) fn call_value(
        &mut self,
        image: &Image,
        callee: &Value,
        names: &[Option<Arc<str>>],
        from: usize,
        count: usize,
        dst: usize,
    ) -> Result<Flow, Failure> {
        let number = match callee {
            Value::Lambda(lambda) => lambda.chunk,
            Value::Function(Function::Own(number)) => *number,
            Value::Function(Function::Library(number)) => {
                let name = library::FUNCTIONS
                    .get(*number as usize)
                    .map_or("", |one| one.name);
                let names = match names.is_empty() {
                    true => vec![None; count],
                    false => names.to_vec(),
                };
                let site = Site::new(Text::new(name), names, false);
                return self.library(image, &site, from, count, dst);
            }
            other => {
                let message = format!(
                    "{} is no function, and cannot be called",
                    other.with_article()
                );
                return Err(Raise::new(kinds::WRONG_TYPE, message).into());
            }
        };
        let chunk = &image.chunks[number as usize];
        let (params, required) = (chunk.params as usize, chunk.required as usize);
        if count < required || count > params {
            return Err(wrong_count(chunk, Some(count)));
        }
        self.place_named(chunk, names, from)?;
        self.enter_with(image, number, from, count, dst)?;
        if let Value::Lambda(lambda) = callee {
            for (reg, value) in chunk.captures.iter().zip(&lambda.captured) {
                self.stack[from + *reg as usize] = value.clone();
            }
        }
        Ok(Flow::Entered)
    }

    fn enter_with(
        &mut self,
        image: &Image,
        number: u32,
        from: usize,
        count: usize,
        dst: usize,
    ) -> Result<(), Failure> {
        let params = image.chunks[number as usize].params as usize;
        if count < params {
            let end = from + params;
            if self.stack.len() < end {
                self.stack.resize(end, Value::Unset);
            }
            self.stack[from + count..end].fill(Value::Unset);
        }
        self.enter(image, number, from, dst)
    }

    /// Puts arguments with names where their parameters are.
    fn place_named(
        &mut self,
        chunk: &Chunk,
        names: &[Option<Arc<str>>],
        from: usize,
    ) -> Result<(), Failure> {
        if names.iter().all(Option::is_none) {
            return Ok(());
        }
        let mut placed: Vec<Option<Value>> = vec![None; names.len()];
        let mut left = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let value = self.stack[from + at].clone();
            let Some(name) = name else {
                left.push(value);
                continue;
            };
            let place = chunk.names.iter().position(|own| **own == **name);
            match place.and_then(|place| placed.get_mut(place)) {
                Some(place) if place.is_none() => *place = Some(value),
                _ => return Err(wrong_count(chunk, None)),
            }
        }
        let mut left = left.into_iter();
        for (at, value) in placed.into_iter().enumerate() {
            let value = value.or_else(|| left.next());
            self.stack[from + at] = value.unwrap_or(Value::Unset);
        }
        Ok(())
    }

    /// Calls a function of the library.
    pub(super) fn library(
        &mut self,
        image: &Image,
        site: &Site,
        from: usize,
        count: usize,
        dst: usize,
    ) -> Result<Flow, Failure> {
        let arguments = &self.stack[from..from + count];
        let Some(candidate) = site.choose(arguments) else {
            return Err(site.refuse(arguments).into());
        };
        self.choose(image, candidate, from, count, dst)
    }

    fn choose(
        &mut self,
        image: &Image,
        candidate: &Candidate,
        from: usize,
        count: usize,
        dst: usize,
    ) -> Result<Flow, Failure> {
        let function = candidate.function;
        if function.updates {
            let message = format!(
                "`{}` changes what stands on its left, and that is no variable",
                function.name
            );
            return Err(Raise::new(kinds::WRONG_ARGUMENTS, message).into());
        }
        let asks = function.does != Does::Value || library::needs_secret(function.native);
        if asks {
            let mut arguments = candidate.arrange(&self.stack[from..from + count])?;
            candidate.widen(&mut arguments);
            keep_secrets(function, &arguments)?;
            return Ok(self.asked(
                image,
                What::Library {
                    function,
                    arguments,
                },
                dst,
            ));
        }
        if Each::calls_back(function.native) {
            let mut arguments = candidate.arrange(&self.stack[from..from + count])?;
            candidate.widen(&mut arguments);
            let mut cx = Cx {
                meter: &mut self.meter,
            };
            let (each, next) = Each::begin(function.native, &mut cx, &mut arguments)?;
            if self.frames.len() >= MAX_CALLS {
                let message = format!("calls nest deeper than {MAX_CALLS}");
                return Err(Raise::new(kinds::TOO_DEEP, message).into());
            }
            self.stack[from..from + count].fill(Value::Unset);
            self.frames.push(Frame::Each {
                each: Box::new(each),
                dst: dst as u32,
            });
            return self.go_on(image, next, dst);
        }
        let mut cx = Cx {
            meter: &mut self.meter,
        };
        let value = if candidate.straight {
            let arguments = &mut self.stack[from..from + count];
            candidate.widen(arguments);
            let value = library::call(function.native, &mut cx, arguments)?;
            arguments.fill(Value::Unset);
            value
        } else {
            let mut arguments = candidate.arrange(&self.stack[from..from + count])?;
            candidate.widen(&mut arguments);
            let value = library::call(function.native, &mut cx, &mut arguments)?;
            self.stack[from..from + count].fill(Value::Unset);
            value
        };
        self.stack[dst] = value;
        Ok(Flow::Next)
    }

    /// Calls a method; its receiver stands at `from`, its arguments behind it.
    pub(super) fn method(
        &mut self,
        image: &Image,
        site: &Site,
        from: usize,
        dst: usize,
    ) -> Result<Flow, Failure> {
        let count = site.names.len() + 1;
        let arguments = &self.stack[from..from + count];
        if let Some(candidate) = site.choose(arguments) {
            return self.choose(image, candidate, from, count, dst);
        }
        let receiver = &self.stack[from];
        let has_method = library::named(&site.name).iter().any(|function| {
            let first = function.params.first();
            function.method && first.is_some_and(|first| library::takes(first.ty, receiver))
        });
        if has_method {
            return Err(site.refuse(arguments).into());
        }
        let field = match receiver {
            Value::Map(map) => map.field(&site.name).cloned(),
            _ => None,
        };
        match field {
            Some(function @ (Value::Lambda(_) | Value::Function(_))) => {
                self.call_value(image, &function, &site.names, from + 1, count - 1, dst)
            }
            _ => {
                let message = format!(
                    "{} has no method `{}`",
                    receiver.with_article(),
                    site.name.as_str()
                );
                Err(Raise::new(kinds::NO_METHOD, message).into())
            }
        }
    }

    /// Calls a method on a place; its arguments stand behind `from`.
    #[allow(clippy::too_many_arguments, reason = "what the instruction says")]
    pub(super) fn method_at(
        &mut self,
        image: &Image,
        chunk: &Chunk,
        site: &Site,
        path: &Path,
        base: usize,
        from: usize,
        dst: usize,
    ) -> Result<Flow, Failure> {
        let count = site.names.len() + 1;
        let root = base + path.root as usize;
        let direct = path.steps.is_empty();
        // A variable is moved, so that it can be changed where it is.
        let receiver = match direct {
            true => std::mem::take(&mut self.stack[root]),
            false => self.get_place(chunk, path, base)?,
        };
        self.stack[from] = receiver;
        let candidate = site.choose(&self.stack[from..from + count]);
        let Some(candidate) = candidate.filter(|one| one.function.updates) else {
            if direct {
                self.stack[root] = self.stack[from].clone();
            }
            return self.method(image, site, from, dst);
        };
        if let Value::Map(map) = &self.stack[from]
            && let Some(of) = &map.of
            && chunk.structs.find(of).is_some()
        {
            let refused = fixed(&site.name, of);
            if direct {
                self.stack[root] = std::mem::take(&mut self.stack[from]);
            }
            return Err(refused);
        }
        if !direct {
            let inner = self.stack[from + 1..from + count].iter().map(Value::depth);
            let depth = self.stack[from].depth().max(inner.max().unwrap_or(0) + 1);
            self.stack[from] = Value::Unset;
            self.stack[from] = self.take_place(chunk, path, base, depth)?;
        }
        let updated = self.update(candidate, from, count);
        let changed = std::mem::take(&mut self.stack[from]);
        match direct {
            true => self.stack[root] = changed,
            false => self.put_place(chunk, path, base, changed)?,
        }
        self.stack[dst] = updated?;
        Ok(Flow::Next)
    }

    /// Lets a function change the value at `from`.
    fn update(
        &mut self,
        candidate: &Candidate,
        from: usize,
        count: usize,
    ) -> Result<Value, Failure> {
        let mut cx = Cx {
            meter: &mut self.meter,
        };
        let native = candidate.function.native;
        if candidate.straight {
            let arguments = &mut self.stack[from..from + count];
            candidate.widen(arguments);
            let value = library::call(native, &mut cx, arguments)?;
            arguments[1..].fill(Value::Unset);
            return Ok(value);
        }
        // The receiver has to be the only one of its kind.
        let mut arguments = candidate.arrange(&self.stack[from..from + count])?;
        let receiver = std::mem::take(&mut self.stack[from]);
        drop(std::mem::replace(&mut arguments[0], receiver));
        candidate.widen(&mut arguments);
        let given = library::call(native, &mut cx, &mut arguments);
        self.stack[from] = std::mem::take(&mut arguments[0]);
        given
    }

    // What the host is asked for.

    /// Asks for what stands outside of the program.
    pub(super) fn ask(
        &mut self,
        image: &Image,
        target: &Target,
        from: usize,
        dst: usize,
    ) -> Result<Flow, Failure> {
        let given = target
            .arguments
            .iter()
            .enumerate()
            .map(|(at, argument)| Given {
                name: argument.name.clone(),
                parameter: argument.parameter,
                value: self.stack[from + at].clone(),
            });
        let arguments: Vec<Given> = given.collect();
        let what = match &target.what {
            TargetKind::Secret(address) => What::Secret {
                address: address.clone(),
            },
            TargetKind::Ambiguous(name) => What::Ambiguous { name: name.clone() },
            TargetKind::Tool(name) => {
                let tool = image.program().tool(name);
                let types =
                    tool.map(|tool| tool.params.iter().map(|param| (&param.name, &param.ty)));
                secrets_belong(name, types.into_iter().flatten(), &arguments)?;
                What::Tool {
                    name: name.clone(),
                    arguments,
                }
            }
            TargetKind::Agent(agent) => {
                let mut all = image.program().agents();
                let found = all
                    .find(|(module, own)| module.path == agent.file && *own.name() == agent.name);
                let params = found.map(|(_, own)| own.entry.params.iter());
                let types = params
                    .into_iter()
                    .flatten()
                    .map(|param| (&param.name, &param.ty));
                secrets_belong(&agent.name, types, &arguments)?;
                What::Agent {
                    agent: agent.clone(),
                    arguments,
                }
            }
            TargetKind::Action(name) => {
                secrets_belong(name, std::iter::empty(), &arguments)?;
                What::Action {
                    name: name.clone(),
                    arguments,
                }
            }
        };
        Ok(self.asked(image, what, dst))
    }

    fn asked(&mut self, image: &Image, what: What, dst: usize) -> Flow {
        let number = self.asked;
        self.asked += 1;
        let place = self.frames.iter().rev().find_map(|frame| match frame {
            Frame::Code { chunk, pc, .. } => Some((*chunk, *pc)),
            Frame::Each { .. } => None,
        });
        let at = place.and_then(|(chunk, pc)| {
            let chunk = image.chunks.get(chunk as usize)?;
            image.at(chunk, (pc as usize).saturating_sub(1))
        });
        self.status = Status::Waiting { dst: dst as u32 };
        Flow::Asked(Box::new(Request { number, what, at }))
    }
}

/// A secret may go only where one is declared.
fn secrets_belong<'t>(
    name: &str,
    params: impl Iterator<Item = (&'t Arc<str>, &'t symbi_ir::Type)>,
    arguments: &[Given],
) -> Result<(), Raise> {
    if !arguments.iter().any(|given| given.value.holds_secret()) {
        return Ok(());
    }
    let params: Vec<_> = params.collect();
    for (at, given) in arguments.iter().enumerate() {
        if !given.value.holds_secret() {
            continue;
        }
        let by_name = given.name.as_ref();
        let found = match (by_name, given.parameter) {
            (Some(name), _) => params.iter().find(|(own, _)| *own == name),
            (None, Some(number)) => params.get(number as usize),
            (None, None) => params.get(at),
        };
        let secret = found.is_some_and(|(_, ty)| is_for_secrets(ty));
        if !secret {
            return Err(leak(name));
        }
    }
    Ok(())
}

fn is_for_secrets(ty: &symbi_ir::Type) -> bool {
    match ty {
        symbi_ir::Type::Secret(_) => true,
        symbi_ir::Type::Option(inner)
        | symbi_ir::Type::Array(inner)
        | symbi_ir::Type::Map(_, inner) => is_for_secrets(inner),
        _ => false,
    }
}

fn keep_secrets(function: &library::Function, arguments: &[Value]) -> Result<(), Raise> {
    for (param, value) in function.params.iter().zip(arguments) {
        let declared = matches!(param.ty, library::Ty::Secret(_)) || param.may_hold_secrets;
        if !declared && value.holds_secret() {
            return Err(leak(function.name));
        }
    }
    Ok(())
}

#[cold]
fn leak(name: &str) -> Raise {
    Raise::new(
        kinds::SECRET_LEAK,
        format!("a secret was given to `{name}`, which is not declared to take one"),
    )
}
