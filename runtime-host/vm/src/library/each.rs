//! Functions of the library that call a function, once for each element.
//!
//! The machine may be written down between two calls, so all that they know
//! stands in plain values.

use std::mem::take;
use std::sync::Arc;

use super::arguments::{LIST, VALUE, unfit, walk, wrong};
use super::lists::list_of;
use super::maps::map_of;
use super::{Cx, Native, order};
use crate::raise::Failure;
use crate::value::{List, Map, Value};

/// A library function in the middle of its work.
#[derive(Clone, Debug)]
pub struct Each {
    /// Which one it is.
    pub native: Native,
    /// How many calls have given something.
    pub at: usize,
    /// What it goes through, the function that it calls, what was gathered, and
    /// what else it needs: see [`Each::begin`].
    pub values: Vec<Value>,
}

/// What is to be done next.
#[derive(Clone, Debug)]
pub enum Next {
    /// A call; what it gives goes to [`Each::resume`].
    Call {
        /// What is called.
        function: Value,
        /// With one argument or two.
        args: Args,
    },
    /// It is done, and this is its value.
    Done(Value),
}

/// One argument or two, without memory of their own.
#[derive(Clone, Debug)]
pub struct Args {
    values: [Value; 2],
    count: usize,
}

impl Args {
    fn one(value: Value) -> Self {
        Args {
            values: [value, Value::Unset],
            count: 1,
        }
    }

    fn two(one: Value, two: Value) -> Self {
        Args {
            values: [one, two],
            count: 2,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Never: there is always one.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl IntoIterator for Args {
    type Item = Value;
    type IntoIter = std::iter::Take<std::array::IntoIter<Value, 2>>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.into_iter().take(self.count)
    }
}

/// Where the parts of an [`Each`] stand in its values.
const SOURCE: usize = 0;
const FUNCTION: usize = 1;
const GATHERED: usize = 2;
/// `to_map`: the function that gives the value.
const SECOND: usize = 3;
/// `to_map`: the key, while its value is asked for.
const KEY: usize = 4;

/// The name of a function here, for messages.
fn name(native: Native) -> &'static str {
    match native {
        Native::Map => "map",
        Native::FlatMap => "flat_map",
        Native::FilterArray | Native::FilterMap => "filter",
        Native::Find => "find",
        Native::Any => "any",
        Native::All => "all",
        Native::CountArray => "count",
        Native::Reduce => "reduce",
        Native::SortedBy => "sorted_by",
        Native::GroupBy => "group_by",
        Native::ToMap => "to_map",
        _ => "map_values",
    }
}

impl Each {
    /// Whether a function calls others, and so begins here.
    pub fn calls_back(native: Native) -> bool {
        matches!(
            native,
            Native::Map
                | Native::FlatMap
                | Native::FilterArray
                | Native::FilterMap
                | Native::Find
                | Native::Any
                | Native::All
                | Native::CountArray
                | Native::Reduce
                | Native::SortedBy
                | Native::GroupBy
                | Native::ToMap
                | Native::MapValues
        )
    }

    /// Begins.
    ///
    /// # Errors
    /// The arguments do not fit, or there is not enough memory.
    pub fn begin(
        native: Native,
        cx: &mut Cx<'_>,
        args: &mut [Value],
    ) -> Result<(Each, Next), Failure> {
        let length = match args {
            [Value::List(list), ..] => list.items().len(),
            [Value::Map(map), ..] => map.len(),
            args => return Err(unfit(name(native), args)),
        };
        cx.meter.allocate(LIST + 5 * VALUE)?;
        // What is as long as the source has its room at once.
        let gathered = match native {
            Native::Map | Native::SortedBy => {
                list_of(cx, length)?;
                Value::list(Vec::with_capacity(length))?
            }
            Native::FlatMap | Native::FilterArray => Value::list(Vec::new())?,
            Native::MapValues | Native::ToMap => {
                map_of(cx, length)?;
                Map::with_capacity(length).into()
            }
            Native::FilterMap | Native::GroupBy => {
                cx.meter.allocate(2 * LIST)?;
                Map::with_capacity(0).into()
            }
            Native::CountArray => Value::Int(0),
            _ => Value::Null,
        };
        let values = match (native, args) {
            (Native::Reduce, [source, function, start]) => {
                vec![take(source), take(function), take(start)]
            }
            (Native::ToMap, [source, key, value]) => {
                vec![take(source), take(key), gathered, take(value), Value::Null]
            }
            (native, [source, function]) if Each::calls_back(native) => {
                vec![take(source), take(function), gathered]
            }
            (native, args) => return Err(unfit(name(native), args)),
        };
        let mut each = Each {
            native,
            at: 0,
            values,
        };
        let next = match each.call() {
            Some(next) => next,
            None => Next::Done(each.finish(cx)?),
        };
        Ok((each, next))
    }

    /// Takes what a call gave. After [`Failure::Memory`] it may be called once
    /// more with the same.
    ///
    /// # Errors
    /// It is nothing that the function can use, or there is not enough memory.
    pub fn resume(&mut self, cx: &mut Cx<'_>, given: Value) -> Result<Next, Failure> {
        let done = match self.native {
            Native::Map => {
                self.push(cx, given)?;
                None
            }
            Native::SortedBy => {
                walk(cx, &given, 1)?;
                self.ask_for_order(cx)?;
                self.push(cx, given)?;
                None
            }
            Native::FlatMap => {
                let Value::List(list) = given else {
                    return Err(wrong(format!(
                        "the function given to `flat_map` has to give a list, and gives {}",
                        given.with_article()
                    )));
                };
                let Some(gathered) = self.list() else {
                    return Err(broken());
                };
                let more = list.items().len();
                let items = gathered.items_mut();
                let free = items.capacity() - items.len();
                if free < more {
                    cx.meter
                        .allocate(items.len().max(more).saturating_mul(2 * VALUE))?;
                }
                cx.meter.work(more / 16)?;
                for item in list.items() {
                    gathered.push(item.clone())?;
                }
                None
            }
            Native::FilterArray => {
                if self.test(&given)?
                    && let Some(item) = self.item()
                {
                    self.push(cx, item)?;
                }
                None
            }
            Native::Find => match self.test(&given)? {
                true => self.item(),
                false => None,
            },
            Native::Any => self.test(&given)?.then_some(Value::Bool(true)),
            Native::All => (!self.test(&given)?).then_some(Value::Bool(false)),
            Native::CountArray => {
                if self.test(&given)?
                    && let Some(Value::Int(count)) = self.values.get_mut(GATHERED)
                {
                    *count = count.saturating_add(1);
                }
                None
            }
            Native::Reduce => {
                if let Some(so_far) = self.values.get_mut(GATHERED) {
                    *so_far = given;
                }
                None
            }
            Native::MapValues => {
                if let Some((key, _)) = self.entry() {
                    self.put(cx, key, given)?;
                }
                None
            }
            Native::FilterMap => {
                if self.test(&given)?
                    && let Some((key, value)) = self.entry()
                {
                    self.put(cx, key, value)?;
                }
                None
            }
            Native::GroupBy => {
                if let Some(item) = self.item() {
                    self.group(cx, given, item)?;
                }
                None
            }
            Native::ToMap if self.at.is_multiple_of(2) => {
                walk(cx, &given, 1)?;
                if let Some(key) = self.values.get_mut(KEY) {
                    *key = given;
                }
                None
            }
            Native::ToMap => {
                let key = self.values.get(KEY).cloned().unwrap_or_default();
                self.put(cx, key, given)?;
                None
            }
            _ => return Err(broken()),
        };
        if let Some(done) = done {
            return Ok(Next::Done(done));
        }
        self.at += 1;
        match self.call() {
            Some(next) => Ok(next),
            None => Ok(Next::Done(self.finish(cx)?)),
        }
    }

    /// The next call; `None` after the last.
    fn call(&mut self) -> Option<Next> {
        let function = self.values.get(FUNCTION)?.clone();
        let args = match self.native {
            Native::FilterMap => {
                let (key, value) = self.entry()?;
                Args::two(key, value)
            }
            Native::MapValues => Args::one(self.entry()?.1),
            Native::Reduce => {
                let item = self.item()?;
                // Moved: who changes it should be the only one to have it.
                Args::two(take(self.values.get_mut(GATHERED)?), item)
            }
            Native::ToMap if !self.at.is_multiple_of(2) => {
                return Some(Next::Call {
                    function: self.values.get(SECOND)?.clone(),
                    args: Args::one(self.item()?),
                });
            }
            _ => Args::one(self.item()?),
        };
        Some(Next::Call { function, args })
    }

    /// What it gives when no call stopped it.
    fn finish(&mut self, cx: &mut Cx<'_>) -> Result<Value, Failure> {
        Ok(match self.native {
            Native::Find => Value::Null,
            Native::Any => Value::Bool(false),
            Native::All => Value::Bool(true),
            Native::SortedBy => {
                let [Value::List(source), _, Value::List(keys), ..] = &*self.values else {
                    return Err(broken());
                };
                order::work(cx, keys.items())?;
                let places = order::places(keys.items())?;
                let items = places.into_iter();
                let items = items.filter_map(|place| source.items().get(place).cloned());
                Value::list(items.collect())?
            }
            _ => self.values.get_mut(GATHERED).map(take).unwrap_or_default(),
        })
    }

    /// `sorted_by`: before the last key is taken, asks for what putting the
    /// elements in order takes, since nothing can be done once more after it.
    fn ask_for_order(&self, cx: &mut Cx<'_>) -> Result<(), Failure> {
        match self.values.get(SOURCE) {
            Some(Value::List(list)) if list.items().len() == self.at + 1 => {
                order::allocate(cx, self.at + 1)?;
                list_of(cx, self.at + 1)
            }
            _ => Ok(()),
        }
    }

    /// The element that the last call was about, or the next.
    fn item(&self) -> Option<Value> {
        let place = match self.native {
            Native::ToMap => self.at / 2,
            _ => self.at,
        };
        match self.values.get(SOURCE) {
            Some(Value::List(list)) => list.items().get(place).cloned(),
            _ => None,
        }
    }

    /// The entry that the last call was about, or the next.
    fn entry(&self) -> Option<(Value, Value)> {
        match self.values.get(SOURCE) {
            Some(Value::Map(map)) => {
                let (key, value) = map.at(self.at)?;
                Some((key.clone(), value.clone()))
            }
            _ => None,
        }
    }

    fn list(&mut self) -> Option<&mut List> {
        match self.values.get_mut(GATHERED) {
            Some(Value::List(list)) => Some(Arc::make_mut(list)),
            _ => None,
        }
    }

    fn push(&mut self, cx: &mut Cx<'_>, value: Value) -> Result<(), Failure> {
        let Some(list) = self.list() else {
            return Err(broken());
        };
        cx.meter.allocate(list.growth())?;
        Ok(list.push(value)?)
    }

    fn put(&mut self, cx: &mut Cx<'_>, key: Value, value: Value) -> Result<(), Failure> {
        let Some(Value::Map(map)) = self.values.get_mut(GATHERED) else {
            return Err(broken());
        };
        let map = Arc::make_mut(map);
        cx.meter.allocate(map.growth())?;
        map.insert(key, value)?;
        Ok(())
    }

    fn group(&mut self, cx: &mut Cx<'_>, key: Value, item: Value) -> Result<(), Failure> {
        walk(cx, &key, 1)?;
        let Some(Value::Map(map)) = self.values.get_mut(GATHERED) else {
            return Err(broken());
        };
        let map = Arc::make_mut(map);
        let growth = match map.get(&key)? {
            Some(Value::List(list)) => list.growth(),
            _ => map.growth().saturating_add(LIST + 4 * VALUE),
        };
        cx.meter.allocate(growth)?;
        match map.place(&key, item.depth().saturating_add(1))? {
            Some(Value::List(list)) => Arc::make_mut(list).push(item)?,
            _ => {
                map.insert(key, Value::list(vec![item])?)?;
            }
        }
        Ok(())
    }

    /// What a test said.
    fn test(&self, given: &Value) -> Result<bool, Failure> {
        match given {
            Value::Bool(given) => Ok(*given),
            other => Err(wrong(format!(
                "the test given to `{}` has to give a boolean, and gives {} for element {}",
                name(self.native),
                other.with_article(),
                self.at
            ))),
        }
    }
}

/// What no program can bring about: the state was read from elsewhere.
fn broken() -> Failure {
    wrong("the state of this call is not one that the library made")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::testing::*;

    /// Runs it to its end. `f` is what the functions do; how often they were
    /// called stands beside the value. Each call fails for want of memory once.
    fn run(
        native: Native,
        args: impl IntoIterator<Item = Value>,
        f: impl Fn(usize, &[Value]) -> Value,
    ) -> (String, usize) {
        let mut args: Vec<Value> = args.into_iter().collect();
        let mut calls = 0;
        let mut run = || -> Result<Value, Failure> {
            let (mut each, mut next) =
                with(1 << 30, 1 << 30, |cx| Each::begin(native, cx, &mut args))?;
            loop {
                let (function, args) = match next {
                    Next::Done(value) => return Ok(value),
                    Next::Call { function, args } => (function, args),
                };
                assert!(!args.is_empty());
                let which = match function {
                    Value::Int(which) => which as usize,
                    other => panic!("{other:?}"),
                };
                calls += 1;
                let given = f(which, &args.into_iter().collect::<Vec<_>>());
                let without = with(1 << 30, 0, |cx| each.resume(cx, given.clone()));
                next = match without {
                    Err(Failure::Memory) => with(1 << 30, 1 << 30, |cx| each.resume(cx, given))?,
                    other => other?,
                };
            }
        };
        let shown = run().map_or_else(|failure| kind(&failure), |value| quoted(&value));
        (shown, calls)
    }

    fn number(value: &Value) -> i64 {
        match value {
            Value::Int(number) => *number,
            Value::Text(text) => text.len() as i64,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn functions_that_call_others_give_what_is_declared() {
        let list3 = || ints([1, 2, 3]);
        let more = |n: i64| move |_: usize, args: &[Value]| Value::Bool(number(&args[0]) > n);
        let length = |_: usize, args: &[Value]| i(number(&args[0]));
        type F = Box<dyn Fn(usize, &[Value]) -> Value>;
        let table: Vec<(Native, Vec<Value>, F, &str, usize)> = vec![
            (
                Native::Map,
                vec![list3(), i(0)],
                Box::new(|_, args| i(number(&args[0]) * 10)),
                "[10, 20, 30]",
                3,
            ),
            (Native::Map, vec![list([]), i(0)], Box::new(length), "[]", 0),
            (
                Native::FlatMap,
                vec![list3(), i(0)],
                Box::new(|_, args| ints(0..number(&args[0]))),
                "[0, 0, 1, 0, 1, 2]",
                3,
            ),
            (
                Native::FlatMap,
                vec![list3(), i(0)],
                Box::new(length),
                "wrong_type",
                1,
            ),
            (
                Native::FilterArray,
                vec![list3(), i(0)],
                Box::new(more(1)),
                "[2, 3]",
                3,
            ),
            (
                Native::FilterArray,
                vec![list3(), i(0)],
                Box::new(length),
                "wrong_type",
                1,
            ),
            (Native::Find, vec![list3(), i(0)], Box::new(more(1)), "2", 2),
            (
                Native::Find,
                vec![list3(), i(0)],
                Box::new(more(5)),
                "null",
                3,
            ),
            (
                Native::Any,
                vec![list3(), i(0)],
                Box::new(more(1)),
                "true",
                2,
            ),
            (
                Native::Any,
                vec![list([]), i(0)],
                Box::new(more(1)),
                "false",
                0,
            ),
            (
                Native::All,
                vec![list3(), i(0)],
                Box::new(more(1)),
                "false",
                1,
            ),
            (
                Native::All,
                vec![list([]), i(0)],
                Box::new(more(1)),
                "true",
                0,
            ),
            (
                Native::CountArray,
                vec![list3(), i(0)],
                Box::new(more(1)),
                "2",
                3,
            ),
            (
                Native::Reduce,
                vec![list3(), i(0), i(0)],
                Box::new(|_, args| i(number(&args[0]) - number(&args[1]))),
                "-6",
                3,
            ),
            (
                Native::Reduce,
                vec![list([]), i(0), t("start")],
                Box::new(length),
                r#""start""#,
                0,
            ),
            (
                Native::SortedBy,
                vec![texts(["ccc", "a", "bb", "d"]), i(0)],
                Box::new(length),
                r#"["a", "d", "bb", "ccc"]"#,
                4,
            ),
            (
                Native::SortedBy,
                vec![texts(["a", "bb"]), i(0)],
                Box::new(|_, args| if number(&args[0]) == 1 { t("x") } else { i(1) }),
                "invalid_value",
                2,
            ),
            (
                Native::GroupBy,
                vec![texts(["ab", "c", "de"]), i(0)],
                Box::new(length),
                r#"{ 2: ["ab", "de"], 1: ["c"] }"#,
                3,
            ),
            (
                Native::ToMap,
                vec![texts(["a", "bb", "a"]), i(0), i(1)],
                Box::new(|which, args| match which {
                    0 => args[0].clone(),
                    _ => i(number(&args[0])),
                }),
                "{ a: 1, bb: 2 }",
                6,
            ),
            (
                Native::MapValues,
                vec![Value::record([("a", i(1)), ("b", i(2))]).unwrap(), i(0)],
                Box::new(|_, args| i(number(&args[0]) * 10)),
                "{ a: 10, b: 20 }",
                2,
            ),
            (
                Native::FilterMap,
                vec![Value::record([("a", i(1)), ("b", i(2))]).unwrap(), i(0)],
                Box::new(|_, args| Value::Bool(number(&args[1]) > 1)),
                "{ b: 2 }",
                2,
            ),
            (
                Native::Map,
                vec![i(1), i(0)],
                Box::new(length),
                "wrong_type",
                0,
            ),
        ];
        for (native, args, f, expected, calls) in table {
            assert!(Each::calls_back(native));
            let found = run(native, args.clone(), f);
            assert_eq!(found, (expected.to_owned(), calls), "{native:?} {args:?}");
        }
    }

    #[test]
    fn what_reduce_has_so_far_is_had_by_the_call_alone() {
        let mut args = [ints([1, 2]), i(0), list([])];
        let (each, next) = with(1 << 20, 1 << 20, |cx| {
            Each::begin(Native::Reduce, cx, &mut args)
        })
        .unwrap();
        let Next::Call { args, .. } = next else {
            panic!("{next:?}");
        };
        let so_far = args.into_iter().next();
        let Some(Value::List(mut list)) = so_far else {
            panic!("{so_far:?}");
        };
        assert!(Arc::get_mut(&mut list).is_some());
        drop(each);
    }
}
