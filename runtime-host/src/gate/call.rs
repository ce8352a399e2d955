//! A call: proposed by a run, and normalised by the gate.

use std::fmt;
use std::sync::Arc;

use symbi_ir::{Sha256, Span};
use symbi_policy::{Effect, Kind, Record, Value};

use super::network::network;

/// What a run is about to do. Anybody may propose anything.
#[derive(Clone, Debug)]
pub struct Proposed {
    /// Its number in the run.
    pub id: u64,
    /// The name of the effect: `fetch`, `delegate::writer`, `memory_read`.
    pub name: Arc<str>,
    /// Arguments without a name, in the order of the call.
    pub positional: Vec<Value>,
    /// Arguments by name. A secret stands as its reference, never in clear.
    pub named: Vec<(Arc<str>, Value)>,
    /// Where the call is written; `None` for one that a model made.
    pub span: Option<Span>,
    answers: bool,
}

impl Proposed {
    /// A call of this name, without arguments.
    pub fn call(id: u64, name: impl Into<Arc<str>>) -> Self {
        Proposed {
            id,
            name: name.into(),
            positional: Vec::new(),
            named: Vec::new(),
            span: None,
            answers: false,
        }
    }

    /// Answering, of which no rule of a file is asked. This is no name: a tool
    /// that is called `respond` is a tool.
    pub fn respond(id: u64) -> Self {
        Proposed {
            answers: true,
            ..Proposed::call(id, "respond")
        }
    }

    /// Ending the run, likewise.
    pub fn terminate(id: u64) -> Self {
        Proposed {
            answers: true,
            ..Proposed::call(id, "terminate")
        }
    }

    /// It is [`Proposed::respond`] or [`Proposed::terminate`].
    pub fn answers(&self) -> bool {
        self.answers
    }

    /// With these arguments by name.
    #[must_use]
    pub fn with(mut self, arguments: &Record) -> Self {
        let fields = arguments.fields();
        let fields = fields.map(|(name, value)| (name.clone(), value.clone()));
        self.named.extend(fields);
        self
    }

    /// With these arguments by place.
    #[must_use]
    pub fn with_places(mut self, arguments: impl IntoIterator<Item = Value>) -> Self {
        self.positional.extend(arguments);
        self
    }

    /// Written there.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }
}

/// A call after its arguments were put in order and checked.
#[derive(Clone, Debug)]
pub struct Call {
    pub(super) id: u64,
    pub(super) name: Arc<str>,
    pub(super) kind: Kind,
    pub(super) arguments: Record,
    pub(super) input: Option<Value>,
    pub(super) params: Vec<Box<str>>,
    pub(super) tool: Option<Contract>,
    pub(super) span: Option<Span>,
    /// Its arguments were held against types that are declared.
    pub(super) checked: bool,
}

/// What a tool promises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The hash of its manifest.
    pub sha256: Sha256,
    /// Its version.
    pub version: Option<Arc<str>>,
    /// Its Cedar resource.
    pub resource: Option<Arc<str>>,
    /// A person is asked before each call.
    pub asks: bool,
}

impl Call {
    /// Its number in the run.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The name of the effect, that of a delegation with the declared name of
    /// the agent.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Its kind.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The arguments by name.
    pub fn arguments(&self) -> &Record {
        &self.arguments
    }

    /// The input of a delegation that is no record of arguments.
    pub fn input(&self) -> Option<&Value> {
        self.input.as_ref()
    }

    /// What the tool promises, for the call of one.
    pub fn contract(&self) -> Option<&Contract> {
        self.tool.as_ref()
    }

    /// Where it is written.
    pub fn span(&self) -> Option<Span> {
        self.span
    }

    /// As policies see it.
    pub(super) fn effect(&self) -> Effect<'_> {
        let tool = self.tool.as_ref();
        let text = |text: &'static str| match self.arguments.get(text) {
            Some(Value::String(text)) => Some(&**text),
            _ => None,
        };
        let network = match &*self.name == "http_request" {
            true => text("url").and_then(network),
            false => None,
        };
        Effect {
            params: &self.params,
            resource: tool.and_then(|tool| tool.resource.as_deref()),
            version: tool.and_then(|tool| tool.version.as_deref()),
            schema_verified: tool.map(|_| true),
            network,
            input: self.input.as_ref(),
            asks: tool.is_some_and(|tool| tool.asks),
            ..Effect::new(&self.name, self.kind, &self.arguments)
        }
    }

    /// What it is known by, for an agent of this identity.
    pub(super) fn fingerprint(&self, principal: &str) -> (Fingerprint, usize) {
        let contract = self.tool.as_ref().map(|tool| tool.sha256);
        fingerprint(
            principal,
            &self.name,
            &self.arguments,
            self.input.as_ref(),
            contract,
        )
    }
}

/// What one call is known by: the SHA-256 of its canonical JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(Sha256);

/// `sha256:` and 64 hexadecimal digits.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.0)
    }
}

/// The fingerprint of a call, and how many bytes its arguments have as JSON.
///
/// The JSON has its keys sorted and no blanks: `{"arguments":{…},"contract":…,
/// "effect":…,"input":…,"principal":…}`. What JSON lacks is an object of one
/// key, such as `{"$duration":1000}` in nanoseconds; a key of a record that
/// begins with `$` has a second one, so that two calls never read alike.
pub(super) fn fingerprint(
    principal: &str,
    name: &str,
    arguments: &Record,
    input: Option<&Value>,
    contract: Option<Sha256>,
) -> (Fingerprint, usize) {
    let mut out = Vec::with_capacity(256);
    out.extend(b"{\"arguments\":");
    let start = out.len();
    record(&mut out, arguments);
    let mut bytes = out.len() - start;
    out.extend(b",\"contract\":");
    match contract {
        Some(hash) => text(&mut out, &hash.to_string()),
        None => out.extend(b"null"),
    }
    out.extend(b",\"effect\":");
    text(&mut out, name);
    out.extend(b",\"input\":");
    match input {
        Some(input) => {
            let start = out.len();
            value(&mut out, input);
            bytes += out.len() - start;
        }
        // No input is none, and not `null`.
        None => out.extend(b"{\"$none\":true}"),
    }
    out.extend(b",\"principal\":");
    text(&mut out, principal);
    out.push(b'}');
    (Fingerprint(Sha256::of(&out)), bytes)
}

fn text(out: &mut Vec<u8>, text: &str) {
    // INVARIANT: a text is JSON, and a vector takes all that is written.
    let _ = serde_json::to_writer(out, text);
}

fn record(out: &mut Vec<u8>, fields: &Record) {
    out.push(b'{');
    for (at, (name, own)) in fields.fields().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        match name.starts_with('$') {
            true => text(out, &format!("${name}")),
            false => text(out, name),
        }
        out.push(b':');
        value(out, own);
    }
    out.push(b'}');
}

/// No deeper than arguments may nest, which was checked before.
fn value(out: &mut Vec<u8>, own: &Value) {
    match own {
        Value::Null => out.extend(b"null"),
        Value::Bool(true) => out.extend(b"true"),
        Value::Bool(false) => out.extend(b"false"),
        Value::Int(number) => out.extend(number.to_string().into_bytes()),
        Value::Float(number) if number.is_finite() => {
            let _ = serde_json::to_writer(out, number);
        }
        Value::Float(number) => out.extend(format!("{{\"$float\":\"{number}\"}}").into_bytes()),
        Value::String(own) => text(out, own),
        Value::Duration(nanos) => out.extend(format!("{{\"$duration\":{nanos}}}").into_bytes()),
        Value::Size(bytes) => out.extend(format!("{{\"$size\":{bytes}}}").into_bytes()),
        Value::Time(at) => out.extend(format!("{{\"$time\":\"{at}\"}}").into_bytes()),
        Value::Array(elements) => {
            out.push(b'[');
            for (at, element) in elements.iter().enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                value(out, element);
            }
            out.push(b']');
        }
        Value::Record(fields) => record(out, fields),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_differ_never_read_alike() {
        let one = |value: Value| {
            let arguments: Record = [("x", value)].into_iter().collect();
            fingerprint("p", "f", &arguments, None, None).0
        };
        let field = |name: &str, value| Value::Record([(name, value)].into_iter().collect());
        let values = [
            Value::Null,
            Value::Int(1),
            Value::Float(1.0),
            Value::from("1"),
            Value::Duration(1),
            Value::Size(1),
            field("$duration", Value::Int(1)),
            field("$$duration", Value::Int(1)),
            Value::Float(f64::NAN),
            Value::Float(f64::INFINITY),
            Value::Array(vec![]),
            Value::Array(vec![Value::Int(1)]),
            field("a", Value::Int(1)),
        ];
        for (at, value) in values.iter().enumerate() {
            for (other, two) in values.iter().enumerate() {
                let same = one(value.clone()) == one(two.clone());
                assert_eq!(same, at == other, "{value:?} {two:?}");
            }
        }
    }

    #[test]
    fn a_fingerprint_is_that_of_the_canonical_text() {
        let arguments: Record = [("b", Value::Int(2)), ("a", Value::from("é\""))]
            .into_iter()
            .collect();
        let text = r#"{"arguments":{"a":"é\"","b":2},"contract":null,"effect":"f","input":{"$none":true},"principal":"p"}"#;
        let (found, bytes) = fingerprint("p", "f", &arguments, None, None);
        assert_eq!(
            found.to_string(),
            format!("sha256:{}", Sha256::of(text.as_bytes()))
        );
        assert_eq!(bytes, r#"{"a":"é\"","b":2}"#.len());
    }
}
