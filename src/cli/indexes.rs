//! Indexes of catalogs, kept beside the images of the store.

use super::output::replace;
use crate::catalog::IndexCache;
use sha2::{Digest as _, Sha256};
use std::path::PathBuf;

/// A folder of indexes. What cannot be read or written is made again the next time.
#[derive(Debug)]
pub(crate) struct Indexes(pub(crate) PathBuf);

impl Indexes {
    fn path(&self, key: &str) -> PathBuf {
        let name: String = Sha256::digest(key.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
        self.0.join(name)
    }
}

impl IndexCache for Indexes {
    #[allow(clippy::disallowed_methods)]
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        std::fs::read(self.path(key)).ok()
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        if std::fs::create_dir_all(&self.0).is_ok() {
            let _ = replace(&self.path(key), bytes);
        }
    }
}
