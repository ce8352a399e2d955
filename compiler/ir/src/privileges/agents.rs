//! Agent by agent: routes, rules, isolation, limits, secrets.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::agent::{Agent, Attributes, Memory, Network, Route, Tier};
use crate::constant::Constant;
use crate::privileges::{Found, Tense, Topic, listed, routes, runs};
use crate::program::{Module, Program};

impl Found<'_> {
    /// All agents that can run.
    pub(super) fn agents(&mut self) {
        let (before, after) = (self.before, self.after);
        for (module, agent) in after.agents().filter(|(_, agent)| runs(agent)) {
            let known = counterpart(before, module, agent).filter(|(_, agent)| runs(agent));
            match known {
                Some((old_module, old)) => self.changed(old_module, old, module, agent),
                None => self.appeared(module, agent),
            }
        }
    }

    /// An agent that could not run before: all that it may do is more.
    fn appeared(&mut self, module: &Module, agent: &Agent) {
        let names: Vec<&str> = routes(agent).map(Route::as_str).collect();
        let route = if names.len() == 1 { "route" } else { "routes" };
        let (runs, connects) = match self.tense {
            Tense::Now => ("runs", "connects"),
            Tense::Before => ("ran", "connected"),
        };
        let words = format!(
            "`{}` {}: it {runs} on the {route} {}, in {}, and {connects} to {}",
            agent.name(),
            self.tense.is_new(),
            listed(&names),
            agent.attributes.sandbox.as_str(),
            hosts(&agent.attributes.network),
        );
        self.add(Topic::Agent, Some(agent.name()), words)
            .at(module, agent.entry.at);
        self.secrets(&[], module, agent);
        self.rules(None, module, agent);
    }

    fn changed(&mut self, old_module: &Module, old: &Agent, module: &Module, agent: &Agent) {
        let name = agent.name();
        for route in routes(agent).filter(|route| !old.is_admitted(*route)) {
            let words = format!(
                "`{name}` {} run on the route `{}`",
                self.tense.may(),
                route.as_str()
            );
            self.add(Topic::Route, Some(name), words)
                .at(module, agent.entry.at);
        }
        self.attributes(&old.attributes, module, agent);
        self.secrets(&old.secrets, module, agent);
        self.driven(old, module, agent);
        if old.is_executable() && !agent.is_executable() {
            let words = match self.tense {
                Tense::Now => {
                    format!("`{name}` has no body any more: a model decides what it does")
                }
                Tense::Before => {
                    format!("`{name}` has a body now, where a model decided what it does")
                }
            };
            self.add(Topic::Call, Some(name), words)
                .at(module, agent.entry.at);
        }
        self.rules(Some((old_module, old)), module, agent);
        self.calls((old_module, old), module, agent);
    }

    fn secrets(&mut self, before: &[Arc<str>], module: &Module, agent: &Agent) {
        let new: Vec<&Arc<str>> = agent
            .secrets
            .iter()
            .filter(|secret| !before.contains(secret))
            .collect();
        if !new.is_empty() {
            let words = format!(
                "`{}` {} read the secret {}",
                agent.name(),
                self.tense.may(),
                listed(&new)
            );
            self.add(Topic::Secret, Some(agent.name()), words)
                .at(module, agent.entry.at);
        }
    }

    fn attributes(&mut self, old: &Attributes, module: &Module, agent: &Agent) {
        let (name, new) = (agent.name(), &agent.attributes);
        let at = agent.entry.at;
        if !isolates(new.sandbox, old.sandbox) {
            let words = format!(
                "the sandbox of `{name}` {}",
                self.tense
                    .change(old.sandbox.as_str(), new.sandbox.as_str())
            );
            self.add(Topic::Sandbox, Some(name), words).at(module, at);
        }
        let reached = match (&old.network, &new.network) {
            (_, Network::DenyAll) | (Network::AllowAll, _) => Vec::new(),
            (_, Network::AllowAll) => vec!["any host"],
            (old, Network::Hosts(hosts)) => hosts
                .iter()
                .filter(|host| !matches!(old, Network::Hosts(known) if known.contains(host)))
                .map(|host| &**host)
                .collect(),
        };
        if !reached.is_empty() {
            let reached = match &*reached {
                ["any host"] => "any host".to_owned(),
                hosts => listed(hosts),
            };
            let words = format!("`{name}` {} connect to {reached}", self.tense.may());
            self.add(Topic::Network, Some(name), words).at(module, at);
        }
        let limits = [
            ("timeout", old.timeout, new.timeout),
            ("max_memory", old.max_memory, new.max_memory),
            ("max_iterations", old.max_iterations, new.max_iterations),
            ("max_tokens", old.max_tokens, new.max_tokens),
            ("budget_tokens", old.budget_tokens, new.budget_tokens),
            ("max_concurrent", old.max_concurrent, new.max_concurrent),
        ];
        for (key, old, new) in limits {
            if let Some(old) = old.filter(|old| new.is_none_or(|new| new > *old)) {
                let shown = |value: i64| match key {
                    "timeout" => symbi_mini::duration::format(value),
                    "max_memory" => format!("{value} bytes"),
                    _ => value.to_string(),
                };
                let new = new.map_or_else(|| "none".to_owned(), shown);
                let words = format!(
                    "`{key}` of `{name}` {}",
                    self.tense.change(&shown(old), &new)
                );
                self.add(Topic::Limit, Some(name), words).at(module, at);
            }
        }
        if let Some(cores) = old.max_cpu_cores
            && new.max_cpu_cores.is_none_or(|new| new > cores)
        {
            let new = new.max_cpu_cores;
            let new = new.map_or_else(|| "none".to_owned(), |new| new.to_string());
            let change = self.tense.change(&cores.to_string(), &new);
            let words = format!("`max_cpu_cores` of `{name}` {change}");
            self.add(Topic::Limit, Some(name), words).at(module, at);
        }
        if old.memory != new.memory && new.memory != Memory::Ephemeral {
            let change = self
                .tense
                .change(&memory(&old.memory), &memory(&new.memory));
            let words = format!("the memory of `{name}` {change}");
            self.add(Topic::Memory, Some(name), words).at(module, at);
        }
        let others = |attributes: &Attributes| -> BTreeMap<Arc<str>, Constant> {
            attributes.others.iter().cloned().collect()
        };
        if others(old) != others(new) {
            let words = format!("other attributes of `{name}` changed");
            self.add(Topic::Limit, Some(name), words)
                .perhaps()
                .at(module, at);
        }
    }

    /// The driver, the tools it is given, and whether a person is asked.
    fn driven(&mut self, old: &Agent, module: &Module, agent: &Agent) {
        let name = agent.name();
        let at = agent.entry.at;
        if old.driver != agent.driver {
            let shown = |driver: &Option<Arc<str>>| match driver {
                Some(driver) => driver.to_string(),
                None => "the host's own loop".to_owned(),
            };
            let change = self
                .tense
                .change(&shown(&old.driver), &shown(&agent.driver));
            let words = format!("what runs `{name}` {change}");
            self.add(Topic::Driver, Some(name), words)
                .perhaps()
                .at(module, at);
        }
        let of = |agent: &Agent, key: &str| {
            let mut found = agent.metadata.iter();
            found
                .find(|(own, _)| **own == *key)
                .map(|(_, value)| value.clone())
        };
        if let Some(Constant::List(tools)) = of(agent, "allowed_tools") {
            let known = match of(old, "allowed_tools") {
                Some(Constant::List(known)) => known,
                _ => Vec::new(),
            };
            let new: Vec<String> = tools
                .iter()
                .filter(|tool| !known.contains(tool))
                .map(|tool| match tool {
                    Constant::Text(text) | Constant::Name(text) => text.to_string(),
                    other => format!("{other:?}"),
                })
                .collect();
            if !new.is_empty() {
                let words = format!("`{name}` {} use {}", self.tense.may(), listed(&new));
                self.add(Topic::Driver, Some(name), words).at(module, at);
            }
        }
        if of(old, "permission_mode") != of(agent, "permission_mode") {
            let words = format!("`permission_mode` of `{name}` changed");
            self.add(Topic::Driver, Some(name), words)
                .perhaps()
                .at(module, at);
        }
        let asks = |agent: &Agent| of(agent, "human_approval") == Some(Constant::Bool(true));
        if asks(old) && !asks(agent) {
            let words = match self.tense {
                Tense::Now => format!("no person is asked any more before `{name}` acts"),
                Tense::Before => format!("a person is asked now before `{name}` acts"),
            };
            self.add(Topic::Driver, Some(name), words).at(module, at);
        }
    }
}

/// The agent of another program that is the same: of the same file and name,
/// else the only one of its name.
pub(super) fn counterpart<'p>(
    program: &'p Program,
    module: &Module,
    agent: &Agent,
) -> Option<(&'p Arc<Module>, &'p Agent)> {
    let same = program.module(&module.path).and_then(|module| {
        let mut agents = module.agents.iter();
        Some((module, agents.find(|own| own.name() == agent.name())?))
    });
    same.or_else(|| {
        let mut named = program
            .agents()
            .filter(|(_, own)| own.name() == agent.name());
        match (named.next(), named.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    })
}

/// Whether one tier isolates at least as another does (language.md section 5).
fn isolates(one: Tier, other: Tier) -> bool {
    let level = |tier| match tier {
        Tier::None => Some(0),
        Tier::Docker => Some(1),
        Tier::Gvisor => Some(2),
        Tier::Firecracker => Some(3),
        // Each is beside the others, and above none of them but `none`.
        Tier::E2b | Tier::Landlock => None,
    };
    one == other
        || other == Tier::None
        || matches!((level(one), level(other)), (Some(one), Some(other)) if one >= other)
}

fn hosts(network: &Network) -> String {
    match network {
        Network::DenyAll => "nothing".to_owned(),
        Network::AllowAll => "any host".to_owned(),
        Network::Hosts(hosts) => listed(hosts),
    }
}

fn memory(memory: &Memory) -> String {
    match memory {
        Memory::Ephemeral => "nothing".to_owned(),
        Memory::Persistent => "its own between runs".to_owned(),
        Memory::Block(name) => format!("`{name}`"),
    }
}
