//! Where a catalog's files come from: [`Files`], with an implementation in memory and one for a plain folder.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// No catalog has a file larger than this; one that claims to is refused unread.
const MAX_FILE: u64 = 4 << 30;

/// A file of a catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileInfo {
    /// Its path from the catalog's root, with `/` between its parts.
    pub path: String,
    /// Its length in bytes.
    pub len: u64,
    /// Something that changes when the file does, where that is known.
    pub stamp: Option<u128>,
}

/// The files of one catalog. Implementations hold no more than a file at a time in memory.
pub trait Files: Send + Sync {
    /// Every file, and every symbolic link as a file, sorted by path.
    fn list(&self) -> Vec<FileInfo>;

    /// The whole of a file.
    ///
    /// # Errors
    /// Where there is no such file, or it cannot be read: a link that leads nowhere, to a folder, or out of the catalog.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// `len` bytes of a file from `offset` on.
    ///
    /// # Errors
    /// As [`Files::read`], and where the file is shorter.
    fn read_range(&self, path: &str, offset: u64, len: u64) -> io::Result<Vec<u8>>;

    /// A name for the content: equal only where every byte is, such as the image's digest. An index is cached under it, and
    /// not at all where it is `None`.
    fn identity(&self) -> Option<String>;
}

/// Files held in memory.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// The files by path.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl<P: Into<String>, B: Into<Vec<u8>>> FromIterator<(P, B)> for Memory {
    fn from_iter<I: IntoIterator<Item = (P, B)>>(files: I) -> Self {
        Self { files: files.into_iter().map(|(path, bytes)| (path.into(), bytes.into())).collect() }
    }
}

impl Files for Memory {
    fn list(&self) -> Vec<FileInfo> {
        let info = |(path, bytes): (&String, &Vec<u8>)| FileInfo { path: path.clone(), len: bytes.len() as u64, stamp: None };
        self.files.iter().map(info).collect()
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.files.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn read_range(&self, path: &str, offset: u64, len: u64) -> io::Result<Vec<u8>> {
        let bytes = self.files.get(path).ok_or(io::ErrorKind::NotFound)?;
        let range = usize::try_from(offset).ok().zip(offset.checked_add(len).and_then(|end| usize::try_from(end).ok()));
        let part = range.and_then(|(start, end)| bytes.get(start..end));
        part.map(<[u8]>::to_vec).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    fn identity(&self) -> Option<String> {
        let mut hash = Sha256::new();
        for (path, bytes) in &self.files {
            hash.update((path.len() as u64).to_le_bytes());
            hash.update(path);
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        }
        Some(format!("memory:{:x}", hash.finalize()))
    }
}

/// A plain folder. Symbolic links are followed as far as files within it.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    entries: BTreeMap<String, Entry>,
}

#[derive(Debug)]
struct Entry {
    path: PathBuf,
    info: FileInfo,
    link: bool,
    /// Which file it is, and when it was last changed in any way: tells apart what length and time of writing do not.
    inode: u128,
}

#[cfg(unix)]
fn inode(metadata: &std::fs::Metadata) -> u128 {
    use std::os::unix::fs::MetadataExt;
    let changed = metadata.ctime().unsigned_abs().wrapping_mul(1_000_000_000).wrapping_add(metadata.ctime_nsec().unsigned_abs());
    u128::from(metadata.ino()) << 64 | u128::from(changed)
}

#[cfg(not(unix))]
fn inode(_: &std::fs::Metadata) -> u128 {
    0
}

impl Folder {
    /// The folder at `root`, or the file as the only one of a folder.
    ///
    /// # Errors
    /// Where the folder or one below it cannot be read.
    pub fn open(root: &Path) -> io::Result<Self> {
        let root = root.canonicalize()?;
        let mut entries = BTreeMap::new();
        for entry in walkdir::WalkDir::new(&root).follow_links(false) {
            let entry = entry?;
            if entry.file_type().is_dir() {
                continue;
            }
            let parts: Vec<_> =
                entry.path().strip_prefix(&root).unwrap_or(entry.path()).iter().map(|p| p.to_string_lossy()).collect();
            let path = match parts.is_empty() {
                true => entry.file_name().to_string_lossy().into_owned(),
                false => parts.join("/"),
            };
            let metadata = if entry.path_is_symlink() { entry.path().metadata().ok() } else { Some(entry.metadata()?) };
            let since = metadata.as_ref().and_then(|m| m.modified().ok()).and_then(|t| t.duration_since(UNIX_EPOCH).ok());
            let info = FileInfo {
                path: path.clone(),
                len: metadata.as_ref().map_or(0, std::fs::Metadata::len),
                stamp: since.map(|s| s.as_nanos()),
            };
            let inode = metadata.as_ref().map_or(0, inode);
            entries.insert(path, Entry { link: entry.path_is_symlink(), path: entry.into_path(), info, inode });
        }
        Ok(Self { root, entries })
    }

    fn file(&self, path: &str) -> io::Result<std::fs::File> {
        let entry = self.entries.get(path).ok_or(io::ErrorKind::NotFound)?;
        if entry.link && !entry.path.canonicalize()?.starts_with(&self.root) {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the symbolic link leaves the folder"));
        }
        let metadata = entry.path.metadata()?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        if metadata.len() > MAX_FILE {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        std::fs::File::open(&entry.path)
    }
}

impl Files for Folder {
    fn list(&self) -> Vec<FileInfo> {
        self.entries.values().map(|e| e.info.clone()).collect()
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let mut file = self.file(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn read_range(&self, path: &str, offset: u64, len: u64) -> io::Result<Vec<u8>> {
        let mut file = self.file(path)?;
        // What the file does not hold is never made room for.
        let end = offset.checked_add(len).ok_or(io::ErrorKind::UnexpectedEof)?;
        if end > file.metadata()?.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        file.seek(SeekFrom::Start(offset))?;
        let mut bytes = vec![0; usize::try_from(len).map_err(|_| io::ErrorKind::FileTooLarge)?];
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn identity(&self) -> Option<String> {
        let mut hash = Sha256::new();
        hash.update(self.root.as_os_str().as_encoded_bytes());
        for entry in self.entries.values() {
            let FileInfo { path, len, stamp } = &entry.info;
            hash.update((path.len() as u64).to_le_bytes());
            hash.update(path);
            hash.update(len.to_le_bytes());
            hash.update((*stamp)?.to_le_bytes());
            hash.update(entry.inode.to_le_bytes());
        }
        Some(format!("folder:{:x}", hash.finalize()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_ranges() {
        let files: Memory = [("a", b"hello".to_vec())].into_iter().collect();
        assert_eq!(files.read_range("a", 1, 3).unwrap(), b"ell");
        assert!(files.read_range("a", 3, 3).is_err());
        assert!(files.read_range("a", u64::MAX, 3).is_err());
        assert!(files.read_range("b", 0, 0).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn follows_links_within_the_folder_only() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        std::fs::create_dir_all(root.join("sub")).unwrap();
        for (path, text) in [("root/a.yaml", "in"), ("outside.yaml", "out")] {
            io::Write::write_all(&mut std::fs::File::create(dir.path().join(path)).unwrap(), text.as_bytes()).unwrap();
        }
        for (name, target) in [("in", "a.yaml"), ("out", "../outside.yaml"), ("dir", "sub"), ("gone", "nowhere")] {
            std::os::unix::fs::symlink(target, root.join(name)).unwrap();
        }
        let folder = Folder::open(&root).unwrap();
        let paths: Vec<_> = folder.list().into_iter().map(|f| f.path).collect();
        assert_eq!(paths, ["a.yaml", "dir", "gone", "in", "out"]);
        assert_eq!(folder.read("in").unwrap(), b"in");
        assert_eq!(folder.read("out").unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(folder.read("dir").unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert_eq!(folder.read("gone").unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(folder.read_range("a.yaml", 0, 1 << 30).is_err());
        assert_eq!(folder.read_range("a.yaml", 1, 1).unwrap(), b"n");
        assert_eq!(Folder::open(&root.join("a.yaml")).unwrap().read("a.yaml").unwrap(), b"in");
    }
}
