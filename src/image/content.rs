//! The files of an image, or of a folder that stands for one.

use std::collections::BTreeMap;

use super::digest::Digest;
use super::error::{Error, ErrorKind};
use super::folder::Folder;
use super::pack::Pack;
use super::path::compare;

/// The files of an image that count for what it was opened as, and its labels.
///
/// Cheap to have: files are read when they are asked for. Several threads can read at once.
#[derive(Debug)]
pub struct Content {
    pub(super) image: String,
    pub(super) digests: Option<(Digest, Digest)>,
    pub(super) files: Files,
}

#[derive(Debug)]
pub(super) enum Files {
    Pack(Pack, &'static str),
    Folder(Folder),
}

/// A name in an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The path from the image's root (of a plain folder: from the folder), parts joined with `/`.
    pub path: String,
    /// The number of bytes that reading it gives; 0 for what is no file.
    pub len: u64,
    /// What it is.
    pub kind: EntryKind,
    /// When it was last changed, in nanoseconds, if it is a file of a plain folder; an image's file changes only with the image.
    pub stamp: Option<u128>,
}

/// What a name stands for. A symbolic link is what it leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryKind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// What neither a cluster nor we can read as a file, such as a link to nowhere; the reason.
    Unreadable(String),
}

impl Content {
    /// All names, in the order in which a cluster walks them: parents first, siblings by their bytes.
    #[must_use]
    pub fn list(&self) -> &[Entry] {
        match &self.files {
            Files::Pack(pack, _) => &pack.entries,
            Files::Folder(folder) => &folder.entries,
        }
    }

    /// All of a file.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, Error> {
        self.bytes(path, None).map_err(|kind| kind.of(&self.image))
    }

    /// Some of a file; a range that reaches beyond its end is an error.
    pub fn read_range(&self, path: &str, offset: u64, len: u64) -> Result<Vec<u8>, Error> {
        self.bytes(path, Some((offset, len))).map_err(|kind| kind.of(&self.image))
    }

    /// The labels of the image; a plain folder has none.
    #[must_use]
    pub fn labels(&self) -> &BTreeMap<String, String> {
        static NONE: BTreeMap<String, String> = BTreeMap::new();
        match &self.files {
            Files::Pack(pack, _) => &pack.labels,
            Files::Folder(_) => &NONE,
        }
    }

    /// The digest of the manifest for the platform; a plain folder has none.
    #[must_use]
    pub fn digest(&self) -> Option<&Digest> {
        self.digests.as_ref().map(|(_, manifest)| manifest)
    }

    /// The digest of what the reference names, which is what a cluster reports: an index, or the manifest itself.
    #[must_use]
    pub fn index_digest(&self) -> Option<&Digest> {
        self.digests.as_ref().map(|(index, _)| index)
    }

    /// A name for exactly these files, fit for the key of what is derived from them.
    ///
    /// Of an image it is made of the manifest's digest; of a plain folder, of the names, sizes and times of its files.
    #[must_use]
    pub fn identity(&self) -> String {
        match &self.files {
            Files::Pack(pack, kind) => format!("{kind}:{}", pack.manifest),
            Files::Folder(folder) => folder.identity.clone(),
        }
    }

    fn bytes(&self, path: &str, range: Option<(u64, u64)>) -> Result<Vec<u8>, ErrorKind> {
        let entries = self.list();
        let position = entries.binary_search_by(|entry| compare(&entry.path, path)).ok();
        let entry = position.and_then(|position| entries.get(position));
        let (Some(position), Some(entry)) = (position, entry) else { return Err(ErrorKind::NoFile(path.to_owned())) };
        match &entry.kind {
            EntryKind::File => {}
            EntryKind::Directory => {
                return Err(ErrorKind::Unreadable { path: path.to_owned(), reason: "it is a directory".to_owned() });
            }
            EntryKind::Unreadable(reason) => {
                return Err(ErrorKind::Unreadable { path: path.to_owned(), reason: reason.clone() });
            }
        }
        let (offset, len) = range.unwrap_or((0, entry.len));
        if offset.checked_add(len).is_none_or(|end| end > entry.len) {
            return Err(ErrorKind::Unreadable { path: path.to_owned(), reason: format!("it has only {} bytes", entry.len) });
        }
        match &self.files {
            Files::Pack(pack, _) => pack.read(position, offset, len),
            Files::Folder(folder) => folder.read(path, offset, len),
        }
    }
}
