//! Places: variables, and fields and indices of them.

use std::sync::Arc;

use symbi_ir::{Node, NodeId, Op};
use symbi_vm::{List, Map, Raise, Value, kinds};

use super::borders::hold;
use super::operators::{binary, index, no_entry, place_in};
use super::{Naive, Run, Scope};

/// A step from a value to a part of it.
pub(super) enum Step {
    Field(String),
    Index(Value),
}

/// A variable, and the way to a part of it.
pub(super) struct Target {
    root: u32,
    /// Each with its node.
    steps: Vec<(NodeId, Step)>,
}

impl<'p> Naive<'p, '_> {
    /// The place that a node is, and runs the indices in it; `None` if it does
    /// not begin with a variable.
    pub(super) fn target(&mut self, scope: &mut Scope<'p>, id: NodeId) -> Run<Option<Target>> {
        let code = scope.place.code;
        let (object, step) = match code.node(id).expect("a node") {
            Node::Local(slot) => {
                self.local(scope, id, *slot)?;
                let steps = Vec::new();
                return Ok(Some(Target { root: *slot, steps }));
            }
            Node::Field { object, .. } | Node::Index { object, .. }
                if !is_place(scope, *object) =>
            {
                return Ok(None);
            }
            Node::Field { object, name, .. } => (*object, Err(name.to_string())),
            Node::Index { object, index } => (*object, Ok(*index)),
            _ => return Ok(None),
        };
        let Some(mut target) = self.target(scope, object)? else {
            return Ok(None);
        };
        let step = match step {
            Ok(index) => Step::Index(self.eval(scope, index)?),
            Err(name) => Step::Field(name),
        };
        target.steps.push((id, step));
        Ok(Some(target))
    }

    /// What stands at a place.
    pub(super) fn read(&self, scope: &Scope<'p>, at: NodeId, target: &Target) -> Run {
        let mut value = scope.slots[target.root as usize].clone();
        for (_, step) in &target.steps {
            let found = match step {
                Step::Field(name) => self.field(&value, name),
                Step::Index(place) => index(&value, place),
            };
            value = self.at(scope, at, found)?;
        }
        Ok(value)
    }

    /// Puts a value at a place.
    pub(super) fn write(
        &self,
        scope: &mut Scope<'p>,
        at: NodeId,
        target: &Target,
        value: Value,
    ) -> Run<()> {
        let old = scope.slots[target.root as usize].clone();
        let new = self.changed(scope, old, &target.steps, value);
        scope.slots[target.root as usize] = self.at(scope, at, new)?;
        Ok(())
    }

    /// `a.b = c`, `a[b] += c`.
    pub(super) fn assign(
        &mut self,
        scope: &mut Scope<'p>,
        id: NodeId,
        target: NodeId,
        op: Option<Op>,
        value: NodeId,
    ) -> Run<()> {
        let Some(place) = self.target(scope, target)? else {
            self.eval(scope, target)?;
            self.eval(scope, value)?;
            return self.unbound(scope, id, "this");
        };
        let new = match op {
            None => self.eval(scope, value)?,
            Some(op) => {
                let old = self.read(scope, target, &place)?;
                let by = self.eval(scope, value)?;
                self.at(scope, id, binary(op, &old, &by))?
            }
        };
        self.write(scope, id, &place, new)
    }
}

/// Whether a node is a variable, or fields and indices of one.
fn is_place(scope: &Scope<'_>, id: NodeId) -> bool {
    match scope.place.code.node(id) {
        Some(Node::Local(_)) => true,
        Some(Node::Field { object, .. } | Node::Index { object, .. }) => is_place(scope, *object),
        _ => false,
    }
}

impl<'p> Naive<'p, '_> {
    /// A value with another part.
    fn changed(
        &self,
        scope: &Scope<'p>,
        old: Value,
        steps: &[(NodeId, Step)],
        value: Value,
    ) -> Result<Value, Raise> {
        let Some(((_, step), rest)) = steps.split_first() else {
            return Ok(value);
        };
        let is_field = matches!(step, Step::Field(_));
        match (&old, step) {
            (Value::List(list), Step::Index(place)) => {
                let place = place_in(place, list.items().len(), "elements")?;
                let mut items = list.items().to_vec();
                items[place] = self.changed(scope, items[place].clone(), rest, value)?;
                Ok(List::new(items)?.into())
            }
            (Value::Map(map), step) => {
                let key = match step {
                    Step::Field(name) => Value::from(&**name),
                    Step::Index(key) => key.clone(),
                };
                let of = map.of.as_deref().and_then(|of| self.named(scope.place, of));
                let declared = match &key {
                    Value::Text(name) => {
                        of.and_then(|of| of.fields.iter().find(|one| *one.name == **name))
                    }
                    _ => None,
                };
                let new = match map.get(&key)? {
                    // What stands in a field is of its type.
                    _ if rest.is_empty()
                        && let (Some(of), Some(field)) = (of, declared) =>
                    {
                        let what = format!("the field `{}` of `{}`", field.name, of.name);
                        hold(value, &field.ty, &what)?
                    }
                    Some(inner) => self.changed(scope, inner.clone(), rest, value)?,
                    // A struct has the fields that it is declared with.
                    None if rest.is_empty() && (map.of.is_none() || of.is_none() && !is_field) => {
                        value
                    }
                    None => return Err(no_entry(&old, &key)),
                };
                let mut map: Map = Map::clone(map);
                map.insert(key, new)?;
                Ok(Value::Map(Arc::new(map)))
            }
            (old, step) => {
                let key = match step {
                    Step::Field(name) => name.clone(),
                    Step::Index(key) => symbi_vm::show(key, 1 << 16).expect("short"),
                };
                let old = old.with_article();
                Err(Raise::new(
                    kinds::WRONG_TYPE,
                    format!("{old} has no place `{key}` that could be changed"),
                ))
            }
        }
    }
}
