//! What policies are asked about and may demand.

use std::collections::{BTreeMap, BTreeSet};

use symbi_analysis::Ty;
use symbi_analysis::stdlib::{Obligation, Several, StdlibDeclaration, StdlibKind};

use super::{of_kind, place, stdlib};
use crate::support::repository;

#[test]
fn effects_are_the_closed_list_of_the_contract() {
    let real: Vec<&str> = stdlib()
        .effects
        .iter()
        .filter(|(_, effect)| {
            effect.named.is_none() && effect.covers.is_empty() && !effect.monitoring
        })
        .map(|(name, _)| name)
        .collect();
    // Section 4.
    assert_eq!(
        real,
        [
            "http_request",
            "memory_read",
            "memory_search",
            "memory_write",
            "model_call",
            "publish",
            "secret_read",
            "send"
        ]
    );
    let many: BTreeMap<&str, &str> = stdlib()
        .effects
        .iter()
        .filter_map(|(name, effect)| Some((name, effect.named.as_deref()?)))
        .collect();
    let expected = [
        ("delegate", "delegate::NAME"),
        ("driver", "DRIVER"),
        ("external_action", "ACTION"),
        ("tool", "TOOL"),
    ];
    assert_eq!(many, BTreeMap::from(expected));
    let monitoring = stdlib().effects.values().filter(|effect| effect.monitoring);
    assert_eq!(monitoring.count(), 6);
    let selectors: BTreeSet<&str> = stdlib()
        .effects
        .values()
        .flat_map(|effect| effect.selectors.iter().map(|name| &**name))
        .collect();
    assert_eq!(
        Vec::from_iter(selectors),
        [
            "call_tool",
            "delegate",
            "execute_tool",
            "invoke_tool",
            "network_access",
            "web_request"
        ]
    );
    for effect in stdlib().effects.values() {
        for covered in &effect.covers {
            assert!(stdlib().is_effect(covered), "{covered}");
        }
    }
}

#[test]
fn names_of_effects_are_told_from_others() {
    for name in ["send", "query_metrics", "claude_code", "delegate::helper"] {
        assert!(stdlib().is_effect(name), "{name}");
    }
    let others = [
        "tool",
        "driver",
        "network_access",
        "delegate",
        "Mail::send",
        "read",
    ];
    for name in others {
        assert!(!stdlib().is_effect(name), "{name}");
    }
}

#[test]
fn groups_hold_effects() {
    let names: Vec<&str> = stdlib().groups.keys().map(|name| &**name).collect();
    assert_eq!(names, ["execute", "network", "read", "write"]);
    for (name, group) in stdlib().groups.iter() {
        assert!(!group.members.is_empty(), "{name}");
        let members: BTreeSet<_> = group.members.iter().collect();
        assert_eq!(members.len(), group.members.len(), "{name}");
        for member in members {
            let effect = stdlib().effects.get(member).unwrap();
            assert!(effect.covers.is_empty(), "{name}: {member}");
        }
        assert!(!stdlib().effects.contains_key(name), "{name}");
        assert!(!stdlib().functions.contains_key(name), "{name}");
    }
}

#[test]
fn guards_are_functions() {
    for (name, guards) in stdlib().guards.iter() {
        for guard in guards {
            let found = stdlib()
                .overloads(name)
                .find(|(signature, _)| **signature == guard.signature);
            let (_, facts) = found.unwrap_or_else(|| panic!("{name}: {guard:?}"));
            assert!(facts.effect.is_none() && !facts.updates && !facts.journalled);
            let lambda = |ty: &Ty| matches!(ty, Ty::Function(_));
            assert!(
                !guard.signature.params.iter().any(|p| lambda(&p.ty)),
                "{name}"
            );
        }
    }
    // What the guard says of itself is what the function says.
    for guard in of_kind(StdlibKind::Guard) {
        let written = guard.text().replacen("extern guard", "extern function", 1);
        let mut functions = of_kind(StdlibKind::Function).map(StdlibDeclaration::text);
        assert!(functions.any(|text| text == written), "{}", place(guard));
    }
}

#[test]
fn obligations_are_those_of_the_contract_and_are_enforced_where_they_say() {
    let mut expected = vec![
        "human_approval",
        "approval_expiry",
        "rate_limiting",
        "max_tool_calls",
        "input_validation",
        "signature_verification",
        "agentpin_verified",
        "agentpin_algorithm",
        "identity_domain",
        "tls_verification",
        "sandbox_tier",
        "audit_logging",
        "max_data_size",
        "pii_detection",
        "schema_validation",
    ];
    // Section 4 has the same list.
    let contract = std::fs::read_to_string(repository().join("grammar/reference.md")).unwrap();
    let list = contract.split("To be enforced: ").nth(1).unwrap();
    let (list, audit) = list.split_once("audit: `").unwrap();
    for name in &expected {
        assert!(list.contains(&format!("`{name}`")), "{name}");
    }
    expected.sort();
    let obligations: Vec<&str> = stdlib().obligations.keys().map(|name| &**name).collect();
    assert_eq!(obligations, expected);
    let mut keys: Vec<&str> = audit.split('`').next().unwrap().split(' ').collect();
    keys.sort();
    let audit: Vec<&str> = stdlib().audit.keys().map(|name| &**name).collect();
    assert_eq!(audit, keys);

    for (name, row) in stdlib().obligations.iter().chain(stdlib().audit.iter()) {
        assert!(!row.reads.is_empty(), "{name}");
        if let Some(by) = &row.enforced {
            let (module, test) = by.split_once("::").expect("a module and a test");
            let host = repository().join("runtime-host");
            let file = [format!("src/{module}.rs"), format!("src/{module}/mod.rs")]
                .into_iter()
                .find_map(|path| std::fs::read_to_string(host.join(path)).ok());
            let file = file.unwrap_or_else(|| panic!("{name}: there is no module {module}"));
            let tests = std::fs::read_to_string(host.join("tests/it/gate.rs")).unwrap();
            let is_there = |text: &str| text.contains(&format!("fn {test}()"));
            assert!(is_there(&tests) || is_there(&file), "{name}: {test}");
        }
    }
    let row = |name: &str| -> &Obligation { stdlib().obligations.get(name).unwrap() };
    assert_eq!(row("agentpin_algorithm").one_of, ["ES256".into()]);
    assert_eq!(row("rate_limiting").several, Several::Lowest);
    let days = stdlib().audit.get("retention_days").unwrap();
    assert_eq!(days.several, Several::Highest);
}
