//! C05xx: schedules.

use super::{Code, Level};

codes! {
    C0501 Error "a schedule without exactly one time"
    C0502 Error "a cron expression that cannot be read"
    C0503 Error "a schedule that never fires"
    C0504 Warning "a time that a change of clocks meets"
    C0505 Warning "a cron expression that others read otherwise"
    C0506 Error "a time that cannot be read"
    C0507 Error "an unknown time zone"
    C0508 Warning "a setting of a schedule that says nothing"
    C0509 Warning "a schedule that starts no agent"
    C0510 Error "a place that nothing is delivered to"
    C0511 Warning "an input that does not fit the agent"
}
