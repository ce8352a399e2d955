//! Literals in calls of tools, held to what the manifest says about them.

use symbi_diagnostics::{Diagnostic, Edit, types as codes};
use symbi_project::{ArgumentType, Given, Rules, ValueProblem, check_value};
use symbi_syntax::ast::{AstNode, Expr, LiteralValue, PrefixOp};

use super::scope::Checker;
use crate::findings::at_node;
use crate::program::ToolParam;

/// A literal of a call.
enum Written {
    Text(String),
    Integer(i64),
    Float(f64),
    /// Nanoseconds.
    Duration(i64),
}

impl<'i> Checker<'i> {
    /// Reports a literal that the manifest of a tool refuses. One of another
    /// type is reported as such.
    #[inline(never)]
    pub(super) fn tool_value(&mut self, tool: &str, param: &ToolParam, value: Expr<'i>) {
        let Some(rules) = &param.rules else {
            return;
        };
        let Some(written) = written(value) else {
            return;
        };
        if let Err(problem) = check(rules, &written) {
            self.refused(tool, param, value, &problem);
        }
    }

    #[cold]
    fn refused(&mut self, tool: &str, param: &ToolParam, value: Expr<'i>, problem: &ValueProblem) {
        let at = at_node(value.node());
        let message = format!("`{}` of the tool `{tool}` {problem}", param.name);
        let mut report = Diagnostic::new(&codes::T0319, at, message);
        if let Some(meant) = problem.suggestion() {
            let number = matches!(problem, ValueProblem::Below(_) | ValueProblem::Above(_));
            let text = match number {
                true => meant.to_owned(),
                false => format!("\"{meant}\""),
            };
            let plain = !meant.contains(['"', '\\', '$', '{']);
            let edits = vec![Edit {
                at: report.primary.at,
                text: text.clone(),
            }];
            let title = format!("write `{text}`");
            if plain && problem.is_slip() {
                report = report.fix(title, edits);
            } else if plain {
                report = report.maybe_fix(title, edits);
            }
        }
        self.report(report);
    }
}

/// The value of a literal, which may have a minus sign.
fn written(value: Expr<'_>) -> Option<Written> {
    let (literal, negative) = match value {
        Expr::Literal(literal) => (literal, false),
        Expr::Prefix(prefix) => match (prefix.operator()?, prefix.operand()?) {
            (PrefixOp::Minus, Expr::Literal(literal)) => (literal, true),
            _ => return None,
        },
        _ => return None,
    };
    Some(match (literal.value()?, negative) {
        (LiteralValue::String(text), false) => Written::Text(text),
        (LiteralValue::Int(value), false) => Written::Integer(i64::try_from(value).ok()?),
        (LiteralValue::Int(value), true) => {
            Written::Integer(i64::try_from(-i128::from(value)).ok()?)
        }
        (LiteralValue::Float(value), false) => Written::Float(value),
        (LiteralValue::Float(value), true) => Written::Float(-value),
        (LiteralValue::Duration(nanos), false) => Written::Duration(nanos),
        (LiteralValue::Duration(nanos), true) => Written::Duration(nanos.checked_neg()?),
        _ => return None,
    })
}

fn check(rules: &Rules, written: &Written) -> Result<(), ValueProblem> {
    let numbers = matches!(
        rules.ty,
        ArgumentType::Integer | ArgumentType::Number | ArgumentType::Port
    );
    let duration = rules.ty == ArgumentType::Duration;
    let given = match written {
        Written::Text(text) if !numbers && rules.ty != ArgumentType::Boolean => Given::Text(text),
        Written::Integer(value) if numbers || duration => Given::Integer(*value),
        Written::Float(value) if rules.ty == ArgumentType::Number || duration => {
            Given::Float(*value)
        }
        Written::Duration(nanos) if duration => {
            const SECOND: i64 = 1_000_000_000;
            return match nanos {
                ..=0 => Err(ValueProblem::NoTime),
                nanos if nanos % SECOND == 0 => Ok(()),
                _ => Err(ValueProblem::PartOfSecond),
            };
        }
        _ => return Ok(()),
    };
    check_value(rules, given).map(|_| ())
}
