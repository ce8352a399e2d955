//! `tests/cases/decisions.jsonl`: from the text of a policy to the decision
//! about an effect, as section 4 of the reference has it.
//!
//! A row gives `source`, `agent`, `effect`, `args`, `context`, `cedar`, `dev`,
//! the `tools` of the program and, in `tool_schemas`, their parameters, Cedar
//! resource, verification and whether they ask for approval. `obligations` are
//! those that hold or not; `human_approval` there is whether someone agreed.

use serde_json::Value as Json;
use symbi_analysis::policies::{kind_of_effect, params_of};
use symbi_analysis::{OneShot, Settings, Summary, Tool, ToolParam, Tools, Ty};
use symbi_policy::{
    Approval, Cedar, Decider, Decision, Effect, Facts, Kind, Network, Outcome, Record, Timestamp,
    Value,
};
use symbi_syntax::decode;

use crate::support::repository;

/// So that none gets lost.
const ROWS: usize = 123;

fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Int(number),
            None => Value::Float(number.as_f64().expect("a number")),
        },
        Json::String(text) => Value::from(&**text),
        Json::Array(elements) => Value::Array(elements.iter().map(value).collect()),
        Json::Object(_) => Value::Record(record(json)),
    }
}

fn record(json: &Json) -> Record {
    let fields = json.as_object().into_iter().flatten();
    fields.map(|(name, json)| (&**name, value(json))).collect()
}

fn text<'j>(row: &'j Json, key: &str) -> &'j str {
    row[key].as_str().expect("a text")
}

fn program(row: &Json) -> OneShot {
    let names = row["tools"].as_array().expect("tools");
    let tools = names.iter().map(|name| {
        let name = name.as_str().expect("a name");
        let params = row["tool_schemas"][name]["params"].as_array();
        let param = |param: &Json| ToolParam {
            name: param.as_str().expect("a name").into(),
            ty: Ty::Any,
            required: false,
            rules: None,
        };
        Tool {
            name: name.into(),
            description: "".into(),
            params: params.into_iter().flatten().map(param).collect(),
        }
    });
    let tools: Vec<Tool> = tools.collect();
    let source = decode(text(row, "source").as_bytes().to_vec());
    let files = vec![Summary::new("a.symbi", source, true)];
    OneShot::new(files, Tools::new(tools), Settings::default())
}

fn decide(row: &Json) -> Decision {
    let program = program(row);
    let agent = text(row, "agent");
    let governed = program.governed(0, agent).expect("a known agent");
    let decider = Decider::new(governed.policies);

    let name = text(row, "effect");
    let schema = &row["tool_schemas"][name];
    let arguments = record(&row["args"]);
    let is_tool = row["tools"]
        .as_array()
        .is_some_and(|tools| tools.iter().any(|tool| tool == name));
    let kind = match name {
        "respond" | "terminate" => Kind::Answer,
        _ => kind_of_effect(name, is_tool),
    };
    let params: Vec<Box<str>> = match (schema["params"].as_array(), kind) {
        (Some(params), _) => params
            .iter()
            .map(|one| one.as_str().expect("a name").into())
            .collect(),
        (None, Kind::Builtin(_)) => params_of(name),
        // A tool without a schema has the parameters that it was given.
        (None, Kind::Tool) => arguments
            .fields()
            .map(|(name, _)| (**name).into())
            .collect(),
        (None, _) => Vec::new(),
    };
    let url = arguments.get("url").and_then(|url| match url {
        Value::String(url) => Some(&**url),
        _ => None,
    });
    let network = url.map(|url| {
        let host = url
            .split("://")
            .nth(1)
            .unwrap_or("")
            .split(['/', ':'])
            .next()
            .unwrap_or("");
        Network {
            url,
            host,
            internal: host.starts_with("10.") || host == "localhost",
        }
    });
    let effect = Effect {
        params: &params,
        resource: schema["resource"].as_str(),
        schema_verified: schema["schema_verified"].as_bool(),
        asks: schema["asks"].as_bool().unwrap_or(false),
        network: network.filter(|_| name == "http_request"),
        ..Effect::new(name, kind, &arguments)
    };
    let context = Value::Record(record(&row["context"]));
    let parameters = record(&row["params"]);
    let invocation = Value::Record(
        [("arguments", Value::Record(arguments.clone()))]
            .into_iter()
            .collect(),
    );
    let obligations = &row["obligations"];
    let facts = Facts {
        principal: agent,
        invocation: &invocation,
        context: &context,
        now: Timestamp::UNIX_EPOCH,
        parameters: &parameters,
        holds: &|_, name, _| obligations[name] == true,
        cedar: match text(row, "cedar") {
            "absent" => Cedar::Absent,
            "permit" => Cedar::Permit { asks: false },
            "forbid" => Cedar::Forbid,
            "silent" => Cedar::Silent,
            "error" => Cedar::Error,
            other => panic!("no word of Cedar: {other}"),
        },
        approval: match obligations["human_approval"].as_bool() {
            None => Approval::Unasked,
            Some(true) => Approval::Given,
            Some(false) => Approval::Refused,
        },
        dev: row["dev"] == true,
    };
    decider.decide(&effect, &facts)
}

#[test]
fn each_row_is_decided_as_it_says() {
    let path = repository().join("tests/cases/decisions.jsonl");
    let rows = std::fs::read_to_string(path).expect("a readable file");
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in rows.lines() {
        let row: Json = serde_json::from_str(line).expect("a row");
        count += 1;
        let decision = decide(&row);
        let outcome = match decision.outcome {
            Outcome::Permit => "permit",
            Outcome::Deny => "deny",
            Outcome::Pending => "pending",
        };
        if outcome != text(&row, "decision") {
            wrong.push(format!(
                "{}: {outcome} ({:?}), and not {}: {}",
                text(&row, "name"),
                decision.because,
                text(&row, "decision"),
                text(&row, "why"),
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(count, ROWS);
}
