//! How much memory is in use: counted when there might be too much of it, since
//! nothing tells when a value that several have is gone.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Frame, Machine};
use crate::raise::Failure;
use crate::value::Value;

impl Machine {
    /// Counts what is in use.
    ///
    /// # Errors
    /// There are not enough steps left to count.
    pub(super) fn measure(&mut self) -> Result<(), Failure> {
        let mut count = Count::default();
        let mut visited = 0;
        for value in &self.stack {
            visited += count.add(value);
        }
        for frame in &self.frames {
            if let Frame::Each { each, .. } = frame {
                for value in &each.values {
                    visited += count.add(value);
                }
            }
        }
        let frames = self.frames.len() * size_of::<Frame>();
        let stack = self.stack.len() * size_of::<Value>();
        self.meter.live = count.bytes + frames + stack;
        self.meter.since = 0;
        self.meter.work(visited)
    }
}

/// The bytes that a value holds.
pub(super) fn size(value: &Value) -> usize {
    let mut count = Count::default();
    count.add(value);
    count.bytes
}

/// What is counted; what several have counts once.
#[derive(Default)]
struct Count {
    seen: HashSet<usize>,
    bytes: usize,
}

impl Count {
    /// Counts a value, and tells how many it went through.
    fn add(&mut self, value: &Value) -> usize {
        let mut visited = 0;
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            visited += 1;
            let (address, bytes) = match value {
                Value::Text(text) => (text.address(), text.bytes()),
                Value::List(list) => (Arc::as_ptr(list) as usize, list.bytes()),
                Value::Map(map) => (Arc::as_ptr(map) as usize, map.bytes()),
                Value::Set(set) => (Arc::as_ptr(set) as usize, set.bytes()),
                Value::Error(problem) => (Arc::as_ptr(problem) as usize, 160),
                Value::Secret(secret) => {
                    (Arc::as_ptr(secret) as usize, secret.parts.len() * 64 + 32)
                }
                Value::Lambda(lambda) => (
                    Arc::as_ptr(lambda) as usize,
                    lambda.captured.len() * size_of::<Value>() + 48,
                ),
                _ => continue,
            };
            if !self.seen.insert(address) {
                continue;
            }
            self.bytes = self.bytes.saturating_add(bytes);
            match value {
                Value::List(list) => open.extend(list.items()),
                Value::Map(map) => {
                    for (key, value) in map.entries() {
                        open.push(key);
                        open.push(value);
                    }
                }
                Value::Set(set) => open.extend(set.elements()),
                Value::Error(problem) => {
                    open.push(&problem.details);
                    open.extend(&problem.given);
                }
                Value::Lambda(lambda) => open.extend(&lambda.captured),
                _ => {}
            }
        }
        visited
    }
}
