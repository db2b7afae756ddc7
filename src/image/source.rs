//! Where an image's bytes come from: what a registry, a layout and an archive have in common.

use std::io::Read;

use super::digest::Digest;
use super::error::ErrorKind;
use super::manifest::Descriptor;

/// A place that holds one image, maybe for many platforms.
///
/// What it gives is not trusted: whoever asks checks digests and sizes.
pub(super) trait Source {
    /// The manifest or index that the reference names, and its digest where the reference has none.
    fn named(&self) -> Result<(Digest, Vec<u8>), ErrorKind>;

    /// A manifest by digest.
    fn manifest(&self, digest: &Digest) -> Result<Vec<u8>, ErrorKind>;

    /// A configuration.
    fn config(&self, descriptor: &Descriptor) -> Result<Vec<u8>, ErrorKind>;

    /// A layer, as a stream.
    fn layer(&self, descriptor: &Descriptor) -> Result<Blob, ErrorKind>;
}

/// A layer on its way.
pub(super) struct Blob {
    pub(super) reader: Box<dyn Read + Send>,
    /// What the stream must amount to; `None` for an archive that only knows the digest of the unpacked layer.
    pub(super) expected: Option<(Digest, u64)>,
}

/// Reads all of a small thing.
pub(super) fn read_small(what: &str, reader: impl Read, limit: u64) -> Result<Vec<u8>, ErrorKind> {
    let mut bytes = Vec::new();
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| ErrorKind::from_read(what, error))?;
    if bytes.len() as u64 > limit {
        return Err(ErrorKind::TooLarge { what: format!("the bytes of {what}"), limit });
    }
    Ok(bytes)
}

/// Checks that bytes are those that a digest names.
pub(super) fn check(what: &str, expected: &Digest, bytes: &[u8]) -> Result<(), ErrorKind> {
    let actual = expected.of(bytes);
    if actual == *expected {
        return Ok(());
    }
    Err(ErrorKind::DigestMismatch { what: what.to_owned(), expected: expected.clone(), actual })
}
