//! The store on disk: packs, the manifests they came from, and what tags meant when they were last looked up.
//!
//! Everything is written beside its place and moved there whole, so several processes can share a store.

use std::fs;
use std::io::{ErrorKind as Io, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::digest::Digest;
use super::error::ErrorKind;
use super::reference::Reference;
use super::settings::Kind;
use super::source::check;

/// A folder of ours.
#[derive(Debug)]
pub(super) struct Store {
    root: PathBuf,
}

/// What a tag meant.
#[derive(Serialize, Deserialize)]
struct Seen {
    reference: String,
    digest: Digest,
}

impl Store {
    pub(super) fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// Where the pack of an image is.
    pub(super) fn pack(&self, kind: Kind, manifest: &Digest) -> PathBuf {
        self.root.join("packs").join(kind.name()).join(manifest.algorithm()).join(manifest.hex())
    }

    /// A file that is gone unless it is moved to its place.
    pub(super) fn temporary(&self) -> Result<NamedTempFile, ErrorKind> {
        let folder = self.root.join("tmp");
        make_folder(&folder)?;
        NamedTempFile::new_in(&folder).map_err(|error| ErrorKind::io(folder, error))
    }

    /// A manifest or a configuration. One that is damaged is as good as none.
    pub(super) fn blob(&self, digest: &Digest) -> Result<Option<Vec<u8>>, ErrorKind> {
        let path = self.blob_path(digest);
        Ok(read(&path)?.filter(|bytes| check("", digest, bytes).is_ok()))
    }

    /// Keeps a manifest or a configuration whose digest has been checked.
    pub(super) fn put_blob(&self, digest: &Digest, bytes: &[u8]) -> Result<(), ErrorKind> {
        self.put(&self.blob_path(digest), bytes)
    }

    /// What a tag meant when it was last looked up.
    pub(super) fn seen(&self, reference: &Reference) -> Result<Option<Digest>, ErrorKind> {
        let seen = read(&self.seen_path(reference))?.and_then(|bytes| serde_json::from_slice::<Seen>(&bytes).ok());
        Ok(seen.filter(|seen| seen.reference == reference.to_string()).map(|seen| seen.digest))
    }

    /// Remembers what a tag means.
    pub(super) fn put_seen(&self, reference: &Reference, digest: &Digest) -> Result<(), ErrorKind> {
        let path = self.seen_path(reference);
        let seen = Seen { reference: reference.to_string(), digest: digest.clone() };
        let bytes = serde_json::to_vec(&seen).map_err(|error| ErrorKind::io(&path, error.into()))?;
        self.put(&path, &bytes)
    }

    fn put(&self, path: &Path, bytes: &[u8]) -> Result<(), ErrorKind> {
        let mut file = self.temporary()?;
        file.write_all(bytes).map_err(|error| ErrorKind::io(path, error))?;
        make_parent(path)?;
        file.persist(path).map_err(|error| ErrorKind::io(path, error.error))?;
        Ok(())
    }

    fn blob_path(&self, digest: &Digest) -> PathBuf {
        self.root.join("blobs").join(digest.algorithm()).join(digest.hex())
    }

    fn seen_path(&self, reference: &Reference) -> PathBuf {
        self.root.join("references").join(Digest::sha256(reference.to_string().as_bytes()).hex())
    }
}

/// Makes the folder that a file goes into.
pub(super) fn make_parent(path: &Path) -> Result<(), ErrorKind> {
    path.parent().map_or(Ok(()), make_folder)
}

fn make_folder(path: &Path) -> Result<(), ErrorKind> {
    fs::create_dir_all(path).map_err(|error| ErrorKind::io(path, error))
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, ErrorKind> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == Io::NotFound => Ok(None),
        Err(error) => Err(ErrorKind::io(path, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_back_what_was_put_in_and_nothing_that_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path().join("deep/store"));
        let digest = Digest::sha256(b"bytes");
        assert!(store.blob(&digest).unwrap().is_none());
        store.put_blob(&digest, b"bytes").unwrap();
        assert_eq!(store.blob(&digest).unwrap().as_deref(), Some(b"bytes".as_slice()));
        fs::write(store.blob_path(&digest), b"other").unwrap();
        assert!(store.blob(&digest).unwrap().is_none());

        let reference = Reference::parse("quay.io/a:v1").unwrap();
        assert!(store.seen(&reference).unwrap().is_none());
        store.put_seen(&reference, &digest).unwrap();
        assert_eq!(store.seen(&reference).unwrap(), Some(digest));
        assert!(store.seen(&Reference::parse("quay.io/a:v2").unwrap()).unwrap().is_none());
        fs::write(store.seen_path(&reference), b"{").unwrap();
        assert!(store.seen(&reference).unwrap().is_none());
        assert_eq!(fs::read_dir(folder.path().join("deep/store/tmp")).unwrap().count(), 0);
    }
}
