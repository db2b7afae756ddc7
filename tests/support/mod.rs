//! What several tests need: the program in a clean environment, and Git with a pinned identity and time.

#![allow(
    dead_code,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout
)]

pub mod demo;

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The program, deaf to the environment of whoever runs the tests, its store and home below `home`.
pub fn olmplan(home: &Path, folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_olmplan"));
    command.current_dir(folder).env_clear().env("HOME", home).env("XDG_CACHE_HOME", home.join("cache"));
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("COLUMNS", "100");
    command
}

/// Whether a program is there; a run that has to be complete (`CI=true`) insists on it.
pub fn has_program(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    assert!(found || std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{program} is not installed");
    if !found {
        println!("skipped: {program} is not installed");
    }
    found
}

/// Runs `git` in `folder`, and insists that it works.
pub fn git(folder: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "init.defaultBranch=main", "-c", "commit.gpgSign=false", "-c", "core.hooksPath=/dev/null"])
        .args(arguments)
        .current_dir(folder)
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .envs([("GIT_AUTHOR_NAME", "T"), ("GIT_AUTHOR_EMAIL", "t@example.com"), ("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z")])
        .envs([
            ("GIT_COMMITTER_NAME", "T"),
            ("GIT_COMMITTER_EMAIL", "t@example.com"),
            ("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z"),
        ])
        .envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null")])
        .output()
        .expect("git runs");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Copies a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The exit code, stdout and stderr of a finished program, as text.
pub fn parts(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}
