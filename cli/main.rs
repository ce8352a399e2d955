//! The `symbi` binary.
fn main() {}
