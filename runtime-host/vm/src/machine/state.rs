//! The whole state of a machine as data.
//!
//! Values that several others have are written once, so that what is read back
//! takes as much memory as before, and a value that holds another one twice,
//! again and again, is no larger than it is.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Frame, Machine, Status};
use crate::image::Image;
use crate::library::{self, Each};
use crate::meter::Meter;
use crate::raise::Raise;
use crate::secret::Secret;
use crate::text::Text;
use crate::value::{At, Function, Lambda, List, Map, Problem, Set, Value};

/// The state of a machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// All texts, lists and their like, each behind those that it holds.
    nodes: Vec<Node>,
    stack: Vec<Part>,
    frames: Vec<Saved>,
    meter: Meter,
    waiting: Option<u32>,
    asked: u64,
}

/// A value that others may have too.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Node {
    Text(String),
    List(Vec<Part>),
    Map(Vec<(Part, Part)>, Option<String>),
    Set(Vec<Part>),
    Error {
        kind: String,
        message: String,
        at: Option<At>,
        details: Part,
        given: Option<Part>,
    },
    Secret(Secret),
    Lambda(u32, Vec<Part>),
}

/// A value, or the number of a node.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum Part {
    Unset,
    Null,
    Bool(bool),
    Int(i64),
    /// By its bits: NaN stays what it was.
    Float(u64),
    Duration(i64),
    Size(i64),
    Time(i64),
    Own(u32),
    Library(u32),
    Node(u32),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Saved {
    Code {
        chunk: u32,
        pc: u32,
        base: u32,
        dst: u32,
    },
    /// The function of the library by its place in the table.
    Each {
        function: u32,
        at: u64,
        values: Vec<Part>,
        dst: u32,
    },
}

/// Why a state is none of this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no state of this program: {0}")]
pub struct StateError(&'static str);

impl Machine {
    /// Its state; `None` once it has ended.
    pub fn save_state(&self) -> Option<State> {
        let waiting = match self.status {
            Status::Ready => None,
            Status::Waiting { dst } => Some(dst),
            Status::Ended => return None,
        };
        let mut writer = Writer::default();
        let stack = self.stack.iter().map(|value| writer.part(value)).collect();
        let frames = self.frames.iter().map(|frame| match frame {
            Frame::Code {
                chunk,
                pc,
                base,
                dst,
            } => Saved::Code {
                chunk: *chunk,
                pc: *pc,
                base: *base,
                dst: *dst,
            },
            Frame::Each { each, dst } => {
                let mut table = library::FUNCTIONS.iter();
                let place = table.position(|function| function.native == each.native);
                Saved::Each {
                    function: place.unwrap_or(0) as u32,
                    at: each.at as u64,
                    values: each.values.iter().map(|value| writer.part(value)).collect(),
                    dst: *dst,
                }
            }
        });
        let frames = frames.collect();
        Some(State {
            stack,
            frames,
            nodes: writer.nodes,
            meter: self.meter.clone(),
            waiting,
            asked: self.asked,
        })
    }

    /// The machine of a state of the same program.
    ///
    /// # Errors
    /// It is no state of this program.
    pub fn load_state(image: &Arc<Image>, state: &State) -> Result<Self, StateError> {
        let nodes = read(image, &state.nodes)?;
        let part = |part: &Part| value(&nodes, part);
        let stack: Vec<Value> = state.stack.iter().map(part).collect::<Result<_, _>>()?;
        let mut frames = Vec::with_capacity(state.frames.len());
        for frame in &state.frames {
            frames.push(match frame {
                Saved::Code {
                    chunk,
                    pc,
                    base,
                    dst,
                } => {
                    let own = image.chunks.get(*chunk as usize);
                    let own = own.ok_or(StateError("a function is missing"))?;
                    let end = u64::from(*base) + u64::from(own.registers);
                    if *pc as usize >= own.code.len()
                        || end > stack.len() as u64
                        || *dst as usize >= stack.len().max(1)
                    {
                        return Err(StateError("a call is out of bounds"));
                    }
                    Frame::Code {
                        chunk: *chunk,
                        pc: *pc,
                        base: *base,
                        dst: *dst,
                    }
                }
                Saved::Each {
                    function,
                    at,
                    values,
                    dst,
                } => {
                    let known = library::FUNCTIONS.get(*function as usize);
                    let known = known.filter(|one| Each::calls_back(one.native));
                    let known = known.ok_or(StateError("a function of the library is missing"))?;
                    if *dst as usize >= stack.len() {
                        return Err(StateError("a call is out of bounds"));
                    }
                    let values = values.iter().map(part).collect::<Result<_, _>>()?;
                    Frame::Each {
                        each: Box::new(Each {
                            native: known.native,
                            at: usize::try_from(*at)
                                .map_err(|_| StateError("a place is too large"))?,
                            values,
                        }),
                        dst: *dst,
                    }
                }
            });
        }
        if !matches!(frames.last(), Some(Frame::Code { .. })) {
            return Err(StateError("nothing runs"));
        }
        if state.waiting.is_some_and(|dst| dst as usize >= stack.len()) {
            return Err(StateError("an answer is out of bounds"));
        }
        Ok(Machine {
            image: image.clone(),
            stack,
            frames,
            meter: state.meter.clone(),
            status: match state.waiting {
                Some(dst) => Status::Waiting { dst },
                None => Status::Ready,
            },
            asked: state.asked,
        })
    }
}

#[derive(Default)]
struct Writer {
    nodes: Vec<Node>,
    seen: HashMap<usize, u32>,
}

impl Writer {
    /// Values nest only so deep, so this recursion is bounded.
    fn part(&mut self, value: &Value) -> Part {
        let address = match value {
            Value::Unset => return Part::Unset,
            Value::Null => return Part::Null,
            Value::Bool(value) => return Part::Bool(*value),
            Value::Int(value) => return Part::Int(*value),
            Value::Float(value) => return Part::Float(value.to_bits()),
            Value::Duration(value) => return Part::Duration(*value),
            Value::Size(value) => return Part::Size(*value),
            Value::Time(value) => return Part::Time(*value),
            Value::Function(Function::Own(number)) => return Part::Own(*number),
            Value::Function(Function::Library(number)) => return Part::Library(*number),
            Value::Text(text) => text.address(),
            Value::List(list) => Arc::as_ptr(list) as usize,
            Value::Map(map) => Arc::as_ptr(map) as usize,
            Value::Set(set) => Arc::as_ptr(set) as usize,
            Value::Error(problem) => Arc::as_ptr(problem) as usize,
            Value::Secret(secret) => Arc::as_ptr(secret) as usize,
            Value::Lambda(lambda) => Arc::as_ptr(lambda) as usize,
        };
        if let Some(number) = self.seen.get(&address) {
            return Part::Node(*number);
        }
        let node = match value {
            Value::Text(text) => Node::Text(text.to_string()),
            Value::List(list) => {
                Node::List(list.items().iter().map(|item| self.part(item)).collect())
            }
            Value::Map(map) => {
                let entries = map.entries();
                let entries = entries.map(|(key, value)| (self.part(key), self.part(value)));
                let entries = entries.collect();
                Node::Map(entries, map.of.as_ref().map(|of| of.to_string()))
            }
            Value::Set(set) => Node::Set(set.elements().map(|item| self.part(item)).collect()),
            Value::Error(problem) => Node::Error {
                kind: problem.kind.to_string(),
                message: problem.message.to_string(),
                at: problem.at,
                details: self.part(&problem.details),
                given: problem.given.as_ref().map(|given| self.part(given)),
            },
            Value::Secret(secret) => Node::Secret(Secret::clone(secret)),
            Value::Lambda(lambda) => {
                let captured = lambda.captured.iter().map(|value| self.part(value));
                Node::Lambda(lambda.chunk, captured.collect())
            }
            // INVARIANT: the others have returned.
            _ => return Part::Null,
        };
        let number = self.nodes.len() as u32;
        self.nodes.push(node);
        self.seen.insert(address, number);
        Part::Node(number)
    }
}

fn value(nodes: &[Value], part: &Part) -> Result<Value, StateError> {
    Ok(match part {
        Part::Unset => Value::Unset,
        Part::Null => Value::Null,
        Part::Bool(value) => Value::Bool(*value),
        Part::Int(value) => Value::Int(*value),
        Part::Float(bits) => Value::Float(f64::from_bits(*bits)),
        Part::Duration(value) => Value::Duration(*value),
        Part::Size(value) => Value::Size(*value),
        Part::Time(value) => Value::Time(*value),
        Part::Own(number) => Value::Function(Function::Own(*number)),
        Part::Library(number) => Value::Function(Function::Library(*number)),
        Part::Node(number) => {
            let node = nodes.get(*number as usize);
            node.cloned().ok_or(StateError("a value is missing"))?
        }
    })
}

/// The nodes, each behind those that it holds, so one pass is enough.
fn read(image: &Image, nodes: &[Node]) -> Result<Vec<Value>, StateError> {
    let mut made: Vec<Value> = Vec::with_capacity(nodes.len());
    let deep = |_: Raise| StateError("a value cannot be");
    for node in nodes {
        let all = |parts: &[Part], made: &[Value]| -> Result<Vec<Value>, StateError> {
            parts.iter().map(|part| value(made, part)).collect()
        };
        let next = match node {
            Node::Text(text) => Value::Text(Text::new(text.clone())),
            Node::List(parts) => List::new(all(parts, &made)?).map_err(deep)?.into(),
            Node::Map(entries, of) => {
                let mut map = Map::with_capacity(entries.len());
                for (key, held) in entries {
                    let key = value(&made, key)?;
                    map.insert(key, value(&made, held)?).map_err(deep)?;
                }
                map.of = of.as_ref().map(|of| Text::new(of.clone()));
                map.into()
            }
            Node::Set(parts) => Set::new(all(parts, &made)?).map_err(deep)?.into(),
            Node::Error {
                kind,
                message,
                at,
                details,
                given,
            } => Value::Error(Arc::new(Problem {
                kind: Text::new(kind.clone()),
                message: Text::new(message.clone()),
                at: *at,
                details: value(&made, details)?,
                given: match given {
                    Some(given) => Some(value(&made, given)?),
                    None => None,
                },
            })),
            Node::Secret(secret) => Value::Secret(Arc::new(secret.clone())),
            Node::Lambda(chunk, captured) => {
                let own = image.chunks.get(*chunk as usize);
                if own.is_none_or(|own| own.captures.len() != captured.len()) {
                    return Err(StateError("a lambda is missing"));
                }
                let captured = all(captured, &made)?;
                Value::Lambda(Arc::new(Lambda::new(*chunk, captured).map_err(deep)?))
            }
        };
        made.push(next);
    }
    Ok(made)
}
