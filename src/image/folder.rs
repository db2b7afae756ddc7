//! A plain folder in place of an image: its files as they are, nothing copied.

use std::fs::{self, DirEntry, File, Metadata};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::UNIX_EPOCH;

use super::content::{Entry, EntryKind};
use super::digest::Hasher;
use super::error::ErrorKind;
use super::pack::read_exact_at;
use super::path::compare;
use super::settings::Limits;
use crate::parallel;

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
        let walk = Walk { root: &root, limit: limits.files, count: AtomicUsize::new(0) };
        let mut found: Vec<Found> = Vec::new();
        let mut level = vec![String::new()];
        while !level.is_empty() {
            let mut below = Vec::new();
            for listed in parallel::map(level, FOLDERS_A_THREAD, |folder| walk.list(&folder)) {
                below.append(&mut listed?);
            }
            let is_folder = |found: &&Found| found.entry.kind == EntryKind::Directory;
            level = below.iter().filter(is_folder).map(|found| found.entry.path.clone()).collect();
            found.append(&mut below);
        }
        found.sort_unstable_by(|left, right| compare(&left.entry.path, &right.entry.path));
        let identity = identity(&found);
        Ok(Self { root, entries: found.into_iter().map(|found| found.entry).collect(), identity })
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

/// An entry, and which file it is and when it was last changed in any way: that tells apart what length and time of writing do not.
struct Found {
    entry: Entry,
    change: u128,
}

/// A walk through a folder, level by level.
struct Walk<'a> {
    root: &'a Path,
    limit: usize,
    count: AtomicUsize,
}

/// Fewer folders than this are listed sooner than a thread is started.
const FOLDERS_A_THREAD: usize = 64;

impl Walk<'_> {
    /// What is in a folder.
    fn list(&self, folder: &str) -> Result<Vec<Found>, ErrorKind> {
        let at = if folder.is_empty() { self.root.to_owned() } else { self.root.join(folder) };
        let mut found = Vec::new();
        for item in fs::read_dir(&at).map_err(|error| ErrorKind::io(&at, error))? {
            let item = item.map_err(|error| ErrorKind::io(&at, error))?;
            if self.count.fetch_add(1, Ordering::Relaxed) >= self.limit {
                return Err(ErrorKind::TooLarge { what: "the files of the folder".to_owned(), limit: self.limit as u64 });
            }
            found.push(self.found(folder, &item)?);
        }
        Ok(found)
    }

    fn found(&self, folder: &str, item: &DirEntry) -> Result<Found, ErrorKind> {
        let name = item.file_name();
        let Some(name) = name.to_str() else {
            return Err(ErrorKind::malformed(item.path().display().to_string(), "the name is not UTF-8"));
        };
        let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        let failed = |error| ErrorKind::io(item.path(), error);
        let kind = item.file_type().map_err(failed)?;
        let found = |kind, metadata: Option<&Metadata>| Found {
            entry: Entry { path, len: metadata.map_or(0, Metadata::len), kind, stamp: metadata.and_then(modified) },
            change: metadata.map_or(0, change),
        };
        let unreadable = |reason: &str| EntryKind::Unreadable(reason.to_owned());
        Ok(if kind.is_dir() {
            found(EntryKind::Directory, None)
        } else if kind.is_file() {
            found(EntryKind::File, Some(&item.metadata().map_err(failed)?))
        } else if kind.is_symlink() {
            match fs::canonicalize(item.path()).and_then(|real| Ok((fs::metadata(&real)?, real))) {
                Err(_) => found(unreadable("it is a link that leads nowhere"), None),
                Ok((_, real)) if !real.starts_with(self.root) => {
                    found(unreadable("it is a link that leads out of the folder"), None)
                }
                Ok((target, _)) if target.is_file() => found(EntryKind::File, Some(&target)),
                Ok((target, _)) if target.is_dir() => found(unreadable("it is a link to a directory"), None),
                Ok(_) => found(unreadable("it is a link to what is neither a file nor a directory"), None),
            }
        } else {
            found(unreadable("it is neither a file nor a directory"), None)
        })
    }
}

fn modified(metadata: &Metadata) -> Option<u128> {
    let time = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    time.map(|time| time.as_nanos())
}

#[cfg(unix)]
fn change(metadata: &Metadata) -> u128 {
    use std::os::unix::fs::MetadataExt as _;
    let time = metadata.ctime().unsigned_abs().wrapping_mul(1_000_000_000).wrapping_add(metadata.ctime_nsec().unsigned_abs());
    u128::from(metadata.ino()) << 64 | u128::from(time)
}

#[cfg(not(unix))]
fn change(_: &Metadata) -> u128 {
    0
}

fn identity(found: &[Found]) -> String {
    let mut hasher = Hasher::sha256();
    for Found { entry, change } in found {
        let kind = match &entry.kind {
            EntryKind::File => "f",
            EntryKind::Directory => "d",
            EntryKind::Unreadable(_) => "u",
        };
        let stamp = entry.stamp.unwrap_or_default();
        hasher.update(format!("{kind} {} {stamp} {change} {} ", entry.len, entry.path.len()).as_bytes());
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

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_changed_back_to_its_time_is_another() {
        let folder = folder();
        let path = folder.path().join("a-two.yaml");
        let open = || Folder::open(folder.path(), &Limits::default()).unwrap().identity;
        let (before, time) = (open(), fs::metadata(&path).unwrap().modified().unwrap());
        let file = File::options().write(true).open(&path).unwrap();
        // The clock of a file system may tick a hundred times a second.
        std::thread::sleep(std::time::Duration::from_millis(20));
        std::io::Write::write_all(&mut &file, b"TWO").unwrap();
        file.set_modified(time).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), time);
        assert_ne!(open(), before);
    }

    #[test]
    fn many_folders_are_listed_as_few_are() {
        let folder = tempfile::tempdir().unwrap();
        for n in 0..300 {
            fs::create_dir_all(folder.path().join(format!("{n}/x/y"))).unwrap();
            fs::write(folder.path().join(format!("{n}/x/y/z")), n.to_string()).unwrap();
        }
        let found = Folder::open(folder.path(), &Limits::default()).unwrap();
        assert_eq!(found.entries.len(), 1200);
        assert!(found.entries.windows(2).all(|pair| compare(&pair[0].path, &pair[1].path).is_lt()));
        assert_eq!(found.read("7/x/y/z", 0, 1).unwrap(), b"7");
        assert_eq!(found.identity, Folder::open(folder.path(), &Limits::default()).unwrap().identity);
        let limits = Limits { files: 1199, ..Limits::default() };
        assert!(matches!(Folder::open(folder.path(), &limits), Err(ErrorKind::TooLarge { .. })));
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
