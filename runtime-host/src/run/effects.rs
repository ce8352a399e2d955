//! Effects: proposed to the gate, put on record, carried out, put on record.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value as Json, json};
use symbi_ir::{Agent, Module, Route};
use symbi_policy::Kind;
use symbi_vm::library::{Function, Native};
use symbi_vm::{Given, Map, Raise, Request, Secret, Value, What, kinds};

use super::drive::{Run, Trouble};
use super::outcome::Outcome;
use super::requests::Answer;
use super::{MAX_DELEGATIONS, Origin, Provider, Start};
use crate::gate::{Call, Decided, Proposed, Told};
use crate::values::{self, fact};

/// How many tasks there may be at once.
const MAX_TASKS: usize = 32;

/// An effect that is proposed, and how it would be carried out.
struct Planned {
    proposed: Proposed,
    how: How,
}

/// How an effect is carried out.
#[derive(Clone)]
enum How {
    /// By who offers it.
    Provider,
    /// By looking up a secret.
    Secret(Arc<str>),
    /// By another agent.
    Agent {
        name: Arc<str>,
        input: Input,
        timeout: Option<i64>,
    },
}

/// What another agent is given.
#[derive(Clone)]
enum Input {
    /// Its arguments.
    Arguments(Vec<Given>),
    /// A record of its parameters, or the value of the only one.
    Message(Value),
}

/// What becomes of the answers of several effects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joined {
    /// There is one.
    One,
    /// A record that tells how it went.
    Status,
    /// `null`, whatever comes of it.
    Nothing,
    /// As text.
    Text,
    /// A list of all.
    All,
    /// The first that is no error.
    First,
}

impl Run<'_> {
    /// Answers a request that is an effect.
    pub(super) fn effect(&mut self, request: &Request) -> Result<Answer, Trouble> {
        let number = request.number;
        let (planned, joined) = match self.plan(request) {
            Ok(planned) => planned,
            Err(raise) => return self.raised(number, raise),
        };
        // All are decided about before the first of them happens.
        let single = matches!(&*planned, [_]) && joined != Joined::All;
        let mut granted = Vec::new();
        let mut denied: Option<Raise> = None;
        for (at, plan) in planned.into_iter().enumerate() {
            let id = match single {
                true => number.to_string(),
                false => format!("{number}.{at}"),
            };
            let decided = self.gate.decide(plan.proposed);
            let refusal = refusal(&decided);
            let answer = match (&refusal, joined, single) {
                (Some(raise), Joined::One | Joined::Text | Joined::Nothing, true) => {
                    Some(Err(raise.clone()))
                }
                (Some(raise), Joined::Status, _) => {
                    Some(Ok(status("denied", "reason", Value::from(&*raise.message))))
                }
                _ => None,
            };
            self.decided(number, &id, &decided, answer.as_ref())?;
            match refusal {
                None => granted.push((id, decided, plan.how)),
                Some(raise) => {
                    self.usage.denied += 1;
                    if let Some(answer) = answer {
                        return Ok(answer);
                    }
                    denied.get_or_insert(raise);
                }
            }
        }
        if let Some(raise) = denied {
            return self.raised(number, raise);
        }
        let mut answers = Vec::with_capacity(granted.len());
        for (id, decided, how) in granted {
            let answer = self.carry_out(number, &id, decided, how, joined, single)?;
            let first = joined == Joined::First && answer.is_ok();
            answers.push(answer);
            if first {
                break;
            }
        }
        if single {
            // Its answer is on record.
            return Ok(answers.pop().unwrap_or(Ok(Value::Null)));
        }
        let answer = join(answers, joined);
        let kept = self.record.answer(&answer, true);
        self.after(&json!({
            "type": "value", "number": number, "function": "together", "answer": kept.json, "exact": kept.exact,
        }))?;
        Ok(answer)
    }

    /// An effect that cannot even be proposed, or that nobody carries out.
    fn raised(&mut self, number: u64, raise: Raise) -> Result<Answer, Trouble> {
        let answer = Err(raise);
        let kept = self.record.answer(&answer, true);
        self.note(&json!({
            "type": "raised", "number": number, "answer": kept.json, "exact": kept.exact,
        }))?;
        Ok(answer)
    }

    /// What the gate decided, on record.
    fn decided(
        &mut self,
        number: u64,
        id: &str,
        decided: &Decided,
        answer: Option<&Answer>,
    ) -> Result<(), Trouble> {
        let call = decided.call();
        let (arguments, whole) = self.shown(decided);
        let mut event = json!({
            "type": "decided",
            "number": number,
            "id": id,
            "effect": &**call.name(),
            "arguments": arguments,
            "arguments_sha256": whole,
            "fingerprint": decided.fingerprint().to_string(),
            "decision": if decided.is_granted() { "granted" } else { "denied" },
            "because": decided.told().because,
            "message": &*decided.told().message,
            "rule": rule(decided.told()),
            "at": call.span().map(|span| {
                let (line, column) = self.module.position(span.start);
                json!({"file": &*self.module.path, "line": line, "column": column})
            }),
        });
        if let (Some(answer), Some(fields)) = (answer, event.as_object_mut()) {
            let kept = self.record.answer(answer, true);
            fields.insert("answer".to_owned(), kept.json);
            fields.insert("exact".to_owned(), json!(kept.exact));
        }
        self.note(&event)
    }

    /// The arguments of a call as they may be kept, and the hash of them all.
    fn shown(&self, decided: &Decided) -> (Json, String) {
        let call = decided.call();
        let fields = call.arguments().fields().map(|(name, held)| {
            let json = values::value(held).map_or(Json::Null, |value| values::tagged(&value));
            (name.to_string(), json)
        });
        let mut all = Json::Object(fields.collect());
        if let Some(input) = call.input() {
            all = values::value(input).map_or(Json::Null, |value| values::tagged(&value));
        }
        let kept = self.record.clean(&all);
        match decided.audit().include_input {
            true => (kept.json, kept.fingerprint),
            false => (Json::Null, kept.fingerprint),
        }
    }

    /// The effect that a request would be, and the hash of its arguments; `None`
    /// if it is none, or several.
    pub(super) fn proposed(&self, request: &Request) -> Option<(String, String)> {
        let is_value = matches!(&request.what, What::Library { function, .. }
            if !matches!(function.does, symbi_vm::library::Does::Effect(_)));
        if is_value {
            return None;
        }
        let (planned, _) = self.plan(request).ok()?;
        let plan = planned.into_iter().next()?;
        let decided = self.gate.decide(plan.proposed);
        let (_, hash) = self.shown(&decided);
        Some((decided.call().name().to_string(), hash))
    }

    // What is proposed.

    fn plan(&self, request: &Request) -> Result<(Vec<Planned>, Joined), Raise> {
        let number = request.number;
        let span = request.at.map(|at| symbi_ir::Span {
            start: at.start,
            length: at.length,
        });
        let one = |mut proposed: Proposed, how: How, joined: Joined| {
            proposed.span = span;
            Ok((vec![Planned { proposed, how }], joined))
        };
        match &request.what {
            What::Secret { address } => {
                let mut proposed = Proposed::call(number, "secret_read");
                proposed
                    .named
                    .push(("path".into(), symbi_policy::Value::from(&**address)));
                one(proposed, How::Secret(address.clone()), Joined::One)
            }
            What::Ambiguous { name } => Err(Raise::new(
                kinds::DENIED,
                format!(
                    "several agents of the project are called `{name}`, so none of them is meant"
                ),
            )),
            What::Tool { name, arguments } => {
                let tool = self.host.program.tool(name);
                let params = tool
                    .into_iter()
                    .flat_map(|tool| tool.params.iter().map(|param| &param.name));
                let proposed = with_given(Proposed::call(number, name.clone()), params, arguments);
                one(proposed, How::Provider, Joined::One)
            }
            What::Action { name, arguments } => {
                let proposed = with_given(
                    Proposed::call(number, name.clone()),
                    std::iter::empty(),
                    arguments,
                );
                one(proposed, How::Provider, Joined::One)
            }
            What::Agent { agent, arguments } => {
                let found = self.host.find(&agent.file, &agent.name).ok();
                let params = found
                    .into_iter()
                    .flat_map(|(_, _, own)| own.entry.params.iter().map(|param| &param.name));
                let name = format!("delegate::{}", agent.name);
                let proposed = with_given(Proposed::call(number, name), params, arguments);
                let how = How::Agent {
                    name: agent.name.clone(),
                    input: Input::Arguments(arguments.clone()),
                    timeout: None,
                };
                one(proposed, how, Joined::One)
            }
            What::Library {
                function,
                arguments,
            } => self.plan_library(number, span, function, arguments),
        }
    }

    fn plan_library(
        &self,
        number: u64,
        span: Option<symbi_ir::Span>,
        function: &Function,
        arguments: &[Value],
    ) -> Result<(Vec<Planned>, Joined), Raise> {
        let text = |at: usize| match arguments.get(at) {
            Some(Value::Text(text)) => Arc::<str>::from(text.as_str()),
            _ => "".into(),
        };
        let one = |mut proposed: Proposed, how: How, joined: Joined| {
            proposed.span = span;
            Ok((vec![Planned { proposed, how }], joined))
        };
        let delegation = |agent: &Value, message: &Value, timeout: Option<i64>| {
            let Value::Text(agent) = agent else {
                return Err(Raise::new(
                    kinds::WRONG_TYPE,
                    "an agent is called by its name, a text",
                ));
            };
            let mut proposed = Proposed::call(number, format!("delegate::{}", agent.as_str()));
            proposed.positional.push(fact(message));
            proposed.span = span;
            Ok(Planned {
                proposed,
                how: How::Agent {
                    name: agent.as_str().into(),
                    input: Input::Message(message.clone()),
                    timeout,
                },
            })
        };
        let null = Value::Null;
        let argument = |at: usize| arguments.get(at).unwrap_or(&null);
        match function.native {
            Native::Delegate | Native::Ask | Native::SendTo => {
                let timeout = match argument(2) {
                    Value::Duration(nanos) => Some(*nanos),
                    _ => None,
                };
                let joined = match function.native {
                    Native::Ask => Joined::Text,
                    Native::SendTo => Joined::Nothing,
                    _ => Joined::One,
                };
                Ok((vec![delegation(argument(0), argument(1), timeout)?], joined))
            }
            Native::Parallel | Native::Race => {
                let Value::List(tasks) = argument(0) else {
                    return Err(Raise::new(kinds::WRONG_TYPE, "tasks are a list"));
                };
                if tasks.items().len() > MAX_TASKS {
                    return Err(Raise::new(
                        kinds::OUT_OF_RANGE,
                        format!(
                            "there are {} tasks, and at most {MAX_TASKS} may be given at once",
                            tasks.items().len()
                        ),
                    ));
                }
                let joined = match function.native {
                    Native::Race if tasks.items().is_empty() => {
                        return Err(Raise::new(
                            kinds::OUT_OF_RANGE,
                            "a race needs at least one task",
                        ));
                    }
                    Native::Race => Joined::First,
                    _ => Joined::All,
                };
                let planned = tasks.items().iter().map(|task| {
                    let field = |name: &str| match task {
                        Value::Map(task) => task.field(name).cloned(),
                        _ => None,
                    };
                    match (field("agent"), field("message")) {
                        (Some(agent), Some(message)) => delegation(&agent, &message, None),
                        _ => Err(Raise::new(
                            kinds::MISSING_FIELD,
                            "a task is a record with `agent` and `message`",
                        )),
                    }
                });
                Ok((planned.collect::<Result<_, _>>()?, joined))
            }
            Native::ToolCall => {
                let mut proposed = Proposed::call(number, text(0));
                if let Value::Map(map) = argument(1) {
                    proposed = proposed.with(&values::record(map));
                }
                one(proposed, How::Provider, Joined::Status)
            }
            Native::SecretRead => {
                let mut proposed = Proposed::call(number, "secret_read");
                proposed.named.push(("path".into(), fact(argument(0))));
                one(proposed, How::Secret(text(0)), Joined::One)
            }
            Native::MemoryWriteEntry => {
                let entry = argument(1);
                let title = match entry {
                    Value::Map(map) => map.field("title").cloned(),
                    _ => None,
                };
                let title = title.unwrap_or_else(|| {
                    Value::from(super::uuid7((self.host.setup.clock)()).to_string())
                });
                let body = match entry {
                    Value::Map(map) => map.field("text").cloned(),
                    _ => None,
                };
                let body = body.unwrap_or_else(|| Value::from(values::plain(entry).to_string()));
                let mut proposed = Proposed::call(number, "memory_write");
                for (name, value) in [
                    ("title", &title),
                    ("text", &body),
                    ("memory", argument(0)),
                    ("entry", entry),
                ] {
                    proposed.named.push((name.into(), fact(value)));
                }
                one(proposed, How::Provider, Joined::One)
            }
            _ => {
                let symbi_vm::library::Does::Effect(name) = function.does else {
                    return Err(Raise::new(kinds::NO_PROVIDER, "this is no effect"));
                };
                let mut proposed = Proposed::call(number, name);
                for (param, value) in function.params.iter().zip(arguments) {
                    // What was not said is missing, to a policy too.
                    if !matches!(value, Value::Null) {
                        proposed.named.push((param.name.into(), fact(value)));
                    }
                }
                one(proposed, How::Provider, Joined::One)
            }
        }
    }

    // What is carried out.

    fn carry_out(
        &mut self,
        number: u64,
        id: &str,
        decided: Decided,
        how: How,
        joined: Joined,
        single: bool,
    ) -> Result<Answer, Trouble> {
        self.may_go_on()?;
        let keep = decided.audit().include_output;
        let name = decided.call().name().clone();
        if self.host.setup.dry {
            return Ok(self.pretend(&decided));
        }
        // A secret is looked up here: nothing happens outside.
        if let How::Secret(address) = &how {
            let answer = self
                .host
                .secrets
                .find(address)
                .map(|_| Value::Secret(Arc::new(Secret::of(address.to_string()))));
            let (_, ()) = match decided.prepare() {
                Ok(prepared) => prepared.carry_out_as_granted(|_| ()),
                Err(raised) => return Ok(Err(denied(raised.kind, &raised.told, &name))),
            };
            self.usage.effects += 1;
            let kept = self.record.answer(&answer, true);
            self.after(&json!({
                "type": "value", "number": number, "function": "secret_read", "answer": kept.json, "exact": kept.exact,
            }))?;
            return Ok(answer);
        }
        let provider = self.provider(decided.call());
        let child = match (&provider, &how) {
            (None, How::Agent { name, .. }) => self.host.agent_of(name),
            _ => None,
        };
        let by = match (&provider, child) {
            (Some(provider), _) => provider.name(),
            (None, Some((_, agent))) if agent.is_executable() => "agent",
            _ => {
                let raise = no_provider(decided.call(), child.map(|(_, agent)| agent));
                return match (single, joined) {
                    (true, Joined::Status) => {
                        let reason = Value::from(raise.message);
                        let answer = Ok(status("not_executed", "reason", reason));
                        let kept = self.record.answer(&answer, true);
                        self.note(&json!({
                            "type": "raised", "number": number, "answer": kept.json, "exact": kept.exact,
                        }))?;
                        Ok(answer)
                    }
                    (true, _) => self.raised(number, raise),
                    (false, _) => Ok(Err(raise)),
                };
            }
        };
        let repeatable = match &provider {
            Some(provider) => provider.is_repeatable(),
            None => true,
        };
        let interrupted = self.recorded.interrupted(id);
        if let Some(started) = &interrupted
            && !(repeatable && started.repeatable)
        {
            let trouble = Trouble::Unresolved {
                id: id.to_owned(),
                effect: name.to_string(),
            };
            self.note(
                &json!({"type": "unresolved", "id": id, "number": number, "effect": &*name}),
            )?;
            return Err(trouble);
        }
        let child_run = match interrupted.and_then(|started| started.child) {
            Some(run) => run,
            None => super::new_run((self.host.setup.clock)()),
        };
        if self.recorded.interrupted(id).is_none() {
            let mut event = json!({
                "type": "effect_started",
                "id": id,
                "number": number,
                "effect": &*name,
                "fingerprint": decided.fingerprint().to_string(),
                "provider": by,
                "repeatable": repeatable,
            });
            if let (None, Some(fields)) = (&provider, event.as_object_mut()) {
                fields.insert("child".to_owned(), json!(child_run.as_str()));
            }
            self.before(&event)?;
        }
        let prepared = match decided.prepare() {
            Ok(prepared) => prepared,
            Err(raised) => return Ok(Err(denied(raised.kind, &raised.told, &name))),
        };
        let (done, answer) = match (provider, &how) {
            (Some(provider), _) => {
                prepared.carry_out_as_granted(|call| Ok(provider.carry_out(call)))
            }
            (None, How::Agent { input, timeout, .. }) => prepared
                .carry_out_as_granted(|_| self.child(id, &child_run, child, input, *timeout)),
            (None, _) => prepared.carry_out_as_granted(|call| Ok(Err(no_provider(call, None)))),
        };
        let mut answer = answer?;
        self.usage.effects += 1;
        if let Ok(value) = &answer {
            let bytes = symbi_journal::canonical(&values::plain(value)).len() as u64;
            if let Err(raised) = done.check_result(bytes) {
                answer = Err(denied(raised.kind, &raised.told, &name));
            }
        }
        let answer = shaped(answer, joined);
        let kept = self.record.answer(&answer, keep);
        let mut event = json!({
            "type": "effect_finished",
            "id": id,
            "effect": &*name,
            "bytes": kept.bytes,
            "sha256": kept.fingerprint,
            "exact": kept.exact,
        });
        if let Some(fields) = event.as_object_mut() {
            if single {
                fields.insert("number".to_owned(), json!(number));
            }
            fields.insert("answer".to_owned(), kept.json);
        }
        self.after(&event)?;
        Ok(answer)
    }

    /// What a run that only looks gives: what is scripted, else `null`.
    fn pretend(&self, decided: &Decided) -> Answer {
        let call = decided.call();
        match self
            .provider(call)
            .filter(|provider| provider.name() == SCRIPTED)
        {
            Some(provider) => provider.carry_out(call),
            None => Ok(Value::Null),
        }
    }

    /// Who carries a call out.
    fn provider(&self, call: &Call) -> Option<Arc<dyn Provider>> {
        let mut all = self.host.setup.providers.iter();
        all.find(|provider| provider.offers(call)).cloned()
    }

    /// Another agent runs.
    fn child(
        &self,
        id: &str,
        run: &symbi_journal::RunId,
        agent: Option<(&Arc<Module>, &Agent)>,
        input: &Input,
        timeout: Option<i64>,
    ) -> Result<Answer, Trouble> {
        let Some((module, agent)) = agent else {
            return Ok(Err(Raise::new(kinds::NOT_FOUND, "there is no such agent")));
        };
        if self.origin.depth >= MAX_DELEGATIONS {
            return Ok(Err(Raise::new(
                kinds::TOO_DEEP,
                format!("agents call agents more than {MAX_DELEGATIONS} deep"),
            )));
        }
        let own = timeout
            .and_then(|nanos| u64::try_from(nanos).ok())
            .map(Duration::from_nanos);
        let origin = Origin {
            parent: Some((self.id.to_string(), id.to_owned())),
            depth: self.origin.depth + 1,
            limit: [own, self.left()].into_iter().flatten().min(),
        };
        let start = Start {
            file: &module.path,
            agent: agent.name(),
            route: Route::Delegate,
            input: arguments(agent, input),
        };
        let (report, value) = match self.host.child(run, start, origin) {
            Ok(ended) => ended,
            Err(problem) => {
                return Ok(Err(Raise::new(kinds::ERROR, problem.to_string())));
            }
        };
        let failure = report.error.as_ref();
        let message = failure.map_or_else(String::new, |failure| failure.message.clone());
        Ok(match report.outcome {
            Outcome::Completed => Ok(value),
            Outcome::Unresolved => {
                return Err(Trouble::Unresolved {
                    id: id.to_owned(),
                    effect: format!("delegate::{}", agent.name()),
                });
            }
            Outcome::Cancelled => return Err(Trouble::Cancelled),
            // Its own time is over, or that of this run too.
            Outcome::TimedOut => {
                self.may_go_on()?;
                Err(Raise::new(kinds::TIMEOUT, message))
            }
            Outcome::Refused => Err(Raise::new(kinds::DENIED, message)),
            Outcome::Failed | Outcome::BudgetExhausted => {
                let mut raise = Raise::new(kinds::ERROR, message);
                if let Some(failure) = failure {
                    raise.kind = failure.kind.clone().into();
                }
                Err(raise)
            }
        })
    }
}

/// What scripted answers are called in journals.
const SCRIPTED: &str = "scripted";

impl super::Host {
    /// The agent of a name; `None` if there is none, or several.
    fn agent_of(&self, name: &str) -> Option<(&Arc<Module>, &Agent)> {
        let mut all = self
            .program
            .agents()
            .filter(|(_, agent)| **agent.name() == *name);
        match (all.next(), all.next()) {
            (Some(found), None) => Some(found),
            _ => None,
        }
    }
}

impl Provider for super::answers::Answers {
    fn name(&self) -> &'static str {
        SCRIPTED
    }

    fn offers(&self, call: &Call) -> bool {
        self.has(call)
    }

    fn carry_out(&self, call: &Call) -> Result<Value, Raise> {
        let none = || {
            Err(Raise::new(
                kinds::NO_PROVIDER,
                "there is no scripted answer left",
            ))
        };
        self.take(call).unwrap_or_else(none)
    }

    fn is_repeatable(&self) -> bool {
        true
    }
}

fn with_given<'n>(
    mut proposed: Proposed,
    params: impl Iterator<Item = &'n Arc<str>>,
    arguments: &[Given],
) -> Proposed {
    let params: Vec<&Arc<str>> = params.collect();
    for given in arguments {
        let by_number = given
            .parameter
            .and_then(|at| params.get(at as usize).copied());
        match given.name.as_ref().or(by_number) {
            Some(name) => proposed.named.push((name.clone(), fact(&given.value))),
            None => proposed.positional.push(fact(&given.value)),
        }
    }
    proposed
}

/// The parameters of an agent from what it is given, which the gate has held to
/// their types.
fn arguments(agent: &Agent, input: &Input) -> Vec<Value> {
    let params = &agent.entry.params;
    let mut values = vec![Value::Unset; params.len()];
    match input {
        Input::Arguments(given) => {
            let mut left = Vec::new();
            for given in given {
                let named = given.name.as_ref();
                let named =
                    named.and_then(|name| params.iter().position(|param| param.name == *name));
                let place = named.or(given.parameter.map(|at| at as usize));
                match place.and_then(|place| values.get_mut(place)) {
                    Some(place) => *place = given.value.clone(),
                    None => left.push(given.value.clone()),
                }
            }
            let mut left = left.into_iter();
            for value in values
                .iter_mut()
                .filter(|value| matches!(value, Value::Unset))
            {
                match left.next() {
                    Some(given) => *value = given,
                    None => break,
                }
            }
        }
        Input::Message(message) => {
            let by_name = match (message, &**params) {
                (Value::Map(map), [only]) => map.field(&only.name).is_some(),
                (Value::Map(_), _) => true,
                _ => false,
            };
            match message {
                Value::Map(map) if by_name => {
                    for (param, value) in params.iter().zip(&mut values) {
                        if let Some(given) = map.field(&param.name) {
                            *value = given.clone();
                        }
                    }
                }
                message => {
                    if let Some(first) = values.first_mut() {
                        *first = message.clone();
                    }
                }
            }
        }
    }
    for (param, value) in params.iter().zip(&mut values) {
        if matches!(value, Value::Unset) && param.default.is_none() {
            *value = Value::Null;
        }
    }
    values
}

/// What a refused effect raises; `None` if it was granted.
fn refusal(decided: &Decided) -> Option<Raise> {
    if decided.is_granted() {
        return None;
    }
    let kind = match decided.told().because {
        "invalid_arguments" => "invalid_arguments",
        _ => kinds::DENIED,
    };
    Some(denied(kind, decided.told(), decided.call().name()))
}

fn denied(kind: &'static str, told: &Told, effect: &str) -> Raise {
    let message = &told.message;
    let message = match &told.rule {
        _ if kind != kinds::DENIED => message.to_string(),
        Some(rule) => format!(
            "`{effect}` is denied: {message} ({}:{}:{})",
            rule.path, rule.line, rule.column
        ),
        None if message.contains(effect) => message.to_string(),
        None => format!("`{effect}` is denied: {message}"),
    };
    let mut details = Map::with_capacity(3);
    // These are texts, which nest no deeper than they may.
    let _ = details.insert(Value::from("effect"), Value::from(effect));
    let _ = details.insert(Value::from("because"), Value::from(told.because));
    if let Some(rule) = &told.rule {
        let place = format!("{}:{}:{}", rule.path, rule.line, rule.column);
        let _ = details.insert(Value::from("rule"), Value::from(place));
    }
    Raise::new(kind, message).with(details.into())
}

fn rule(told: &Told) -> Json {
    match &told.rule {
        Some(rule) => json!({"file": &*rule.path, "line": rule.line, "column": rule.column}),
        None => Json::Null,
    }
}

fn no_provider(call: &Call, child: Option<&Agent>) -> Raise {
    let name = call.name();
    let message = match (call.kind(), child) {
        (_, Some(agent)) => format!(
            "`{}` talks to a model, and this build has no provider of models",
            agent.name()
        ),
        (Kind::Delegate, None) => format!("there is no agent for `{name}`"),
        (Kind::Tool, _) => format!(
            "`{name}` was granted, and this build does not run tools: --answers can answer for it"
        ),
        _ => {
            format!("`{name}` was granted, and nobody carries it out: --answers can answer for it")
        }
    };
    Raise::new(kinds::NO_PROVIDER, message)
}

fn status(status: &str, field: &str, value: Value) -> Value {
    let record = Value::record([("status", Value::from(status)), (field, value)]);
    record.unwrap_or(Value::Null)
}

/// The answer of one effect as its function gives it.
fn shaped(answer: Answer, joined: Joined) -> Answer {
    match (joined, answer) {
        (Joined::Status, Ok(value)) => Ok(status("success", "result", value)),
        (Joined::Status, Err(raise)) => Ok(status("error", "reason", Value::from(raise.message))),
        (Joined::Nothing, Ok(_)) => Ok(Value::Null),
        (Joined::Text, Ok(value @ Value::Text(_))) => Ok(value),
        (Joined::Text, Ok(value)) => Ok(Value::from(
            symbi_vm::show(&value, 1 << 20).unwrap_or_default(),
        )),
        (_, answer) => answer,
    }
}

fn join(answers: Vec<Answer>, joined: Joined) -> Answer {
    match joined {
        Joined::All => {
            let all = answers.into_iter().map(|answer| match answer {
                Ok(value) => Ok(value),
                Err(raise) => Value::record([("error", Value::from(raise.message))]),
            });
            Value::list(all.collect::<Result<_, _>>()?)
        }
        _ => {
            let mut last = Err(Raise::new(kinds::ERROR, "no task has given anything"));
            for answer in answers {
                if answer.is_ok() {
                    return answer;
                }
                last = answer;
            }
            last
        }
    }
}
