#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| symbi_syntax::fuzzing::format::fuzz_one(data));
