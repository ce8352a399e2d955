//! Whether a value is one that an argument of a tool takes.
//!
//! One function for all who ask: defaults in manifests, literals in calls, and
//! the host before it builds a command. What only the host can know (whether a
//! file exists, what a name resolves to, what the scope of the project is) is
//! not asked here.

mod network;
mod problem;
mod texts;

use std::fmt;
use std::sync::Arc;

use crate::ArgumentType;
use crate::nearest::nearest;
use crate::pattern::Pattern;

pub(crate) use network::{REFUSED_SCHEMES, is_scheme};
pub use network::{is_internal_host, is_never_reached};
pub use problem::{Unfit, ValueProblem};
pub(crate) use texts::{BLOCKED, relative_path};

/// The most bytes that a text may have that is passed as it is: 32 KiB.
pub const MAX_TEXT: usize = 32 << 10;

/// What the values of an argument must be. No place in a file belongs to it: a
/// manifest whose lines only move says the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// What it takes.
    pub ty: ArgumentType,
    /// The values of an enum, in the order of the file.
    pub allowed: Arc<[String]>,
    /// All of them match the whole value: that of the argument, and those of
    /// the types that it is made from.
    pub patterns: Vec<Pattern>,
    /// The least whole number.
    pub min: Option<i64>,
    /// The largest whole number.
    pub max: Option<i64>,
    /// The least number; it is finite.
    pub min_float: Option<f64>,
    /// The largest number; it is finite.
    pub max_float: Option<f64>,
    /// A number outside of its range becomes the nearest within it.
    pub clamp: bool,
    /// What a URL may begin with, in lower case.
    pub schemes: Arc<[String]>,
    /// The host compares it with the scope of the project.
    pub scope_check: bool,
    /// It may name nothing within private networks.
    pub block_internal: bool,
    /// It may have spaces.
    pub allow_whitespace: bool,
    /// It may begin with `-` or `+`.
    pub allow_leading_dash: bool,
}

// INVARIANT: the bounds of a range are finite, so a value equals itself.
impl Eq for Rules {}

/// The schemes of a URL that says nothing else.
const SCHEMES: [&str; 2] = ["http", "https"];

impl Rules {
    /// Those of a built-in type, without any limits.
    pub fn of(ty: ArgumentType) -> Self {
        let url = ty == ArgumentType::Url;
        Self {
            ty,
            allowed: Arc::default(),
            patterns: Vec::new(),
            min: None,
            max: None,
            min_float: None,
            max_float: None,
            clamp: false,
            schemes: if url {
                SCHEMES.map(str::to_owned).into()
            } else {
                Arc::default()
            },
            scope_check: ty == ArgumentType::ScopeTarget,
            block_internal: false,
            allow_whitespace: false,
            allow_leading_dash: false,
        }
    }
}

/// A value as it is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Given<'v> {
    /// A text, which may stand for a value of any type.
    Text(&'v str),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Float(f64),
    /// `true` or `false`.
    Boolean(bool),
}

/// A value that an argument takes, as the tool gets it.
#[derive(Clone, Debug, PartialEq)]
pub enum Taken {
    /// A text.
    Text(String),
    /// A whole number; of a duration, its seconds.
    Integer(i64),
    /// A number.
    Number(f64),
    /// `true` or `false`.
    Boolean(bool),
}

impl fmt::Display for Taken {
    /// The one word of a command that the value becomes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Taken::Text(text) => f.write_str(text),
            Taken::Integer(value) => write!(f, "{value}"),
            Taken::Number(value) => write!(f, "{value}"),
            Taken::Boolean(value) => write!(f, "{value}"),
        }
    }
}

/// The value that a tool gets if an argument with these rules is given one.
///
/// # Errors
/// What is wrong with it.
pub fn check_value(rules: &Rules, given: Given<'_>) -> Result<Taken, ValueProblem> {
    let text = match given {
        Given::Text(text) => text.to_owned(),
        Given::Integer(value) => value.to_string(),
        // With its point: `1.0` is no whole number.
        Given::Float(value) => format!("{value:?}"),
        Given::Boolean(value) => value.to_string(),
    };
    if let Some(at) = text.find('\0') {
        return Err(ValueProblem::character('\0', at, Unfit::Control));
    }
    match rules.ty {
        ArgumentType::Integer => integer(rules, &text),
        ArgumentType::Number => number(rules, &text),
        ArgumentType::Port => port(rules, &text),
        ArgumentType::Boolean => match &*text {
            "true" => Ok(Taken::Boolean(true)),
            "false" => Ok(Taken::Boolean(false)),
            _ => Err(ValueProblem::Type("`true` or `false`")),
        },
        ArgumentType::Enum => choice(rules, text),
        ArgumentType::Duration => texts::duration(&text).map(Taken::Integer),
        ArgumentType::LiteralText | ArgumentType::AgentSummary => {
            texts::free(rules.ty, &text)?;
            matching(rules, text)
        }
        ArgumentType::String | ArgumentType::RegexMatch => {
            texts::clean(rules, &text)?;
            matching(rules, text)
        }
        ArgumentType::Path | ArgumentType::CredentialFile => {
            texts::clean(rules, &text)?;
            relative_path(&text)?;
            matching(rules, text)
        }
        ArgumentType::MsfOptions => {
            texts::msf_options(&text)?;
            matching(rules, text)
        }
        ArgumentType::Url => {
            texts::clean(rules, &text)?;
            network::url(rules, &text)?;
            matching(rules, text)
        }
        ArgumentType::ScopeTarget => {
            texts::clean(rules, &text)?;
            network::target(rules, &text)?;
            matching(rules, text)
        }
        ArgumentType::IpAddress => {
            network::address(rules, &text)?;
            Ok(Taken::Text(text))
        }
        ArgumentType::Cidr => {
            network::range(rules, &text)?;
            Ok(Taken::Text(text))
        }
    }
}

fn matching(rules: &Rules, text: String) -> Result<Taken, ValueProblem> {
    match rules
        .patterns
        .iter()
        .find(|pattern| !pattern.matches(&text))
    {
        Some(pattern) => Err(ValueProblem::Pattern(pattern.as_str().into())),
        None => Ok(Taken::Text(text)),
    }
}

fn choice(rules: &Rules, text: String) -> Result<Taken, ValueProblem> {
    if rules.allowed.contains(&text) {
        return Ok(Taken::Text(text));
    }
    let allowed = rules.allowed.iter().map(String::as_str);
    // Case matters, and is the likeliest slip.
    let near = allowed
        .clone()
        .find(|word| word.eq_ignore_ascii_case(&text));
    let near = near.or_else(|| nearest(&text, allowed));
    Err(ValueProblem::NotAllowed {
        allowed: rules.allowed.clone(),
        near: near.map(str::to_owned),
    })
}

/// A sign before a number. A `-` is an option to many programs.
fn sign(rules: &Rules, text: &str) -> Result<(), ValueProblem> {
    match text.chars().next() {
        Some('+') => Err(ValueProblem::LeadingSign('+')),
        Some('-') if !rules.allow_leading_dash => Err(ValueProblem::LeadingSign('-')),
        _ => Ok(()),
    }
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn integer(rules: &Rules, text: &str) -> Result<Taken, ValueProblem> {
    const EXPECTED: ValueProblem = ValueProblem::Type("a whole number");
    let bare = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits(bare) {
        return Err(EXPECTED);
    }
    let value = text
        .parse()
        .map_err(|_| ValueProblem::Type("a whole number of 64 bits"))?;
    let value = in_range(rules.clamp, value, rules.min, rules.max)?;
    sign(
        rules,
        if value < 0 {
            "-"
        } else {
            text.trim_start_matches('-')
        },
    )?;
    Ok(Taken::Integer(value))
}

fn port(rules: &Rules, text: &str) -> Result<Taken, ValueProblem> {
    const EXPECTED: ValueProblem = ValueProblem::Type("a port from 1 to 65535");
    if !digits(text) {
        return Err(EXPECTED);
    }
    let value: u16 = text.parse().map_err(|_| EXPECTED)?;
    if value == 0 {
        return Err(EXPECTED);
    }
    in_range(rules.clamp, value.into(), rules.min, rules.max).map(Taken::Integer)
}

fn number(rules: &Rules, text: &str) -> Result<Taken, ValueProblem> {
    const EXPECTED: ValueProblem = ValueProblem::Type("a number");
    let bare = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match bare.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (bare, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let exponent = exponent.map(|text| text.strip_prefix(['-', '+']).unwrap_or(text));
    if !digits(whole) || !fraction.is_none_or(digits) || !exponent.is_none_or(digits) {
        return Err(EXPECTED);
    }
    let value: f64 = text.parse().map_err(|_| EXPECTED)?;
    if !value.is_finite() {
        return Err(ValueProblem::Type("a number of 64 bits"));
    }
    let value = in_range(rules.clamp, value, rules.min_float, rules.max_float)?;
    let signed = if value < 0.0 {
        "-"
    } else {
        text.trim_start_matches('-')
    };
    sign(rules, signed)?;
    // `-0.0` would be written with its sign.
    Ok(Taken::Number(if value == 0.0 { 0.0 } else { value }))
}

/// A number within its range; the nearest that is, if it may be moved there.
fn in_range<N: PartialOrd + fmt::Display + Copy>(
    clamp: bool,
    value: N,
    min: Option<N>,
    max: Option<N>,
) -> Result<N, ValueProblem> {
    match (min, max) {
        (Some(min), _) if value < min && clamp => Ok(min),
        (_, Some(max)) if value > max && clamp => Ok(max),
        (Some(min), _) if value < min => Err(ValueProblem::Below(min.to_string())),
        (_, Some(max)) if value > max => Err(ValueProblem::Above(max.to_string())),
        _ => Ok(value),
    }
}
