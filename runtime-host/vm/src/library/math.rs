//! Numbers. Arithmetic on whole numbers is checked.

use std::cmp::Ordering;

use super::arguments::{invalid, out_of_range, overflow, unfit};
use super::{Cx, Given, order};
use crate::raise::{Failure, Raise, kinds};
use crate::show::float;
use crate::value::Value;

pub(super) fn abs(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Int(number)] => match number.checked_abs() {
            Some(number) => Ok(Value::Int(number)),
            None => Err(overflow(format!("{number} without its sign is too large"))),
        },
        [Value::Float(number)] => Ok(Value::Float(number.abs())),
        args => Err(unfit("abs", args)),
    }
}

/// The smaller or the larger of two values of one type.
fn either(name: &str, args: &[Value], wanted: Ordering) -> Given {
    match args {
        [one, two] => Ok(match order::compare(two, one)? == wanted {
            true => two.clone(),
            false => one.clone(),
        }),
        args => Err(unfit(name, args)),
    }
}

pub(super) fn min(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    either("min", args, Ordering::Less)
}

pub(super) fn max(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    either("max", args, Ordering::Greater)
}

pub(super) fn clamp(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [number, low, high] = args else {
        return Err(unfit("clamp", args));
    };
    if order::compare(low, high)? == Ordering::Greater {
        return Err(invalid("the lower bound is above the upper one"));
    }
    Ok(match () {
        () if order::compare(number, low)? == Ordering::Less => low.clone(),
        () if order::compare(number, high)? == Ordering::Greater => high.clone(),
        () => number.clone(),
    })
}

/// A float without anything behind its point as a whole number.
fn whole(number: f64) -> Given {
    // 2^63, the first value that no i64 has.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    match (-LIMIT..LIMIT).contains(&number) {
        true => Ok(Value::Int(number as i64)),
        false => Err(out_of_range(format!(
            "{} does not fit in a whole number",
            float(number)
        ))),
    }
}

pub(super) fn round(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Float(number)] => whole(number.round()),
        args => Err(unfit("round", args)),
    }
}

pub(super) fn floor(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Float(number)] => whole(number.floor()),
        args => Err(unfit("floor", args)),
    }
}

pub(super) fn ceil(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Float(number)] => whole(number.ceil()),
        args => Err(unfit("ceil", args)),
    }
}

pub(super) fn truncate(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Float(number)] => whole(number.trunc()),
        args => Err(unfit("truncate", args)),
    }
}

/// Rounds what the language writes for the number: 2.675 has a half at its end,
/// though the float of that name is a little less.
pub(super) fn round_to(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    let [Value::Float(number), Value::Int(digits)] = args else {
        return Err(unfit("round_to", args));
    };
    let Some(digits) = usize::try_from(*digits).ok().filter(|digits| *digits <= 15) else {
        return Err(out_of_range(format!(
            "{digits} digits are asked for, and it has to be 0 to 15"
        )));
    };
    Ok(Value::Float(match number.is_finite() {
        true => rounded(*number, digits),
        false => *number,
    }))
}

fn rounded(number: f64, digits: usize) -> f64 {
    // Without an exponent: at most some 300 digits before or behind the point.
    let shown = format!("{}", number.abs());
    let Some((whole, part)) = shown.split_once('.') else {
        return number;
    };
    let Some(next) = part.as_bytes().get(digits) else {
        return number;
    };
    let mut kept: Vec<u8> = [
        whole.as_bytes(),
        part.get(..digits).unwrap_or("").as_bytes(),
    ]
    .concat();
    if *next >= b'5' {
        let mut carried = true;
        for digit in kept.iter_mut().rev() {
            if *digit == b'9' {
                *digit = b'0';
            } else {
                *digit += 1;
                carried = false;
                break;
            }
        }
        if carried {
            kept.insert(0, b'1');
        }
    }
    let point = kept.len() - digits;
    let mut text: String = kept.into_iter().map(char::from).collect();
    text.insert(point, '.');
    let rounded: f64 = text.parse().unwrap_or(number);
    rounded.copysign(number)
}

pub(super) fn div(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Int(_), Value::Int(0)] => Err(Failure::from(Raise::new(
            kinds::DIVISION_BY_ZERO,
            "division by zero",
        ))),
        [Value::Int(one), Value::Int(two)] => match one.checked_div(*two) {
            Some(number) => Ok(Value::Int(number)),
            None => Err(overflow(format!("{one} divided by {two} is too large"))),
        },
        args => Err(unfit("div", args)),
    }
}

pub(super) fn pow(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Float(base), Value::Float(exponent)] => Ok(Value::Float(base.powf(*exponent))),
        args => Err(unfit("pow", args)),
    }
}

pub(super) fn sqrt(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Float(number)] => Ok(Value::Float(number.sqrt())),
        args => Err(unfit("sqrt", args)),
    }
}

pub(super) fn ln(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Float(number)] => Ok(Value::Float(number.ln())),
        args => Err(unfit("ln", args)),
    }
}

pub(super) fn is_nan(_: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match args {
        [Value::Float(number)] => Ok(Value::Bool(number.is_nan())),
        args => Err(unfit("is_nan", args)),
    }
}

#[cfg(test)]
mod tests {
    use crate::library::Native;
    use crate::library::testing::*;
    use crate::value::Value;

    #[test]
    fn numbers_give_what_is_declared() {
        let nan = f64::NAN;
        let infinity = f64::INFINITY;
        let table: Vec<(Native, Vec<Value>, &str)> = vec![
            (Native::AbsInt, vec![i(-3)], "3"),
            (Native::AbsInt, vec![i(i64::MIN)], "overflow"),
            (Native::AbsFloat, vec![f(-2.5)], "2.5"),
            (Native::MinInt, vec![i(3), i(2)], "2"),
            (Native::MinFloat, vec![f(0.5), f(2.0)], "0.5"),
            (Native::MinFloat, vec![f(0.5), f(nan)], "invalid_value"),
            (Native::MaxFloat, vec![f(0.5), f(2.0)], "2.0"),
            (
                Native::MaxDuration,
                vec![Value::Duration(1), Value::Duration(0)],
                "0.000001ms",
            ),
            (Native::ClampInt, vec![i(12), i(0), i(10)], "10"),
            (Native::ClampInt, vec![i(5), i(10), i(0)], "invalid_value"),
            (Native::ClampFloat, vec![f(-0.5), f(0.0), f(1.0)], "0.0"),
            (
                Native::ClampFloat,
                vec![f(nan), f(0.0), f(1.0)],
                "invalid_value",
            ),
            (Native::Round, vec![f(2.5)], "3"),
            (Native::Round, vec![f(-2.5)], "-3"),
            (Native::Round, vec![f(nan)], "out_of_range"),
            (Native::Round, vec![f(infinity)], "out_of_range"),
            (
                Native::Round,
                vec![f(9_223_372_036_854_775_808.0)],
                "out_of_range",
            ),
            (
                Native::Round,
                vec![f(-9_223_372_036_854_775_808.0)],
                "-9223372036854775808",
            ),
            (Native::RoundTo, vec![f(2.71459), i(2)], "2.71"),
            (Native::RoundTo, vec![f(2.675), i(2)], "2.68"),
            (Native::RoundTo, vec![f(-9.995), i(2)], "-10.0"),
            (Native::RoundTo, vec![f(99.99), i(0)], "100.0"),
            (Native::RoundTo, vec![f(1e300), i(2)], "1e300"),
            (Native::RoundTo, vec![f(1e-300), i(15)], "0.0"),
            (Native::RoundTo, vec![f(-0.001), i(2)], "-0.0"),
            (Native::RoundTo, vec![f(infinity), i(2)], "Infinity"),
            (Native::RoundTo, vec![f(1.0), i(16)], "out_of_range"),
            (Native::RoundTo, vec![f(1.0), i(-1)], "out_of_range"),
            (Native::Floor, vec![f(-1.5)], "-2"),
            (Native::Ceil, vec![f(1.2)], "2"),
            (Native::TruncateFloat, vec![f(-1.9)], "-1"),
            (Native::Div, vec![i(7), i(2)], "3"),
            (Native::Div, vec![i(-7), i(2)], "-3"),
            (Native::Div, vec![i(1), i(0)], "division_by_zero"),
            (Native::Div, vec![i(i64::MIN), i(-1)], "overflow"),
            (Native::Pow, vec![f(2.0), f(10.0)], "1024.0"),
            (Native::Sqrt, vec![f(2.25)], "1.5"),
            (Native::Sqrt, vec![f(-1.0)], "NaN"),
            (Native::Ln, vec![f(1.0)], "0.0"),
            (Native::IsNan, vec![f(nan)], "true"),
            (Native::ToBytes, vec![Value::Size(1024)], "1024"),
            (Native::ParseSize, vec![t("1MB")], "1MB"),
            (Native::ParseSize, vec![t("-1MB")], "invalid_value"),
            (Native::ParseSize, vec![t("")], "invalid_value"),
        ];
        for (native, args, expected) in table {
            assert_eq!(shown(native, args.clone()), expected, "{native:?} {args:?}");
        }
    }
}
