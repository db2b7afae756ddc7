//! The store's form of an image: one file with the bytes of the wanted files, an index, and a footer of fixed size.
//!
//! Opening one reads the footer and the index, whose checksum the footer has. The data is checked, block by block, when it is read.
//! The file is not trusted: what does not add up is [`ErrorKind::Damaged`].

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::Crc;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::content::{Entry, EntryKind};
use super::digest::{Digest, Hasher};
use super::error::ErrorKind;
use super::path::{compare, is_clean};
use super::settings::Kind;
use super::tree::Extent;

/// Changes with the format and with what is kept of an image, so that a store of another release is not mistaken.
const MAGIC: &[u8; 8] = b"olmpack1";
const FOOTER: usize = 8 + 8 + 8 + 32;
const BLOCK: u64 = 64 << 10;
const MAX_INDEX: u64 = 256 << 20;

/// What a pack says of its image.
#[derive(Debug, Serialize, Deserialize)]
struct Index {
    kind: String,
    manifest: Digest,
    labels: BTreeMap<String, String>,
    /// A checksum for each block of the data.
    blocks: Vec<u32>,
    entries: Vec<Stored>,
}

#[derive(Debug, Serialize, Deserialize)]
enum Stored {
    #[serde(rename = "f")]
    File(String, u64, u64),
    #[serde(rename = "d")]
    Directory(String),
    #[serde(rename = "u")]
    Unreadable(String, String),
}

/// A pack in the making: nothing is at its final place before [`PackWriter::finish`].
pub(super) struct PackWriter {
    file: NamedTempFile,
    written: u64,
    crc: Crc,
    blocks: Vec<u32>,
}

impl PackWriter {
    pub(super) fn new(file: NamedTempFile) -> Self {
        Self { file, written: 0, crc: Crc::new(), blocks: Vec::new() }
    }

    /// Appends all of a reader.
    pub(super) fn append(&mut self, reader: &mut impl Read, buffer: &mut [u8], limit: u64) -> Result<Extent, ErrorKind> {
        let offset = self.written;
        loop {
            let read = match reader.read(buffer) {
                Ok(0) => return Ok(Extent { offset, len: self.written - offset }),
                Ok(read) => read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(ErrorKind::from_read("the layer", error)),
            };
            if self.written + read as u64 > limit {
                return Err(ErrorKind::TooLarge { what: "the bytes of the files".to_owned(), limit });
            }
            self.write(buffer.get(..read).unwrap_or_default())?;
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), ErrorKind> {
        self.file.write_all(bytes).map_err(|error| ErrorKind::io(self.file.path(), error))?;
        let mut rest = bytes;
        while !rest.is_empty() {
            let room = usize::try_from(BLOCK - self.written % BLOCK).unwrap_or(usize::MAX);
            let (now, later) = rest.split_at(room.min(rest.len()));
            self.crc.update(now);
            self.written += now.len() as u64;
            if self.written.is_multiple_of(BLOCK) {
                self.end_block();
            }
            rest = later;
        }
        Ok(())
    }

    fn end_block(&mut self) {
        self.blocks.push(self.crc.sum());
        self.crc.reset();
    }

    /// Writes index and footer and moves the file to its place.
    pub(super) fn finish(
        mut self,
        path: &Path,
        kind: Kind,
        manifest: &Digest,
        labels: BTreeMap<String, String>,
        entries: Vec<(Entry, Option<Extent>)>,
    ) -> Result<(), ErrorKind> {
        if !self.written.is_multiple_of(BLOCK) {
            self.end_block();
        }
        let entries = entries
            .into_iter()
            .map(|(entry, extent)| match (entry.kind, extent) {
                (EntryKind::File, Some(Extent { offset, len })) => Stored::File(entry.path, offset, len),
                (EntryKind::Unreadable(reason), _) => Stored::Unreadable(entry.path, reason),
                _ => Stored::Directory(entry.path),
            })
            .collect();
        let blocks = std::mem::take(&mut self.blocks);
        let index = Index { kind: kind.name().to_owned(), manifest: manifest.clone(), labels, blocks, entries };
        let failed = |error| ErrorKind::io(path, error);
        let index = serde_json::to_vec(&index).map_err(|error| failed(error.into()))?;
        let mut footer = Vec::with_capacity(FOOTER);
        footer.extend_from_slice(MAGIC);
        footer.extend_from_slice(&self.written.to_le_bytes());
        footer.extend_from_slice(&(index.len() as u64).to_le_bytes());
        footer.extend_from_slice(&checksum(&index));
        self.file.write_all(&index).and_then(|()| self.file.write_all(&footer)).map_err(failed)?;
        self.file.persist(path).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

/// A pack that is open for reading.
#[derive(Debug)]
pub(super) struct Pack {
    path: PathBuf,
    file: File,
    data: u64,
    blocks: Vec<u32>,
    pub(super) manifest: Digest,
    pub(super) labels: BTreeMap<String, String>,
    pub(super) entries: Vec<Entry>,
    offsets: Vec<u64>,
}

impl Pack {
    /// Opens a pack; `None` if there is none.
    pub(super) fn open(path: &Path, kind: Kind, manifest: &Digest) -> Result<Option<Self>, ErrorKind> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ErrorKind::io(path, error)),
        };
        let pack = Self::read_index(path, file).filter(|(pack, of)| *of == kind.name() && pack.manifest == *manifest);
        pack.map(|(pack, _)| Some(pack)).ok_or(ErrorKind::Damaged)
    }

    fn read_index(path: &Path, file: File) -> Option<(Self, String)> {
        let size = file.metadata().ok()?.len();
        let mut footer = [0; FOOTER];
        read_exact_at(&file, &mut footer, size.checked_sub(FOOTER as u64)?).ok()?;
        let (magic, rest) = footer.split_at_checked(8)?;
        let (data, rest) = rest.split_at_checked(8)?;
        let (len, sum) = rest.split_at_checked(8)?;
        let (data, len) = (u64::from_le_bytes(data.try_into().ok()?), u64::from_le_bytes(len.try_into().ok()?));
        if magic != MAGIC || len > MAX_INDEX || data.checked_add(len)?.checked_add(FOOTER as u64)? != size {
            return None;
        }
        let mut bytes = vec![0; usize::try_from(len).ok()?];
        read_exact_at(&file, &mut bytes, data).ok()?;
        if checksum(&bytes) != sum {
            return None;
        }
        let index: Index = serde_json::from_slice(&bytes).ok()?;
        if index.blocks.len() as u64 != data.div_ceil(BLOCK) {
            return None;
        }
        let mut entries = Vec::with_capacity(index.entries.len());
        let mut offsets = Vec::with_capacity(index.entries.len());
        for stored in index.entries {
            let (path, offset, len, kind) = match stored {
                Stored::File(path, offset, len) => (path, offset, len, EntryKind::File),
                Stored::Directory(path) => (path, 0, 0, EntryKind::Directory),
                Stored::Unreadable(path, reason) => (path, 0, 0, EntryKind::Unreadable(reason)),
            };
            let in_order = entries.last().is_none_or(|last: &Entry| compare(&last.path, &path).is_lt());
            if !is_clean(&path) || !in_order || offset.checked_add(len)? > data {
                return None;
            }
            entries.push(Entry { path, len, kind, stamp: None });
            offsets.push(offset);
        }
        let Index { kind, manifest, labels, blocks, .. } = index;
        Some((Self { path: path.to_owned(), file, data, blocks, manifest, labels, entries, offsets }, kind))
    }

    /// Some of an entry's bytes; the caller has checked that the range lies within it.
    ///
    /// A pack whose data does not match its checksums is removed.
    pub(super) fn read(&self, position: usize, from: u64, len: u64) -> Result<Vec<u8>, ErrorKind> {
        let start = self.offsets.get(position).copied().unwrap_or_default() + from;
        self.read_checked(start, len).ok_or_else(|| {
            let _ = std::fs::remove_file(&self.path);
            ErrorKind::Damaged
        })
    }

    /// Whether all of the data matches its checksums.
    pub(super) fn is_whole(&self) -> bool {
        (0..self.data.div_ceil(BLOCK)).all(|block| self.read_checked(block * BLOCK, 1).is_some())
    }

    /// The number of bytes of the data.
    pub(super) fn data(&self) -> u64 {
        self.data
    }

    fn read_checked(&self, start: u64, len: u64) -> Option<Vec<u8>> {
        let end = start.checked_add(len)?;
        let mut bytes = vec![0; usize::try_from(len).ok()?];
        let mut rest = bytes.as_mut_slice();
        let mut at = start;
        while at < end {
            let block = at / BLOCK * BLOCK;
            let block_end = block.checked_add(BLOCK)?.min(self.data);
            // Blocks that are wanted whole are read where they go.
            let whole = match end {
                _ if at != block => at,
                end if end == self.data => end,
                end => end / BLOCK * BLOCK,
            };
            if whole > at {
                let (now, later) = rest.split_at_mut_checked(usize::try_from(whole - at).ok()?)?;
                self.fill(now, at)?;
                rest = later;
                at = whole;
            } else {
                let mut piece = vec![0; usize::try_from(block_end.checked_sub(block)?).ok()?];
                self.fill(&mut piece, block)?;
                let upto = block_end.min(end);
                let wanted = piece.get(usize::try_from(at - block).ok()?..usize::try_from(upto - block).ok()?)?;
                let (now, later) = rest.split_at_mut_checked(wanted.len())?;
                now.copy_from_slice(wanted);
                rest = later;
                at = upto;
            }
        }
        Some(bytes)
    }

    /// Reads whole blocks, from the beginning of one on.
    fn fill(&self, bytes: &mut [u8], at: u64) -> Option<()> {
        read_exact_at(&self.file, bytes, at).ok()?;
        let expected = self.blocks.get(usize::try_from(at / BLOCK).ok()?..)?;
        let matches = |(block, expected): (&[u8], &u32)| {
            let mut crc = Crc::new();
            crc.update(block);
            crc.sum() == *expected
        };
        bytes.chunks(usize::try_from(BLOCK).ok()?).zip(expected).all(matches).then_some(())
    }
}

fn checksum(bytes: &[u8]) -> [u8; 32] {
    match Hasher::sha256() {
        Hasher::Sha256(mut hasher) => {
            use sha2::Digest as _;
            hasher.update(bytes);
            hasher.finalize().into()
        }
        _ => [0; 32],
    }
}

/// Reads at a place without moving the file's own, so that several threads can.
pub(super) fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> std::io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset);
    #[cfg(windows)]
    {
        let (mut rest, mut offset) = (buffer, offset);
        while !rest.is_empty() {
            let read = std::os::windows::fs::FileExt::seek_read(file, rest, offset)?;
            if read == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            rest = rest.split_at_mut(read).1;
            offset += read as u64;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest() -> Digest {
        Digest::sha256(b"manifest")
    }

    fn write(folder: &Path, files: &[(&str, Vec<u8>)]) -> PathBuf {
        let path = folder.join("pack");
        let mut writer = PackWriter::new(NamedTempFile::new_in(folder).unwrap());
        let mut entries = vec![(Entry { path: "d".to_owned(), len: 0, kind: EntryKind::Directory, stamp: None }, None)];
        for (name, bytes) in files {
            let extent = writer.append(&mut bytes.as_slice(), &mut [0; 1000], u64::MAX).unwrap();
            entries
                .push((Entry { path: format!("d/{name}"), len: extent.len, kind: EntryKind::File, stamp: None }, Some(extent)));
        }
        let labels = BTreeMap::from([("a".to_owned(), "b".to_owned())]);
        writer.finish(&path, Kind::Bundle, &digest(), labels, entries).unwrap();
        path
    }

    fn big() -> Vec<u8> {
        (0..50_000_u32).flat_map(u32::to_le_bytes).collect()
    }

    #[test]
    fn gives_back_what_was_put_in() {
        let folder = tempfile::tempdir().unwrap();
        let path = write(folder.path(), &[("a", b"one".to_vec()), ("b", big()), ("c", Vec::new())]);
        let pack = Pack::open(&path, Kind::Bundle, &digest()).unwrap().unwrap();
        assert_eq!(pack.labels.get("a").unwrap(), "b");
        assert_eq!(pack.entries.iter().map(|entry| entry.path.as_str()).collect::<Vec<_>>(), ["d", "d/a", "d/b", "d/c"]);
        assert_eq!(pack.read(1, 0, 3).unwrap(), b"one");
        assert_eq!(pack.read(2, 0, 200_000).unwrap(), big());
        // The file begins at the third byte of the data: blocks begin 65,533 bytes into it and so on.
        let edges = [0, 1, 65_530, 65_533, 65_534, 131_069, 131_070, 196_605, 199_999, 200_000];
        for (from, to) in edges.iter().flat_map(|from| edges.iter().map(move |to| (*from, *to))).filter(|(from, to)| from <= to) {
            let len = to - from;
            let range = usize::try_from(from).unwrap()..usize::try_from(from + len).unwrap();
            assert_eq!(pack.read(2, from, len).unwrap(), big()[range], "{from} {len}");
        }
        assert_eq!(pack.read(3, 0, 0).unwrap(), b"");
        assert!(pack.is_whole());
    }

    #[test]
    fn one_of_another_image_is_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let path = write(folder.path(), &[("a", b"one".to_vec())]);
        assert!(matches!(Pack::open(&path, Kind::Catalog, &digest()), Err(ErrorKind::Damaged)));
        assert!(matches!(Pack::open(&path, Kind::Bundle, &Digest::sha256(b"")), Err(ErrorKind::Damaged)));
        assert!(Pack::open(&folder.path().join("none"), Kind::Bundle, &digest()).unwrap().is_none());
    }

    #[test]
    fn every_changed_byte_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = write(folder.path(), &[("a", b"one".to_vec()), ("b", b"two".to_vec())]);
        let good = std::fs::read(&path).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x20;
            std::fs::write(&path, &bad).unwrap();
            let seen = match Pack::open(&path, Kind::Bundle, &digest()) {
                Ok(pack) => !pack.unwrap().is_whole(),
                Err(ErrorKind::Damaged) => true,
                Err(other) => panic!("{other}"),
            };
            assert!(seen, "byte {at}");
        }
        for len in 0..good.len() {
            std::fs::write(&path, &good[..len]).unwrap();
            assert!(matches!(Pack::open(&path, Kind::Bundle, &digest()), Err(ErrorKind::Damaged)), "{len} bytes");
        }
    }

    #[test]
    fn damaged_data_is_removed_when_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = write(folder.path(), &[("a", b"one".to_vec())]);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[1] = b'X';
        std::fs::write(&path, bytes).unwrap();
        let pack = Pack::open(&path, Kind::Bundle, &digest()).unwrap().unwrap();
        assert!(matches!(pack.read(1, 0, 3), Err(ErrorKind::Damaged)));
        assert!(!path.exists());
    }
}
