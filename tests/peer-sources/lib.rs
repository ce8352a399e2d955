//! Empty on purpose: nothing here is ever built. See README.md.
