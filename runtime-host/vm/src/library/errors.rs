//! `error`: raising.

use std::mem::take;

use super::arguments::unfit;
use super::{Cx, Given};
use crate::raise::Raise;
use crate::value::Value;

pub(super) fn error(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Text(message), Value::Text(kind), details] = args else {
        return Err(unfit("error", args));
    };
    Err(Raise {
        kind: kind.as_str().to_owned().into(),
        message: message.as_str().to_owned(),
        details: Some(take(details)),
        given: None,
    }
    .into())
}

/// Raises what was caught. Where it was raised first, the machine adds.
pub(super) fn again(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Error(problem)] = args else {
        return Err(unfit("error", args));
    };
    Err(Raise {
        kind: problem.kind.as_str().to_owned().into(),
        message: problem.message.as_str().to_owned(),
        details: Some(problem.details.clone()),
        given: problem.given.clone(),
    }
    .into())
}
