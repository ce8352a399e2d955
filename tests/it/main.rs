//! End-to-end tests of the shipped binary.
