#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| symbi_ir::fuzzing::fuzz_one(data));
