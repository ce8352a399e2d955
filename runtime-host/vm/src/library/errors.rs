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

/// Raises what was caught, as it was: the machine knows it by what is given.
pub(super) fn again(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Error(problem)] = args else {
        return Err(unfit("error", args));
    };
    Err(Raise {
        kind: problem.kind.as_str().to_owned().into(),
        message: problem.message.as_str().to_owned(),
        details: Some(problem.details.clone()),
        given: Some(Value::Error(problem.clone())),
    }
    .into())
}

#[cfg(test)]
mod tests {
    use crate::library::Native;
    use crate::library::testing::*;
    use crate::raise::Failure;
    use crate::value::{Problem, Value};

    #[test]
    fn an_error_has_what_it_was_given() {
        let details = Value::record([("a", i(1))]).unwrap();
        let raised = given(
            Native::ErrorString,
            [t("no"), t("refused"), details.clone()],
        );
        let Err(Failure::Raise(raise)) = raised else {
            panic!("{raised:?}");
        };
        assert_eq!(raise.to_string(), "refused: no");
        let problem = Problem {
            kind: "refused".into(),
            message: "no".into(),
            at: None,
            details,
            given: Some(i(2)),
        };
        let raised = given(Native::ErrorError, [Value::Error(problem.into())]);
        let Err(Failure::Raise(raise)) = raised else {
            panic!("{raised:?}");
        };
        assert_eq!(raise.to_string(), "refused: no");
        assert_eq!(quoted(raise.details.as_ref().unwrap()), "{ a: 1 }");
        assert!(
            matches!(&raise.given, Some(Value::Error(same)) if quoted(same.given.as_ref().unwrap()) == "2")
        );
    }
}
