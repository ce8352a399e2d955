//! Where the public toolchain's cron would fire at other times. It reads six
//! or seven fields, counts weekdays from 1 for Sunday, and wants both day
//! fields to match (facts measured with its version 3.0.0).

use super::Cron;
use super::describe::weekday_list;
use super::set::Set;
use std::ops::Range;

/// A part of an expression that the public toolchain would read otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerNote {
    /// The field.
    pub span: Range<usize>,
    /// What differs, without the last full stop.
    pub message: String,
    /// What to write to mean the same in both, where that is possible.
    pub help: Option<String>,
}

/// A selection of weekdays as written.
pub(super) struct Bounds {
    pub low: u32,
    pub high: u32,
    pub step: u32,
    pub numbers: bool,
}

/// The weekdays of the peer, Sunday as 0, added to those before. `None` if it
/// refuses the field.
pub(super) fn weekdays(mut set: Set, bounds: &Bounds) -> Option<Set> {
    let shift = u32::from(bounds.numbers);
    let (low, high) = (
        bounds.low.checked_sub(shift)?,
        bounds.high.checked_sub(shift)?,
    );
    if low > high {
        return None;
    }
    for weekday in (low..=high).step_by(bounds.step as usize) {
        set.add(weekday);
    }
    Some(set)
}

impl Cron {
    /// What the public toolchain would do otherwise with this expression. Only
    /// for six and seven fields: it refuses five. Nothing is said of what it
    /// refuses.
    ///
    /// ```
    /// let cron = symbi_mini::cron::parse("0 0 9 * * 1-5").unwrap();
    /// assert_eq!(
    ///     cron.peer_notes()[0].message,
    ///     "this is Monday to Friday; the public toolchain reads Sunday to Thursday",
    /// );
    /// ```
    pub fn peer_notes(&self) -> Vec<PeerNote> {
        let mut notes = Vec::new();
        let Some(peer) = &self.weekdays.peer else {
            return notes;
        };
        if *peer != self.weekdays.every {
            notes.push(PeerNote {
                span: self.places.weekdays.clone(),
                message: format!(
                    "this is {}; the public toolchain reads {}",
                    weekday_list(&self.weekdays.every),
                    weekday_list(peer)
                ),
                help: Some("write names, such as `MON`: they mean the same everywhere".to_owned()),
            });
        }
        if !self.days.open && !self.weekdays.open {
            notes.push(PeerNote {
                span: self.places.days.start..self.places.weekdays.end,
                message: "this fires if the day or the weekday fits; the public toolchain \
                          wants both"
                    .to_owned(),
                help: None,
            });
        }
        notes
    }
}
