//! A set of small numbers.

/// The first year that a year field can name.
pub(super) const FIRST_YEAR: u32 = 1970;
/// The last one.
pub(super) const LAST_YEAR: u32 = 2199;

const WORDS: usize = 4;

/// A set of numbers below 256. Years are kept by their distance from
/// [`FIRST_YEAR`], and so fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Set([u64; WORDS]);

impl Set {
    pub fn add(&mut self, value: u32) {
        if let Some(word) = self.0.get_mut(value as usize / 64) {
            *word |= 1 << (value % 64);
        }
    }

    /// Adds all numbers from `low` to `high`, a word at a time: long lists of
    /// `*` in a year field cost no more than others.
    pub fn add_range(&mut self, low: u32, high: u32) {
        for (word, first) in self.0.iter_mut().zip((0..).step_by(64)) {
            let (from, to) = (low.max(first), high.min(first + 63));
            if from <= to {
                *word |= (!0 >> (63 - (to - from))) << (from - first);
            }
        }
    }

    pub fn has(&self, value: u32) -> bool {
        self.0
            .get(value as usize / 64)
            .is_some_and(|word| word & (1 << (value % 64)) != 0)
    }

    /// The numbers below 64, as bits.
    pub fn low(&self) -> u64 {
        self.0[0]
    }

    pub fn has_year(&self, year: u32) -> bool {
        year.checked_sub(FIRST_YEAR)
            .is_some_and(|distance| self.has(distance))
    }

    /// The largest year of a set of years.
    pub fn last(&self) -> u32 {
        FIRST_YEAR + self.values().last().unwrap_or(0)
    }

    pub fn values(&self) -> impl Iterator<Item = u32> + '_ {
        (0..WORDS as u32 * 64).filter(|value| self.has(*value))
    }

    /// The smallest number that is at least `from`, among those below 64.
    pub fn at_least(&self, from: u32) -> Option<u32> {
        let rest = self.low().checked_shr(from)?;
        (rest != 0).then(|| from + rest.trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_its_numbers() {
        for low in 0..256 {
            for high in (low..256).step_by(7) {
                let (mut ranged, mut single) = (Set::default(), Set::default());
                ranged.add_range(low, high);
                (low..=high).for_each(|value| single.add(value));
                assert_eq!(ranged, single, "{low} to {high}");
            }
        }
    }
}
