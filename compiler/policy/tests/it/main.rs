//! The decision against a naive reading of section 4, and its properties.

mod decisions;
mod properties;
mod random;
mod reference;
