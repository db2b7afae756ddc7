//! Indexes of catalogs, kept beside the images of the store.

use super::output::replace;
use crate::catalog::{IndexCache, KeptIndex};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// A folder of indexes. What cannot be read or written is made again the next time; so is what was made longest ago, where there are
/// many: a plain folder gets another index whenever it changes.
#[derive(Debug)]
pub(crate) struct Indexes(pub(crate) PathBuf);

/// How many indexes are kept.
const MOST: usize = 64;

/// No more than this is read of an index at a time: a damaged one may name any length.
const MAX_READ: usize = 256 << 20;

impl Indexes {
    fn path(&self, key: &str) -> PathBuf {
        let name: String = Sha256::digest(key.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
        self.0.join(name)
    }
}

impl IndexCache for Indexes {
    #[allow(clippy::disallowed_methods)]
    fn get(&self, key: &str) -> Option<Box<dyn KeptIndex>> {
        let path = self.path(key);
        let file = File::open(&path).ok()?;
        let metadata = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some(Box::new(IndexFile { path, size: metadata.len(), file: Mutex::new(file) }))
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        if std::fs::create_dir_all(&self.0).is_ok() {
            let _ = replace(&self.path(key), bytes);
            remove_oldest(&self.0, MOST);
        }
    }
}

/// Leaves the `most` files of a folder that were written last.
fn remove_oldest(folder: &Path, most: usize) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let written = |entry: std::fs::DirEntry| {
        let metadata = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some((metadata.modified().ok()?, entry.path()))
    };
    let mut files: Vec<(SystemTime, PathBuf)> = entries.flatten().filter_map(written).collect();
    files.sort_unstable_by(|a, b| b.cmp(a));
    for (_, path) in files.iter().skip(most) {
        let _ = std::fs::remove_file(path);
    }
}

/// An index in a file. It stays open: that another run replaces it does not matter.
struct IndexFile {
    path: PathBuf,
    size: u64,
    file: Mutex<File>,
}

impl KeptIndex for IndexFile {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&self, offset: u64, len: usize) -> Option<Vec<u8>> {
        if len > MAX_READ {
            return None;
        }
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset)).ok()?;
        let mut bytes = vec![0; len];
        file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    fn discard(&self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_kept_until_it_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let indexes = Indexes(folder.path().join("indexes"));
        assert!(indexes.get("a").is_none());
        indexes.put("a", b"0123456789");
        let kept = indexes.get("a").unwrap();
        assert_eq!((kept.size(), kept.read(3, 4).unwrap(), kept.read(0, 0).unwrap()), (10, b"3456".to_vec(), Vec::new()));
        assert_eq!((kept.read(8, 3), kept.read(0, usize::MAX)), (None, None));
        indexes.put("a", b"other");
        assert_eq!(kept.read(0, 10).unwrap(), b"0123456789");
        kept.discard();
        assert!(indexes.get("a").is_none());
    }

    #[test]
    fn the_oldest_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        for n in 0..5 {
            let file = File::create(folder.path().join(n.to_string())).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(100 - n)).unwrap();
        }
        remove_oldest(folder.path(), 2);
        let mut left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["0", "1"]);
    }
}
