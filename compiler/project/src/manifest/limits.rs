//! The limits of an argument or of a custom type: which of them its type has,
//! and that they only ever narrow what its type allows.

use std::collections::HashSet;
use std::sync::Arc;

use symbi_diagnostics::project as codes;
use symbi_diagnostics::{Diagnostic, Span};

use super::argument::ArgumentType as Type;
use super::section::Section;
use crate::Spanned;
use crate::reader::Reader;
use crate::value::{BLOCKED, REFUSED_SCHEMES, Rules, is_scheme};

/// How many patterns a value is held to: one a custom type on its way.
const MAX_PATTERNS: usize = 16;

/// Whose limits they are.
pub struct Owner<'a> {
    /// Its name, and where it stands.
    pub name: &'a Spanned<String>,
    /// What it is made from, if that is a custom type.
    pub custom: Option<&'a str>,
}

const NUMBERS: &[Type] = &[Type::Integer, Type::Number, Type::Port];
const NETWORK: &[Type] = &[Type::Cidr, Type::IpAddress, Type::ScopeTarget, Type::Url];
/// Types whose values are words of a command that the author did not choose.
const SPACED: &[Type] = &[
    Type::CredentialFile,
    Type::Path,
    Type::RegexMatch,
    Type::String,
];
const DASHED: &[Type] = &[
    Type::CredentialFile,
    Type::Integer,
    Type::Number,
    Type::Path,
    Type::RegexMatch,
    Type::String,
];
const TEXTS: &[Type] = &[
    Type::AgentSummary,
    Type::CredentialFile,
    Type::LiteralText,
    Type::MsfOptions,
    Type::Path,
    Type::RegexMatch,
    Type::ScopeTarget,
    Type::String,
    Type::Url,
];

/// The types that a limit is for. `allowed`, which has reports of its own, is
/// not asked for here.
fn suits(limit: &str) -> &'static [Type] {
    match limit {
        "min_float" | "max_float" => &[Type::Number],
        "min" | "max" | "clamp" => NUMBERS,
        "schemes" => &[Type::Url],
        "scope_check" | "block_internal" => NETWORK,
        "allow_whitespace" => SPACED,
        "allow_leading_dash" => DASHED,
        "pattern" => TEXTS,
        _ => Type::ALL,
    }
}

/// Limits that only suit some types.
const LIMITS: [&str; 11] = [
    "allow_leading_dash",
    "allow_whitespace",
    "block_internal",
    "clamp",
    "max",
    "max_float",
    "min",
    "min_float",
    "pattern",
    "schemes",
    "scope_check",
];

/// What a type allows, narrowed by the limits of a section.
pub fn narrow<'d>(
    reader: &mut Reader<'d>,
    section: &Section<'d>,
    mut rules: Rules,
    owner: &Owner,
) -> Rules {
    for limit in LIMITS {
        if let Some(entry) = section.entry(limit)
            && !suits(limit).contains(&rules.ty)
        {
            unsuitable(reader, limit, entry.key_at, rules.ty);
        }
    }
    allowed(reader, section, &mut rules, owner);
    pattern(reader, section, &mut rules, owner);
    whole_bounds(reader, section, &mut rules, owner);
    bounds(reader, section, &mut rules, owner);
    in_order(reader, section, &rules);
    clamp(reader, section, &mut rules);
    schemes(reader, section, &mut rules, owner);
    switches(reader, section, &mut rules, owner);
    rules
}

fn unsuitable(reader: &mut Reader, limit: &str, at: Span, ty: Type) {
    let types: Vec<String> = suits(limit)
        .iter()
        .map(|ty| format!("`{}`", ty.as_str()))
        .collect();
    let message = format!("`{limit}` says nothing about the type `{}`", ty.as_str());
    let report = Diagnostic::new(&codes::K0864, at, message);
    reader.report(report.help(format!("leave it out: it is for {}", types.join(", "))));
}

/// Whether a limit is one that the type has.
fn applies(rules: &Rules, limit: &str) -> bool {
    suits(limit).contains(&rules.ty)
}

/// Reports a limit that would allow more than the custom type does.
fn wider(reader: &mut Reader, at: Span, owner: &Owner, more: &str) {
    let Some(custom) = owner.custom else {
        return;
    };
    let message = format!(
        "`{}` allows more than its type `{custom}`: {more}",
        owner.name.value
    );
    let report = Diagnostic::new(&codes::K0864, at, message);
    reader.report(report.help("a limit narrows what its type allows, and never widens it"));
}

/// `allowed` belongs to enums, and every enum has it.
fn allowed<'d>(reader: &mut Reader<'d>, section: &Section<'d>, rules: &mut Rules, owner: &Owner) {
    let name = &owner.name.value;
    let Some(key) = section.entry("allowed") else {
        if rules.ty == Type::Enum && rules.allowed.is_empty() && owner.custom.is_none() {
            let message = format!("the enum `{name}` does not say which values it takes");
            let report = Diagnostic::new(&codes::K0856, owner.name.at, message);
            reader.report(report.help("write `allowed = [\"fast\", \"slow\"]`"));
        }
        return;
    };
    if rules.ty != Type::Enum {
        let message = format!(
            "`allowed` has no effect on the type `{}`: only an `enum` takes one of some values",
            rules.ty.as_str()
        );
        let report = Diagnostic::new(&codes::K0857, key.key_at, message);
        reader.report(report.help("write `type = \"enum\"`, or leave `allowed` out"));
        return;
    }
    let Some(written) = section.texts(reader, "allowed") else {
        return;
    };
    if written.is_empty() {
        let message = format!("the enum `{name}` allows nothing");
        let report = Diagnostic::new(&codes::K0856, key.key_at, message);
        reader.report(report.help("write the values that a call may give"));
    }
    let base = rules.allowed.clone();
    let known: HashSet<&str> = base.iter().map(String::as_str).collect();
    let mut values = Vec::with_capacity(written.len());
    for value in written {
        let unfit = value
            .value
            .char_indices()
            .find(|(_, c)| BLOCKED.contains(c) || c.is_control());
        if let Some((at, found)) = unfit {
            let place = reader.inside(&value, at..at + found.len_utf8());
            let shown = match found.is_control() {
                true => format!("the control character U+{:04X}", u32::from(found)),
                false => format!("`{found}`, which a shell could read"),
            };
            let message = format!("a value of an enum cannot hold {shown}");
            reader.report(Diagnostic::new(&codes::K0863, place, message));
            continue;
        }
        if owner.custom.is_some() && !known.contains(&*value.value) {
            // An error of the type itself is reported there.
            if !known.is_empty() {
                let more = format!("`{}` is none of its values", value.value);
                wider(reader, value.at, owner, &more);
            }
            continue;
        }
        values.push(value.value);
    }
    rules.allowed = values.into();
}

fn pattern(reader: &mut Reader, section: &Section, rules: &mut Rules, owner: &Owner) {
    if applies(rules, "pattern")
        && let Some(written) = section.filled(reader, "pattern")
    {
        if rules.patterns.len() >= MAX_PATTERNS {
            let message = format!("a value is held to at most {MAX_PATTERNS} patterns");
            reader.report(Diagnostic::new(&codes::K0865, written.at, message));
        } else {
            rules.patterns.extend(reader.pattern(&written, true));
        }
    } else if section.entry("pattern").is_none()
        && rules.ty == Type::RegexMatch
        && rules.patterns.is_empty()
        && owner.custom.is_none()
    {
        let message = format!("`{}` has no pattern that it should match", owner.name.value);
        let report = Diagnostic::new(&codes::K0865, owner.name.at, message);
        reader.report(report.help("write for example `pattern = \"[a-z]+\"`"));
    }
}

/// `min` and `max`.
fn whole_bounds(reader: &mut Reader, section: &Section, rules: &mut Rules, owner: &Owner) {
    if !applies(rules, "min") {
        return;
    }
    let min = section.integer(reader, "min");
    let max = section.integer(reader, "max");
    for bound in [&min, &max].into_iter().flatten() {
        if rules.ty == Type::Port && !(1..=65535).contains(&bound.value) {
            let message = "a port lies between 1 and 65535";
            reader.report(Diagnostic::new(&codes::K0863, bound.at, message));
        }
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "a bound of numbers with fractions needs no more than they have"
    )]
    let float = |bound: &Spanned<i64>| Spanned {
        value: bound.value as f64,
        at: bound.at,
    };
    if rules.ty == Type::Number {
        let (min, max) = (min.as_ref().map(float), max.as_ref().map(float));
        number_bounds(reader, rules, owner, min, max);
        return;
    }
    if let Some(min) = min {
        if let Some(least) = rules.min
            && min.value < least
        {
            wider(
                reader,
                min.at,
                owner,
                &format!("its least value is {least}"),
            );
        }
        dash(reader, rules, section, min.value < 0, min.at);
        rules.min = Some(rules.min.map_or(min.value, |least| least.max(min.value)));
    }
    if let Some(max) = max {
        if let Some(most) = rules.max
            && max.value > most
        {
            wider(
                reader,
                max.at,
                owner,
                &format!("its largest value is {most}"),
            );
        }
        rules.max = Some(rules.max.map_or(max.value, |most| most.min(max.value)));
    }
}

/// `min_float` and `max_float`.
fn bounds(reader: &mut Reader, section: &Section, rules: &mut Rules, owner: &Owner) {
    if !applies(rules, "min_float") {
        return;
    }
    for (whole, float) in [("min", "min_float"), ("max", "max_float")] {
        if section.entry(whole).is_some()
            && let Some(second) = section.entry(float)
        {
            let message = format!("`{whole}` and `{float}` say the same");
            let report = Diagnostic::new(&codes::K0864, second.key_at, message);
            reader.report(report.help("leave one of the two out"));
        }
    }
    let min = section.number(reader, "min_float");
    let max = section.number(reader, "max_float");
    number_bounds(reader, rules, owner, min, max);
    let least = section.entry("min_float").or(section.entry("min"));
    if let Some(least) = least {
        let negative = rules.min_float.is_some_and(|min| min < 0.0);
        let at = reader.at(least.value);
        dash(reader, rules, section, negative, at);
    }
}

fn number_bounds(
    reader: &mut Reader,
    rules: &mut Rules,
    owner: &Owner,
    min: Option<Spanned<f64>>,
    max: Option<Spanned<f64>>,
) {
    if let Some(min) = min {
        if let Some(least) = rules.min_float
            && min.value < least
        {
            wider(
                reader,
                min.at,
                owner,
                &format!("its least value is {least}"),
            );
        }
        rules.min_float = Some(
            rules
                .min_float
                .map_or(min.value, |least| least.max(min.value)),
        );
    }
    if let Some(max) = max {
        if let Some(most) = rules.max_float
            && max.value > most
        {
            wider(
                reader,
                max.at,
                owner,
                &format!("its largest value is {most}"),
            );
        }
        rules.max_float = Some(
            rules
                .max_float
                .map_or(max.value, |most| most.min(max.value)),
        );
    }
}

/// Whether any number lies in the range, whatever said its ends.
fn in_order(reader: &mut Reader, section: &Section, rules: &Rules) {
    let (least, most) = match (
        rules.ty,
        rules.min,
        rules.max,
        rules.min_float,
        rules.max_float,
    ) {
        (Type::Number, _, _, Some(min), Some(max)) if min > max => {
            (min.to_string(), max.to_string())
        }
        (Type::Integer | Type::Port, Some(min), Some(max), _, _) if min > max => {
            (min.to_string(), max.to_string())
        }
        _ => return,
    };
    let min = section.entry("min").or(section.entry("min_float"));
    let max = section.entry("max").or(section.entry("max_float"));
    // What a type of its own says wrong is reported there.
    let Some(last) = max.or(min) else {
        return;
    };
    let message = format!("no number is at least {least} and at most {most}");
    let mut report = Diagnostic::new(&codes::K0863, reader.at(last.value), message);
    if let (Some(min), Some(_)) = (min, max) {
        report = report.note(reader.at(min.value), "the least value");
    }
    reader.report(report);
}

/// A range with negative numbers needs a word that allows their sign.
fn dash(reader: &mut Reader, rules: &Rules, section: &Section, negative: bool, at: Span) {
    if negative && !rules.allow_leading_dash && section.entry("allow_leading_dash").is_none() {
        let message = "numbers below 0 begin with `-`, which would make them options";
        let report = Diagnostic::new(&codes::K0864, at, message);
        reader.report(
            report.help("write `allow_leading_dash = true` if the tool can tell them apart"),
        );
    }
}

fn clamp(reader: &mut Reader, section: &Section, rules: &mut Rules) {
    if !applies(rules, "clamp") {
        return;
    }
    let clamp = section.boolean(reader, "clamp", rules.clamp);
    rules.clamp = clamp.value;
    let bounds = ["min", "max", "min_float", "max_float"];
    let bounded = rules.min.is_some()
        || rules.max.is_some()
        || rules.min_float.is_some()
        || rules.max_float.is_some()
        || bounds.iter().any(|bound| section.entry(bound).is_some());
    if let Some(at) = clamp.at
        && clamp.value
        && !bounded
    {
        let message = "`clamp` moves numbers into a range, and there is none";
        let report = Diagnostic::new(&codes::K0864, at, message);
        reader.report(report.help("write `min` or `max`, or leave `clamp` out"));
    }
}

fn schemes<'d>(reader: &mut Reader<'d>, section: &Section<'d>, rules: &mut Rules, owner: &Owner) {
    if !applies(rules, "schemes") {
        return;
    }
    let Some(written) = section.texts(reader, "schemes") else {
        return;
    };
    let mut schemes: Vec<String> = Vec::with_capacity(written.len());
    for scheme in &written {
        let lower = scheme.value.to_ascii_lowercase();
        if REFUSED_SCHEMES.contains(&&*lower) {
            let message = format!("tools are never given a URL that begins with `{lower}:`");
            reader.report(Diagnostic::new(&codes::K0863, scheme.at, message));
        } else if !is_scheme(&scheme.value) {
            let message = format!("`{}` is no scheme of a URL", scheme.value);
            let report = Diagnostic::new(&codes::K0863, scheme.at, message);
            reader.report(report.help("write it without what follows it: `\"https\"`"));
        } else if owner.custom.is_some() && !rules.schemes.contains(&lower) {
            wider(
                reader,
                scheme.at,
                owner,
                &format!("it has no scheme `{lower}`"),
            );
        } else {
            schemes.push(lower);
        }
    }
    if written.is_empty()
        && let Some(key) = section.entry("schemes")
    {
        let message = "no URL begins with one of no schemes: write `schemes = [\"https\"]`";
        reader.report(Diagnostic::new(&codes::K0863, key.key_at, message));
    }
    rules.schemes = Arc::from(schemes);
}

/// What is `true` or `false`. Two of them narrow, two widen.
fn switches(reader: &mut Reader, section: &Section, rules: &mut Rules, owner: &Owner) {
    for name in ["scope_check", "block_internal"] {
        if !applies(rules, name) {
            continue;
        }
        let before = match name {
            "scope_check" => rules.scope_check,
            _ => rules.block_internal,
        };
        let now = section.boolean(reader, name, before);
        if let (Some(at), true, false) = (now.at, before, now.value) {
            match owner.custom {
                Some(_) => wider(reader, at, owner, &format!("`{name}` is set there")),
                None => {
                    let message = "a `scope_target` is always compared with the scope";
                    let report = Diagnostic::new(&codes::K0864, at, message);
                    reader.report(report.help("leave `scope_check` out"));
                }
            }
        }
        match name {
            "scope_check" => rules.scope_check = before || now.value,
            _ => rules.block_internal = before || now.value,
        }
    }
    for name in ["allow_whitespace", "allow_leading_dash"] {
        if !applies(rules, name) {
            continue;
        }
        let before = match name {
            "allow_whitespace" => rules.allow_whitespace,
            _ => rules.allow_leading_dash,
        };
        let now = section.boolean(reader, name, before);
        let widens = owner.custom.is_some() && now.value && !before;
        if let (Some(at), true) = (now.at, widens) {
            wider(reader, at, owner, &format!("`{name}` is not set there"));
        }
        let value = now.value && !widens;
        match name {
            "allow_whitespace" => rules.allow_whitespace = value,
            _ => rules.allow_leading_dash = value,
        }
    }
}
