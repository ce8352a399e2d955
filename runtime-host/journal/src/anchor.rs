//! The anchor of a journal: how much of it there was when it was signed last.
//! It is kept apart, so that a journal whose end is missing is seen to be cut.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;

use base64ct::{Base64, Encoding};
use serde_json::Value;

use crate::key::write_new;
use crate::line::signature;
use crate::{Error, Hash, Journals, Keys, PublicKey, RunId, folder};

/// More bytes than any anchor has.
const MOST: u64 = 4096;

/// How much of a journal there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// How many records.
    pub records: u64,
    /// How many bytes they have.
    pub length: u64,
    /// The hash of the last of them, with its line feed.
    pub hash: Hash,
    /// Whether nothing can follow.
    pub closed: bool,
}

impl Head {
    /// That of a journal which nothing stands in yet.
    pub const NOTHING: Self = Self {
        records: 0,
        length: 0,
        hash: Hash::NONE,
        closed: false,
    };
}

/// An anchor as it was found.
pub(crate) struct Anchor {
    pub(crate) head: Head,
    message: Vec<u8>,
    signature: [u8; 64],
}

impl Anchor {
    pub(crate) fn signed_by(&self, key: PublicKey) -> bool {
        key.verifies(&self.message, &self.signature)
    }
}

/// Writes the first anchor of a run: false if the run has one, and so exists.
pub(crate) fn create(journals: &Journals, run: &RunId, keys: &Keys) -> Result<bool, Error> {
    let text = text(run, &Head::NOTHING, |message| keys.sign(message));
    write_new(&journals.anchor(run), &text, 0o600)
}

/// Puts a new anchor in the place of the old one. With `durable`, it is on disk
/// afterwards; the journal must be there before it.
pub(crate) fn replace(
    journals: &Journals,
    run: &RunId,
    keys: &Keys,
    head: &Head,
    durable: bool,
) -> Result<(), Error> {
    let path = journals.anchor(run);
    let new = path.with_extension("json.new");
    let told = |error: io::Error| Error::io(&path, "written", &error);
    // Of one name, since one process writes a journal: what a killed one has
    // left is overwritten, and does not pile up.
    let options = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .clone();
    let (mut file, _) = folder::open(&new, &mut { options }, "a file")?;
    file.write_all(&text(run, head, |message| keys.sign(message)))
        .map_err(told)?;
    if durable {
        file.sync_data().map_err(told)?;
    }
    fs::rename(&new, &path).map_err(told)?;
    match durable {
        true => folder::sync(journals.anchors()),
        false => Ok(()),
    }
}

fn text(run: &RunId, head: &Head, sign: impl FnOnce(&[u8]) -> [u8; 64]) -> Vec<u8> {
    let mut text = format!(
        "{{\"anchor\":{},\"run\":\"{run}\",\"records\":{},\"length\":{},\"head\":\"{}\",\
         \"closed\":{},\"ed25519\":\"",
        crate::VERSION,
        head.records,
        head.length,
        head.hash,
        head.closed
    );
    let signature = sign(text.as_bytes());
    text.push_str(&Base64::encode_string(&signature));
    text.push_str("\"}\n");
    text.into_bytes()
}

/// The anchor of a run, if there is one. What is no anchor of this run is `Err`
/// inside, with what is wrong with it.
pub(crate) fn read(
    journals: &Journals,
    run: &RunId,
) -> Result<Option<Result<Anchor, &'static str>>, Error> {
    let path = journals.anchor(run);
    let opened = folder::open(&path, OpenOptions::new().read(true), "a file");
    let (file, _) = match opened {
        Err(Error::Io {
            kind: io::ErrorKind::NotFound,
            ..
        }) => return Ok(None),
        opened => opened?,
    };
    let mut bytes = Vec::new();
    file.take(MOST)
        .read_to_end(&mut bytes)
        .map_err(|error| Error::io(&path, "read", &error))?;
    let Ok(value) = serde_json::from_slice::<Value>(&bytes) else {
        return Ok(Some(Err("it is not JSON")));
    };
    if let Some(found) = value.get("anchor").and_then(Value::as_u64)
        && found != crate::VERSION
    {
        return Err(Error::UnknownVersion { path, found });
    }
    Ok(Some(parse(&value, run, &bytes)))
}

fn parse(value: &Value, run: &RunId, bytes: &[u8]) -> Result<Anchor, &'static str> {
    if value["run"].as_str() != Some(run.as_str()) {
        return Err("it is that of another run");
    }
    let read = || {
        let head = Head {
            records: value["records"].as_u64()?,
            length: value["length"].as_u64()?,
            hash: Hash::parse(value["head"].as_str()?)?,
            closed: value["closed"].as_bool()?,
        };
        Some((head, signature(value["ed25519"].as_str()?)?))
    };
    let wrong = "it is not as anchors are written";
    let (head, signature) = read().ok_or(wrong)?;
    let mut message = Vec::new();
    let again = text(run, &head, |bytes| {
        message = bytes.to_vec();
        signature
    });
    match again == bytes {
        true => Ok(Anchor {
            head,
            message,
            signature,
        }),
        false => Err(wrong),
    }
}
