//! What starts agents, and what all of them share.

use std::sync::Arc;

use crate::agent::{Agent, Route, Tier};
use crate::blocks::{Channel, Schedule, Webhook};
use crate::privileges::{Found, Tense, Topic};
use crate::program::{AgentName, Module, Program};

impl Found<'_> {
    /// Schedules, webhooks, channels, memories, tools, Cedar and the project.
    pub(super) fn around(&mut self) {
        let after = self.after;
        for module in &after.modules {
            for one in &module.schedules {
                self.schedule(module, one);
            }
            for one in &module.webhooks {
                self.webhook(module, one);
            }
            for one in &module.channels {
                self.channel(module, one);
            }
            for one in &module.memories {
                let known = self.before.module(&module.path);
                let known = known.and_then(|module| {
                    let mut own = module.memories.iter();
                    own.find(|own| own.name == one.name && own.agent == one.agent)
                });
                let same = known.is_some_and(|known| {
                    known.path == one.path
                        && known.store == one.store
                        && known.retention >= one.retention
                });
                if !same {
                    let what = match known {
                        None => self.tense.is_new(),
                        Some(_) => "keeps something else, or longer",
                    };
                    let words = format!("the memory `{}` {what}", one.name);
                    self.add(Topic::Memory, None, words)
                        .perhaps()
                        .at(module, one.at);
                }
            }
        }
        self.tools();
        self.project();
    }

    fn schedule(&mut self, module: &Module, one: &Schedule) {
        if !one.refused.is_empty() || !starts(self.after, one.agent.as_ref(), Route::Schedule) {
            return;
        }
        let known = by_name(
            self.before,
            module,
            |module| &module.schedules,
            |known| known.name == one.name,
        );
        let agent = one.agent.as_ref().map(|agent| agent.name.clone());
        let Some(known) = known.filter(|known| {
            known.refused.is_empty() && starts(self.before, known.agent.as_ref(), Route::Schedule)
        }) else {
            let words = format!(
                "the schedule `{}` {}: it starts `{}`",
                one.name,
                self.tense.is_new(),
                agent.as_deref().unwrap_or_default()
            );
            self.add(Topic::Schedule, agent.as_ref(), words)
                .at(module, one.at);
            return;
        };
        let nodes = |schedule: &Schedule| schedule.input.as_ref().map(|code| code.nodes.clone());
        let same = known.when == one.when
            && known.timezone == one.timezone
            && named(&known.agent) == named(&one.agent)
            && nodes(known) == nodes(one)
            && known.policy == one.policy
            && known.one_shot == one.one_shot
            && known.deliver == one.deliver
            && known.missed == one.missed
            && known.overlap == one.overlap
            && known.jitter == one.jitter
            && known.retries == one.retries;
        if !same {
            let words = format!("the schedule `{}` changed", one.name);
            self.add(Topic::Schedule, agent.as_ref(), words)
                .perhaps()
                .at(module, one.at);
        }
    }

    fn webhook(&mut self, module: &Module, one: &Webhook) {
        if !one.refused.is_empty() || !starts(self.after, one.agent.as_ref(), Route::Http) {
            return;
        }
        let mut all = self
            .before
            .modules
            .iter()
            .flat_map(|module| &module.webhooks);
        let known = all.find(|known| known.path == one.path);
        let agent = one.agent.as_ref().map(|agent| agent.name.clone());
        let Some(known) = known.filter(|known| {
            known.refused.is_empty() && starts(self.before, known.agent.as_ref(), Route::Http)
        }) else {
            let words = format!(
                "the webhook `{}` {}: it starts `{}`",
                one.path,
                self.tense.is_new(),
                agent.as_deref().unwrap_or_default()
            );
            self.add(Topic::Webhook, agent.as_ref(), words)
                .at(module, one.at);
            return;
        };
        let same = known.provider == one.provider
            && known.secret == one.secret
            && named(&known.agent) == named(&one.agent)
            && (known.filter == one.filter || known.filter.is_none());
        if !same {
            let words = format!("the webhook `{}` changed", one.path);
            self.add(Topic::Webhook, agent.as_ref(), words)
                .perhaps()
                .at(module, one.at);
        }
    }

    fn channel(&mut self, module: &Module, one: &Channel) {
        if !one.refused.is_empty() {
            return;
        }
        let known = by_name(
            self.before,
            module,
            |module| &module.channels,
            |known| known.name == one.name,
        );
        let Some(known) = known.filter(|known| known.refused.is_empty()) else {
            let words = format!("the channel `{}` {}", one.name, self.tense.is_new());
            self.add(Topic::Channel, None, words).at(module, one.at);
            return;
        };
        if known.default_deny && !one.default_deny {
            let words = match self.tense {
                Tense::Now => format!(
                    "the channel `{}` no longer denies what no policy allows",
                    one.name
                ),
                Tense::Before => {
                    format!(
                        "the channel `{}` denies now what no policy allows",
                        one.name
                    )
                }
            };
            self.add(Topic::Channel, None, words).at(module, one.at);
        }
        let blocks = |channel: &Channel| -> Vec<symbi_policy::Block> {
            channel
                .policies
                .iter()
                .map(|policy| policy.block.clone())
                .collect()
        };
        let same = known.platform == one.platform
            && named(&known.default_agent) == named(&one.default_agent)
            && known.settings == one.settings
            && known.data_classification == one.data_classification
            && blocks(known) == blocks(one);
        if !same {
            let words = format!("the channel `{}` changed", one.name);
            self.add(Topic::Channel, None, words)
                .perhaps()
                .at(module, one.at);
        }
    }

    fn tools(&mut self) {
        let (before, after) = (self.before, self.after);
        for tool in &after.tools {
            let Some(known) = before.tool(&tool.name) else {
                let words = format!("the tool `{}` {}", tool.name, self.tense.is_new());
                self.add(Topic::Tool, None, words);
                continue;
            };
            if known.asks && !tool.asks {
                let words = match self.tense {
                    Tense::Now => {
                        format!("no person is asked any more before `{}` runs", tool.name)
                    }
                    Tense::Before => format!("a person is asked now before `{}` runs", tool.name),
                };
                self.add(Topic::Tool, None, words);
            }
            if known.sha256 != tool.sha256 {
                let words = format!("the manifest of the tool `{}` changed", tool.name);
                self.add(Topic::Tool, None, words).perhaps();
            }
        }
        let changed = before.cedar != after.cedar;
        if changed {
            let words = "policies of Cedar changed, which are not compared".to_owned();
            self.add(Topic::Cedar, None, words).perhaps();
        }
        if before.stdlib != after.stdlib {
            let words = "the standard library is another one, which is not compared".to_owned();
            self.add(Topic::Project, None, words).perhaps();
        }
    }

    fn project(&mut self) {
        let (before, after) = (self.before, self.after);
        for waived in after
            .waived
            .iter()
            .filter(|one| !before.waived.contains(one))
        {
            let words = match self.tense {
                Tense::Now => format!("{} is waived for `{}`", waived.code, waived.name),
                Tense::Before => {
                    format!("{} is no longer waived for `{}`", waived.code, waived.name)
                }
            };
            self.add(Topic::Project, None, words);
        }
        let (old, new) = (before.sandbox.minimum, after.sandbox.minimum);
        if old != new && old.is_some() {
            let shown = |tier: Option<Tier>| tier.map_or("none", Tier::as_str);
            let change = self.tense.change(shown(old), shown(new));
            let words = format!("the least sandbox of the project {change}");
            self.add(Topic::Project, None, words).perhaps();
        }
    }
}

/// Whether an agent can be started on a route.
fn starts(program: &Program, agent: Option<&AgentName>, route: Route) -> bool {
    let found = agent.and_then(|agent| {
        let mut agents = program.module(&agent.file)?.agents.iter();
        agents.find(|own| own.name() == &agent.name)
    });
    found.is_some_and(|agent: &Agent| agent.is_admitted(route))
}

/// The name of an agent: files may be moved.
fn named(agent: &Option<AgentName>) -> Option<&Arc<str>> {
    agent.as_ref().map(|agent| &agent.name)
}

/// The part of another program that is the same: of the same file, else the
/// only one.
fn by_name<'p, T>(
    program: &'p Program,
    module: &Module,
    parts: impl Fn(&'p Module) -> &'p Vec<T>,
    is: impl Fn(&T) -> bool,
) -> Option<&'p T> {
    let same = program.module(&module.path);
    let same = same.and_then(|module| parts(module).iter().find(|part| is(part)));
    same.or_else(|| {
        let all = program.modules.iter().flat_map(|module| parts(module));
        let mut found = all.filter(|part| is(part));
        match (found.next(), found.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    })
}
