//! The gate: the one path from a proposed effect to a granted one.
//!
//! `Proposed → Decided → Prepared → Done`. A run proposes ([`Proposed`]);
//! [`Gate::decide`] alone makes a [`Decided`]; only one that was granted gives
//! a [`Prepared`], which a provider carries out once and which then is
//! [`Done`]. On the way, in this order: arguments are put in order and held
//! against declared types, capabilities and policies decide, obligations have
//! to hold, Cedar has to permit where it has policies for the route, a person
//! has to agree where one is asked, and what goes out has to be what was
//! decided about.
//!
//! What was granted cannot be made up:
//!
//! ```compile_fail,E0451
//! fn forged(decided: symbi_host::gate::Decided) -> symbi_host::gate::Prepared {
//!     symbi_host::gate::Prepared { decided }
//! }
//! ```
//!
//! nor used twice:
//!
//! ```compile_fail,E0382
//! fn twice(prepared: symbi_host::gate::Prepared) {
//!     prepared.carry_out_as_granted(|_| ());
//!     prepared.carry_out_as_granted(|_| ());
//! }
//! ```
//!
//! Begin reading at [`Gate::decide`].

mod approval;
mod arguments;
mod call;
mod cedar;
mod network;
mod states;
mod told;

use std::cell::RefCell;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use symbi_ir::{Agent, Module, Program, Route};
use symbi_policy::{
    Approval, Because, Cedar, Decider, Decision, Effect, Facts, Kind, Outcome, Record,
    RequirementId, Timestamp, Value,
};

use crate::obligations::{
    AuditRules, AuditTable, Counters, Limits, LogLevel, Obligations, State, is_tool,
};
use arguments::{Invalid, normalise};
use cedar::Evaluator;

pub use approval::{Answer, Approvable, Approver, Receipt};
pub use call::{Call, Contract, Fingerprint, Proposed};
pub use cedar::{CedarRequest, CedarSource};
pub use network::network;
pub use states::{Decided, Done, Outgoing, Prepared, Raised};
pub use told::{Asked, Rule, Told, outcome};

/// How long somebody is waited for where no `approval_expiry` says it.
const APPROVAL_NANOS: i64 = 120 * 1_000_000_000;

/// What a receipt of an approval would look like in the context: no guard sees
/// it.
const RECEIPTS: [&str; 2] = ["has_human_approval", "approved_fingerprint"];

/// What the host says about a run.
pub struct Options {
    /// `--dev`: what nobody granted is granted.
    pub dev: bool,
    /// The facts of the host that guards see as `context`.
    pub context: Record,
    /// Tells the time.
    pub clock: Box<dyn Fn() -> Timestamp + Send + Sync>,
    /// The counters that all runs share.
    pub counters: Arc<Counters>,
    /// The calls of tools and external actions that were granted before, for a
    /// run that goes on.
    pub tool_calls: u64,
    /// The journal of the run is open and has taken all that it was given. It
    /// is looked at for each effect.
    pub journal: Arc<AtomicBool>,
    /// Agents may run without isolation ([`crate::obligations::unisolated`]).
    pub unisolated: bool,
    /// Who evaluates the policies of Cedar.
    pub cedar: Option<Box<dyn CedarSource>>,
    /// Who asks people.
    pub approver: Option<Box<dyn Approver>>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            dev: false,
            context: Record::default(),
            clock: Box::new(Timestamp::now),
            counters: Arc::default(),
            tool_calls: 0,
            journal: Arc::default(),
            unisolated: false,
            cedar: None,
            approver: None,
        }
    }
}

/// Why there is no gate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GateError {
    /// The program has no such agent.
    #[error("there is no agent `{name}` in {file}")]
    NoAgent {
        /// The file that was named.
        file: String,
        /// The agent that was named.
        name: String,
    },
}

/// Decides about the effects of one run of one agent.
pub struct Gate {
    program: Arc<Program>,
    module: Arc<Module>,
    /// The number of the agent in its module.
    agent: usize,
    route: Route,
    parameters: Record,
    context: Value,
    source_policy: Value,
    decider: Decider,
    obligations: Obligations,
    audit: AuditTable,
    cedar: Evaluator,
    approver: Option<Box<dyn Approver>>,
    clock: Box<dyn Fn() -> Timestamp + Send + Sync>,
    counters: Arc<Counters>,
    tool_calls: Mutex<u64>,
    journal: Arc<AtomicBool>,
    dev: bool,
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gate")
            .field("file", &self.module.path)
            .field("agent", &self.agent().map(Agent::name))
            .field("route", &self.route)
            .finish_non_exhaustive()
    }
}

/// What was decided about a call, and what applied.
struct Verdict {
    decision: Decision,
    /// A sentence in the place of the one of the decision.
    told: Option<Told>,
    limits: Limits,
    audit: AuditRules,
}

impl Gate {
    /// The gate of a run: `agent` of `file`, started on a route with these
    /// parameters.
    ///
    /// # Errors
    /// The program has no such agent.
    pub fn new(
        program: Arc<Program>,
        file: &str,
        agent: &str,
        route: Route,
        parameters: Record,
        options: Options,
    ) -> Result<Self, GateError> {
        let found = program.module(file).and_then(|module| {
            let at = module.agents.iter().position(|own| **own.name() == *agent);
            at.map(|at| (module.clone(), at))
        });
        let no_agent = || GateError::NoAgent {
            file: file.to_owned(),
            name: agent.to_owned(),
        };
        let (module, at) = found.ok_or_else(no_agent)?;
        let own = module.agents.get(at).ok_or_else(no_agent)?;
        let decider = Decider::new(program.policies(&module, own));
        let obligations = Obligations::new(
            &decider,
            &module.path,
            own,
            options.unisolated,
            &program.waived,
        );
        let audit = AuditTable::new(&module, own);
        let cedar = Evaluator::new(&program, route, options.cedar);
        let facts = options.context.fields();
        let facts = facts.filter(|(name, _)| !RECEIPTS.contains(&&***name));
        let context = Record::new(facts.map(|(name, value)| (name.clone(), value.clone())));
        let source_policy: Record = [
            ("file", Value::from(&*module.path)),
            ("sha256", Value::from(&*module.sha256.to_string())),
        ]
        .into_iter()
        .collect();
        Ok(Gate {
            agent: at,
            route,
            parameters,
            context: Value::Record(context),
            source_policy: Value::Record(source_policy),
            decider,
            obligations,
            audit,
            cedar,
            approver: options.approver,
            clock: options.clock,
            counters: options.counters,
            tool_calls: Mutex::new(options.tool_calls),
            journal: options.journal,
            dev: options.dev,
            module,
            program,
        })
    }

    fn agent(&self) -> Option<&Agent> {
        self.module.agents.get(self.agent)
    }

    /// The identity of the agent.
    fn principal(&self) -> Arc<str> {
        self.agent()
            .map_or_else(|| "".into(), |agent| agent.principal.clone())
    }

    /// Decides about an effect. Every proposal has a decision.
    pub fn decide(&self, proposed: Proposed) -> Decided {
        let principal = self.principal();
        let call = match normalise(&self.program, proposed) {
            Ok(call) => call,
            Err(invalid) => {
                let Invalid { call, problem } = *invalid;
                // Nothing of its arguments was taken.
                let (fingerprint, _) = call.fingerprint(&principal);
                return Decided {
                    call,
                    fingerprint,
                    principal,
                    granted: false,
                    told: Told::plain("invalid_arguments", problem),
                    audit: AuditRules::default(),
                    limit: None,
                    receipt: None,
                };
            }
        };
        let (fingerprint, bytes) = call.fingerprint(&principal);
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let invocation = self.invocation(&call, &fingerprint);
        let asked = Question {
            call: &call,
            invocation: &invocation,
            principal: &principal,
            bytes,
        };
        let mut verdict = self.verdict(&asked, Approval::Unasked);
        let mut receipt = None;
        if verdict.decision.outcome == Outcome::Pending {
            let limits = verdict.limits;
            match self.approve(&asked, &fingerprint, limits) {
                // Time has passed: all is decided again, with the agreement.
                Ok(given) => {
                    verdict = self.verdict(&asked, Approval::Given);
                    receipt = Some(given);
                }
                Err(told) => {
                    verdict.decision = Decision {
                        outcome: Outcome::Deny,
                        because: Because::Refused,
                    };
                    verdict.told = Some(told);
                }
            }
        }
        let granted = verdict.decision.outcome == Outcome::Permit;
        let told = match verdict.told {
            Some(told) => told,
            None => self.asked(&call, !granted).map_or_else(
                || Told::plain("denied", "the agent is not there"),
                |asked| asked.told(verdict.decision.because),
            ),
        };
        Decided {
            fingerprint,
            principal: principal.clone(),
            granted,
            told,
            audit: verdict.audit,
            limit: verdict.limits.data,
            receipt: receipt.filter(|_| granted),
            call,
        }
    }

    /// `{arguments, contract, resolved, source_policy, fingerprint}`.
    fn invocation(&self, call: &Call, fingerprint: &Fingerprint) -> Value {
        let kind = match call.kind {
            Kind::Tool => "tool",
            Kind::Action => "action",
            Kind::Delegate => "delegate",
            Kind::Driver => "driver",
            Kind::Builtin(_) => "builtin",
            Kind::Answer => "answer",
        };
        let mut fields: Vec<(Arc<str>, Value)> = vec![
            ("arguments".into(), Value::Record(call.arguments.clone())),
            ("resolved".into(), Value::from(kind)),
            ("source_policy".into(), self.source_policy.clone()),
            (
                "fingerprint".into(),
                Value::String(fingerprint.to_string().into()),
            ),
        ];
        if let Some(tool) = &call.tool {
            let hash = Value::String(tool.sha256.to_string().into());
            let version = tool.version.clone().map(Value::String);
            let version = version.map(|version| ("version", version));
            let contract = [("sha256", hash)].into_iter().chain(version).collect();
            fields.push(("contract".into(), Value::Record(contract)));
        }
        Value::Record(Record::new(fields))
    }

    /// From which level on the run's messages are kept. No rule is asked whether
    /// they may be said; conditions of `audit` see a call of `log` without
    /// arguments.
    pub fn log_level(&self) -> LogLevel {
        let principal = self.principal();
        let nothing = Record::default();
        let effect = Effect::new("log", Kind::Answer, &nothing);
        let fields = [
            ("arguments", Value::Record(nothing.clone())),
            ("resolved", Value::from("log")),
            ("source_policy", self.source_policy.clone()),
        ];
        let facts = Facts {
            principal: &principal,
            invocation: &Value::Record(fields.into_iter().collect()),
            context: &self.context,
            now: (self.clock)(),
            parameters: &self.parameters,
            holds: &|_, _, _| false,
            cedar: Cedar::Absent,
            approval: Approval::Unasked,
            dev: self.dev,
        };
        self.audit.log_level(&effect, &facts)
    }

    /// For how many days the journal of the run is kept; `None` is for ever.
    pub fn retention_days(&self) -> Option<u64> {
        self.audit.retention_days()
    }

    fn asked<'g>(&'g self, call: &'g Call, texts: bool) -> Option<Asked<'g>> {
        Some(Asked {
            program: &self.program,
            module: &self.module,
            agent: self.agent()?,
            effect: &call.name,
            route: self.route,
            source: None,
            texts,
        })
    }

    /// Steps 2 to 5: policies, obligations, Cedar, and whether a person is to
    /// be asked. What is granted is counted.
    fn verdict(&self, asked: &Question<'_>, approval: Approval) -> Verdict {
        let call = asked.call;
        let now = (self.clock)();
        // From here to the count nobody else decides in this run, and with
        // rates nobody else of this host.
        let mut tool_calls = self
            .tool_calls
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut counted = self.obligations.counts.then(|| self.counters.hold());
        let state = State {
            kind: call.kind,
            now,
            checked: call.checked,
            bytes: asked.bytes,
            tool_calls: *tool_calls,
            journal: self.journal.load(Ordering::Acquire),
        };
        let applied: RefCell<Vec<RequirementId>> = RefCell::default();
        let holds = |id: RequirementId, _: &str, _: &Value| {
            applied.borrow_mut().push(id);
            self.obligations.holds(id, &state, counted.as_deref())
        };
        let effect = call.effect();
        let mut facts = Facts {
            principal: asked.principal,
            invocation: asked.invocation,
            context: &self.context,
            now,
            parameters: &self.parameters,
            holds: &holds,
            cedar: match self.cedar {
                Evaluator::Absent => Cedar::Absent,
                // Asked below, and only about what all else permits.
                Evaluator::Source(_) | Evaluator::Missing => Cedar::Permit { asks: false },
            },
            approval,
            dev: self.dev,
        };
        let audit = self.audit.rules(&effect, &facts);
        let mut told = None;
        let mut decision = self.decider.decide(&effect, &facts);
        if decision.outcome != Outcome::Deny {
            match &self.cedar {
                Evaluator::Absent => {}
                Evaluator::Source(source) => {
                    facts.cedar = source.ask(&CedarRequest {
                        principal: asked.principal,
                        call,
                        invocation: asked.invocation,
                        context: &self.context,
                    });
                    applied.borrow_mut().clear();
                    decision = self.decider.decide(&effect, &facts);
                }
                Evaluator::Missing => {
                    decision = Decision {
                        outcome: Outcome::Deny,
                        because: Because::CedarError,
                    };
                    told = Some(Told::plain(
                        "cedar_missing",
                        format!(
                            "the project has policies of Cedar for the route {}, and nothing here \
                             evaluates them: all is denied",
                            self.route.as_str()
                        ),
                    ));
                }
            }
        }
        if let Because::Undecidable(_) | Because::UndecidableRequirement(_) = decision.because {
            let looks = self.decider.looks_of(decision.because, &effect, &facts);
            let asked = self.asked(call, true);
            told = asked.map(|asked| asked.told_of(decision.because, &looks));
        }
        let applied = applied.into_inner();
        if decision.outcome == Outcome::Permit {
            if is_tool(call.kind) {
                *tool_calls = tool_calls.saturating_add(1);
            }
            if let Some(counted) = &mut counted {
                self.obligations.count(&applied, now, counted);
            }
        }
        Verdict {
            decision,
            told,
            limits: self.obligations.limits(&applied),
            audit,
        }
    }

    /// Asks a person about a call that all else permits.
    fn approve(
        &self,
        asked: &Question<'_>,
        fingerprint: &Fingerprint,
        limits: Limits,
    ) -> Result<Receipt, Told> {
        let name = &asked.call.name;
        let unavailable = || {
            Told::plain(
                "approval_unavailable",
                format!("a person has to agree to `{name}`, and nobody can be asked here"),
            )
        };
        let expired = || {
            Told::plain(
                "approval_expired",
                format!("a person has to agree to `{name}`, and nobody did in time"),
            )
        };
        let approver = self.approver.as_ref().ok_or_else(unavailable)?;
        let nanos = limits.expiry.unwrap_or(APPROVAL_NANOS);
        let wait = symbi_mini::jiff::SignedDuration::from_nanos(nanos);
        // Beyond all instants there is no later one.
        let deadline = (self.clock)().checked_add(wait);
        let deadline = deadline.unwrap_or(Timestamp::MAX);
        let answer = approver.ask(&Approvable {
            agent: self.agent().map_or("", |agent| agent.name()),
            principal: asked.principal,
            call: asked.call,
            fingerprint,
            deadline,
        });
        match answer {
            Answer::Unavailable => Err(unavailable()),
            Answer::Expired => Err(expired()),
            Answer::Refused => Err(Told::plain("refused", "a person was asked and refused")),
            Answer::Given(_) if (self.clock)() > deadline => Err(expired()),
            Answer::Given(receipt) if receipt.fingerprint != *fingerprint => Err(Told::plain(
                "approval_mismatch",
                format!("the approval is about another call than this `{name}`"),
            )),
            Answer::Given(receipt) => Ok(receipt),
        }
    }
}

/// A call with what is known of it.
#[derive(Clone, Copy)]
struct Question<'a> {
    call: &'a Call,
    invocation: &'a Value,
    principal: &'a str,
    bytes: u64,
}
