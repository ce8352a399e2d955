#![no_main]

#[path = "../../compiler/policy/tests/it/reference.rs"]
mod reference;

libfuzzer_sys::fuzz_target!(|data: &[u8]| symbi_policy::fuzzing::fuzz_one(data, reference::decide));
