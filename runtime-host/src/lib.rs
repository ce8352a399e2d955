//! Runs what was checked.
