//! Amounts of memory.

use super::arguments::{invalid, unfit};
use super::{Cx, Given};
use crate::value::Value;

pub(super) fn to_bytes(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Size(bytes)] => Ok(Value::Int(*bytes)),
        args => Err(unfit("to_bytes", args)),
    }
}

pub(super) fn parse_size(cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(text)] = args else {
        return Err(unfit("parse_size", args));
    };
    cx.meter
        .work(1 + text.len().min(symbi_mini::MAX_BYTES) / 8)?;
    match symbi_mini::size::parse(text) {
        Ok(reading) => Ok(Value::Size(reading.value)),
        Err(error) => Err(invalid(error.to_string())),
    }
}
