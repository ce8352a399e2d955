//! What is said of a change from one program to another:
//! `tests/privileges/*.md`, a page a topic.
//!
//! On a page each heading begins a case: a `symbi before` and a `symbi after`
//! fence, fences `toml before file=…` and `toml after file=…` for what stands
//! beside them, and a `text` fence with a line a change: `+` grew, `?` may have
//! grown, `-` was lost. `UPDATE_PRIVILEGES=1` writes what is found into the
//! pages: read it line by line before it is kept.

use std::fmt::Write;
use std::path::Path;

use symbi_ir::privileges::{Privileges, compare};
use symbi_policy::compare::Witness;
use symbi_policy::{Approval, Cedar, Decider, Effect, Facts, Outcome, Record, Timestamp, Value};

use crate::lowering::program;
use crate::support::Given;

fn said(privileges: &Privileges) -> String {
    let mut text = String::new();
    for change in &privileges.grown {
        let mark = if change.certain { '+' } else { '?' };
        let _ = writeln!(text, "{mark} {}", change.words);
    }
    for change in &privileges.lost {
        let _ = writeln!(text, "- {}", change.words);
    }
    match text.is_empty() {
        true => "nothing\n".to_owned(),
        false => text,
    }
}

#[test]
fn changes_are_told_as_the_pages_say() {
    let update = std::env::var_os("UPDATE_PRIVILEGES").is_some();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/privileges");
    let (mut count, mut wrong) = (0, String::new());
    for entry in std::fs::read_dir(folder).expect("the pages") {
        let path = entry.expect("an entry").path();
        let page = std::fs::read_to_string(&path).expect("a page");
        let mut written = page.split("\n## ").next().unwrap_or_default().to_owned();
        for part in page.split("\n## ").skip(1) {
            count += 1;
            let (heading, rest) = part.split_once('\n').expect("a heading");
            let (mut before, mut after) = (Vec::new(), Vec::new());
            for fence in rest.split("\n```").skip(1).step_by(2) {
                let (info, text) = fence.split_once('\n').expect("a fence");
                let mut words = info.split_whitespace();
                if words.next() == Some("text") {
                    continue;
                }
                let side = info.split_whitespace().nth(1);
                let file = words.find_map(|word| word.strip_prefix("file="));
                let given = Given {
                    path: file.unwrap_or("main.symbi").to_owned(),
                    text: format!("{text}\n"),
                };
                match side {
                    Some("before") => before.push(given),
                    Some("after") => after.push(given),
                    _ => {
                        before.push(given.clone());
                        after.push(given);
                    }
                }
            }
            let (old, new) = (program(&before), program(&after));
            assert_eq!(compare(&old, &old), Privileges::default(), "{heading}");
            assert_eq!(compare(&new, &new), Privileges::default(), "{heading}");
            let found = said(&compare(&old, &new));
            let (text, fence) = rest.split_once("\n```text\n").expect("what is expected");
            let (expected, _) = fence.split_once("\n```").expect("its end");
            if expected.trim_end() != found.trim_end() {
                let _ = writeln!(wrong, "{}: {heading}\n{found}", path.display());
            }
            let _ = write!(
                written,
                "\n## {heading}\n{text}\n```text\n{}\n```\n",
                found.trim_end()
            );
        }
        if update {
            std::fs::write(&path, written).expect("the page");
        }
    }
    assert!(update || wrong.is_empty(), "{wrong}");
    assert!(count >= 30, "{count} cases");
}

/// Rules that small programs are made of.
const RULES: &[&str] = &[
    "allow: restart",
    "allow: restart(s) if s == \"api\"",
    "allow: restart(s) if s in [\"api\", \"db\"]",
    "allow: restart(\"db\")",
    "allow: send if context.calm",
    "allow: [send, restart]",
    "allow: true",
    "deny: restart(\"db\")",
    "deny: restart(s) if s != \"api\"",
    "deny: send",
    "deny: restart if context.level > 3",
    "deny: restart if context.level > 5",
    "deny: true if not context.calm",
    "require: context.ticket != null",
    "require: context.ticket != null if context.level >= 4",
    "require: context.calm == true",
];

/// Numbers that follow from a seed (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % end
    }
}

/// A program with one agent: some rules, a tier, perhaps a ceiling.
fn small(random: &mut Random) -> (String, symbi_ir::Program) {
    let rules: Vec<&str> = (0..1 + random.below(4))
        .map(|_| RULES[random.below(RULES.len())])
        .collect();
    let capabilities = [
        "",
        "",
        "capabilities = [restart]",
        "capabilities = [restart, send]",
    ];
    let tier = ["docker", "gvisor", "firecracker"][random.below(3)];
    let text = format!(
        "agent a {{\n    {}\n    policy p {{\n        {}\n    }}\n    with sandbox = {tier}, timeout = \
         30s {{ restart(\"api\"); send(\"x\", \"y\"); }}\n}}\n",
        capabilities[random.below(capabilities.len())],
        rules.join("\n        ")
    );
    let given = Given {
        path: "main.symbi".to_owned(),
        text: text.clone(),
    };
    (text, program(&[given]))
}

/// What an effect comes to with these facts: denied, asked about, permitted.
fn rank(
    program: &symbi_ir::Program,
    decider: &Decider,
    effect: &str,
    (arguments, parameters, context): (&Record, &Record, &Record),
) -> u8 {
    let (kind, params) = program.effect(effect);
    let nothing = Value::Record(Record::default());
    let context = Value::Record(context.clone());
    let effect = Effect {
        params: &params,
        ..Effect::new(effect, kind, arguments)
    };
    let facts = Facts {
        principal: &program.modules[0].agents[0].principal,
        invocation: &nothing,
        context: &context,
        now: Timestamp::UNIX_EPOCH,
        parameters,
        holds: &|_, _, _| false,
        cedar: Cedar::Absent,
        approval: Approval::Unasked,
        dev: false,
    };
    match decider.decide(&effect, &facts).outcome {
        Outcome::Deny => 0,
        Outcome::Pending => 1,
        Outcome::Permit => 2,
    }
}

fn decider(program: &symbi_ir::Program) -> Decider {
    let module = &program.modules[0];
    Decider::new(program.policies(module, &module.agents[0]))
}

/// What an effect comes to with the facts of a witness.
fn decided(program: &symbi_ir::Program, effect: &str, witness: &Witness) -> u8 {
    let facts = (&witness.arguments, &witness.parameters, &witness.context);
    rank(program, &decider(program), effect, facts)
}

/// All that may be asked in the small world of [`small`], with what each comes
/// to.
fn brute_force(program: &symbi_ir::Program) -> Vec<(String, u8)> {
    let decider = decider(program);
    let none = Record::default();
    let mut all = Vec::new();
    let services = [
        None,
        Some(Value::from("api")),
        Some("db".into()),
        Some("x".into()),
    ];
    let calm = [
        None,
        Some(Value::Bool(true)),
        Some(Value::Bool(false)),
        Some("x".into()),
    ];
    let levels = [None, Some(3), Some(4), Some(5), Some(6)];
    let tickets = [None, Some(Value::from("T-1"))];
    for name in ["restart", "send", "other"] {
        for (service, named) in services.iter().flat_map(|one| {
            // By place, by name, or both.
            services.iter().map(move |two| (one, two))
        }) {
            for calm in &calm {
                for level in &levels {
                    for ticket in &tickets {
                        let of = |name: &str, value: Option<Value>| {
                            value.map(|value| (std::sync::Arc::from(name), value))
                        };
                        let given = [of("0", service.clone()), of("s", named.clone())];
                        let arguments = Record::new(given.into_iter().flatten());
                        let facts = [
                            of("calm", calm.clone()),
                            of("level", level.map(Value::Int)),
                            of("ticket", ticket.clone()),
                        ];
                        let context = Record::new(facts.into_iter().flatten());
                        let rank = rank(program, &decider, name, (&arguments, &none, &context));
                        all.push((format!("{name} {arguments:?} {context:?}"), rank));
                    }
                }
            }
        }
    }
    all
}

/// On hundreds of pairs of small programs: what any question in their world
/// shows to have grown is told, and what is told for certain is so for its
/// facts.
#[test]
fn what_brute_force_finds_is_told() {
    use symbi_ir::privileges::Topic;

    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut grew, mut same, mut witnessed) = (0, 0, 0);
    for _ in 0..250 {
        let (old_text, old) = small(&mut random);
        let (new_text, new) = small(&mut random);
        let runs = |program: &symbi_ir::Program| {
            let agent = &program.modules[0].agents[0];
            symbi_ir::Route::ALL
                .iter()
                .any(|route| agent.is_admitted(*route))
        };
        assert!(runs(&old) && runs(&new), "{old_text}{new_text}");
        let said = compare(&old, &new);
        let before = brute_force(&old);
        let after = brute_force(&new);
        let more: Vec<&str> = before
            .iter()
            .zip(&after)
            .filter(|((_, before), (_, after))| after > before)
            .map(|((asked, _), _)| asked.as_str())
            .collect();
        let about = |topic| said.grown.iter().filter(move |change| change.kind == topic);
        let told = about(Topic::Rule).count() > 0;
        match more.first() {
            Some(asked) => {
                grew += 1;
                assert!(told, "{asked} grew:\n{old_text}to\n{new_text}{said:#?}");
            }
            None => same += 1,
        }
        for change in about(Topic::Rule).filter(|change| change.certain) {
            let effect = change.words.split('`').nth(3).unwrap_or_default();
            let Some(witness) = change.witness.as_ref().filter(|_| !effect.is_empty()) else {
                continue;
            };
            witnessed += 1;
            let before = decided(&old, effect, witness);
            let after = decided(&new, effect, witness);
            assert!(after > before, "{change:?}:\n{old_text}to\n{new_text}");
        }
        let tier = |program: &symbi_ir::Program| program.modules[0].agents[0].attributes.sandbox;
        let weaker = matches!(
            (tier(&old).as_str(), tier(&new).as_str()),
            ("gvisor" | "firecracker", "docker") | ("firecracker", "gvisor")
        );
        assert_eq!(
            about(Topic::Sandbox).count() == 1,
            weaker,
            "{old_text}to\n{new_text}"
        );
    }
    assert!(
        grew > 80 && same > 20 && witnessed > 80,
        "{grew}, {same}, {witnessed}"
    );
}
