//! A plain folder in place of an image: its files as they are, nothing copied.

use std::fs::{self, File, FileType, Metadata};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::content::{Entry, EntryKind};
use super::digest::Hasher;
use super::error::ErrorKind;
use super::pack::read_exact_at;
use super::path::compare;
use super::settings::Limits;

/// A folder as it was found.
#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
    pub(super) entries: Vec<Entry>,
    pub(super) identity: String,
}

impl Folder {
    /// Lists a folder. Links are followed within it; one that leads out of it is an entry that cannot be read.
    pub(super) fn open(path: &Path, limits: &Limits) -> Result<Self, ErrorKind> {
        let root = fs::canonicalize(path).map_err(|error| ErrorKind::io(path, error))?;
        let mut found: Vec<Entry> = Vec::new();
        for item in walkdir::WalkDir::new(&root).min_depth(1).follow_links(false).max_open(16) {
            let item = item.map_err(|error| {
                let at = error.path().unwrap_or(path).to_owned();
                ErrorKind::io(at, error.into())
            })?;
            let Some(name) = item.path().strip_prefix(&root).ok().and_then(slashed) else {
                return Err(ErrorKind::malformed(item.path().display().to_string(), "the name is not UTF-8"));
            };
            let metadata = item.metadata().map_err(|error| ErrorKind::io(item.path(), error.into()))?;
            found.push(entry(&root, item.path(), name, item.file_type(), &metadata));
            if found.len() > limits.files {
                return Err(ErrorKind::TooLarge { what: "the files of the folder".to_owned(), limit: limits.files as u64 });
            }
        }
        found.sort_by(|left, right| compare(&left.path, &right.path));
        let identity = identity(&found);
        Ok(Self { root, entries: found, identity })
    }

    /// Some of a file's bytes, as they are now; a file that has become shorter is an error.
    pub(super) fn read(&self, path: &str, offset: u64, len: u64) -> Result<Vec<u8>, ErrorKind> {
        let full = self.root.join(path);
        let failed = |error| ErrorKind::io(&full, error);
        let real = fs::canonicalize(&full).map_err(failed)?;
        if !real.starts_with(&self.root) {
            return Err(ErrorKind::Unreadable { path: path.to_owned(), reason: "it leads out of the folder".to_owned() });
        }
        let file = File::open(&real).map_err(failed)?;
        let mut bytes = vec![0; usize::try_from(len).unwrap_or(usize::MAX)];
        read_exact_at(&file, &mut bytes, offset).map_err(failed)?;
        Ok(bytes)
    }
}

fn slashed(path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.components().map(|part| part.as_os_str().to_str()).collect();
    Some(parts?.join("/"))
}

fn entry(root: &Path, full: &Path, name: String, kind: FileType, metadata: &Metadata) -> Entry {
    let unreadable = |reason: &str| (EntryKind::Unreadable(reason.to_owned()), 0, None);
    let (kind, len, stamp) = if kind.is_dir() {
        (EntryKind::Directory, 0, None)
    } else if kind.is_file() {
        (EntryKind::File, metadata.len(), modified(metadata))
    } else if kind.is_symlink() {
        match fs::canonicalize(full).and_then(|real| Ok((fs::metadata(&real)?, real))) {
            Err(_) => unreadable("it is a link that leads nowhere"),
            Ok((_, real)) if !real.starts_with(root) => unreadable("it is a link that leads out of the folder"),
            Ok((target, _)) if target.is_file() => (EntryKind::File, target.len(), modified(&target)),
            Ok((target, _)) if target.is_dir() => unreadable("it is a link to a directory"),
            Ok(_) => unreadable("it is a link to what is neither a file nor a directory"),
        }
    } else {
        unreadable("it is neither a file nor a directory")
    };
    Entry { path: name, len, kind, stamp }
}

fn modified(metadata: &Metadata) -> Option<u128> {
    let time = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    time.map(|time| time.as_nanos())
}

fn identity(found: &[Entry]) -> String {
    let mut hasher = Hasher::sha256();
    for entry in found {
        let kind = match &entry.kind {
            EntryKind::File => "f",
            EntryKind::Directory => "d",
            EntryKind::Unreadable(_) => "u",
        };
        hasher.update(format!("{kind} {} {} {} ", entry.len, entry.stamp.unwrap_or_default(), entry.path.len()).as_bytes());
        hasher.update(entry.path.as_bytes());
    }
    format!("folder:{}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        fs::write(folder.path().join("a/b/one.yaml"), "one").unwrap();
        fs::write(folder.path().join("a-two.yaml"), "two").unwrap();
        folder
    }

    #[test]
    fn shows_files_as_they_are() {
        let folder = folder();
        let open = || Folder::open(folder.path(), &Limits::default()).unwrap();
        let found = open();
        assert_eq!(
            found.entries.iter().map(|entry| entry.path.as_str()).collect::<Vec<_>>(),
            ["a", "a/b", "a/b/one.yaml", "a-two.yaml"]
        );
        assert_eq!(found.read("a/b/one.yaml", 1, 2).unwrap(), b"ne");
        assert_eq!(found.identity, open().identity);
        fs::write(folder.path().join("a-two.yaml"), "three").unwrap();
        assert_ne!(found.identity, open().identity);
    }

    #[test]
    fn too_many_files_are_refused() {
        let limits = Limits { files: 3, ..Limits::default() };
        assert!(matches!(Folder::open(folder().path(), &limits), Err(ErrorKind::TooLarge { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out() {
        use std::os::unix::fs::symlink;
        let outside = folder();
        let folder = folder();
        symlink(outside.path().join("a-two.yaml"), folder.path().join("out")).unwrap();
        symlink("a/b/one.yaml", folder.path().join("in")).unwrap();
        symlink("a", folder.path().join("dir")).unwrap();
        symlink("nothing", folder.path().join("gone")).unwrap();
        let found = Folder::open(folder.path(), &Limits::default()).unwrap();
        let kind = |path: &str| found.entries.iter().find(|entry| entry.path == path).unwrap().kind.clone();
        assert_eq!(kind("in"), EntryKind::File);
        assert_eq!(found.read("in", 0, 3).unwrap(), b"one");
        assert_eq!(kind("out"), EntryKind::Unreadable("it is a link that leads out of the folder".to_owned()));
        assert_eq!(kind("dir"), EntryKind::Unreadable("it is a link to a directory".to_owned()));
        assert_eq!(kind("gone"), EntryKind::Unreadable("it is a link that leads nowhere".to_owned()));
        assert!(found.read("out", 0, 3).is_err());
    }
}
