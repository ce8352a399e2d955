//! The form of an archive, once more: written from docs/bundles.md, without the
//! library that the crate writes with.

/// A file of an archive, whatever is wrong with it.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) path: Vec<u8>,
    pub(crate) content: Vec<u8>,
    /// The type in the header: `0` for a file.
    pub(crate) kind: u8,
    /// What a link leads to.
    pub(crate) target: String,
    pub(crate) mode: &'static str,
    pub(crate) mtime: u64,
    pub(crate) owner: &'static str,
    /// What fills the last block.
    pub(crate) filler: u8,
}

impl File {
    pub(crate) fn new(path: &str, content: &[u8]) -> Self {
        Self {
            path: path.as_bytes().to_vec(),
            content: content.to_vec(),
            kind: b'0',
            target: String::new(),
            mode: "0000644",
            mtime: 0,
            owner: "",
            filler: 0,
        }
    }

    fn header(&self) -> [u8; 512] {
        let mut header = [0; 512];
        let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
        let (prefix, name) = divided(&self.path);
        put(0, name);
        put(100, self.mode.as_bytes());
        put(108, b"0000000");
        put(116, b"0000000");
        put(124, format!("{:011o}", self.content.len()).as_bytes());
        put(136, format!("{:011o}", self.mtime).as_bytes());
        put(148, b"        ");
        put(156, &[self.kind]);
        put(157, self.target.as_bytes());
        put(257, b"ustar\x0000");
        put(265, self.owner.as_bytes());
        put(329, b"0000000");
        put(337, b"0000000");
        put(345, prefix);
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:07o}\0").as_bytes());
        header
    }
}

/// A path longer than 100 bytes stands in two fields: as many of its folders as
/// fit into 155 bytes, and the rest.
fn divided(path: &[u8]) -> (&[u8], &[u8]) {
    if path.len() <= 100 {
        return (b"", path);
    }
    let slash = |at: &usize| path[*at] == b'/';
    let at = (0..path.len().min(156)).rev().find(slash).unwrap();
    (&path[..at], &path[at + 1..])
}

/// The bytes of an archive of these files.
pub(crate) fn archive(files: &[File]) -> Vec<u8> {
    let mut out = Vec::new();
    for file in files {
        out.extend(file.header());
        out.extend(&file.content);
        out.resize(out.len().next_multiple_of(512), file.filler);
    }
    out.resize(out.len() + 1024, 0);
    out
}

/// The manifest of these entries, which must be sorted.
pub(crate) fn manifest(version: &str, entries: &[(String, Vec<u8>)]) -> String {
    let lines: Vec<String> = entries
        .iter()
        .map(|(path, content)| {
            let (size, hash) = (content.len(), symbi_bundle::Digest::of(content));
            format!(r#"{{"path":"{path}","size":{size},"sha256":"{hash}"}}"#)
        })
        .collect();
    format!(
        r#"{{"format":"symbi-bundle","version":{version},"toolchain":"symbi 0.1.0","entries":[{}]}}"#,
        lines.join(",")
    )
}
