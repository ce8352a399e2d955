//! Lossless: the tokens tile the text, whatever it is.

use symbi_diagnostics::Span;
use symbi_syntax::{File, SyntaxKind, decode, lex};

use crate::support::{assert_places, assert_tiles, sources};

/// Every prefix of every example and case: what an editor shows while it is
/// typed.
#[test]
fn every_prefix_parses_and_tiles() {
    for (name, text) in sources() {
        for (at, _) in text.char_indices() {
            let file = File::parse(&text[..at]);
            let diagnostics = file.diagnostics();
            assert_places(&text[..at], &diagnostics);
            // A tenth of the prefixes is walked: walking is the slow part.
            if at % 10 == 0 {
                assert_tiles(&file);
            }
        }
        assert!(!name.is_empty());
    }
}

/// Every text with one token taken out, doubled, or moved behind the next.
#[test]
fn mutated_sources_parse_and_tile() {
    for (_, text) in sources() {
        let tokens = lex(&text);
        // Each mutant is parsed whole: of a long source, a sample.
        let step = 1 + text.len() / 100;
        for pair in tokens.windows(2).step_by(step) {
            let [(_, a), (_, b)] = pair else { continue };
            let piece = |span: Span| &text[span.range()];
            let (before, after) = (&text[..a.start as usize], &text[b.end as usize..]);
            for middle in [
                piece(*b).to_owned(),
                format!("{}{}{}", piece(*a), piece(*a), piece(*b)),
                format!("{}{}", piece(*b), piece(*a)),
            ] {
                let mutant = format!("{before}{middle}{after}");
                let file = File::parse(&*mutant);
                assert_places(&mutant, &file.diagnostics());
            }
        }
    }
}

#[test]
fn lexing_again_from_any_token_gives_the_same_tokens() {
    for (name, text) in sources() {
        let file = File::parse(&*text);
        let mut spans: Vec<Span> = Vec::new();
        for placed in file.items() {
            spans.extend(file.token_spans(placed));
        }
        let all: Vec<Span> = lex(&text)
            .into_iter()
            .filter(|(kind, _)| !kind.is_trivia())
            .map(|(_, span)| span)
            .collect();
        assert_eq!(spans, all, "{name}");
    }
}

#[test]
fn an_item_keeps_the_texts_of_its_tokens() {
    let source = "agent café_x {\n    // note\n    capabilities = [\"a\\n\", 30s, b]\n}\n";
    let file = File::parse(source);
    let item = &file.items()[0].item;
    let texts: Vec<&str> = (0..item.token_count())
        .map(|at| item.token_text(at))
        .collect();
    assert_eq!(
        texts,
        [
            "agent",
            "café_x",
            "{",
            "capabilities",
            "=",
            "[",
            "\"a\\n\"",
            ",",
            "30s",
            ",",
            "b",
            "]",
            "}"
        ]
    );
    assert_eq!(item.token_kind(1), SyntaxKind::BadName);
    assert_eq!(item.token_kind(99), SyntaxKind::Eof);
    assert_eq!(item.token_text(99), "");
}

#[test]
fn a_comment_or_a_line_above_changes_no_item() {
    let plain = "agent a {\n    with sandbox = \"docker\" { return 1; }\n}\n";
    let commented = "// above\n\n\nagent /* here */ a {\n    # why\n    with sandbox =   \"docker\" { return 1 ; }\n}\n";
    let (plain, commented) = (File::parse(plain), File::parse(commented));
    assert_eq!(plain.items()[0].item, commented.items()[0].item);
    assert_ne!(plain.items()[0].span, commented.items()[0].span);
}

#[test]
fn bytes_that_are_no_utf8_are_one_report() {
    let decoded = decode(b"metadata { a = \"\xFF\xFE x \xC3\" }\nagent b\xFF { }\n".to_vec());
    assert_eq!(decoded.invalid.len(), 3);
    let file = File::parse_decoded(decoded);
    let diagnostics = file.diagnostics();
    let codes: Vec<_> = diagnostics.iter().map(|d| d.code.id).collect();
    assert_eq!(codes, ["S0101"]);
    assert_eq!(diagnostics[0].primary.at.start, 16);
    assert!(diagnostics[0].message.contains("2 more places"));
    assert_tiles(&file);
}
