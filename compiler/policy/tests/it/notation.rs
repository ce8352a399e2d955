//! How policies, effects, facts and guards are written in `tests/data`, in one
//! line each. It says what the data of this crate are, not what a source says:
//! a group is its kinds, and a bound name is `name@place`.
//!
//! ```text
//! policies   -    or    ceiling [fetch, tool move, group:write] { allow fetch; deny all if GUARD } { … }
//! rule       allow SELECTOR if GUARD tail
//! require    require for SELECTOR, SELECTOR: approval    obligation NAME = VALUE    GUARD    … if GUARD
//! selector   all   none   other   fetch   group:write   fetch(0 = "a", url = A::b)   invoke_tool(0 = "fetch")
//! effect     fetch(url = "a") resource A::b version "1" verified asks to "URL" "HOST" internal input VALUE
//! facts      -    or    cedar permit  approval given  dev  holds NAME  context {n: 3}  invocation {}  params {}
//! guard      context.n == 3 && url@0.starts_with   tool.name   delegation.input   network.host   param.x
//! value      3  1.5  nan  "a"  true  null  5ns  5B  @0 (an instant)  [1]  {a: 1}  times("k", 9)  nested(9)
//! ```

mod guards;

use symbi_policy::{
    Action, Approval, Argument, Block, Capability, Cedar, Ceiling, Demand, Effect, Facts, Guard,
    Kind, Kinds, Network, Policies, Record, Requirement, Rule, Selector, Shape, Test, Timestamp,
    Value, Verb, Wanted,
};

/// The effects of the tables, with their kinds and parameters.
const EFFECTS: &[(&str, Kind, &[&str])] = &[
    ("fetch", Kind::Tool, &["url", "n"]),
    ("move", Kind::Tool, &["src", "dst"]),
    ("Mail::post", Kind::Action, &[]),
    ("delegate::writer", Kind::Delegate, &["topic"]),
    ("claude_code", Kind::Driver, &["prompt"]),
    ("send", Kind::Builtin(0), &["to", "text"]),
    ("http_request", Kind::Builtin(1), &["url"]),
    ("agent_status", Kind::Builtin(2), &[]),
    ("memory_write", Kind::Builtin(3), &["key"]),
    ("respond", Kind::Answer, &[]),
];

fn group(name: &str) -> Kinds {
    match name {
        "write" => Kinds::of([Kind::Builtin(3)]),
        "network" => Kinds::of([Kind::Builtin(0), Kind::Builtin(1)]),
        "execute" => Kinds::of([Kind::Tool, Kind::Action, Kind::Driver]),
        "monitoring" => Kinds::of([Kind::Builtin(2)]),
        other => panic!("no group of the tables: {other}"),
    }
}

/// The patterns over many effects.
fn shape(name: &str) -> Option<(Shape, Kinds)> {
    Some(match name {
        "invoke_tool" => (Shape::Tool, Kinds::of([Kind::Tool])),
        "delegate" => (Shape::Delegate, Kinds::of([Kind::Delegate])),
        "network_access" => (Shape::Network, Kinds::of([Kind::Builtin(1)])),
        _ => return None,
    })
}

/// An effect with what it borrows.
pub struct Asked {
    name: String,
    kind: Kind,
    params: Vec<Box<str>>,
    arguments: Record,
    resource: Option<String>,
    version: Option<String>,
    verified: Option<bool>,
    network: Option<(String, String, bool)>,
    input: Option<Value>,
    asks: bool,
}

impl Asked {
    pub fn effect(&self) -> Effect<'_> {
        Effect {
            name: &self.name,
            kind: self.kind,
            arguments: &self.arguments,
            params: &self.params,
            resource: self.resource.as_deref(),
            version: self.version.as_deref(),
            schema_verified: self.verified,
            network: self.network.as_ref().map(|(url, host, internal)| Network {
                url,
                host,
                internal: *internal,
            }),
            input: self.input.as_ref(),
            asks: self.asks,
        }
    }
}

/// Facts with what they borrow.
pub struct Known {
    invocation: Value,
    context: Value,
    parameters: Record,
    held: Vec<String>,
    pub cedar: Cedar,
    pub approval: Approval,
    pub dev: bool,
}

impl Known {
    /// Asks with these facts.
    pub fn ask<T>(&self, ask: impl FnOnce(&Facts<'_>) -> T) -> T {
        ask(&Facts {
            principal: "agent",
            invocation: &self.invocation,
            context: &self.context,
            // A Thursday.
            now: Timestamp::UNIX_EPOCH,
            parameters: &self.parameters,
            holds: &|_, name, _| self.held.iter().any(|held| held == name),
            cedar: self.cedar,
            approval: self.approval,
            dev: self.dev,
        })
    }
}

/// Reads one cell of a row, and panics where it cannot.
pub fn read<T>(text: &str, what: impl FnOnce(&mut Reader<'_>) -> T) -> T {
    let mut reader = Reader { rest: text.trim() };
    let found = what(&mut reader);
    assert!(
        reader.rest.is_empty(),
        "`{}` is left of `{text}`",
        reader.rest
    );
    found
}

pub struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    /// Takes these characters, if they are next.
    fn has(&mut self, sign: &str) -> bool {
        let found = self.rest.strip_prefix(sign);
        if let Some(rest) = found {
            self.rest = rest.trim_start();
        }
        found.is_some()
    }

    fn needs(&mut self, sign: &str) {
        assert!(self.has(sign), "`{sign}` is missing before `{}`", self.rest);
    }

    /// The word that is next, with `::` in it; empty if there is none.
    fn peek(&self) -> &'t str {
        let is_part = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
        let mut end = 0;
        for (at, sign) in self.rest.char_indices() {
            let path = sign == ':' && self.rest[at..].starts_with("::");
            let second = sign == ':' && at > 0 && self.rest[..at].ends_with(':') && end == at;
            match is_part(sign) || path || second {
                true => end = at + 1,
                false => break,
            }
        }
        &self.rest[..end]
    }

    /// Takes this word, if it is next.
    fn word(&mut self, word: &str) -> bool {
        self.peek() == word && self.has(word)
    }

    fn name(&mut self) -> &'t str {
        let name = self.peek();
        assert!(!name.is_empty(), "a name is missing before `{}`", self.rest);
        self.needs(name);
        name
    }

    fn text(&mut self) -> String {
        match self.value() {
            Value::String(ref text) => text.to_string(),
            ref other => panic!("no text: {other:?}"),
        }
    }

    /// What stands up to `close`, with commas between.
    fn list<T>(&mut self, close: &str, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let mut all = Vec::new();
        while !self.has(close) {
            all.push(one(self));
            if !self.has(",") {
                self.needs(close);
                break;
            }
        }
        all
    }

    pub fn policies(&mut self) -> Policies {
        let mut policies = Policies::default();
        if self.has("-") {
            return policies;
        }
        if self.word("ceiling") {
            policies.ceiling = Some(self.ceiling());
        }
        while self.has("{") {
            policies.blocks.push(self.block());
        }
        policies
    }

    fn ceiling(&mut self) -> Ceiling {
        self.needs("[");
        let entries = self.list("]", |reader| {
            let tool = reader.word("tool");
            let (name, kinds) = reader.named();
            Capability {
                name: name.into(),
                tool,
                kinds,
            }
        });
        Ceiling {
            entries,
            exempt: group("monitoring"),
            driver: self.word("driver").then(|| self.name().into()),
        }
    }

    /// A name, or a group and its kinds.
    fn named(&mut self) -> (&'t str, Kinds) {
        match self.has("group:") {
            true => {
                let name = self.name();
                (name, group(name))
            }
            false => (self.name(), Kinds::NONE),
        }
    }

    fn block(&mut self) -> Block {
        let mut block = Block::default();
        while !self.has("}") {
            let verb = match self.name() {
                "allow" => Verb::Allow,
                "deny" => Verb::Deny,
                "require" => {
                    block.requirements.push(self.requirement());
                    self.has(";");
                    continue;
                }
                other => panic!("no verb: {other}"),
            };
            block.rules.push(Rule {
                verb,
                selector: self.selector(),
                guard: self.condition(),
                tail: self.word("tail"),
            });
            self.has(";");
        }
        block
    }

    fn condition(&mut self) -> Option<Guard> {
        self.word("if").then(|| self.guard())
    }

    fn requirement(&mut self) -> Requirement {
        let selectors = match self.word("for") {
            true => self.list(":", Self::selector),
            false => Vec::new(),
        };
        let demand = if self.word("approval") {
            Demand::Approval
        } else if self.word("obligation") {
            let name = self.name();
            self.needs("=");
            Demand::Obligation(name.into(), self.value())
        } else {
            Demand::Guard(self.guard())
        };
        Requirement {
            selectors,
            condition: self.condition(),
            demand,
        }
    }

    pub fn selector(&mut self) -> Selector {
        for (word, selector) in [
            ("all", Selector::All),
            ("none", Selector::None),
            ("other", Selector::Other),
        ] {
            if self.word(word) {
                return selector;
            }
        }
        let (name, kinds) = self.named();
        let mut action = Action::new(name, kinds);
        if let Some((shape, kinds)) = shape(name) {
            (action.record, action.kinds) = (Some(shape), kinds);
        }
        if self.has("(") {
            action.tests = self.list(")", Self::test);
        }
        Selector::Action(action)
    }

    fn test(&mut self) -> Test {
        let argument = match self.name() {
            place if place.starts_with(|sign: char| sign.is_ascii_digit()) => {
                Argument::At(place.parse().expect("a place"))
            }
            name => Argument::Named(name.into()),
        };
        self.needs("=");
        let wanted = match self.peek().contains("::") {
            true => Wanted::Path(self.name().into()),
            false => Wanted::Value(self.value()),
        };
        Test { argument, wanted }
    }

    pub fn effect(&mut self) -> Asked {
        let name = self.name();
        let found = EFFECTS.iter().find(|(own, ..)| *own == name);
        let (_, kind, params) = found.unwrap_or_else(|| panic!("no effect: {name}"));
        self.needs("(");
        let arguments = self.list(")", |reader| {
            let name = reader.name();
            reader.needs("=");
            (name, reader.value())
        });
        let mut asked = Asked {
            name: name.to_owned(),
            kind: *kind,
            params: params.iter().map(|param| (*param).into()).collect(),
            arguments: arguments.into_iter().collect(),
            resource: None,
            version: None,
            verified: None,
            network: None,
            input: None,
            asks: false,
        };
        while !self.rest.is_empty() {
            match self.name() {
                "resource" => asked.resource = Some(self.name().to_owned()),
                "version" => asked.version = Some(self.text()),
                "verified" => asked.verified = Some(true),
                "unverified" => asked.verified = Some(false),
                "to" => asked.network = Some((self.text(), self.text(), self.word("internal"))),
                "input" => asked.input = Some(self.value()),
                "asks" => asked.asks = true,
                other => panic!("nothing of an effect: {other}"),
            }
        }
        asked
    }

    pub fn facts(&mut self) -> Known {
        let nothing = || Value::Record(Record::default());
        let mut known = Known {
            invocation: nothing(),
            context: nothing(),
            parameters: Record::default(),
            held: Vec::new(),
            cedar: Cedar::Absent,
            approval: Approval::Unasked,
            dev: false,
        };
        self.has("-");
        while !self.rest.is_empty() {
            match self.name() {
                "cedar" => known.cedar = self.cedar(),
                "approval" => {
                    known.approval = match self.name() {
                        "unasked" => Approval::Unasked,
                        "given" => Approval::Given,
                        "refused" => Approval::Refused,
                        other => panic!("no approval: {other}"),
                    }
                }
                "dev" => known.dev = true,
                "holds" => known.held.push(self.name().to_owned()),
                "context" => known.context = self.value(),
                "invocation" => known.invocation = self.value(),
                "params" => match self.value() {
                    Value::Record(ref record) => known.parameters = record.clone(),
                    ref other => panic!("no record: {other:?}"),
                },
                other => panic!("no fact: {other}"),
            }
        }
        known
    }

    pub fn cedar(&mut self) -> Cedar {
        match self.name() {
            "absent" => Cedar::Absent,
            "permit" => Cedar::Permit { asks: false },
            "asks" => Cedar::Permit { asks: true },
            "forbid" => Cedar::Forbid,
            "silent" => Cedar::Silent,
            "error" => Cedar::Error,
            other => panic!("no word of Cedar: {other}"),
        }
    }
}
