//! No text makes a parser panic, and what it gives holds its invariants: fixed
//! seeds, texts of each language's own characters, and any bytes.

use symbi_mini::fuzzing::fuzz_one;

/// Numbers that look random and are the same in every run.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        // xorshift64
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// What texts are made of: pieces of every language, and what breaks them.
const PIECES: &[&str] = &[
    "0",
    "1",
    "5",
    "15",
    "30",
    "59",
    "60",
    "2026",
    "99999999999999999999",
    "*",
    "*/5",
    "/",
    "-",
    ",",
    "?",
    "L",
    "W",
    "LW",
    "15W",
    "L-3",
    "#",
    "#2",
    "MON",
    "fri",
    "Sunday",
    "JAN",
    "feb",
    " ",
    "  ",
    "\t",
    "* * ",
    "0 9 * * ",
    " * * *",
    "@daily",
    "@",
    "s",
    "ms",
    "m",
    "h",
    "months",
    "y",
    "minutes",
    ".seconds",
    "KB",
    "GiB",
    "MB",
    "per",
    "/minute",
    "_",
    ".",
    "..",
    "+",
    "e",
    "Read",
    "Bash",
    "(",
    ")",
    "git diff",
    ":*",
    ":",
    "mcp__",
    "api.example.com",
    ":443",
    "[::1]",
    "10.0.0.1",
    "https://",
    "$",
    "$.",
    "[",
    "]",
    "['",
    "']",
    "[*]",
    "\"",
    "'",
    "\\",
    "\\u00e9",
    "\\ud83e",
    "a",
    "é",
    "🦀",
    "\u{301}",
    "\u{0}",
    "\u{200b}",
    "\n",
    "`",
    "Europe/Berlin",
    "utc",
    "%",
    "−",
    "０",
];

#[test]
fn texts_of_the_languages_own_pieces() {
    let mut random = Numbers(0x0dd_b1a5_ed5e_ed00);
    for _ in 0..6_000 {
        let mut data = vec![random.next() as u8, random.next() as u8];
        for _ in 0..random.below(12) {
            data.extend(PIECES[random.below(PIECES.len())].as_bytes());
        }
        fuzz_one(&data);
    }
}

#[test]
fn expressions_of_five_to_seven_fields() {
    let mut random = Numbers(0xc0ffee);
    let times = [
        "*", "0", "30", "*/7", "1-5", "2", "1,2,3", "10-20/3", "5/2", "22-4", "60",
    ];
    let days = [
        "*", "?", "L", "LW", "15W", "31W", "L-2", "29", "31", "*/2", "1-7", "1,15", "W",
    ];
    let months = [
        "*", "2", "JAN-MAR", "NOV-FEB", "4,6,9,11", "*/5", "february", "MAI",
    ];
    let weekdays = [
        "*", "?", "FRIL", "MON#5", "0#1", "FRI-MON", "1-5", "0-7", "6", "*/3", "#",
    ];
    let years = ["*", "2026", "2024-2031/4", "1999", "*/50", "2200"];
    let mut read = 0;
    for _ in 0..5_000 {
        let mut pick = |from: &[&'static str]| from[random.below(from.len())];
        let mut text = vec![
            pick(&times),
            pick(&times),
            pick(&days),
            pick(&months),
            pick(&weekdays),
        ];
        match random.below(3) {
            0 => {}
            1 => text.insert(0, times[random.below(times.len())]),
            _ => {
                text.insert(0, times[random.below(times.len())]);
                text.push(years[random.below(years.len())]);
            }
        }
        let text = text.join(" ");
        read += usize::from(symbi_mini::cron::parse(&text).is_ok());
        let mut data = vec![random.next() as u8, random.next() as u8];
        data.extend(text.as_bytes());
        fuzz_one(&data);
    }
    assert!(read > 1_000, "only {read} were expressions");
}

#[test]
fn any_bytes() {
    let mut random = Numbers(77);
    for _ in 0..4_000 {
        let data: Vec<u8> = (0..random.below(40)).map(|_| random.next() as u8).collect();
        fuzz_one(&data);
    }
    for byte in 0..=255 {
        fuzz_one(&[byte]);
        fuzz_one(&[0, 0, byte]);
        fuzz_one(&[1, 1, byte, byte]);
    }
    fuzz_one(&[]);
}

#[test]
fn deep_and_long_texts() {
    for (at, piece) in PIECES.iter().enumerate() {
        // The longest text there is for some, a long one for all.
        let length = if at % 16 == 0 {
            symbi_mini::MAX_BYTES
        } else {
            2_048
        };
        let text = piece.repeat(length / piece.len());
        fuzz_one(format!("00{text}").as_bytes());
        fuzz_one(format!("00{text}{piece}").as_bytes());
        fuzz_one(format!("00$['{text}").as_bytes());
    }
}
