//! Which values each type of argument takes, and what the tool gets.

use std::sync::Arc;

use symbi_project::{ArgumentType as Type, Given, Pattern, Rules, Taken, check_value};

/// What becomes of a text: the word that the tool gets, or what is wrong.
fn check(rules: &Rules, text: &str) -> Result<String, String> {
    match check_value(rules, Given::Text(text)) {
        Ok(taken) => Ok(taken.to_string()),
        Err(problem) => Err(problem.to_string()),
    }
}

fn of(ty: Type) -> Rules {
    Rules::of(ty)
}

/// Texts that a type takes as they are.
fn takes(rules: &Rules, texts: &[&str]) {
    for text in texts {
        assert_eq!(
            check(rules, text),
            Ok((*text).to_owned()),
            "{:?} {text:?}",
            rules.ty
        );
    }
}

/// Texts that a type refuses, and a part of what is said.
fn refuses(rules: &Rules, texts: &[(&str, &str)]) {
    for (text, why) in texts {
        let said = check(rules, text).unwrap_err();
        assert!(said.contains(why), "{:?} {text:?}: {said}", rules.ty);
    }
}

#[test]
fn every_blocked_character_is_refused_where_a_word_of_a_command_stands() {
    let blocked = [
        ';', '|', '&', '$', '`', '(', ')', '{', '}', '[', ']', '<', '>', '!', '\n', '\r', '\0',
    ];
    let more = [
        '\'', '"', '\\', ' ', '\t', '\u{7f}', '\u{85}', '\u{a0}', '\u{2028}',
    ];
    let pattern = Rules {
        patterns: vec![Pattern::whole("(?s).*").unwrap()],
        ..of(Type::RegexMatch)
    };
    let choice = Rules {
        allowed: ["a".to_owned()].into(),
        ..of(Type::Enum)
    };
    for character in blocked.into_iter().chain(more) {
        let text = format!("a{character}b");
        for rules in [
            &of(Type::String),
            &pattern,
            &choice,
            &of(Type::Path),
            &of(Type::CredentialFile),
            &of(Type::ScopeTarget),
            &of(Type::IpAddress),
            &of(Type::Cidr),
            &of(Type::Duration),
        ] {
            assert!(check(rules, &text).is_err(), "{:?} {text:?}", rules.ty);
        }
        let url = format!("https://example.com/{character}b");
        assert!(check(&of(Type::Url), &url).is_err(), "{url:?}");
        if character != ' ' {
            let option = format!("set A b{character}");
            assert!(check(&of(Type::MsfOptions), &option).is_err(), "{option:?}");
        }
    }
}

#[test]
fn the_place_of_a_character_is_told() {
    let problem = check_value(&of(Type::String), Given::Text("é;b")).unwrap_err();
    assert_eq!(problem.place(), Some(2..3));
    let problem = check_value(&of(Type::String), Given::Text("-b")).unwrap_err();
    assert_eq!(problem.place(), Some(0..1));
    let problem = check_value(&of(Type::Port), Given::Integer(0)).unwrap_err();
    assert_eq!(problem.place(), None);
}

#[test]
fn texts() {
    takes(
        &of(Type::String),
        &["a", "größer", "a-b", "a=b,c:d@e%f#g~h*i?j^k_l+m"],
    );
    refuses(
        &of(Type::String),
        &[
            ("", "cannot be empty"),
            ("-a", "begin with `-`"),
            ("+a", "begin with `+`"),
        ],
    );
    let free = Rules {
        allow_whitespace: true,
        allow_leading_dash: true,
        ..of(Type::String)
    };
    takes(&free, &["-a b", " ", "+"]);
    refuses(
        &free,
        &[("a\tb", "U+0009"), ("a\u{a0}b", "U+00A0"), ("a;b", "`;`")],
    );
    let long = "a".repeat(33 << 10);
    refuses(&of(Type::String), &[(&long, "32768 bytes")]);

    let both = Rules {
        patterns: vec![
            Pattern::whole("[a-z]+").unwrap(),
            Pattern::whole("..").unwrap(),
        ],
        ..of(Type::String)
    };
    takes(&both, &["ab"]);
    refuses(
        &both,
        &[
            ("a", "pattern `..`"),
            ("aB", "pattern `[a-z]+`"),
            ("abc", "pattern `..`"),
        ],
    );

    takes(&of(Type::LiteralText), &["", "a b; $(c)\n", "-x", "\u{1}"]);
    refuses(
        &of(Type::LiteralText),
        &[("a\0", "U+0000"), (&long, "32768 bytes")],
    );
    takes(&of(Type::AgentSummary), &["All is well. Nothing to do!"]);
    refuses(
        &of(Type::AgentSummary),
        &[
            ("", "cannot be empty"),
            ("\u{200b}\u{e0041} \n", "cannot be empty"),
            (&long, "bytes"),
        ],
    );
}

#[test]
fn numbers() {
    takes(&of(Type::Integer), &["0", "42", "9223372036854775807"]);
    refuses(
        &of(Type::Integer),
        &[
            ("", "a whole number"),
            ("1.0", "a whole number"),
            (" 1", "a whole number"),
            ("0x1f", "a whole number"),
            ("٣", "a whole number"),
            ("9223372036854775808", "of 64 bits"),
            ("-1", "begin with `-`"),
            ("+1", "begin with `+`"),
        ],
    );
    let signed = Rules {
        allow_leading_dash: true,
        min: Some(-5),
        max: Some(5),
        ..of(Type::Integer)
    };
    takes(&signed, &["-5", "5"]);
    refuses(
        &signed,
        &[
            ("-6", "at least -5"),
            ("6", "at most 5"),
            ("-", "a whole number"),
        ],
    );
    let clamped = Rules {
        min: Some(1),
        max: Some(10),
        clamp: true,
        ..of(Type::Integer)
    };
    for (text, word) in [("0", "1"), ("-7", "1"), ("11", "10"), ("5", "5")] {
        assert_eq!(check(&clamped, text).as_deref(), Ok(word), "{text}");
    }
    let least = Rules {
        min: Some(1),
        ..of(Type::Integer)
    };
    refuses(&least, &[("0", "at least 1")]);

    for (text, word) in [
        ("1", "1"),
        ("1.50", "1.5"),
        ("1e3", "1000"),
        ("0.0", "0"),
        ("-0", "0"),
    ] {
        let rules = Rules {
            allow_leading_dash: true,
            ..of(Type::Number)
        };
        assert_eq!(check(&rules, text).as_deref(), Ok(word), "{text}");
    }
    refuses(
        &of(Type::Number),
        &[
            ("inf", "a number"),
            ("NaN", "a number"),
            (".5", "a number"),
            ("5.", "a number"),
            ("1e", "a number"),
            ("1_0", "a number"),
            ("1e999", "of 64 bits"),
            ("-1.5", "begin with `-`"),
        ],
    );
    let range = Rules {
        min_float: Some(0.5),
        max_float: Some(1.5),
        ..of(Type::Number)
    };
    takes(&range, &["0.5", "1.5"]);
    refuses(&range, &[("0.4", "at least 0.5"), ("2", "at most 1.5")]);

    takes(&of(Type::Port), &["1", "65535"]);
    refuses(
        &of(Type::Port),
        &[
            ("0", "1 to 65535"),
            ("65536", "1 to 65535"),
            ("-1", "a port"),
            ("", "a port"),
        ],
    );
    takes(&of(Type::Boolean), &["true", "false"]);
    refuses(
        &of(Type::Boolean),
        &[
            ("True", "`true` or `false`"),
            ("1", "`true`"),
            ("", "`true`"),
        ],
    );
}

#[test]
fn values_that_are_no_texts() {
    assert_eq!(
        check_value(&of(Type::Integer), Given::Integer(5)),
        Ok(Taken::Integer(5))
    );
    assert_eq!(
        check_value(&of(Type::Number), Given::Float(0.5)),
        Ok(Taken::Number(0.5))
    );
    assert_eq!(
        check_value(&of(Type::Boolean), Given::Boolean(true)),
        Ok(Taken::Boolean(true))
    );
    assert!(check_value(&of(Type::Integer), Given::Float(1.0)).is_err());
    assert!(check_value(&of(Type::Number), Given::Float(f64::NAN)).is_err());
    assert!(check_value(&of(Type::Number), Given::Float(f64::INFINITY)).is_err());
    assert!(check_value(&of(Type::Integer), Given::Integer(i64::MIN)).is_err());
}

#[test]
fn choices() {
    let rules = Rules {
        allowed: Arc::from(["Fast", "slow", ""].map(str::to_owned)),
        ..of(Type::Enum)
    };
    takes(&rules, &["Fast", "slow", ""]);
    refuses(
        &rules,
        &[
            ("fast", "`Fast`, `slow`, ``"),
            ("Slow", "allowed"),
            ("slow ", "allowed"),
        ],
    );
    for (text, near) in [
        ("fast", Some("Fast")),
        ("slo", Some("slow")),
        ("medium", None),
    ] {
        let problem = check_value(&rules, Given::Text(text)).unwrap_err();
        assert_eq!(
            (problem.suggestion(), problem.is_slip()),
            (near, near.is_some()),
            "{text}"
        );
    }
    let many = Rules {
        allowed: (0..50).map(|n| format!("v{n}")).collect(),
        ..of(Type::Enum)
    };
    refuses(&many, &[("x", "`v7` and 42 more")]);
}

#[test]
fn durations() {
    let table = [
        ("90", "90"),
        ("1h", "3600"),
        ("1h30m", "5400"),
        ("2m5s", "125"),
        ("1s1000ms", "2"),
        ("9223372036854775", "9223372036854775"),
    ];
    for (text, seconds) in table {
        assert_eq!(
            check(&of(Type::Duration), text).as_deref(),
            Ok(seconds),
            "{text}"
        );
    }
    refuses(
        &of(Type::Duration),
        &[
            ("", "a duration"),
            ("0", "no time"),
            ("0s", "no time"),
            ("0h0m", "no time"),
            ("500ms", "whole number of seconds"),
            ("30m1h", "a duration"),
            ("1h1h", "a duration"),
            ("h", "a duration"),
            ("1d", "a duration"),
            ("-1s", "a duration"),
            ("1.5h", "a duration"),
            ("1h 30m", "a duration"),
            ("99999999999999999999", "too long"),
            ("9223372036854775807h", "too long"),
            ("2562047788015h13m", "too long"),
        ],
    );
}

#[test]
fn paths() {
    for ty in [Type::Path, Type::CredentialFile] {
        takes(
            &of(ty),
            &[
                "a",
                "a/b.txt",
                "./a",
                "report..csv",
                "..a/b",
                "a/...",
                "größe",
            ],
        );
        refuses(
            &of(ty),
            &[
                ("", "cannot be empty"),
                ("/etc/passwd", "relative path"),
                ("C:", "relative path"),
                ("c:a", "relative path"),
                ("..", "`..`"),
                ("a/..", "`..`"),
                ("../a", "`..`"),
                ("a/../b", "`..`"),
                ("a\\..\\b", "`\\`"),
                ("-rf", "begin with `-`"),
            ],
        );
    }
}

#[test]
fn hosts_addresses_and_ranges() {
    let target = of(Type::ScopeTarget);
    takes(
        &target,
        &[
            "192.0.2.1",
            "10.0.1.1",
            "2001:db8::1",
            "example.com",
            "Sub-1.Example.com",
            "10.0.1.0/24",
            "0.0.0.0/0",
            "2001:db8::/32",
            "localhost",
        ],
    );
    let long = format!("{}.com", "a".repeat(64));
    refuses(
        &target,
        &[
            ("", "cannot be empty"),
            ("*.example.com", "`*` stands for many"),
            ("example.com.", "a host"),
            ("-a.com", "begin with `-`"),
            ("a-.com", "a host"),
            ("a..com", "a host"),
            ("a_b.com", "a host"),
            ("bücher.de", "a host"),
            ("xn--bcher-kva.de", "punycode"),
            ("a.XN--p1ai", "punycode"),
            ("127.1", "four parts"),
            ("2130706433", "four parts"),
            ("0x7f000001", "four parts"),
            ("0177.0.0.1", "four parts"),
            ("10.0.1.0/33", "a range"),
            ("10.0.1.0/024", "a range"),
            ("10.0.1.5/24", "`10.0.1.0/24`"),
            ("2001:db8::1/32", "`2001:db8::/32`"),
            ("a/b", "a range"),
            ("169.254.169.254", "link-local"),
            ("::ffff:169.254.169.254", "link-local"),
            ("fe80::1", "link-local"),
            ("169.254.0.0/24", "link-local"),
            ("metadata.google.internal", "link-local"),
            (&long, "a host"),
        ],
    );
    let outside = Rules {
        block_internal: true,
        ..of(Type::ScopeTarget)
    };
    takes(
        &outside,
        &[
            "8.8.8.8",
            "example.com",
            "2606:4700::1111",
            "8.8.8.0/24",
            "localhost.example.com",
        ],
    );
    for text in [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "192.0.2.1",
        "198.18.0.1",
        "::1",
        "::",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "2002:a00:1::",
        "fd00::1",
        "ff02::1",
        "localhost",
        "a.localhost",
        "db.internal",
        "nas.lan",
        "127.0.0.1.nip.io",
        "10-0-0-1.nip.io",
        "8.0.0.0/5",
        "0.0.0.0/0",
        "::/0",
    ] {
        let said = check(&outside, text).unwrap_err();
        assert_eq!(said, "cannot be within a private network", "{text}");
    }
    takes(&of(Type::IpAddress), &["192.0.2.1", "2001:db8::1", "::1"]);
    refuses(
        &of(Type::IpAddress),
        &[
            ("256.1.1.1", "an address"),
            ("1.2.3", "an address"),
            ("01.2.3.4", "an address"),
            ("", "an address"),
        ],
    );
    takes(
        &of(Type::Cidr),
        &["10.0.0.0/8", "0.0.0.0/0", "192.0.2.1/32", "::1/128"],
    );
    refuses(
        &of(Type::Cidr),
        &[
            ("10.0.0.0", "a range"),
            ("10.0.0.0/", "a range"),
            ("10.0.0.0/+8", "a range"),
            ("10.0.0.0/08", "a range"),
            ("10.0.0.0/999", "a range"),
            ("example.com/8", "a range"),
            ("::1/129", "a range"),
            ("10.0.0.1/8", "`10.0.0.0/8`"),
        ],
    );
}

#[test]
fn urls() {
    let url = of(Type::Url);
    takes(
        &url,
        &[
            "https://example.com",
            "http://example.com:8080/a?b=c#d",
            "HTTPS://Example.com/",
            "http://192.0.2.1/",
        ],
    );
    refuses(
        &url,
        &[
            ("", "cannot be empty"),
            ("example.com", "a URL"),
            ("https:/example.com", "a URL"),
            ("https://", "a host"),
            ("https:///a", "a host"),
            ("https://exämple.com/", "a URL"),
            ("https://example.com/ä", "a URL"),
            ("https://example.com:0/", "a URL"),
            ("https://example.com:65536/", "a URL"),
            ("https://example.com:+80/", "a URL"),
            ("https://user@example.com/", "a user"),
            ("https://user:pw@example.com/", "a user"),
            ("https://*.example.com/", "`*`"),
            ("https://2130706433/", "four parts"),
            ("ftp://example.com/", "scheme: `http`, `https`"),
            ("file:///etc/passwd", "`file:`"),
            ("javascript:alert", "`javascript:`"),
            ("data:text/plain,a", "`data:`"),
            ("https://169.254.169.254/latest", "link-local"),
            ("https://example.com/a b", "a space"),
            ("https://example.com/?a=1&b=2", "`&`"),
        ],
    );
    let outside = Rules {
        block_internal: true,
        schemes: Arc::from(["ftp".to_owned()]),
        ..of(Type::Url)
    };
    takes(&outside, &["ftp://example.com/"]);
    refuses(
        &outside,
        &[
            ("https://example.com/", "`ftp`"),
            ("ftp://10.0.0.1/", "private network"),
        ],
    );
}

#[test]
fn options_of_metasploit() {
    takes(
        &of(Type::MsfOptions),
        &["set THREADS 10", "set rhosts 10.0.0.1 10.0.0.2"],
    );
    refuses(
        &of(Type::MsfOptions),
        &[
            ("", "one option"),
            ("THREADS 10", "one option"),
            ("set THREADS", "one option"),
            ("set THREADS ", "one option"),
            ("set  THREADS 10", "one option"),
            ("set 1A b", "one option"),
            ("set A b; set C d", "`;`"),
            ("set A 'b'", "`'`"),
        ],
    );
}
