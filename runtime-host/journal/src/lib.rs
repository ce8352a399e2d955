//! The journal of a run: chained, signed, verified.
