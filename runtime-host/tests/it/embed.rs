//! The example of the host as a library does what it says.

use std::sync::Arc;

use serde_json::json;

use crate::support::program;

#[path = "../../examples/embed.rs"]
mod example;

#[test]
fn a_program_of_ones_own_runs_an_agent() {
    let place = tempfile::tempdir().unwrap();
    let shop = Arc::new(example::Shop::default());
    let program = program(&[("buyer.symbi", example::AGENT)], &[]);
    let report = example::run(program, place.path(), shop.clone()).unwrap();
    assert!(example::is_fine(&report), "{report:?}");
    assert_eq!(report.value, json!("ordered as 1"));
    assert_eq!(*shop.orders.lock().unwrap(), ["Some(String(\"tea\"))"]);
}
