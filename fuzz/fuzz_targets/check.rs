#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| symbi_analysis::fuzzing::check::fuzz_one(data));
