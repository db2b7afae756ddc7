//! Revisions, read with the `git` program's plumbing: no checkout, no index, no hooks.

use super::Error;
use super::source::SourceFile;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A file larger than this is no manifest.
const MAX_FILE: u64 = 64 << 20;

/// A Git repository with a work tree.
#[derive(Debug, Clone)]
pub struct Repository {
    root: PathBuf,
}

impl Repository {
    /// The repository that `path` stands in; `None` where it stands in none.
    ///
    /// # Errors
    /// Where `git` cannot be run.
    pub fn of(path: &Path) -> Result<Option<Self>, Error> {
        let folder =
            if path.is_dir() { path } else { path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")) };
        let output = git(folder).args(["rev-parse", "--show-toplevel"]).output().map_err(|source| Error::NoGit { source })?;
        if !output.status.success() {
            return Ok(None);
        }
        let root = String::from_utf8_lossy(&output.stdout).trim_end_matches(['\n', '\r']).to_owned();
        Ok(Some(Self { root: PathBuf::from(root) }))
    }

    /// The top folder of the work tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The commit that `revision` names, in full.
    ///
    /// # Errors
    /// Where Git knows no such revision.
    pub fn commit(&self, revision: &str) -> Result<String, Error> {
        let spec = format!("{revision}^{{commit}}");
        let output = git(&self.root)
            .args(["rev-parse", "--verify", "--quiet", "--end-of-options", &spec])
            .output()
            .map_err(|source| Error::NoGit { source })?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
        }
        let shallow =
            git(&self.root).args(["rev-parse", "--is-shallow-repository"]).output().is_ok_and(|o| o.stdout.starts_with(b"true"));
        Err(Error::UnknownRevision { revision: revision.to_owned(), shallow })
    }

    /// The files of `commit` below `prefix` (a path relative to the root, `/` between its parts, empty for all) that `wanted`
    /// accepts by path. Links and submodules are left out.
    ///
    /// # Errors
    /// Where `git` fails.
    pub fn files(&self, commit: &str, prefix: &str, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<SourceFile>, Error> {
        let entries = self.entries(commit, prefix)?;
        let entries: Vec<_> = entries.into_iter().filter(|e| wanted(&e.path)).collect();
        self.blobs(entries)
    }

    fn entries(&self, commit: &str, prefix: &str) -> Result<Vec<Entry>, Error> {
        let mut command = git(&self.root);
        command.args(["ls-tree", "-r", "-z", "-l", "--full-tree", commit]);
        if !prefix.is_empty() {
            command.args(["--", prefix]);
        }
        let output = command.output().map_err(|source| Error::NoGit { source })?;
        if !output.status.success() {
            return Err(failed("ls-tree", &output.stderr));
        }
        Ok(output.stdout.split(|b| *b == 0).filter_map(Entry::parse).collect())
    }

    fn blobs(&self, entries: Vec<Entry>) -> Result<Vec<SourceFile>, Error> {
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        let mut child = git(&self.root)
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|source| Error::NoGit { source })?;
        let broken = |message: &str| Error::Git { command: "cat-file".to_owned(), message: message.to_owned() };
        let mut stdin = child.stdin.take().ok_or_else(|| broken("no input"))?;
        let stdout = child.stdout.take().ok_or_else(|| broken("no output"))?;
        let request: String = entries.iter().map(|e| format!("{}\n", e.object)).collect();
        let writer = std::thread::spawn(move || stdin.write_all(request.as_bytes()));
        let mut reader = BufReader::with_capacity(1 << 16, stdout);
        let mut files = Vec::with_capacity(entries.len());
        for entry in entries {
            let bytes = read_blob(&mut reader).map_err(|e| broken(&e.to_string()))?;
            files.push(SourceFile { path: entry.path, bytes });
        }
        drop(reader);
        let _ = writer.join();
        let _ = child.wait();
        Ok(files)
    }
}

struct Entry {
    object: String,
    path: String,
}

impl Entry {
    /// `MODE SP TYPE SP OBJECT SP+ SIZE TAB PATH`, as `git ls-tree -l` writes it.
    fn parse(line: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?;
        let (meta, path) = line.split_once('\t')?;
        let mut words = meta.split_ascii_whitespace();
        let (mode, kind, object, size) = (words.next()?, words.next()?, words.next()?, words.next()?);
        let plain = kind == "blob" && mode.starts_with("100");
        (plain && size.parse::<u64>().is_ok_and(|s| s <= MAX_FILE))
            .then(|| Self { object: object.to_owned(), path: path.to_owned() })
    }
}

/// One answer of `git cat-file --batch`: `OBJECT SP TYPE SP SIZE LF`, the bytes, LF.
fn read_blob(reader: &mut impl BufRead) -> std::io::Result<Vec<u8>> {
    let mut header = String::new();
    reader.read_line(&mut header)?;
    let size: usize = header
        .trim_end()
        .rsplit(' ')
        .next()
        .and_then(|s| s.parse().ok())
        .ok_or_else(|| std::io::Error::other(format!("unexpected answer {:?}", header.trim_end())))?;
    let mut bytes = vec![0; size];
    reader.read_exact(&mut bytes)?;
    let mut newline = [0];
    reader.read_exact(&mut newline)?;
    Ok(bytes)
}

fn failed(command: &str, stderr: &[u8]) -> Error {
    Error::Git { command: command.to_owned(), message: String::from_utf8_lossy(stderr).trim().to_owned() }
}

/// `git` in `folder`, deaf to the environment of a hook that may have started us, and never asking anything.
#[allow(clippy::disallowed_methods)]
fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"] {
        command.env_remove(variable);
    }
    command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
    command.arg("-c").arg("core.quotePath=false").current_dir(folder).stdin(Stdio::null());
    command
}
