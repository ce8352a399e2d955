//! Patterns: whether one fits, and what it binds.

use symbi_ir::Case;

use super::Machine;
use crate::raise::Failure;
use crate::value::Value;

impl Machine {
    /// Whether the pattern fits the subject, which stands at a place of the
    /// stack; whether it was raised stands at the next.
    pub(super) fn fits(
        &mut self,
        case: &Case,
        subject: usize,
        base: usize,
    ) -> Result<bool, Failure> {
        let raised = matches!(self.stack[subject + 1], Value::Bool(true));
        let mut value = self.stack[subject].clone();
        let mut case = case;
        if raised {
            if let Value::Error(problem) = &value
                && let Some(given) = &problem.given
            {
                value = given.clone();
            }
            case = match case {
                Case::Err(inner) => inner,
                // They fit whatever there is, where what was raised is looked at.
                Case::Any | Case::Bind(_) => case,
                _ => return Ok(false),
            };
        }
        loop {
            return Ok(match case {
                Case::Any => true,
                Case::Bind(slot) => {
                    self.stack[base + *slot as usize] = value;
                    true
                }
                Case::Null => matches!(value, Value::Null),
                // As the checker says: comparing it always raises.
                _ if is_uncompared(case, &value) => value.equals(&Value::Bool(true))?,
                Case::Bool(wanted) => matches!(value, Value::Bool(is) if is == *wanted),
                Case::Int(wanted) => number(&value, &Value::Int(*wanted))?,
                Case::Float(wanted) => number(&value, &Value::Float(*wanted))?,
                Case::Size(wanted) => number(&value, &Value::Size(*wanted))?,
                Case::Duration(wanted) => matches!(value, Value::Duration(is) if is == *wanted),
                Case::Text(wanted) => matches!(&value, Value::Text(is) if **is == **wanted),
                Case::Some(inner) => match value {
                    Value::Null => false,
                    _ => {
                        case = inner;
                        continue;
                    }
                },
                Case::Ok(inner) => {
                    case = inner;
                    continue;
                }
                Case::Err(_) => false,
            });
        }
    }
}

/// Whether a pattern would compare a secret or a function.
fn is_uncompared(case: &Case, value: &Value) -> bool {
    let is_literal = matches!(
        case,
        Case::Bool(_)
            | Case::Int(_)
            | Case::Float(_)
            | Case::Size(_)
            | Case::Duration(_)
            | Case::Text(_)
    );
    let uncompared = matches!(
        value,
        Value::Secret(_) | Value::Lambda(_) | Value::Function(_)
    );
    is_literal && uncompared
}

/// Whether a number is another one; anything else is none.
fn number(value: &Value, wanted: &Value) -> Result<bool, Failure> {
    match value {
        Value::Int(_) | Value::Float(_) | Value::Size(_) => Ok(value.equals(wanted)?),
        _ => Ok(false),
    }
}
