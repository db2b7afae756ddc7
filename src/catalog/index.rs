//! The index: for each package, where its documents stand.

use super::error::Error;
use super::files::Files;
use super::load;
use super::stream::Form;
use std::ops::Range;

/// Where the documents of a catalog stand, package by package.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Index {
    /// The files, in reading order.
    pub files: Vec<String>,
    /// The documents, in the order in which a cluster lists a package's: by the path that it stores them under.
    pub entries: Vec<Entry>,
    /// The packages, by name.
    pub groups: Vec<Group>,
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
}

/// A package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// Its name.
    pub name: String,
    /// Its documents, as a range of [`Index::entries`].
    pub entries: Range<usize>,
    /// Whether a document says that it belongs to the package; the others are there by what they are named.
    pub named: bool,
}

struct Stored {
    path: String,
    entry: Entry,
    named: bool,
}

impl Index {
    /// Reads the whole catalog.
    ///
    /// # Errors
    /// Where a cluster refuses the catalog.
    pub fn build(files: &dyn Files) -> Result<Self, Error> {
        let mut stored = Vec::new();
        let mut index = Self::default();
        for file in load::read(files)? {
            let number = u32::try_from(index.files.len()).unwrap_or(u32::MAX);
            for found in file.found {
                let Some(header) = found.header else { continue };
                let Some(path) = header.stored_path() else { continue };
                let (offset, len) = (found.range.start as u64, found.range.len() as u64);
                let entry = Entry { file: number, form: found.form, offset, len };
                stored.push(Stored { path, entry, named: header.names_package() });
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
                index.groups.push(Group { name: group.to_owned(), entries: at..at, named: false });
            }
            let Some(last) = index.groups.last_mut() else { continue };
            last.named |= document.named;
            if !replaced {
                index.entries.push(document.entry);
                last.entries.end = index.entries.len();
            }
        }
        Ok(index)
    }

    /// The package of that name.
    pub fn group(&self, name: &str) -> Option<&Group> {
        let at = self.groups.binary_search_by(|group| group.name.as_str().cmp(name)).ok()?;
        self.groups.get(at)
    }
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
