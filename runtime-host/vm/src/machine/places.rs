//! Places: fields and indices of variables, read and changed where they are.

use std::sync::Arc;

use super::{Machine, ops};
use crate::fits::hold;
use crate::image::{CONST, Chunk, FieldOf, Path, PathStep, Structs};
use crate::raise::{Failure, Raise, kinds};
use crate::value::Value;

impl Machine {
    /// What stands at a place.
    pub(super) fn get_place(
        &self,
        chunk: &Chunk,
        path: &Path,
        base: usize,
    ) -> Result<Value, Failure> {
        let mut value = self.stack[base + path.root as usize].clone();
        for step in &path.steps {
            value = match step {
                PathStep::Field(Value::Text(name)) => ops::field(&value, name, &|_| Value::Null)?,
                PathStep::Field(_) => Value::Null,
                PathStep::Index(at) => ops::index(&value, self.operand(chunk, base, *at))?,
            };
        }
        Ok(value)
    }

    fn operand<'v>(&'v self, chunk: &'v Chunk, base: usize, at: u32) -> &'v Value {
        match at & CONST == 0 {
            true => &self.stack[base + at as usize],
            false => &chunk.consts[(at & !CONST) as usize],
        }
    }

    /// The indices of a path, in order.
    fn keys(&self, chunk: &Chunk, path: &Path, base: usize) -> Vec<Value> {
        let steps = path.steps.iter();
        let keys = steps.map(|step| match step {
            PathStep::Field(name) => name.clone(),
            PathStep::Index(at) => self.operand(chunk, base, *at).clone(),
        });
        keys.collect()
    }

    /// Puts the value of a register into a place.
    pub(super) fn set_place(
        &mut self,
        chunk: &Chunk,
        path: &Path,
        base: usize,
        from: usize,
    ) -> Result<(), Failure> {
        self.make_room(chunk, path, base)?;
        let keys = self.keys(chunk, path, base);
        let depth = self.stack[from].depth();
        let root = base + path.root as usize;
        let Some((last, before)) = keys.split_last() else {
            self.stack[root] = std::mem::take(&mut self.stack[from]);
            return Ok(());
        };
        let value = self.stack[from].clone();
        let fields = fields(path);
        let place = walk(&mut self.stack[root], before, &fields, depth + 1)?;
        let is_field = fields.last().copied().unwrap_or(false);
        store(place, last, is_field, value, &chunk.structs)?;
        self.stack[from] = Value::Unset;
        Ok(())
    }

    /// Asks for the memory that changing a place may take: a copy of each list
    /// and map on the way that others have too, and of one that has to grow.
    fn make_room(&mut self, chunk: &Chunk, path: &Path, base: usize) -> Result<(), Failure> {
        for step in &path.steps {
            if let PathStep::Index(index) = step {
                let key = self.operand(chunk, base, *index).clone();
                ops::pay(&key, &mut self.meter)?;
            }
        }
        let mut bytes = 0_usize;
        let mut at = &self.stack[base + path.root as usize];
        for (place, step) in path.steps.iter().enumerate() {
            let last = place + 1 == path.steps.len();
            let key = match step {
                PathStep::Field(name) => name,
                PathStep::Index(index) => self.operand(chunk, base, *index),
            };
            let next = match at {
                Value::List(list) => {
                    if Arc::strong_count(list) > 1 {
                        bytes = bytes.saturating_add(list.bytes());
                    }
                    match key {
                        Value::Int(place) => list.items().get(*place as usize),
                        _ => None,
                    }
                }
                Value::Map(map) => {
                    if Arc::strong_count(map) > 1 {
                        bytes = bytes.saturating_add(map.bytes());
                    }
                    let found = map.get(key)?;
                    if last && found.is_none() {
                        bytes = bytes.saturating_add(map.growth());
                    }
                    found
                }
                _ => None,
            };
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        if bytes > 0 {
            self.meter.make(bytes)?;
        }
        Ok(())
    }

    /// Takes the value out of a place, to be changed and put back.
    pub(super) fn take_place(
        &mut self,
        chunk: &Chunk,
        path: &Path,
        base: usize,
        depth: u32,
    ) -> Result<Value, Failure> {
        self.make_room(chunk, path, base)?;
        let keys = self.keys(chunk, path, base);
        let root = &mut self.stack[base + path.root as usize];
        let place = walk(root, &keys, &fields(path), depth)?;
        Ok(std::mem::replace(place, Value::Null))
    }

    /// Puts a value back to where it was taken from.
    pub(super) fn put_place(
        &mut self,
        chunk: &Chunk,
        path: &Path,
        base: usize,
        value: Value,
    ) -> Result<(), Failure> {
        let keys = self.keys(chunk, path, base);
        let root = &mut self.stack[base + path.root as usize];
        let depth = value.depth();
        let place = walk(root, &keys, &fields(path), depth)?;
        *place = value;
        Ok(())
    }
}

/// Which steps of a path are fields.
fn fields(path: &Path) -> Vec<bool> {
    let steps = path.steps.iter();
    steps
        .map(|step| matches!(step, PathStep::Field(_)))
        .collect()
}

/// The place that some keys lead to, which will nest as deep as `depth` says;
/// lists and maps on the way are copied where others have them too.
fn walk<'v>(
    root: &'v mut Value,
    keys: &[Value],
    fields: &[bool],
    depth: u32,
) -> Result<&'v mut Value, Failure> {
    let mut at = root;
    let mut inner = depth.saturating_add(keys.len() as u32);
    for (key, is_field) in keys.iter().zip(fields) {
        inner -= 1;
        let holds = match &*at {
            Value::Map(_) => true,
            Value::List(_) => !is_field,
            _ => false,
        };
        if !holds {
            return Err(no_place_in(at, key));
        }
        at = match at {
            Value::Map(map) => {
                if map.get(key)?.is_none() {
                    return Err(ops::no_key(&Value::Map(map.clone()), key));
                }
                // INVARIANT: it is there, as was seen.
                match Arc::make_mut(map).place(key, inner)? {
                    Some(place) => place,
                    None => return Err(ops::no_key(&Value::Null, key)),
                }
            }
            Value::List(list) => {
                let place = place_in(key, list.items().len())?;
                match Arc::make_mut(list).place(place, inner)? {
                    Some(place) => place,
                    None => return Err(ops::no_place(key)),
                }
            }
            _ => return Err(no_place_in(&Value::Null, key)),
        };
    }
    Ok(at)
}

/// Sets a field or an element.
fn store(
    object: &mut Value,
    key: &Value,
    is_field: bool,
    mut value: Value,
    structs: &Structs,
) -> Result<(), Failure> {
    match object {
        Value::Map(map) => {
            // A struct has the fields that it is declared with, and what
            // stands in them is of their types.
            if let Some(of) = &map.of {
                let structure = structs.find(of);
                let field = match key {
                    Value::Text(name) => structure.and_then(|of| Some((of, of.field(name)?))),
                    _ => None,
                };
                match field {
                    Some((of, field)) => hold(&mut value, &field.ty, &FieldOf(of, field))?,
                    None if map.get(key)?.is_some() => {}
                    None if structure.is_none() && !is_field => {}
                    None => return Err(ops::no_key(&Value::Map(map.clone()), key)),
                }
            }
            Arc::make_mut(map).insert(key.clone(), value)?;
            Ok(())
        }
        Value::List(list) if !is_field => {
            let place = place_in(key, list.items().len())?;
            let inner = value.depth();
            if let Some(place) = Arc::make_mut(list).place(place, inner)? {
                *place = value;
            }
            Ok(())
        }
        other => Err(no_place_in(other, key)),
    }
}

fn place_in(key: &Value, count: usize) -> Result<usize, Failure> {
    match key {
        Value::Int(place) => match usize::try_from(*place) {
            Ok(at) if at < count => Ok(at),
            _ => Err(ops::out_of_range(*place, count, "elements")),
        },
        other => Err(ops::no_place(other)),
    }
}

#[cold]
fn no_place_in(object: &Value, key: &Value) -> Failure {
    let key = crate::show::show(key, 200).unwrap_or_default();
    let message = format!(
        "{} has no place `{key}` that could be changed",
        object.with_article()
    );
    Raise::new(kinds::WRONG_TYPE, message).into()
}
