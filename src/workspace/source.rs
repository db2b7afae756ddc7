//! Where files come from: a folder, single files, stdin, or a revision. All give the same thing: paths and bytes.

use super::{Error, Repository};
use std::path::{Path, PathBuf};

/// A file larger than this is no manifest.
const MAX_FILE: u64 = 64 << 20;

/// Folders that hold no manifests of the user's own.
const SKIPPED: [&str; 2] = [".git", "node_modules"];

/// A file of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path relative to the workspace's root, with `/` between its parts.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A file or folder to read, and what its files are called in findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Where it is: on disk, or in a revision the path from the repository's root, with `/` between its parts.
    pub at: PathBuf,
    /// What it is called: the path of a file; for a folder what stands before the paths in it, which may be nothing.
    pub shown: String,
}

/// Where the files of one side of a comparison come from.
#[derive(Debug, Clone)]
pub enum Source {
    /// Files and folders on disk.
    Disk(Vec<Root>),
    /// The same as of a commit.
    Revision {
        /// The repository.
        repository: Repository,
        /// The commit, in full.
        commit: String,
        /// What to read. What the commit does not have is passed over.
        roots: Vec<Root>,
    },
    /// Files already in memory: stdin.
    Memory(Vec<SourceFile>),
}

impl Source {
    /// The files whose path `wanted` accepts, sorted by path, each once.
    ///
    /// # Errors
    /// Where a given path is missing or cannot be read, or where `git` fails.
    pub fn files(&self, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<SourceFile>, Error> {
        let mut files = match self {
            Self::Memory(files) => files.iter().filter(|f| wanted(&f.path)).cloned().collect(),
            Self::Disk(roots) => {
                let mut files = Vec::new();
                for root in roots {
                    read_root(root, wanted, &mut files)?;
                }
                files
            }
            Self::Revision { repository, commit, roots } => {
                let mut files = Vec::new();
                for root in roots {
                    let prefix = parts(&root.at).join("/");
                    let found = repository.files(commit, &prefix, &|p| p == prefix || (wanted(p) && !skipped(p)))?;
                    files.extend(found.into_iter().map(|f| SourceFile { path: shown(root, &prefix, &f.path), ..f }));
                }
                files
            }
        };
        files.sort_by(|a: &SourceFile, b| a.path.cmp(&b.path));
        files.dedup_by(|a, b| a.path == b.path);
        Ok(files)
    }
}

/// What a file of a revision is called: `path` and `prefix` are from the repository's root.
fn shown(root: &Root, prefix: &str, path: &str) -> String {
    let rest = path.strip_prefix(prefix).unwrap_or(path).trim_start_matches('/');
    join(&root.shown, rest)
}

fn join(folder: &str, path: &str) -> String {
    match (folder, path) {
        ("", path) => path.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, path) => format!("{folder}/{path}"),
    }
}

fn skipped(path: &str) -> bool {
    path.split('/').any(|part| SKIPPED.contains(&part))
}

#[allow(clippy::disallowed_methods)]
fn read_root(root: &Root, wanted: &dyn Fn(&str) -> bool, files: &mut Vec<SourceFile>) -> Result<(), Error> {
    let metadata = std::fs::metadata(&root.at).map_err(|e| missing_or_io(&root.at, e))?;
    if metadata.is_file() {
        // A file that is named outright is read whatever it is called.
        let bytes = std::fs::read(&root.at).map_err(|source| Error::Io { path: root.at.clone(), source })?;
        files.push(SourceFile { path: root.shown.clone(), bytes });
        return Ok(());
    }
    let walk = walkdir::WalkDir::new(&root.at).sort_by_file_name().into_iter().filter_entry(|e| {
        e.depth() == 0 || !e.file_type().is_dir() || !e.file_name().to_str().is_some_and(|n| SKIPPED.contains(&n))
    });
    for entry in walk {
        let entry = entry.map_err(|e| Error::Io {
            path: e.path().unwrap_or(&root.at).to_owned(),
            source: e.into_io_error().unwrap_or_else(|| std::io::Error::other("a loop of links")),
        })?;
        if !entry.file_type().is_file() {
            continue;
        }
        let rest = entry.path().strip_prefix(&root.at).unwrap_or(entry.path());
        let name = join(&root.shown, &parts(rest).join("/"));
        if !wanted(&name) || entry.metadata().is_ok_and(|m| m.len() > MAX_FILE) {
            continue;
        }
        let bytes = std::fs::read(entry.path()).map_err(|source| Error::Io { path: entry.path().to_owned(), source })?;
        files.push(SourceFile { path: name, bytes });
    }
    Ok(())
}

fn missing_or_io(path: &Path, source: std::io::Error) -> Error {
    if source.kind() == std::io::ErrorKind::NotFound {
        Error::Missing { path: path.to_owned() }
    } else {
        Error::Io { path: path.to_owned(), source }
    }
}

/// The parts of a path, without any `.` among them.
fn parts(path: &Path) -> Vec<String> {
    path.components()
        .filter(|c| !matches!(c, std::path::Component::CurDir))
        .map(|c| c.as_os_str().to_string_lossy().into_owned())
        .collect()
}
