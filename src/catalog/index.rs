//! The index: for each package, where its documents stand, and what resolution needs of them.

use super::error::Error;
use super::essence::Essence;
use super::files::Files;
use super::load;
use super::stream::{Form, Found};
use sha2::{Digest, Sha256};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Where the documents of a catalog stand, package by package.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Index {
    /// The files, in reading order.
    pub files: Vec<String>,
    /// The documents, in the order in which a cluster lists a package's: by the path that it stores them under.
    pub entries: Vec<Entry>,
    /// The packages, by name.
    pub groups: Vec<Group>,
    /// Holds the essences of the documents, from [`Index::essences_from`] on.
    pub bytes: Vec<u8>,
    /// Where in [`Index::bytes`] the essences begin.
    pub essences_from: usize,
}

/// Where a document stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// The file, by its position in [`Index::files`].
    pub file: u32,
    /// How the document is written.
    pub form: Form,
    /// The byte it starts at.
    pub offset: u64,
    /// Its length in bytes.
    pub len: u64,
    /// How long its essence is; 0 where it has none. They follow one another, in the order of the entries.
    pub essence: u32,
}

/// A checksum over the essences of a package.
pub(super) type Sum = [u8; 16];

/// A package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// Its name.
    pub name: String,
    /// Its documents, as a range of [`Index::entries`].
    pub entries: Range<usize>,
    /// Whether a document says that it belongs to the package; the others are there by what they are named.
    pub named: bool,
    /// Where its essences begin, counted from [`Index::essences_from`].
    pub essences_at: usize,
    /// The checksum of its essences.
    pub sum: Sum,
}

/// No more bytes of essences than this are kept. Documents past it are read again when they are asked for.
const MAX_ESSENCES: usize = 32 << 20;

/// A document as the cluster stores it.
struct Stored {
    path: String,
    entry: Entry,
    named: bool,
    essence: Option<Vec<u8>>,
}

impl Stored {
    /// `None` where the cluster stores nothing, or not in the folder of the catalog.
    fn of(bytes: &[u8], found: Found, kept: &AtomicUsize) -> Option<Self> {
        let header = found.header?;
        let path = header.stored_path()?;
        let essence = match found.essence {
            Some(essence) => Some(essence),
            None => Essence::of(&header.schema, bytes.get(found.range.clone())?, found.form).ok(),
        };
        let essence = essence
            .and_then(|essence| essence.encode())
            .filter(|bytes| kept.fetch_add(bytes.len(), Ordering::Relaxed) + bytes.len() <= MAX_ESSENCES);
        let (offset, len) = (found.range.start as u64, found.range.len() as u64);
        let length = essence.as_ref().map_or(0, |bytes| u32::try_from(bytes.len()).unwrap_or(0));
        let entry = Entry { file: 0, form: found.form, offset, len, essence: length };
        Some(Self { path, entry, named: header.names_package(), essence })
    }
}

impl Index {
    /// Reads the whole catalog.
    ///
    /// # Errors
    /// Where a cluster refuses the catalog.
    pub fn build(files: &dyn Files) -> Result<Self, Error> {
        let mut stored = Vec::new();
        let mut index = Self::default();
        let kept = AtomicUsize::new(0);
        for file in load::read(files, |bytes, found| Stored::of(bytes, found, &kept))? {
            let number = u32::try_from(index.files.len()).unwrap_or(u32::MAX);
            for mut document in file.documents.into_iter().flatten() {
                document.entry.file = number;
                stored.push(document);
            }
            index.files.push(file.path);
        }
        // Stable: of documents that share a path, the last one read stays behind.
        stored.sort_by(|a, b| a.path.split('/').cmp(b.path.split('/')));
        check_paths(&stored, &index.files)?;
        for (n, document) in stored.iter().enumerate() {
            let replaced = stored.get(n + 1).is_some_and(|next| next.path == document.path);
            let Some((group, _)) = document.path.split_once('/') else { continue };
            if index.groups.last().is_none_or(|last| last.name != group) {
                let at = index.entries.len();
                let name = group.to_owned();
                let essences_at = index.bytes.len();
                index.groups.push(Group { name, entries: at..at, named: false, essences_at, sum: Sum::default() });
            }
            let Some(last) = index.groups.last_mut() else { continue };
            last.named |= document.named;
            if !replaced {
                index.entries.push(document.entry);
                index.bytes.extend(document.essence.iter().flatten());
                last.entries.end = index.entries.len();
            }
        }
        let mut groups = std::mem::take(&mut index.groups);
        for group in &mut groups {
            group.sum = index.essences(group).map(sum).unwrap_or_default();
        }
        index.groups = groups;
        Ok(index)
    }

    /// The package of that name.
    pub fn group(&self, name: &str) -> Option<&Group> {
        let at = self.groups.binary_search_by(|group| group.name.as_str().cmp(name)).ok()?;
        self.groups.get(at)
    }

    /// The essences of a package, one after the other.
    pub fn essences(&self, group: &Group) -> Option<&[u8]> {
        let lengths = self.entries.get(group.entries.clone())?.iter().map(|entry| u64::from(entry.essence));
        let len = usize::try_from(lengths.sum::<u64>()).ok()?;
        let start = self.essences_from.checked_add(group.essences_at)?;
        self.bytes.get(start..start.checked_add(len)?)
    }
}

/// The checksum of the essences of a package.
pub(super) fn sum(essences: &[u8]) -> Sum {
    let hash: [u8; 32] = Sha256::digest(essences).into();
    hash.first_chunk().copied().unwrap_or_default()
}

/// What Linux does not store fails the whole catalog: names of more than 255 bytes, names with NUL, and a file where a folder
/// must be.
fn check_paths(stored: &[Stored], files: &[String]) -> Result<(), Error> {
    for (n, document) in stored.iter().enumerate() {
        let message = if document.path.contains('\0') {
            "invalid argument"
        } else if document.path.len() >= 4096 || document.path.split('/').any(|part| part.len() > 255) {
            "file name too long"
        } else {
            // Sorted part by part, what lies below a path comes right after it.
            let next = stored.get(n + 1).and_then(|next| next.path.strip_prefix(document.path.as_str()));
            match next.is_some_and(|rest| rest.starts_with('/')) {
                true => "not a directory",
                false => continue,
            }
        };
        let path = usize::try_from(document.entry.file).ok().and_then(|n| files.get(n)).cloned().unwrap_or_default();
        return Err(Error::Store { path, stored: document.path.clone(), message });
    }
    Ok(())
}
