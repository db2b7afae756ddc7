//! Indexes of catalogs, kept beside the images of the store.

use super::output::replace;
use crate::catalog::{IndexCache, KeptIndex};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// A folder of indexes. What cannot be read or written is made again the next time.
#[derive(Debug)]
pub(crate) struct Indexes(pub(crate) PathBuf);

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
        }
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
