//! Ways in for the fuzz targets of `fuzz/`, to parsers that have no public one. Built for them alone.

use super::auth;
use super::layer;
use super::manifest::{Config, Document};
use super::pack::PackWriter;
use super::reference::Reference;
use super::settings::{Kind, Limits};
use super::source::Blob;
use super::unpack::{Filter, Unpacker};
use std::io::Cursor;
use std::path::PathBuf;
use tempfile::NamedTempFile;

/// A manifest or an index, which is chosen from; and a configuration.
pub fn manifest(bytes: &[u8]) {
    if let Ok(Document::Index(index)) = Document::read(bytes) {
        for platform in ["linux/amd64", "linux/arm64/v8", "windows/386"] {
            let _ = platform.parse().map(|platform| index.choose(&platform).map(|chosen| chosen.size));
        }
    }
    let _ = Config::read(bytes);
}

/// A layer: unpacked, and put into a pack. Says how many bytes the pack has.
pub fn layer(bytes: &[u8], kind: Kind) -> Option<u64> {
    let limits = Limits { unpacked: 1 << 20, kept: 1 << 20, entries: 10_000, files: 1000, ..Limits::default() };
    let filter = Filter::new(kind, Some("/configs"), "label").ok()?;
    let file = NamedTempFile::new().ok()?;
    let kept = file.reopen().ok()?;
    let mut unpacker = Unpacker::new(&filter, &limits, PackWriter::new(file));
    let blob = Blob { reader: Box::new(Cursor::new(bytes.to_vec())), expected: None };
    let (applied, _) =
        layer::stream("the layer", blob, None, limits.unpacked, |reader| Ok(unpacker.apply("the layer", reader))).ok()?;
    applied.ok()?;
    let _ = unpacker.tree.entries(|path| filter.keeps(path));
    kept.metadata().ok().map(|metadata| metadata.len())
}

/// A file of credentials, asked for a repository. Says what a refusal would mention.
pub fn auth(file: PathBuf, reference: &Reference) -> Option<String> {
    auth::find(&[file], reference).ok().map(|credentials| credentials.note)
}
