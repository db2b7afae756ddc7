//! A copy of the demo, to change and to run the program on.

use super::{copy, git, olmplan, parts};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A copy of the demo in a folder of its own.
pub struct Demo {
    folder: tempfile::TempDir,
}

impl Demo {
    /// Makes the copy.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/demo"), &folder.path().join("tree"));
        Self { folder }
    }

    /// What the program takes for the user's home.
    pub fn home(&self) -> &Path {
        self.folder.path()
    }

    /// The tree.
    pub fn tree(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    /// Runs the program in the tree; gives exit code, stdout and stderr.
    pub fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        parts(&olmplan(self.folder.path(), &self.tree()).args(arguments).output().unwrap())
    }

    /// The status of each extension in `check`.
    pub fn statuses(&self, arguments: &[&str]) -> Vec<(String, String)> {
        let (_, stdout, stderr) = self.run(&[&["check", "--format", "json"], arguments].concat());
        let report: Value = serde_json::from_str(&stdout).unwrap_or_else(|e| panic!("{e}: {stdout}{stderr}"));
        let text = |v: &Value| v.as_str().unwrap().to_owned();
        report["extensions"].as_array().unwrap().iter().map(|e| (text(&e["extension"]), text(&e["status"]))).collect()
    }

    /// Writes a file of the tree.
    pub fn write(&self, path: &str, text: &str) {
        std::fs::write(self.tree().join(path), text).unwrap();
    }

    /// Reads a file of the tree.
    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.tree().join(path)).unwrap()
    }

    /// Makes the tree a Git repository of one commit.
    pub fn commit(&self) {
        git(&self.tree(), &["init", "--quiet"]);
        git(&self.tree(), &["add", "--all"]);
        git(&self.tree(), &["commit", "--quiet", "-m", "x"]);
    }
}
