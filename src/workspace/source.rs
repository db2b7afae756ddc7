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

/// Where the files of one side of a comparison come from.
#[derive(Debug, Clone)]
pub enum Source {
    /// Files and folders on disk. Findings name paths relative to `root`.
    Disk {
        /// What the paths in the answer are relative to.
        root: PathBuf,
        /// What to read, each a file or folder.
        paths: Vec<PathBuf>,
    },
    /// The same paths as of a commit.
    Revision {
        /// The repository.
        repository: Repository,
        /// The commit, in full.
        commit: String,
        /// What to read, relative to the repository's root; empty for all.
        prefixes: Vec<String>,
        /// What the paths in the answer are relative to, as a path relative to the repository's root; empty for that root.
        root: String,
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
            Self::Disk { root, paths } => {
                let mut files = Vec::new();
                for path in paths {
                    read_path(root, path, wanted, &mut files)?;
                }
                files
            }
            Self::Revision { repository, commit, prefixes, root } => {
                let mut files = Vec::new();
                for prefix in prefixes {
                    files.extend(repository.files(commit, prefix, &|p| wanted(p) && !skipped(p))?);
                }
                for file in &mut files {
                    if let Some(rest) = file.path.strip_prefix(root.as_str()) {
                        file.path = rest.trim_start_matches('/').to_owned();
                    }
                }
                files
            }
        };
        files.sort_by(|a: &SourceFile, b| a.path.cmp(&b.path));
        files.dedup_by(|a, b| a.path == b.path);
        Ok(files)
    }
}

fn skipped(path: &str) -> bool {
    path.split('/').any(|part| SKIPPED.contains(&part))
}

#[allow(clippy::disallowed_methods)]
fn read_path(root: &Path, path: &Path, wanted: &dyn Fn(&str) -> bool, files: &mut Vec<SourceFile>) -> Result<(), Error> {
    let metadata = std::fs::metadata(path).map_err(|e| missing_or_io(path, e))?;
    if metadata.is_file() {
        // A file that is named outright is read whatever it is called.
        let bytes = std::fs::read(path).map_err(|source| Error::Io { path: path.to_owned(), source })?;
        files.push(SourceFile { path: relative(root, path), bytes });
        return Ok(());
    }
    let walk = walkdir::WalkDir::new(path).sort_by_file_name().into_iter().filter_entry(|e| {
        e.depth() == 0 || !e.file_type().is_dir() || !e.file_name().to_str().is_some_and(|n| SKIPPED.contains(&n))
    });
    for entry in walk {
        let entry = entry.map_err(|e| Error::Io {
            path: e.path().unwrap_or(path).to_owned(),
            source: e.into_io_error().unwrap_or_else(|| std::io::Error::other("a loop of links")),
        })?;
        if !entry.file_type().is_file() {
            continue;
        }
        let name = relative(root, entry.path());
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

/// `path` relative to `root`, with `/` between its parts and no `.` among them.
fn relative(root: &Path, path: &Path) -> String {
    let rest = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<_> = rest
        .components()
        .filter(|c| !matches!(c, std::path::Component::CurDir))
        .map(|c| c.as_os_str().to_string_lossy().into_owned())
        .collect();
    parts.join("/")
}
