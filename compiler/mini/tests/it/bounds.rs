//! Work grows with the text, and no more: steps are counted for n, 2n and 4n
//! of each construct that repeats or nests. What is over the limit is refused
//! unread, and the next firing is near or the search ends.

use symbi_mini::fuzzing::{LANGUAGES, firing_steps, steps};
use symbi_mini::jiff::Timestamp;
use symbi_mini::{MAX_BYTES, cron, duration, zone};

/// A start, what repeats, and an end.
const CONSTRUCTS: &[(&str, &str, &str)] = &[
    ("", "1", "s"),
    ("", "1", ""),
    ("0.", "1", "h"),
    ("", "1h", ""),
    ("", "1h ", "x"),
    ("1", "s", ""),
    ("", " ", "1s"),
    ("", "_", ""),
    ("", ".", ""),
    ("", "1/", "s"),
    ("1/", "1", "s"),
    ("", "/", ""),
    ("", "1,", "1 * * * *"),
    ("", "*/5,", "* * * * *"),
    ("* * ", "15W,L-3,LW,", "L * *"),
    ("* * * * ", "MON#2,FRIL,", "SUN"),
    ("", "* ", ""),
    ("", "1-", "2 * * * *"),
    ("", ",", ""),
    ("", "JANUARY", ""),
    ("@", "daily", ""),
    ("", "Read, ", "Grep"),
    ("Bash(", "(", ""),
    ("Bash(", "()", ")"),
    ("Bash", "(", ")"),
    ("", "Bash(a:*),", "b"),
    ("", "(", ""),
    ("", ")", ""),
    ("Bash(", ",", ")"),
    ("", "a.", "b:1"),
    ("", "a:", "1"),
    ("", "[", "]:1"),
    ("[", "1:", ":1]:1"),
    ("", "[::1]", ":1"),
    ("http://", "a/", ""),
    ("$", ".a", ""),
    ("$", "[0]", ""),
    ("$", "['a']", ""),
    ("$", "[*]", ""),
    ("$['", "a", "']"),
    ("$['", "\\u00e9", "']"),
    ("$['", "a", ""),
    ("$[\"", "'", ""),
    ("$", "['a", ""),
    ("$", "[", ""),
    ("$[", "0,", "0]"),
    ("$[ ", " ", "0]"),
    ("", "é", ""),
    ("$.", "🦀", ""),
    ("", "\t", ""),
];

#[test]
fn steps_grow_with_the_text() {
    let mut counted = 0;
    for (start, part, end) in CONSTRUCTS {
        for language in LANGUAGES {
            let count = |n: usize| {
                let text = format!("{start}{}{end}", part.repeat(n));
                assert!(text.len() <= MAX_BYTES);
                let steps = steps(language, &text);
                let most = 8 * text.chars().count() + 64;
                assert!(
                    steps <= most,
                    "{language}: {steps} for {start}{part}{end} × {n}"
                );
                steps
            };
            let [one, two, four] = [count(800), count(1_600), count(3_200)];
            counted += four;
            let twice = |less: usize, more: usize| more * 10 <= less * 23 + 1_000;
            assert!(
                twice(one, two) && twice(two, four),
                "{language}: {one}, {two}, {four} steps for {start}{part}{end}"
            );
        }
    }
    assert!(counted > 100_000, "{counted}");
}

#[test]
fn a_text_over_the_limit_is_refused_unread() {
    let longest = format!("{}1s", " ".repeat(MAX_BYTES - 2));
    assert_eq!(
        duration::parse(&longest).map(|reading| reading.value),
        Ok(1_000_000_000)
    );
    for part in ["1", " ", "é", "["] {
        let long = part.repeat(MAX_BYTES + 1);
        for language in LANGUAGES {
            assert_eq!(steps(language, &long), 0, "{language}");
        }
        let error = duration::parse(&long).unwrap_err();
        assert!(
            error.message.starts_with("this text is too long: "),
            "{error}"
        );
        assert_eq!(error.span, 0..long.len());
        assert!(zone::parse(&long).is_err());
    }
}

#[test]
fn the_next_firing_is_found_in_few_steps() {
    let from: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
    let table = [
        // Never: nothing is looked at.
        ("0 0 31 2 *", "America/New_York", 0),
        ("0 0 0 29 2 ? 2026", "America/New_York", 0),
        // Soon.
        ("* * * * *", "America/New_York", 4),
        ("0 0 1 1 *", "America/New_York", 20),
        ("0 0 29 2 *", "Africa/Casablanca", 60),
        // 2104 and 2199 from 2026.
        ("0 0 * 2 MON#5", "America/New_York", 500),
        ("0 0 0 1 1 ? 2199", "America/New_York", 2_000),
        // In the past: the search ends at once.
        ("0 0 0 1 1 ? 1999", "America/New_York", 4),
        // Only ever in a gap: the longest search there is, 400 years.
        ("30 2-2 * 3 SUN#2", "America/New_York", 8_000),
    ];
    for (expression, zone, most) in table {
        let cron = cron::parse(expression).unwrap();
        let steps = firing_steps(&cron, &zone::parse(zone).unwrap(), from);
        assert!(steps <= most, "{expression}: {steps} steps");
    }
}
