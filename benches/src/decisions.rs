//! Ten rules and twelve questions about them: what a decision costs.
//!
//! As a policy file the rules are [`SOURCE`]; [`policies`] is what they come to
//! as data, and the peer's side has a policy for each of them, in this order.
//!
//! Two programs measure with this file, so it stands by itself: `symbi-bench`
//! and, by its path, the harness in `benches/peers`.

use std::hint::black_box;
use std::sync::Arc;

use symbi_policy::{
    Action, Approval, Because, Block, Cedar, Decider, Effect, Expr, Facts, Guard, Kind, Kinds, Op,
    Outcome, Policies, Predicate, Record, Root, Rule, RuleId, Selector, Timestamp, Value, Verb,
};

/// The ten rules as a policy file.
pub const SOURCE: &str = r#"policy tools {
    allow: read_file
    allow: list_files
    allow: fetch(url) if url.starts_with("https://")
    allow: transfer(amount, currency) if amount <= 500 && currency in ["EUR", "USD", "CHF"]
    allow: delete_file if context.approved && context.environment != "production"
    allow: send_mail if context.role in ["operator", "admin"]
    deny: delete_file(path) if path == "/"
}
policy limits {
    deny: true if context.risk > 7
    deny: true if context.suspended
    deny: transfer(amount) if amount > 100 && !context.approved
}
"#;

/// Who asks, on both sides.
pub const PRINCIPAL: &str = "6f1d7e0a-2b57-5c0e-9a51-0d8f4b3c2e11";

/// A value that both sides can say.
#[derive(Clone, Copy, Debug)]
pub enum Plain {
    /// A text.
    Text(&'static str),
    /// A whole number.
    Int(i64),
    /// `true` or `false`.
    Bool(bool),
}

/// What the host knows when it asks.
#[derive(Clone, Copy, Debug)]
pub struct Situation {
    /// The role of who asks.
    pub role: &'static str,
    /// Where the agent runs.
    pub environment: &'static str,
    /// How much is at stake, from 0 to 10.
    pub risk: i64,
    /// Whether the run was approved.
    pub approved: bool,
    /// Whether the agent is suspended.
    pub suspended: bool,
}

impl Situation {
    /// The fields of `context`.
    pub fn facts(&self) -> [(&'static str, Plain); 5] {
        [
            ("role", Plain::Text(self.role)),
            ("environment", Plain::Text(self.environment)),
            ("risk", Plain::Int(self.risk)),
            ("approved", Plain::Bool(self.approved)),
            ("suspended", Plain::Bool(self.suspended)),
        ]
    }
}

/// May this call of a tool happen?
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The tool.
    pub tool: &'static str,
    /// Its arguments, in the order in which they are declared.
    pub arguments: &'static [(&'static str, Plain)],
    /// The rest.
    pub situation: Situation,
    /// The only rule that decides it, counted from 0; without one nothing
    /// allows the call.
    pub decides: Option<usize>,
}

const CALM: Situation = Situation {
    role: "operator",
    environment: "staging",
    risk: 2,
    approved: true,
    suspended: false,
};

const fn question(
    tool: &'static str,
    arguments: &'static [(&'static str, Plain)],
    situation: Situation,
    decides: Option<usize>,
) -> Question {
    Question {
        tool,
        arguments,
        situation,
        decides,
    }
}

/// One that each rule decides, and two that none does: half are permitted.
pub const QUESTIONS: &[Question] = {
    use Plain::{Int, Text};
    &[
        question(
            "read_file",
            &[("path", Text("/srv/notes/today.md"))],
            CALM,
            Some(0),
        ),
        question("list_files", &[("path", Text("/srv/notes"))], CALM, Some(1)),
        question(
            "fetch",
            &[("url", Text("https://docs.example.org/guide/start.html"))],
            CALM,
            Some(2),
        ),
        question(
            "transfer",
            &[
                ("amount", Int(120)),
                ("currency", Text("USD")),
                ("to", Text("supplier-4711")),
            ],
            CALM,
            Some(3),
        ),
        question(
            "delete_file",
            &[("path", Text("/srv/tmp/cache.bin"))],
            CALM,
            Some(4),
        ),
        question(
            "send_mail",
            &[
                ("to", Text("team@example.org")),
                ("text", Text("The nightly build is done.")),
            ],
            CALM,
            Some(5),
        ),
        question("delete_file", &[("path", Text("/"))], CALM, Some(6)),
        question(
            "read_file",
            &[("path", Text("/srv/notes/today.md"))],
            Situation { risk: 9, ..CALM },
            Some(7),
        ),
        question(
            "list_files",
            &[("path", Text("/srv/notes"))],
            Situation {
                suspended: true,
                ..CALM
            },
            Some(8),
        ),
        question(
            "transfer",
            &[
                ("amount", Int(300)),
                ("currency", Text("EUR")),
                ("to", Text("supplier-4711")),
            ],
            Situation {
                approved: false,
                ..CALM
            },
            Some(9),
        ),
        question(
            "fetch",
            &[("url", Text("http://docs.example.org/guide/start.html"))],
            CALM,
            None,
        ),
        question(
            "send_mail",
            &[
                ("to", Text("team@example.org")),
                ("text", Text("The nightly build is done.")),
            ],
            Situation {
                role: "guest",
                ..CALM
            },
            None,
        ),
    ]
};

/// How many rules stand in the first block.
const FIRST: usize = 7;

/// The rules that allow come first.
const ALLOWS: usize = 6;

impl Question {
    /// Whether the call may happen.
    pub fn permits(&self) -> bool {
        self.decides.is_some_and(|rule| rule < ALLOWS)
    }

    /// What stands in our records for this call.
    pub fn given(&self) -> Given {
        Given {
            arguments: record(self.arguments),
            context: Value::Record(record(&self.situation.facts())),
        }
    }
}

/// How many of [`QUESTIONS`] are permitted.
pub fn permitted() -> usize {
    QUESTIONS
        .iter()
        .filter(|question| question.permits())
        .count()
}

/// What is built for each call.
#[derive(Clone, Debug)]
pub struct Given {
    arguments: Record,
    context: Value,
}

fn record(fields: &[(&'static str, Plain)]) -> Record {
    fields
        .iter()
        .map(|&(name, plain)| (name, plain.into()))
        .collect()
}

impl From<Plain> for Value {
    fn from(plain: Plain) -> Self {
        match plain {
            Plain::Text(text) => Value::from(text),
            Plain::Int(value) => Value::Int(value),
            Plain::Bool(value) => Value::Bool(value),
        }
    }
}

/// Our side of the measurements.
#[derive(Debug)]
pub struct Ours {
    decider: Decider,
    /// The parameters of the tool of each question, as its manifest has them.
    params: Vec<Vec<Box<str>>>,
    given: Vec<Given>,
    none: Record,
    nothing: Value,
}

impl Default for Ours {
    fn default() -> Self {
        let names = |question: &Question| {
            let names = question.arguments.iter().map(|(name, _)| (*name).into());
            names.collect()
        };
        Ours {
            decider: Decider::new(policies()),
            params: QUESTIONS.iter().map(names).collect(),
            given: QUESTIONS.iter().map(Question::given).collect(),
            none: Record::default(),
            nothing: Value::Record(Record::default()),
        }
    }
}

impl Ours {
    /// Asks each question so many times, with arguments and facts that are
    /// there; how many were permitted.
    pub fn decide(&self, rounds: usize) -> usize {
        let asked: Vec<_> = (0..QUESTIONS.len())
            .map(|at| self.asked(at, &self.given[at]))
            .collect();
        let mut permitted = 0;
        for _ in 0..rounds {
            for (effect, facts) in &asked {
                let decision = self.decider.decide(black_box(effect), black_box(facts));
                permitted += usize::from(decision.outcome == Outcome::Permit);
            }
        }
        permitted
    }

    /// The same, with arguments and facts that are built for each question and
    /// freed after it.
    pub fn build_and_decide(&self, rounds: usize) -> usize {
        let mut permitted = 0;
        for _ in 0..rounds {
            for (at, question) in QUESTIONS.iter().enumerate() {
                let given = black_box(question).given();
                let (effect, facts) = self.asked(at, &given);
                let decision = self.decider.decide(black_box(&effect), black_box(&facts));
                permitted += usize::from(decision.outcome == Outcome::Permit);
            }
        }
        permitted
    }

    /// Whether each question is decided by the rule that should decide it.
    ///
    /// # Errors
    /// One is not.
    pub fn check(&self) -> Result<(), String> {
        for (at, question) in QUESTIONS.iter().enumerate() {
            let (effect, facts) = self.asked(at, &self.given[at]);
            let decision = self.decider.decide(&effect, &facts);
            let expected = match question.decides.map(id) {
                Some(rule) if question.permits() => (Outcome::Permit, Because::Allowed(rule)),
                Some(rule) => (Outcome::Deny, Because::Denied(rule)),
                None => (Outcome::Deny, Because::NoAllow(0)),
            };
            if (decision.outcome, decision.because) != expected {
                return Err(format!("{question:?} gives {decision:?}"));
            }
        }
        Ok(())
    }

    /// Whether a call that is like one of [`QUESTIONS`] may happen.
    pub fn permits(&self, like: usize, question: &Question) -> bool {
        let given = question.given();
        let (effect, facts) = self.asked(like, &given);
        self.decider.decide(&effect, &facts).outcome == Outcome::Permit
    }

    fn asked<'a>(&'a self, at: usize, given: &'a Given) -> (Effect<'a>, Facts<'a>) {
        let effect = Effect {
            params: &self.params[at],
            ..Effect::new(QUESTIONS[at].tool, Kind::Tool, &given.arguments)
        };
        let facts = Facts {
            principal: PRINCIPAL,
            invocation: &self.nothing,
            context: &given.context,
            now: Timestamp::UNIX_EPOCH,
            parameters: &self.none,
            holds: &|_, _, _| false,
            cedar: Cedar::Absent,
            approval: Approval::Unasked,
            dev: false,
        };
        (effect, facts)
    }
}

/// The id of a rule by its number.
fn id(rule: usize) -> RuleId {
    match rule.checked_sub(FIRST) {
        None => RuleId { block: 0, rule },
        Some(rule) => RuleId { block: 1, rule },
    }
}

/// The ten rules as data.
pub fn policies() -> Policies {
    let tools = [
        rule(Verb::Allow, Some("read_file"), None),
        rule(Verb::Allow, Some("list_files"), None),
        rule(
            Verb::Allow,
            Some("fetch"),
            Some(Expr::Call(
                Predicate::StartsWith,
                vec![argument("url", 0), literal("https://")],
            )),
        ),
        rule(
            Verb::Allow,
            Some("transfer"),
            Some(binary(
                Op::And,
                binary(
                    Op::AtMost,
                    argument("amount", 0),
                    Expr::Literal(Value::Int(500)),
                ),
                binary(
                    Op::In,
                    argument("currency", 1),
                    texts(&["EUR", "USD", "CHF"]),
                ),
            )),
        ),
        rule(
            Verb::Allow,
            Some("delete_file"),
            Some(binary(
                Op::And,
                context("approved"),
                binary(Op::Unequal, context("environment"), literal("production")),
            )),
        ),
        rule(
            Verb::Allow,
            Some("send_mail"),
            Some(binary(
                Op::In,
                context("role"),
                texts(&["operator", "admin"]),
            )),
        ),
        rule(
            Verb::Deny,
            Some("delete_file"),
            Some(binary(Op::Equal, argument("path", 0), literal("/"))),
        ),
    ];
    let limits = [
        rule(
            Verb::Deny,
            None,
            Some(binary(
                Op::Greater,
                context("risk"),
                Expr::Literal(Value::Int(7)),
            )),
        ),
        rule(Verb::Deny, None, Some(context("suspended"))),
        rule(
            Verb::Deny,
            Some("transfer"),
            Some(binary(
                Op::And,
                binary(
                    Op::Greater,
                    argument("amount", 0),
                    Expr::Literal(Value::Int(100)),
                ),
                Expr::Not(Box::new(context("approved"))),
            )),
        ),
    ];
    let block = |rules: Vec<Rule>| Block {
        rules,
        requirements: Vec::new(),
    };
    Policies {
        ceiling: None,
        blocks: vec![block(tools.into()), block(limits.into())],
    }
}

/// A rule about one tool, or about everything.
fn rule(verb: Verb, tool: Option<&str>, guard: Option<Expr>) -> Rule {
    Rule {
        verb,
        selector: tool.map_or(Selector::All, |name| {
            Selector::Action(Action::new(name, Kinds::NONE))
        }),
        guard: guard.map(Guard::new),
        tail: false,
    }
}

fn binary(op: Op, one: Expr, two: Expr) -> Expr {
    Expr::Binary(op, Box::new(one), Box::new(two))
}

fn literal(text: &str) -> Expr {
    Expr::Literal(Value::from(text))
}

/// A list of literals is one literal.
fn texts(all: &[&str]) -> Expr {
    Expr::Literal(Value::Array(
        all.iter().map(|text| Value::from(*text)).collect(),
    ))
}

fn argument(name: &str, place: usize) -> Expr {
    Expr::Path(Root::Argument(name.into(), place), Box::default())
}

fn context(field: &str) -> Expr {
    Expr::Path(Root::Context, Box::new([Arc::from(field)]))
}
