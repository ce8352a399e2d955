#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| symbi_mini::fuzzing::fuzz_one(data));
