//! Choices from a tape: a program is made of its tape alone, so that a shorter
//! tape or one of smaller numbers is a simpler program.

/// Where choices come from. Behind the end of the tape each is the first,
/// which is the simplest.
pub struct Tape<'t> {
    choices: &'t [u32],
    at: usize,
}

impl<'t> Tape<'t> {
    pub fn new(choices: &'t [u32]) -> Self {
        Tape { choices, at: 0 }
    }

    /// One of so many.
    pub fn pick(&mut self, of: usize) -> usize {
        let choice = self.choices.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        choice as usize % of
    }

    /// Whether the tape has come to its end: what is made gets simple.
    pub fn is_over(&self) -> bool {
        self.at >= self.choices.len()
    }
}

/// The tape of a seed (the numbers of `splitmix64`).
pub fn of_seed(seed: u64) -> Vec<u32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 32) as u32
    };
    let length = 20 + next() as usize % 500;
    (0..length).map(|_| next()).collect()
}

/// The simplest tape that is found for which something still holds.
pub fn shrink(mut tape: Vec<u32>, mut holds: impl FnMut(&[u32]) -> bool) -> Vec<u32> {
    let mut tries = 4000;
    loop {
        let before = tape.clone();
        // Without some of it, large parts first.
        let mut size = tape.len() / 2;
        while size > 0 {
            let mut at = 0;
            while at + size <= tape.len() && tries > 0 {
                tries -= 1;
                let mut shorter = tape.clone();
                shorter.drain(at..at + size);
                match holds(&shorter) {
                    true => tape = shorter,
                    false => at += size,
                }
            }
            size /= 2;
        }
        for at in 0..tape.len() {
            for smaller in [0, 1, tape[at] % 7, tape[at] % 60] {
                if smaller < tape[at] && tries > 0 {
                    tries -= 1;
                    let mut simpler = tape.clone();
                    simpler[at] = smaller;
                    if holds(&simpler) {
                        tape = simpler;
                        break;
                    }
                }
            }
        }
        if tape == before || tries == 0 {
            return tape;
        }
    }
}
