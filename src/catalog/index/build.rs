//! Reads a whole catalog, and writes down what it has of each package.

use super::Entry;
use super::format;
use crate::catalog::error::Error;
use crate::catalog::essence::Essence;
use crate::catalog::files::Files;
use crate::catalog::load;
use crate::catalog::stream::Found;
use std::sync::atomic::{AtomicUsize, Ordering};

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

    /// The package that it is stored for.
    fn package(&self) -> Option<&str> {
        self.path.split_once('/').map(|(package, _)| package)
    }
}

/// The index of a catalog under `key`, as bytes.
///
/// # Errors
/// Where a cluster refuses the catalog.
pub(in crate::catalog) fn build(files: &dyn Files, key: &str) -> Result<Vec<u8>, Error> {
    let mut stored = Vec::new();
    let mut paths = Vec::new();
    let kept = AtomicUsize::new(0);
    for file in load::read(files, |bytes, found| Stored::of(bytes, found, &kept))? {
        let number = u32::try_from(paths.len()).unwrap_or(u32::MAX);
        for mut document in file.documents.into_iter().flatten() {
            document.entry.file = number;
            stored.push(document);
        }
        paths.push(file.path);
    }
    // Stable: of documents that share a path, the last one read stays behind.
    stored.sort_by(|a, b| a.path.split('/').cmp(b.path.split('/')));
    check_paths(&stored, &paths)?;
    let mut writer = format::Writer::new(&paths);
    for documents in stored.chunk_by(|a, b| a.package() == b.package()) {
        let Some(name) = documents.first().and_then(Stored::package) else { continue };
        let last = documents.iter().enumerate().filter(|(n, document)| {
            // The path of the next one is the same where that replaces it.
            documents.get(n + 1).is_none_or(|next| next.path != document.path)
        });
        let last: Vec<&Stored> = last.map(|(_, document)| document).collect();
        let entries = last.iter().map(|document| document.entry).collect();
        let essences = last.iter().filter_map(|document| document.essence.as_deref());
        writer.add(name, documents.iter().any(|document| document.named), entries, essences);
    }
    Ok(writer.finish(key))
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
