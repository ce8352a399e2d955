//! The decision against a naive reading of section 4, and its properties.

mod bounds;
mod compare;
mod notation;
mod properties;
mod reference;
mod tables;

use symbi_policy::{Approval, Cedar, Facts, Record, Timestamp, Value};

/// Facts of which a guard sees `context`, which is also `invocation`, and
/// parameters.
fn facts<'a>(context: &'a Value, parameters: &'a Record) -> Facts<'a> {
    Facts {
        principal: "agent",
        invocation: context,
        context,
        // A Thursday.
        now: Timestamp::UNIX_EPOCH,
        parameters,
        holds: &|_, _, _| false,
        cedar: Cedar::Absent,
        approval: Approval::Unasked,
        dev: false,
    }
}
