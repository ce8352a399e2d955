//! Zstandard (RFC 8878): one frame, with its size and a checksum, and nothing
//! before or behind it.

use std::io::{Read, Write};

use zstd::stream::{read::Decoder, write::Encoder};
use zstd::zstd_safe;

use crate::BundleError;

/// Fixed, so that the same entries give the same bytes.
const LEVEL: i32 = 9;

const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// How much of the output a frame may refer back to: 8 MiB, which is also the
/// memory that reading one takes.
const MAX_WINDOW_LOG: u32 = 23;

/// The longest header of a frame.
const HEADER: usize = 18;

const DAMAGED: BundleError = BundleError::Damaged {
    problem: "its compressed part does not fit together",
};

pub(crate) fn compress(bytes: &[u8]) -> Vec<u8> {
    let frame = || {
        let mut encoder = Encoder::new(Vec::new(), LEVEL)?;
        encoder.include_checksum(true)?;
        encoder.window_log(MAX_WINDOW_LOG - 1)?;
        encoder.set_pledged_src_size(Some(bytes.len() as u64))?;
        encoder.write_all(bytes)?;
        encoder.finish()
    };
    // INVARIANT: the settings are constants within their ranges, the size is the
    // one that was promised, and writing into memory does not fail.
    #[expect(clippy::expect_used, reason = "the invariant above")]
    frame().expect("zstd compresses any bytes")
}

/// The content of a frame, if it has at most `limit` bytes.
pub(crate) fn decompress(bytes: &[u8], limit: u64) -> Result<Vec<u8>, BundleError> {
    if !bytes.starts_with(&MAGIC) {
        // A part of the magic number is what begins all bundles.
        return Err(match MAGIC.starts_with(bytes) && !bytes.is_empty() {
            true => BundleError::Truncated,
            false => BundleError::NotABundle {
                problem: "it does not begin as one",
            },
        });
    }
    let too_large = || BundleError::TooLarge {
        what: "the unpacked bundle".to_owned(),
        limit,
    };
    let promised = match zstd_safe::get_frame_content_size(bytes) {
        Ok(size) => size.unwrap_or(0),
        Err(_) if bytes.len() < HEADER => return Err(BundleError::Truncated),
        Err(_) => return Err(DAMAGED),
    };
    if promised > limit {
        return Err(too_large());
    }
    check_window(bytes, promised)?;
    let mut decoder = Decoder::with_buffer(bytes)
        .map_err(|_| DAMAGED)?
        .single_frame();
    decoder
        .window_log_max(MAX_WINDOW_LOG)
        .map_err(|_| DAMAGED)?;

    // One byte more than promised: the read that finds the end needs room.
    let room = usize::try_from(promised.saturating_add(1)).unwrap_or(0);
    let mut content = Vec::with_capacity(room);
    let read = decoder
        .by_ref()
        .take(limit.saturating_add(1))
        .read_to_end(&mut content);
    match read {
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            return Err(BundleError::Truncated);
        }
        Err(_) => return Err(DAMAGED),
    }
    if content.len() as u64 > limit {
        return Err(too_large());
    }
    if !decoder.into_inner().is_empty() {
        return Err(BundleError::NotCanonical {
            problem: "there is something behind its end",
        });
    }
    Ok(content)
}

/// Section 3.1.1.1 of RFC 8878: the window has a byte of its own, or is the
/// size of all content.
fn check_window(bytes: &[u8], content: u64) -> Result<(), BundleError> {
    let (Some(&descriptor), Some(&window)) = (bytes.get(4), bytes.get(5)) else {
        return Err(BundleError::Truncated);
    };
    let single = descriptor & 0x20 != 0;
    let (exponent, eighths) = (u32::from(window >> 3), u64::from(window & 7));
    let base = 1_u64 << (10 + exponent);
    let size = match single {
        true => content,
        false => base + base / 8 * eighths,
    };
    let limit = 1 << MAX_WINDOW_LOG;
    if size > limit {
        return Err(BundleError::TooLarge {
            what: "the window of the compressed part".to_owned(),
            limit,
        });
    }
    Ok(())
}
