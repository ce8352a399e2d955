//! Other programs: GNU tar and zstd read what we write, OpenSSL and Node verify
//! what we sign, and we what they sign.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use base64ct::{Base64UrlUnpadded, Encoding as _};
use symbi_bundle::{PublicKey, SigningKey, Verdict, read_file, verify, write};

use crate::extract::{below, bundle, expected};
use crate::signatures::{opened, signed, with_value};
use crate::{TOOLCHAIN, data, entries, public_key, signing_key};

/// What a program prints.
fn run(program: &str, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {output:?}"
    );
    String::from_utf8(output.stdout).unwrap()
}

fn key_path(name: &str) -> String {
    data("keys").join(name).to_str().unwrap().to_owned()
}

#[test]
fn tar_lists_and_unpacks_what_we_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.symbib");
    fs::write(
        &path,
        write(&entries(), TOOLCHAIN, Some(&signing_key())).unwrap(),
    )
    .unwrap();
    let run = |program: &str, arguments: &[&str]| run(program, arguments, folder.path());
    run("zstd", &["--test", "--quiet", "a.symbib"]);
    let mut paths = vec!["manifest.json".to_owned(), "signature.json".to_owned()];
    paths.extend(bundle().entries().map(|entry| entry.path.to_owned()));
    let listed = run("tar", &["--zstd", "-tf", "a.symbib"]);
    assert_eq!(listed.lines().collect::<Vec<_>>(), paths);
    let listed = run(
        "tar",
        &[
            "--zstd",
            "--utc",
            "--full-time",
            "--numeric-owner",
            "-tvf",
            "a.symbib",
        ],
    );
    for line in listed.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[..2], ["-rw-r--r--", "0/0"], "{line}");
        assert_eq!(words[3..5], ["1970-01-01", "00:00:00"], "{line}");
    }
    fs::create_dir(folder.path().join("out")).unwrap();
    run(
        "sh",
        &["-c", "umask 022; exec tar --zstd -xf a.symbib -C out"],
    );
    assert_eq!(below(&folder.path().join("out")), expected(&bundle()));
}

#[test]
fn the_identity_is_what_sha256sum_says_of_the_manifest() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("manifest.json"), bundle().manifest()).unwrap();
    let sum = run("sha256sum", &["manifest.json"], folder.path());
    assert_eq!(sum, format!("{}  manifest.json\n", bundle().digest()));
}

/// r and s as OpenSSL has them: a sequence of two integers (RFC 3279, 2.2.3).
fn der(value: &[u8]) -> Vec<u8> {
    let integer = |bytes: &[u8]| {
        let start = bytes.iter().position(|byte| *byte != 0).unwrap();
        let mut content = bytes[start..].to_vec();
        if content[0] & 0x80 != 0 {
            content.insert(0, 0);
        }
        [vec![2, content.len() as u8], content].concat()
    };
    let both = [integer(&value[..32]), integer(&value[32..])].concat();
    [vec![0x30, both.len() as u8], both].concat()
}

#[test]
fn openssl_verifies_what_we_sign() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = write(&entries(), TOOLCHAIN, Some(&signing_key())).unwrap();
    let (text, value) = signed(&bytes);
    fs::write(folder.path().join("signed"), text).unwrap();
    fs::write(folder.path().join("value"), der(&value)).unwrap();
    let (right, wrong) = (key_path("p256.pub.pem"), key_path("other.pub.pem"));
    let verify = |key: &str| {
        let status = Command::new("openssl")
            .args([
                "dgst",
                "-sha256",
                "-verify",
                key,
                "-signature",
                "value",
                "signed",
            ])
            .current_dir(folder.path())
            .output()
            .unwrap();
        String::from_utf8(status.stdout).unwrap()
    };
    assert_eq!(verify(&right), "Verified OK\n");
    assert_ne!(verify(&wrong), "Verified OK\n");
}

#[test]
fn we_verify_what_openssl_makes_keys_for() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| run("openssl", arguments, folder.path());
    let at = |name: &str| -> PathBuf { folder.path().join(name) };
    // As docs/bundles.md has it; the key is for its owner alone as it is made.
    run(&[
        "genpkey",
        "-algorithm",
        "EC",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-out",
        "key.pem",
    ]);
    run(&["pkey", "-in", "key.pem", "-pubout", "-out", "public.pem"]);
    let private = SigningKey::read_file(at("key.pem")).unwrap();
    let public = PublicKey::read_file(at("public.pem")).unwrap();
    let bytes = write(&entries(), TOOLCHAIN, Some(&private)).unwrap();
    assert_eq!(verify(&opened(&bytes), Some(&public)), Verdict::Valid);
    assert_ne!(verify(&opened(&bytes), Some(&public_key())), Verdict::Valid);
}

#[test]
fn node_and_we_verify_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = write(&entries(), TOOLCHAIN, Some(&signing_key())).unwrap();
    let (text, value) = signed(&bytes);
    fs::write(folder.path().join("signed"), text).unwrap();
    fs::write(folder.path().join("value"), value).unwrap();
    // Signs with another nonce each time, so its value is another one.
    let script = r#"
        const crypto = require("crypto"), fs = require("fs");
        const [jwk, publicJwk] = process.argv.slice(1).map((name) => JSON.parse(fs.readFileSync(name)));
        const key = { key: crypto.createPrivateKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" };
        const publicKey = { key: crypto.createPublicKey({ key: publicJwk, format: "jwk" }), dsaEncoding: "ieee-p1363" };
        const signed = fs.readFileSync("signed");
        const ours = crypto.verify("sha256", signed, publicKey, fs.readFileSync("value"));
        const { crv, kty, x, y } = publicJwk;
        const members = JSON.stringify({ crv, kty, x, y });
        const kid = crypto.createHash("sha256").update(members).digest("base64url");
        console.log(ours, kid, crypto.sign("sha256", signed, key).toString("base64url"));
    "#;
    let (private, public) = (key_path("p256.jwk"), key_path("p256.pub.jwk"));
    for _ in 0..3 {
        let printed = run("node", &["-e", script, &private, &public], folder.path());
        let words: Vec<&str> = printed.split_whitespace().collect();
        assert_eq!(words[..2], ["true", public_key().kid()]);
        let theirs = with_value(&bytes, &Base64UrlUnpadded::decode_vec(words[2]).unwrap());
        assert_eq!(
            verify(&opened(&theirs), Some(&public_key())),
            Verdict::Valid
        );
    }
}

#[test]
fn node_reads_a_bundle_from_its_description_alone() {
    // A reader of a dozen lines, from docs/bundles.md: entries, sizes, hashes.
    let script = r#"
        const crypto = require("crypto"), fs = require("fs");
        const tar = fs.readFileSync(process.argv[1]);
        const text = (at, length) => tar.subarray(at, at + length).toString().split("\0")[0];
        const files = new Map();
        for (let at = 0; tar[at] !== 0; ) {
            const [prefix, name, size] = [text(at + 345, 155), text(at, 100), parseInt(text(at + 124, 12), 8)];
            files.set(prefix ? prefix + "/" + name : name, tar.subarray(at + 512, at + 512 + size));
            at += 512 + Math.ceil(size / 512) * 512;
        }
        const hash = (bytes) => crypto.createHash("sha256").update(bytes).digest("hex");
        const manifest = JSON.parse(files.get("manifest.json"));
        for (const { path, size, sha256 } of manifest.entries) {
            const bytes = files.get(path);
            if (bytes.length !== size || hash(bytes) !== sha256) throw path;
        }
        console.log(manifest.entries.length, hash(files.get("manifest.json")));
    "#;
    let folder = tempfile::tempdir().unwrap();
    let path = data("v1-signed.symbib");
    let archive = symbi_bundle::fuzzing::unpack(&fs::read(&path).unwrap()).unwrap();
    fs::write(folder.path().join("archive"), archive).unwrap();
    let printed = run("node", &["-e", script, "archive"], folder.path());
    let kept = read_file(&path, &Default::default()).unwrap();
    assert_eq!(
        printed,
        format!("{} {}\n", kept.entries().len(), kept.digest())
    );
}
