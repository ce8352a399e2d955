//! `require` and `audit`: what they name, what its value says, and whether
//! anything enforces it (language.md section 4).

use symbi_diagnostics::{Diagnostic, Edit, policies as codes};
use symbi_mini::{duration, rate, size};
use symbi_policy::Value;
use symbi_project::Tier;
use symbi_syntax::Place;
use symbi_syntax::ast::{self, AstNode, Expr, RecordField};

use super::check::Cx;
use super::kinds::{bare, predicate_of};
use super::lower::{name_of, word_or_value};
use crate::blocks::plain::tokens_of;
use crate::findings::{at_node, at_token};
use crate::stdlib::{Obligation, Reads, Stdlib, Table};
use crate::suggest::nearest;

/// Checks what a `require` demands, where it is no guard.
pub(super) fn required(cx: &mut Cx<'_>, rule: ast::Rule<'_>) {
    if let Some(value) = rule.selector() {
        demanded(cx, value);
    }
}

/// A name, a list of names, or a record. Lists nest as deep as the parser lets
/// them.
fn demanded(cx: &mut Cx<'_>, value: Expr<'_>) {
    match bare(value) {
        named @ (Expr::Name(_) | Expr::Path(_) | Expr::Literal(_)) => {
            if let Some(name) = text_of(named) {
                obligation(cx, &name, at_node(named.node()), Given::Name);
            }
        }
        Expr::Array(array) => {
            for element in array.elements() {
                demanded(cx, element);
            }
        }
        Expr::Record(record) => {
            for field in record.fields() {
                if let Some((name, at, value)) = field_of(field) {
                    obligation(cx, &name, at, Given::Value(value));
                }
            }
        }
        Expr::Call(call) if predicate_of(call).is_none() => {
            if let Some(name) = call.callee().and_then(name_of) {
                obligation(cx, &name, at_node(call.node()), Given::Name);
            }
        }
        _ => {}
    }
}

/// A name, or a text that is no guard.
fn text_of(value: Expr<'_>) -> Option<String> {
    match value {
        Expr::Literal(literal) => literal.string(),
        value => name_of(value),
    }
}

/// A field: its name, where that stands, and its value.
fn field_of(field: RecordField<'_>) -> Option<(String, Place, Option<Expr<'_>>)> {
    let name = field.key()?;
    let first = field.node().tokens().start;
    Some((name, at_token(first), field.value()))
}

/// What stands behind the name of an obligation.
#[derive(Clone, Copy)]
enum Given<'i> {
    /// Nothing: it is demanded as it is.
    Name,
    /// The value of a field.
    Value(Option<Expr<'i>>),
}

fn obligation(cx: &mut Cx<'_>, name: &str, at: Place, given: Given<'_>) {
    let table = &Stdlib::get().obligations;
    let Some(row) = table.get(name) else {
        unknown(cx, name, at, given);
        return;
    };
    let (value, value_at) = match given {
        Given::Name => (Some(Value::Bool(true)), at),
        Given::Value(None) => return,
        Given::Value(Some(value)) => (word_or_value(value), at_node(value.node())),
    };
    let value = value.and_then(|value| read(row, &value));
    if value == Some(Value::Bool(false)) {
        cx.report(
            Diagnostic::new(
                &codes::P0427,
                value_at,
                format!("`{name}: false` demands nothing"),
            )
            .help("leave it out, or write `true`"),
        );
        return;
    }
    if value.is_none() {
        let message = match given {
            Given::Name => format!("`{name}` does not say what it demands"),
            Given::Value(_) => format!("the value of `{name}` cannot be read"),
        };
        let report = Diagnostic::new(&codes::P0441, at, message);
        cx.report(
            report
                .label("nothing enforces it as it is")
                .help(format!("write {}", wanted(name, row))),
        );
        return;
    }
    if row.enforced.is_none() {
        planned(cx, name, at);
    }
}

/// An obligation that the table has, and that nothing enforces yet.
pub(super) fn planned(cx: &mut Cx<'_>, name: &str, at: Place) {
    if !cx.program.may_show(&codes::P0440) {
        return;
    }
    cx.report(
        Diagnostic::new(
            &codes::P0440,
            at,
            format!("nothing enforces `{name}` yet: it is planned"),
        )
        .help(
            "until then agents under it are refused on the routes that run them, unless the \
             project waives it",
        ),
    );
}

fn unknown(cx: &mut Cx<'_>, name: &str, at: Place, given: Given<'_>) {
    let table = &Stdlib::get().obligations;
    let message = format!("there is no obligation `{name}`, so nothing enforces it");
    let report = Diagnostic::new(&codes::P0440, at, message);
    let near = match cx.may_search() {
        true => nearest(name, table.keys().map(|name| &**name)),
        false => None,
    };
    let is_param = matches!(given, Given::Name) && cx.params.has(name);
    cx.report(match near {
        Some(near) => report.help(format!("did you mean `{near}`?")).maybe_fix(
            format!("write `{near}`"),
            vec![Edit {
                at,
                text: near.to_owned(),
            }],
        ),
        None if is_param => report.help(format!(
            "write `{name} == true` to demand that the parameter is true"
        )),
        None if Stdlib::get().audit.get(name).is_some() => {
            report.help(format!("`{name}` belongs to `audit`"))
        }
        None => report.help("`symbi explain P0440` lists the obligations that there are"),
    });
}

/// What a value says to a row, equal for all spellings that mean the same;
/// `None` if the row cannot read it.
pub(super) fn read(row: &Obligation, value: &Value) -> Option<Value> {
    row.reads.iter().find_map(|form| read_as(*form, row, value))
}

fn read_as(form: Reads, row: &Obligation, value: &Value) -> Option<Value> {
    let positive = |number: &i64| *number > 0;
    Some(match (form, value) {
        (Reads::Flag, Value::Bool(value)) => Value::Bool(*value),
        (Reads::Flag, Value::String(text)) => Value::Bool(text.parse().ok()?),
        (Reads::Names, Value::Array(names)) => {
            let is_name = |name: &Value| matches!(name, Value::String(name) if !name.is_empty());
            let all = !names.is_empty() && names.iter().all(is_name);
            all.then(|| value.clone())?
        }
        (Reads::Count, Value::Int(count)) => Value::Int(Some(*count).filter(positive)?),
        (Reads::Count, Value::String(text)) => Value::Int(text.parse().ok().filter(positive)?),
        (Reads::Rate, Value::String(text)) => {
            rate::parse(text).ok()?;
            value.clone()
        }
        (Reads::Duration, Value::Duration(nanos)) => {
            Value::Duration(Some(*nanos).filter(positive)?)
        }
        (Reads::Duration, Value::Int(seconds)) => {
            let nanos = seconds.checked_mul(1_000_000_000);
            Value::Duration(nanos.filter(positive)?)
        }
        (Reads::Duration, Value::String(text)) => {
            let nanos = duration::parse(text).ok()?.value;
            Value::Duration(Some(nanos).filter(positive)?)
        }
        (Reads::Size, Value::Size(bytes)) => Value::Size(Some(*bytes).filter(positive)?),
        (Reads::Size, Value::String(text)) => {
            let bytes = size::parse(text).ok()?.value;
            Value::Size(Some(bytes).filter(positive)?)
        }
        (Reads::Tier, Value::String(text)) => Value::String(Tier::parse(text)?.as_str().into()),
        (Reads::Text, Value::String(text)) => {
            let known = row.one_of.is_empty() || row.one_of.iter().any(|known| known == text);
            (known && !text.is_empty()).then(|| value.clone())?
        }
        _ => return None,
    })
}

/// What an `audit` asks for.
pub(crate) struct Audited<'i> {
    /// A key, or a description.
    pub key: String,
    /// Where it stands.
    pub at: Place,
    /// Its value as it is written; `None` for a description.
    pub written: Option<Expr<'i>>,
    /// Its value as its row reads it.
    pub read: Option<Value>,
}

/// What an `audit` asks for: each key of a record, or descriptions.
pub(crate) fn audits(rule: ast::Rule<'_>) -> Vec<Audited<'_>> {
    let described = |value: Expr<'_>| Audited {
        key: text_of(value).unwrap_or_else(|| tokens_of(value)),
        at: at_node(value.node()),
        written: None,
        read: None,
    };
    match rule.selector().map(bare) {
        Some(Expr::Record(record)) => {
            let fields = record.fields().filter_map(field_of);
            fields
                .map(|(key, at, written)| Audited {
                    read: written.and_then(|value| {
                        let row = Stdlib::get().audit.get(&key)?;
                        read(row, &word_or_value(value)?)
                    }),
                    key,
                    at,
                    written,
                })
                .collect()
        }
        Some(Expr::Array(array)) => {
            let elements = array.elements();
            elements.map(described).collect()
        }
        Some(value) => vec![described(value)],
        None => Vec::new(),
    }
}

/// What to write, as an example.
fn wanted(name: &str, row: &Obligation) -> String {
    let forms: Vec<String> = row
        .reads
        .iter()
        .map(|form| match form {
            Reads::Flag => "true".to_owned(),
            Reads::Names => "[\"send\"]".to_owned(),
            Reads::Count => "20".to_owned(),
            Reads::Rate => "\"100/minute\"".to_owned(),
            Reads::Duration => "10m".to_owned(),
            Reads::Size => "10MB".to_owned(),
            Reads::Tier => "\"gvisor\"".to_owned(),
            Reads::Text => match row.one_of.first() {
                Some(first) => format!("\"{first}\""),
                None => "\"example.org\"".to_owned(),
            },
        })
        .map(|value| format!("`{{ {name}: {value} }}`"))
        .collect();
    forms.join(" or ")
}

/// Checks an `audit`: a record of keys, or a description.
pub(super) fn audited(cx: &mut Cx<'_>, rule: ast::Rule<'_>) {
    let Some(value) = rule.selector() else { return };
    let table = &Stdlib::get().audit;
    let Expr::Record(record) = bare(value) else {
        cx.report(
            Diagnostic::new(
                &codes::P0443,
                at_node(value.node()),
                "this is kept as a description: it changes nothing about what is recorded",
            )
            .help(
                "every decision and effect is recorded anyway; `audit: { … }` says how, with \
                 `log_level`, `include_input`, `include_output` and `retention_days`",
            ),
        );
        return;
    };
    for field in record.fields() {
        let Some((name, at, value)) = field_of(field) else {
            continue;
        };
        audit_key(cx, table, &name, at, value);
    }
}

fn audit_key(
    cx: &mut Cx<'_>,
    table: &Table<Obligation>,
    name: &str,
    at: Place,
    value: Option<Expr<'_>>,
) {
    let Some(row) = table.get(name) else {
        let message = format!("`audit` has no key `{name}`, so nothing keeps to it");
        let report = Diagnostic::new(&codes::P0442, at, message);
        let known = || table.keys();
        cx.report(match nearest(name, known().map(|name| &**name)) {
            Some(near) => report.help(format!("did you mean `{near}`?")).maybe_fix(
                format!("write `{near}`"),
                vec![Edit {
                    at,
                    text: near.to_owned(),
                }],
            ),
            None => report.help(format!(
                "it has {}",
                known()
                    .map(|name| format!("`{name}`"))
                    .collect::<Vec<_>>()
                    .join(", ")
            )),
        });
        return;
    };
    let Some(value) = value else { return };
    if word_or_value(value).is_none_or(|value| read(row, &value).is_none()) {
        let message = format!("the value of `{name}` cannot be read");
        let report = Diagnostic::new(&codes::P0442, at_node(value.node()), message);
        let texts: Vec<String> = row.one_of.iter().map(|text| format!("`{text}`")).collect();
        cx.report(report.help(match texts.is_empty() {
            true => format!("write {}", wanted(name, row)),
            false => format!("it is one of {}", texts.join(", ")),
        }));
        return;
    }
    if row.enforced.is_none() && cx.program.may_show(&codes::P0442) {
        let message = format!("nothing keeps to `{name}` yet: it is planned");
        let report = Diagnostic::new(&codes::P0442, at, message);
        cx.report(report.help("decisions and effects are recorded whatever it says"));
    }
}
