//! A notation for bundles that are wrong, one step a line. CONTRIBUTING.md lists
//! the steps; the pages of the codes are written in it, and `tests/data/cases.txt`.

use std::fs;

use symbi_bundle::fuzzing::pack;
use symbi_bundle::{
    Bundle, BundleError, Limits, PublicKey, SigningKey, extract, read, read_file, require, write,
};

use crate::naive::{self, File};
use crate::{TOOLCHAIN, data, key_text};

#[derive(Default)]
struct Recipe<'a> {
    listed: Vec<(String, Vec<u8>)>,
    stored: Vec<File>,
    unsorted: bool,
    version: Option<&'a str>,
    /// What the manifest names after it was signed.
    toolchain: Option<&'a str>,
    manifest: Option<&'a str>,
    signature: Option<&'a str>,
    algorithm: Option<&'a str>,
    sign: Option<&'a str>,
    plain: Option<&'a str>,
    behind_files: &'a str,
    behind: &'a str,
    cut: usize,
    flip: Option<usize>,
    flip_inside: Option<usize>,
    limits: Limits,
    trust: Option<&'a str>,
    unpack: Option<&'a str>,
    written: bool,
    mode: Option<u32>,
}

/// Does what a recipe says: what goes wrong.
pub(crate) fn follow(text: &str) -> Result<(), BundleError> {
    let mut recipe = Recipe::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if recipe.step(line)? {
            return Ok(());
        }
    }
    recipe.follow()
}

impl<'a> Recipe<'a> {
    /// Takes a step; whether it was one without a bundle.
    fn step(&mut self, line: &'a str) -> Result<bool, BundleError> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (path, text) = rest.split_once(" = ").unwrap_or((rest, ""));
        let content = text.replace("\\n", "\n").into_bytes();
        let path = path.replace("\\u{202e}", "\u{202e}");
        let number = || rest.parse::<usize>().unwrap_or_else(|_| panic!("{line}"));
        match word {
            "entry" => {
                self.listed.push((path.clone(), content.clone()));
                self.stored.push(File::new(&path, &content));
            }
            "listed" => self.listed.push((path, content)),
            "stored" => self.stored.push(File::new(&path, &content)),
            "link" | "folder" | "device" | "pax" | "long-name" => {
                let kinds = [
                    ("link", b'2'),
                    ("folder", b'5'),
                    ("device", b'3'),
                    ("pax", b'x'),
                ];
                let kind = kinds.iter().find(|(name, _)| *name == word);
                self.listed.push((path.clone(), Vec::new()));
                self.stored.push(File {
                    kind: kind.map_or(b'L', |(_, kind)| *kind),
                    target: text.to_owned(),
                    ..File::new(&path, b"")
                });
            }
            "unsorted" => self.unsorted = true,
            "mode" => self.last().mode = "0000755",
            "mtime" => self.last().mtime = 1,
            "owner" => self.last().owner = "root",
            "filler" => self.last().filler = b'x',
            "toolchain" => self.toolchain = Some(rest),
            "version" => self.version = Some(rest),
            "manifest" => self.manifest = Some(rest),
            "signature" => self.signature = Some(rest),
            "algorithm" => self.algorithm = Some(rest),
            "sign" => self.sign = Some(rest),
            "plain" => self.plain = Some(rest),
            "behind-files" => self.behind_files = rest,
            "behind" => self.behind = rest,
            "cut" => self.cut = number(),
            "flip" => self.flip = Some(number()),
            "flip-inside" => self.flip_inside = Some(number()),
            "limit" => self.limit(rest),
            "trust" => self.trust = Some(rest),
            "unpack" => self.unpack = Some(rest),
            "written" => self.written = true,
            "rights" => self.mode = u32::from_str_radix(rest, 8).ok(),
            "private-key" => {
                SigningKey::parse(&key_text(rest))?;
                return Ok(true);
            }
            "public-key" => {
                PublicKey::parse(&key_text(rest))?;
                return Ok(true);
            }
            "key-file" => {
                self.key_file(rest)?;
                return Ok(true);
            }
            "open" => {
                read_file(data(rest), &Limits::default())?;
                return Ok(true);
            }
            _ => panic!("the step `{line}` is not known"),
        }
        Ok(false)
    }

    fn last(&mut self) -> &mut File {
        self.stored.last_mut().unwrap()
    }

    fn limit(&mut self, rest: &str) {
        let (what, number) = rest.split_once(' ').unwrap();
        let number: u64 = number.parse().unwrap();
        match what {
            "file" => self.limits.file = number,
            "entries" => self.limits.entries = usize::try_from(number).unwrap(),
            "entry" => self.limits.entry = number,
            "total" => self.limits.total = number,
            "manifest" => self.limits.manifest = number,
            _ => panic!("the limit `{what}` is not known"),
        }
    }

    /// A private key with rights to its file.
    fn key_file(&self, name: &str) -> Result<(), BundleError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("signing-key.pem");
        fs::write(&path, key_text(name)).unwrap();
        let mode = self.mode.unwrap_or(0o600);
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
        SigningKey::read_file(&path).map(|_| ())
    }

    fn follow(mut self) -> Result<(), BundleError> {
        if self.written {
            return write(&self.listed, TOOLCHAIN, None).map(|_| ());
        }
        let bundle = read(&self.bytes(), &self.limits)?;
        if let Some(key) = self.trust {
            require(&bundle, &PublicKey::parse(&key_text(key)).unwrap())?;
        }
        match self.unpack {
            Some(kind) => unpack(&bundle, kind),
            None => Ok(()),
        }
    }

    fn bytes(&mut self) -> Vec<u8> {
        if let Some(plain) = self.plain {
            return plain.as_bytes().to_vec();
        }
        if !self.unsorted {
            self.listed.sort();
            self.stored.sort_by(|a, b| a.path.cmp(&b.path));
        }
        let version = self.version.unwrap_or("1");
        let manifest = match self.manifest {
            Some(text) => text.to_owned(),
            None => naive::manifest(version, &self.listed)
                .replace(TOOLCHAIN, self.toolchain.unwrap_or(TOOLCHAIN)),
        };
        let mut files = vec![File::new("manifest.json", manifest.as_bytes())];
        files.extend(
            self.signature()
                .map(|text| File::new("signature.json", &text)),
        );
        if manifest == "none" {
            files.clear();
        }
        files.append(&mut self.stored);
        let mut archive = naive::archive(&files);
        archive.extend(self.behind_files.as_bytes());
        if let Some(at) = self.flip_inside {
            archive[at] ^= 1;
        }
        let mut bytes = pack(&archive);
        bytes.extend(self.behind.as_bytes());
        bytes.truncate(bytes.len() - self.cut);
        if let Some(at) = self.flip {
            bytes[at] ^= 1;
        }
        bytes
    }

    fn signature(&self) -> Option<Vec<u8>> {
        if let Some(text) = self.signature {
            return Some(text.as_bytes().to_vec());
        }
        let key = SigningKey::parse(&key_text(self.sign?)).unwrap();
        let bytes = write(&self.listed, TOOLCHAIN, Some(&key)).unwrap();
        let signed = crate::signatures::of(&bytes);
        let Some(algorithm) = self.algorithm else {
            return Some(signed);
        };
        let header = crate::signatures::header(&signed).replace("ES256", algorithm);
        Some(crate::signatures::with_header(&signed, &header))
    }
}

fn unpack(bundle: &Bundle, kind: &str) -> Result<(), BundleError> {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    match kind {
        "new" => {}
        "full" => {
            fs::create_dir(&target).unwrap();
            fs::write(target.join("mine.txt"), "mine").unwrap();
        }
        _ => panic!("the folder `{kind}` is not known"),
    }
    extract(bundle, &target)
}
