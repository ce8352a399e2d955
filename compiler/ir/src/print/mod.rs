//! A program in a form that people read: `symbi dsl --ir` shows it, and the
//! tests of lowering compare it. It is not read back.

mod code;
mod policy;
pub mod types;

use std::sync::Arc;

use symbi_policy::{Requirement, Rule};

pub(crate) use policy::value;

use crate::agent::{Agent, Memory, Network};
use crate::blocks::{Channel, Filter, Schedule, Store, Webhook, When};
use crate::code::Code;
use crate::constant::Constant;
use crate::program::{AgentName, Function, Module, Param, Program, Struct};

/// The most levels that lines are set in.
const LEVELS: usize = 200;

/// Lines, each set in by two spaces a level.
#[derive(Default)]
struct Out {
    text: String,
    level: usize,
}

impl Out {
    fn line(&mut self, line: &str) {
        self.text.extend(std::iter::repeat_n("  ", self.level));
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn within(&mut self, lines: impl FnOnce(&mut Out)) {
        self.level += 1;
        match self.is_full() {
            true => self.line("…"),
            false => lines(self),
        }
        self.level -= 1;
    }

    /// It nests deeper than is shown.
    fn is_full(&self) -> bool {
        self.level > LEVELS
    }

    fn finish(self) -> String {
        self.text
    }
}

impl Program {
    /// The whole program.
    pub fn to_text(&self) -> String {
        let mut out = Out::default();
        out.line(&format!("program version {}", self.version));
        if let Some(tier) = self.sandbox.tier {
            out.line(&format!("sandbox {}", tier.as_str()));
        }
        if let Some(minimum) = self.sandbox.minimum {
            out.line(&format!("sandbox at least {}", minimum.as_str()));
        }
        for waived in &self.waived {
            out.line(&format!("waived {} {}", waived.code, waived.name));
        }
        for tool in &self.tools {
            let params: Vec<String> = tool
                .params
                .iter()
                .map(|param| {
                    let mark = if param.required { "" } else { "?" };
                    format!("{}{mark}: {}", param.name, types::ty(&param.ty))
                })
                .collect();
            let asks = if tool.asks { ", asks a person" } else { "" };
            out.line(&format!(
                "tool {}({}) from {}{asks}",
                tool.name,
                params.join(", "),
                tool.manifest
            ));
        }
        for file in &self.cedar {
            out.line(&format!("cedar {}", file.path));
        }
        for module in &self.modules {
            self.module_to(&mut out, module);
        }
        out.finish()
    }

    fn module_to(&self, out: &mut Out, module: &Module) {
        out.line(&format!("module {}", module.path));
        out.within(|out| {
            module.structs.iter().for_each(|one| structure(out, one));
            for one in &module.functions {
                function(out, "function", one);
            }
            for one in &module.policies {
                policy::policy(out, &self.effects, one);
            }
            for one in &module.agents {
                self.agent_to(out, one);
            }
            module.schedules.iter().for_each(|one| schedule(out, one));
            module.webhooks.iter().for_each(|one| webhook(out, one));
            for one in &module.channels {
                self.channel_to(out, one);
            }
            module.memories.iter().for_each(|one| memory(out, one));
        });
    }

    fn agent_to(&self, out: &mut Out, agent: &Agent) {
        function(out, "agent", &agent.entry);
        out.within(|out| {
            if let Some(driver) = &agent.driver {
                out.line(&format!("driver {driver}"));
            }
            for (key, value) in &agent.metadata {
                out.line(&format!("metadata {key} = {}", constant(value)));
            }
            attributes(out, agent);
            for secret in &agent.secrets {
                out.line(&format!("secret {secret}"));
            }
            if let Some(list) = &agent.capabilities {
                match &list.ceiling {
                    Some(ceiling) => {
                        out.line("may at most");
                        out.within(|out| policy::ceiling(out, &self.effects, ceiling));
                    }
                    None => out.line(&format!("described by {}", list.entries.join(", "))),
                }
            }
            agent.structs.iter().for_each(|one| structure(out, one));
            for one in &agent.functions {
                function(out, "function", one);
            }
            for one in &agent.policies {
                policy::policy(out, &self.effects, one);
            }
            for admission in &agent.admission {
                let route = admission.route.as_str();
                match &*admission.refused {
                    [] => out.line(&format!("route {route}")),
                    reasons => {
                        let reasons: Vec<&str> =
                            reasons.iter().map(|reason| &*reason.code).collect();
                        out.line(&format!("refused on {route}: {}", reasons.join(", ")));
                    }
                }
            }
        });
    }

    fn channel_to(&self, out: &mut Out, channel: &Channel) {
        out.line(&format!("channel {} on {}", channel.name, channel.platform));
        out.within(|out| {
            if let Some(agent) = &channel.default_agent {
                out.line(&format!("agent {}", agent_name(agent)));
            }
            out.line(&format!("default_deny {}", channel.default_deny));
            for (key, value) in &channel.settings {
                out.line(&format!("{key} = {}", constant(value)));
            }
            for (category, what) in &channel.data_classification {
                out.line(&format!("data {category}: {what}"));
            }
            for one in &channel.policies {
                policy::policy(out, &self.effects, one);
            }
        });
    }

    /// A rule on one line, as the program has it.
    pub fn rule_to_text(&self, rule: &Rule) -> String {
        policy::rule(&self.effects, rule)
    }

    /// A requirement on one line, as the program has it.
    pub fn requirement_to_text(&self, requirement: &Requirement) -> String {
        policy::requirement(&self.effects, requirement)
    }
}

fn agent_name(agent: &AgentName) -> String {
    format!("{}#{}", agent.file, agent.name)
}

fn params(params: &[Param], code: &Code) -> String {
    let params: Vec<String> = params
        .iter()
        .map(|param| {
            let default = param
                .default
                .map(|id| format!(" = {}", code::one_line(code, id)));
            format!(
                "{}: {}{}",
                param.name,
                types::ty(&param.ty),
                default.unwrap_or_default()
            )
        })
        .collect();
    params.join(", ")
}

fn structure(out: &mut Out, structure: &Struct) {
    let fields = params(&structure.fields, &structure.code);
    out.line(&format!("struct {} {{{fields}}}", structure.name));
}

fn function(out: &mut Out, word: &str, function: &Function) {
    out.line(&format!(
        "{word} {}({}) -> {}",
        function.name,
        params(&function.params, &function.code),
        types::ty(&function.result)
    ));
    let frame = function.code.frames.first();
    if let Some(frame) = frame.filter(|frame| frame.body.is_some()) {
        out.within(|out| {
            out.line("body");
            out.within(|out| code::body(out, &function.code, frame));
        });
    }
}

fn attributes(out: &mut Out, agent: &Agent) {
    let own = &agent.attributes;
    let stated = if own.sandbox_stated { "" } else { " (default)" };
    out.line(&format!("sandbox {}{stated}", own.sandbox.as_str()));
    match &own.network {
        Network::DenyAll => {}
        Network::AllowAll => out.line("network all"),
        Network::Hosts(hosts) => out.line(&format!("network {}", hosts.join(", "))),
    }
    match &own.memory {
        Memory::Ephemeral => {}
        Memory::Persistent => out.line("memory persistent"),
        Memory::Block(name) => out.line(&format!("memory {name}")),
    }
    if let Some(timeout) = own.timeout {
        out.line(&format!("timeout {}", duration(timeout)));
    }
    let numbers = [
        ("max_memory", own.max_memory, " bytes"),
        ("max_iterations", own.max_iterations, ""),
        ("max_tokens", own.max_tokens, ""),
        ("budget_tokens", own.budget_tokens, ""),
        ("max_concurrent", own.max_concurrent, ""),
    ];
    for (key, value, unit) in numbers {
        if let Some(value) = value {
            out.line(&format!("{key} {value}{unit}"));
        }
    }
    let floats = [
        ("max_cpu_cores", own.max_cpu_cores),
        ("temperature", own.temperature),
    ];
    for (key, value) in floats {
        if let Some(value) = value {
            out.line(&format!("{key} {value:?}"));
        }
    }
    if let Some(model) = &own.model {
        out.line(&format!("model {}", quoted(model)));
    }
    for (key, value) in &own.others {
        out.line(&format!("{key} = {}", constant(value)));
    }
}

fn refused(out: &mut Out, reasons: &[crate::agent::Reason]) {
    for reason in reasons {
        out.line(&format!("refused: {} {}", reason.code, reason.message));
    }
}

fn schedule(out: &mut Out, schedule: &Schedule) {
    out.line(&format!("schedule {}", schedule.name));
    out.within(|out| {
        if let Some(agent) = &schedule.agent {
            out.line(&format!("agent {}", agent_name(agent)));
        }
        match &schedule.when {
            When::Cron { text, .. } => {
                out.line(&format!("cron {} in {}", quoted(text), schedule.timezone))
            }
            When::At(at) => out.line(&format!("at {at} in {}", schedule.timezone)),
        }
        if let Some(code) = &schedule.input
            && let Some(body) = code.frames.first().and_then(|frame| frame.body)
        {
            out.line(&format!("input {}", code::one_line(code, body)));
        }
        if let Some(policy) = &schedule.policy {
            out.line(&format!("policy {policy}"));
        }
        if schedule.one_shot {
            out.line("one_shot");
        }
        for to in &schedule.deliver {
            out.line(&format!("deliver {to}"));
        }
        if let Some(audit) = &schedule.audit {
            out.line(&format!("audit {audit}"));
        }
        out.line(&format!(
            "missed {}, overlap {}",
            schedule.missed, schedule.overlap
        ));
        if let Some(jitter) = schedule.jitter {
            out.line(&format!("jitter {}", duration(jitter)));
        }
        if let Some(retries) = schedule.retries {
            out.line(&format!("retries {retries}"));
        }
        refused(out, &schedule.refused);
    });
}

fn webhook(out: &mut Out, webhook: &Webhook) {
    out.line(&format!("webhook {} at {}", webhook.name, webhook.path));
    out.within(|out| {
        if let Some(agent) = &webhook.agent {
            out.line(&format!("agent {}", agent_name(agent)));
        }
        out.line(&format!("provider {}", webhook.provider));
        if let Some(secret) = &webhook.secret {
            // One in clear is not shown.
            let secret = match secret {
                Constant::Secret(reference) => reference,
                _ => "in clear",
            };
            out.line(&format!("secret {secret}"));
        }
        match &webhook.filter {
            None => {}
            Some(Filter::Events(events)) => out.line(&format!("events {}", events.join(", "))),
            Some(Filter::Equals { json_path, value }) => {
                out.line(&format!("only if {json_path} is {}", constant(value)));
            }
            Some(Filter::Contains { json_path, value }) => {
                out.line(&format!("only if {json_path} contains {}", constant(value)));
            }
        }
        refused(out, &webhook.refused);
    });
}

fn memory(out: &mut Out, memory: &Store) {
    let of = memory.agent.as_ref().map(|agent| format!(" of {agent}"));
    out.line(&format!("memory {}{}", memory.name, of.unwrap_or_default()));
    out.within(|out| {
        let path = memory
            .path
            .as_ref()
            .map(|path| format!(" in {}", quoted(path)));
        out.line(&format!(
            "store {}{}",
            memory.store,
            path.unwrap_or_default()
        ));
        out.line(&format!("retention {}", duration(memory.retention)));
        out.line(&format!(
            "search by {:?} likeness and {:?} words",
            memory.search.vector_weight, memory.search.keyword_weight
        ));
    });
}

/// A text as the language writes it.
fn quoted(text: &str) -> String {
    format!("{text:?}")
}

fn duration(nanos: i64) -> String {
    symbi_mini::duration::format(nanos)
}

/// A value as it is written.
fn constant(of: &Constant) -> String {
    let list = |parts: &[Constant]| {
        let parts: Vec<String> = parts.iter().map(constant).collect();
        parts.join(", ")
    };
    let field =
        |(name, value): &(Arc<str>, Constant)| format!("{}: {}", quoted(name), constant(value));
    match of {
        Constant::Null => "null".to_owned(),
        Constant::Bool(value) => value.to_string(),
        Constant::Int(value) => value.to_string(),
        Constant::Float(value) => format!("{value:?}"),
        Constant::Text(text) => quoted(text),
        Constant::Duration(nanos) => duration(*nanos),
        Constant::Size(bytes) => format!("{bytes} bytes"),
        Constant::Name(name) => name.to_string(),
        Constant::Secret(reference) => format!("secret {reference}"),
        Constant::List(parts) => format!("[{}]", list(parts)),
        Constant::Record(fields) => {
            let fields: Vec<String> = fields.iter().map(field).collect();
            format!("{{{}}}", fields.join(", "))
        }
    }
}
