//! Errors: made, and carried to whoever catches them.

use std::sync::Arc;

use super::{Ended, Frame, Machine};
use crate::image::{Chunk, Errors, Image};
use crate::raise::{Failure, Raise, kinds};
use crate::show::show;
use crate::text::Text;
use crate::value::{At, Map, Problem, Value};

/// What becomes of a failure.
pub(super) enum Then {
    /// There may be memory now: the instruction is done once more.
    Again,
    /// A handler goes on.
    Caught,
    /// Nobody does.
    Ended(Ended),
}

/// How many bytes of a value a message shows.
const SHOWN: usize = 2000;

impl Machine {
    /// An instruction failed, behind which the top frame stands.
    #[cold]
    pub(super) fn failed(&mut self, image: &Image, failure: Failure, retry: bool) -> Then {
        match failure {
            Failure::Raise(raise) => match self.raise(image, *raise) {
                Ok(()) => Then::Caught,
                Err(problem) => Then::Ended(Ended::Raised(problem)),
            },
            Failure::Fuel => Then::Ended(Ended::Fuel),
            Failure::Memory if retry => Then::Ended(Ended::Memory),
            Failure::Memory => match self.measure() {
                Ok(()) => Then::Again,
                Err(_) => Then::Ended(Ended::Fuel),
            },
        }
    }

    /// Carries an error to the innermost handler.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn raise(&mut self, image: &Image, raise: Raise) -> Result<(), Arc<Problem>> {
        let place = self.frames.iter().rev().find_map(|frame| match frame {
            Frame::Code { chunk, pc, .. } => Some((*chunk, *pc)),
            Frame::Each { .. } => None,
        });
        let at = place.and_then(|(chunk, pc)| {
            let chunk = image.chunks.get(chunk as usize)?;
            image.at(chunk, (pc as usize).saturating_sub(1))
        });
        let problem = match raise {
            // One that was caught before is raised as it was.
            Raise {
                given: Some(Value::Error(problem)),
                ..
            } => problem,
            raise => Arc::new(Problem {
                kind: Text::new(raise.kind),
                message: Text::new(raise.message),
                at,
                details: raise
                    .details
                    .unwrap_or_else(|| Map::with_capacity(0).into()),
                given: raise.given,
            }),
        };
        self.carry(image, problem)
    }

    fn carry(&mut self, image: &Image, mut problem: Arc<Problem>) -> Result<(), Arc<Problem>> {
        while let Some(frame) = self.frames.last_mut() {
            if let Frame::Code {
                chunk,
                pc,
                base,
                top,
                ..
            } = frame
                && let Some(chunk) = image.chunks.get(*chunk as usize)
            {
                let raised = pc.saturating_sub(1);
                let mut handlers = chunk.handlers.iter();
                let covers = handlers.find(|one| one.start <= raised && raised < one.end);
                if let Some(handler) = covers {
                    *pc = handler.target;
                    let end = *base as usize + chunk.registers as usize;
                    let place = *base as usize + handler.error as usize;
                    self.stack.truncate(*top as usize);
                    if let Some(left) = self.stack.get_mut(end..) {
                        left.fill(Value::Unset);
                    }
                    if let Some(place) = self.stack.get_mut(place) {
                        *place = Value::Error(problem);
                    }
                    return Ok(());
                }
                problem = leaves(chunk, problem);
            }
            self.frames.pop();
        }
        Err(problem)
    }
}

/// What an error that leaves a function is to whoever called it.
fn leaves(chunk: &Chunk, problem: Arc<Problem>) -> Arc<Problem> {
    let given = match (chunk.errors, &problem.given) {
        (Errors::Given, _) | (Errors::Whole, None) | (Errors::Texts, Some(_)) => return problem,
        (Errors::Whole, Some(_)) => None,
        (Errors::Texts, None) => Some(Value::Text(problem.message.clone())),
    };
    Arc::new(Problem {
        given,
        ..Problem::clone(&problem)
    })
}

/// What `Err(…)` raises.
#[cold]
pub(super) fn given(value: Value) -> Failure {
    let mut raise = Raise::new(kinds::ERROR, "");
    match &value {
        Value::Map(map) => {
            if let Some(Value::Text(message)) = map.field("message") {
                raise.message = message.to_string();
            } else {
                raise.message = show(&value, SHOWN).unwrap_or_default();
            }
            if let Some(Value::Text(kind)) = map.field("kind") {
                raise.kind = kind.to_string().into();
            } else if let Some(of) = &map.of {
                raise.kind = of.to_string().into();
            }
            raise.details = Some(value.clone());
        }
        Value::Error(_) => {}
        other => raise.message = show(other, SHOWN).unwrap_or_default(),
    }
    raise.given = Some(value);
    raise.into()
}

/// An error that was caught goes on.
pub(super) fn again(value: Value) -> Failure {
    let mut raise = Raise::new(kinds::ERROR, "");
    raise.given = Some(value);
    raise.into()
}

/// A text among the constants.
#[inline]
pub(super) fn text(chunk: &Chunk, number: u32) -> &str {
    match chunk.consts.get(number as usize) {
        Some(Value::Text(text)) => text,
        _ => "",
    }
}

#[cold]
pub(super) fn unbound(chunk: &Chunk, name: u32) -> Failure {
    let name = text(chunk, name);
    let message = format!("`{name}` has no value");
    Raise::new(kinds::UNBOUND_NAME, message).into()
}

#[cold]
pub(super) fn lacks(chunk: &Chunk, name: u32) -> Failure {
    let name = text(chunk, name);
    let message = format!("the field `{name}` is given no value");
    Raise::new(kinds::MISSING_FIELD, message).into()
}

#[cold]
pub(super) fn no_empty(ty: &symbi_ir::Type) -> Failure {
    let message = format!(
        "`{}` has no empty value that `new` could give",
        ty.to_text()
    );
    Raise::new(kinds::WRONG_TYPE, message).into()
}

/// A struct has the fields that it is declared with.
#[cold]
pub(super) fn fixed(method: &str, of: &str) -> Failure {
    let message =
        format!("`{method}` would change which fields a `{of}` has; they are as its type says");
    Raise::new(kinds::WRONG_TYPE, message).into()
}

#[cold]
pub(super) fn wrong_call(image: &Image, chunk: u32) -> Failure {
    let Some(chunk) = image.chunks.get(chunk as usize) else {
        return Raise::new(kinds::WRONG_ARGUMENTS, "these arguments are not taken").into();
    };
    wrong_count(chunk, None)
}

#[cold]
pub(super) fn wrong_count(chunk: &Chunk, given: Option<usize>) -> Failure {
    let names: Vec<&str> = chunk.names.iter().map(Text::as_str).collect();
    let mut message = format!("`{}` takes ({})", chunk.name.as_str(), names.join(", "));
    if let Some(given) = given {
        message.push_str(&match given {
            0 => ", and is given nothing".to_owned(),
            1 => ", and is given one argument".to_owned(),
            given => format!(", and is given {given} arguments"),
        });
    }
    Raise::new(kinds::WRONG_ARGUMENTS, message).into()
}

/// A place in the source as the field `span` of an error.
pub(super) fn span(image: &Image, at: At) -> Value {
    let Some(module) = image.program().modules.get(at.module as usize) else {
        return Value::Null;
    };
    let (line, column) = module.position(at.start);
    let fields = [
        ("file", Value::from(&*module.path)),
        ("line", Value::Int(line as i64)),
        ("column", Value::Int(column as i64)),
    ];
    Value::record(fields).unwrap_or(Value::Null)
}
