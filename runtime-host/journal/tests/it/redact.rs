//! What is not recorded.

use serde_json::{Value, json};
use symbi_journal::Hash;
use symbi_journal::redact::{Rules, is_secret, redact};

fn redacted(value: Value) -> Value {
    redact(&value, &Rules::default()).value
}

#[test]
fn keys_that_name_a_secret() {
    let secret = "password PASSWORD passWord pass_word? db_password dbPassword DBPASSWORD \
        user-password passwd pwd secret client_secret clientSecret CLIENT-SECRET token \
        access_token refreshToken id_token authtoken api_key apiKey API_KEY ApiKey APIKEY \
        x-api-key OPENAI_API_KEY openaiApiKey authorization Proxy-Authorization auth \
        cookie Set-Cookie credential credentials private_key privateKey session session_id \
        access_key aws_secret_access_key bearer bearer_token signature jwt passphrase otp pin";
    for key in secret.split_whitespace().filter(|key| !key.ends_with('?')) {
        assert!(is_secret(key), "{key}");
    }
    let plain = "author authors authority authenticated secretary tokens_used max_tokens \
        max_token token_count token_limit tokenizer tokenize key keys keyboard public_key \
        pinned spin passenger compass sessions_open session_timeout authorized_by \
        cookie_policy signatures designature monkey apikeyless description id name";
    for key in plain.split_whitespace() {
        assert!(!is_secret(key), "{key}");
    }
    assert!(!is_secret(&"a_".repeat(100_000)) && !is_secret(""));
}

#[test]
fn values_under_such_keys_are_replaced() {
    let table = [
        (
            json!({"password": "hunter2", "user": "ann"}),
            json!({"password": "[redacted]", "user": "ann"}),
        ),
        (
            json!({"a": [{"Api-Key": {"deep": ["x"]}}]}),
            json!({"a": [{"Api-Key": "[redacted]"}]}),
        ),
        (
            json!({"pin": 1234, "secret": true, "token": null}),
            json!({"pin": "[redacted]", "secret": true, "token": null}),
        ),
        (
            json!({"max_tokens": 100, "tokens": 5}),
            json!({"max_tokens": 100, "tokens": 5}),
        ),
        (json!({"tokens": ["eyJh"]}), json!({"tokens": "[redacted]"})),
        (
            json!([{"name": "Authorization", "value": "Bearer abc"}]),
            json!([{"name": "Authorization", "value": "[redacted]"}]),
        ),
        (
            json!({"headers": [["Cookie", "a=b"], ["Accept", "x"]]}),
            json!({"headers": [["Cookie", "[redacted]"], ["Accept", "x"]]}),
        ),
        (
            json!({"$truncated": 1, "$$x": 2}),
            json!({"$$truncated": 1, "$$$x": 2}),
        ),
    ];
    for (given, expected) in table {
        assert_eq!(redacted(given.clone()), expected, "{given}");
    }
}

#[test]
fn secrets_inside_texts_are_replaced() {
    let table = [
        (
            "mysql --password=hunter2 -u ann",
            "mysql --password=[redacted] -u ann",
        ),
        (
            "curl -H 'Authorization: Bearer abc.def' x",
            "curl -H 'Authorization: Bearer [redacted]' x",
        ),
        (
            "Authorization: Basic YTpi",
            "Authorization: Basic [redacted]",
        ),
        ("use Bearer abcdefgh12 here", "use Bearer [redacted] here"),
        ("a bearer of news", "a bearer of news"),
        (
            r#"{"api_key":"sk-1","n":1}"#,
            r#"{"api_key":"[redacted]","n":1}"#,
        ),
        (r#"{\"token\": \"t\"}"#, r#"{\"token\": \"[redacted]\"}"#),
        (
            "https://x/?q=1&access_token=abc&r=2",
            "https://x/?q=1&access_token=[redacted]&r=2",
        ),
        (
            "postgres://ann:s3cret@db:5432/x",
            "postgres://ann:[redacted]@db:5432/x",
        ),
        ("https://example.org:80/a@b", "https://example.org:80/a@b"),
        ("the author: ann", "the author: ann"),
        ("password=", "password="),
        ("größe password=ü€", "größe password=[redacted]"),
    ];
    for (given, expected) in table {
        assert_eq!(redacted(json!(given)), json!(expected), "{given}");
    }
}

#[test]
fn texts_are_looked_at_once() {
    // A million bytes each, of which every word could begin a secret.
    for word in [
        "token.",
        "password=",
        "bearer ",
        "token\"",
        "a://",
        "basic ",
    ] {
        let text = word.repeat((1 << 20) / word.len());
        let found = redacted(json!(text)).to_string();
        let most = 2 * Rules::default().text;
        assert!(found.len() < most, "{word}: {} bytes", found.len());
    }
}

#[test]
fn known_secrets_are_replaced_everywhere() {
    let rules = Rules {
        known: ["abc", "sk-live", "sk-live-12345"]
            .map(str::to_owned)
            .to_vec(),
        ..Rules::default()
    };
    let given = json!({"sk-live-12345": ["x sk-live-12345 y sk-live abc"]});
    let expected = json!({"[redacted]": ["x [redacted] y [redacted] abc"]});
    assert_eq!(redact(&given, &rules).value, expected);
}

#[test]
fn long_texts_are_cut_between_characters() {
    let rules = Rules {
        text: 10,
        ..Rules::default()
    };
    assert_eq!(
        redact(&json!("0123456789"), &rules).value,
        json!("0123456789")
    );
    let long = "€".repeat(4);
    assert_eq!(
        redact(&json!({"a": long}), &rules).value,
        json!({"a": {"$truncated": {
            "starts": "€€€",
            "bytes": 12,
            "sha256": Hash::of(long.as_bytes()).to_string(),
        }}})
    );
    // A secret that the cut goes through is taken out before.
    let given = json!("password=0123456789");
    assert!(!redact(&given, &rules).value.to_string().contains("012"));
}

#[test]
fn large_wholes_are_cut() {
    let rules = Rules {
        whole: 100,
        ..Rules::default()
    };
    let value = json!({"items": vec!["0123456789"; 20], "password": "hunter2"});
    let found = redact(&value, &rules);
    let inside = &found.value["$truncated"];
    assert_eq!(inside["starts"].as_str().map(str::len), Some(100));
    assert!(!found.value.to_string().contains("hunter2"));
    assert_eq!(found.fingerprint, symbi_journal::fingerprint(&value));
}
