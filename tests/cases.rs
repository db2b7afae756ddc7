//! Every folder of `testdata/cases` is a case: the tree, the arguments, and what must come out.
//!
//! | in the folder | is |
//! | --- | --- |
//! | `case.toml` | `args`; `exit` (0 where absent); `stdin`, a file of the tree to feed; `git`, whether it needs Git; `env` |
//! | `tree/` | what the program runs in |
//! | `before/` | where it is there, a Git repository is made: `before/` is tagged `before`, then `tree/` takes its place |
//! | `stdout`, `stderr` | what must come out, to the byte; an absent file means nothing |
//! | `files/` | where it is there: the files that must be in the tree's `out/` afterwards, to the byte |
//!
//! `UPDATE_GOLDEN=1` writes `stdout`, `stderr` and `files/` anew: read the difference before committing it.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests start programs, make files and look at the environment"
)]

mod support;

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use support::{copy, git, has_program, olmplan, parts};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    args: Vec<String>,
    #[serde(default)]
    exit: i32,
    stdin: Option<String>,
    #[serde(default)]
    git: bool,
    #[serde(default)]
    env: BTreeMap<String, String>,
}

fn files(folder: &Path) -> BTreeMap<String, String> {
    fn walk(root: &Path, at: &Path, found: &mut BTreeMap<String, String>) {
        let Ok(entries) = std::fs::read_dir(at) else { return };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, found);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                found.insert(name, String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned());
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(folder, folder, &mut found);
    found
}

/// Runs one case; gives what differs.
fn run(case: &Path, update: bool) -> Vec<String> {
    let text = std::fs::read_to_string(case.join("case.toml")).expect("a case has a case.toml");
    let spec: Case = toml::from_str(&text).expect("case.toml is as the table above says");
    if (case.join("before").is_dir() || spec.git) && !has_program("git") {
        return Vec::new();
    }
    let work = tempfile::tempdir().unwrap();
    let tree = work.path().join("tree");
    std::fs::create_dir_all(&tree).unwrap();
    if case.join("before").is_dir() {
        copy(&case.join("before"), &tree);
        git(&tree, &["init", "--quiet"]);
        git(&tree, &["add", "--all"]);
        git(&tree, &["commit", "--quiet", "--allow-empty", "-m", "before"]);
        git(&tree, &["tag", "before"]);
        git(&tree, &["rm", "--quiet", "-r", "--ignore-unmatch", "."]);
    }
    if case.join("tree").is_dir() {
        copy(&case.join("tree"), &tree);
    }
    let mut command = olmplan(work.path(), &tree);
    command.args(&spec.args).envs(&spec.env).stdin(Stdio::null());
    if let Some(file) = &spec.stdin {
        command.stdin(std::fs::File::open(tree.join(file)).unwrap());
    }
    let (exit, stdout, stderr) = parts(&command.output().expect("the program runs"));
    let mut wrong = Vec::new();
    if exit != spec.exit {
        wrong.push(format!("exit code {exit}, and not {}", spec.exit));
    }
    for (name, got) in [("stdout", &stdout), ("stderr", &stderr)] {
        let golden = case.join(name);
        let want = std::fs::read_to_string(&golden).unwrap_or_default();
        if *got == want {
            continue;
        }
        if update && got.is_empty() {
            std::fs::remove_file(&golden).unwrap();
        } else if update {
            std::fs::write(&golden, got).unwrap();
        } else {
            let diff = similar::TextDiff::from_lines(want.as_str(), got.as_str());
            wrong.push(format!("{name}:\n{}", diff.unified_diff().header("wanted", "got")));
        }
    }
    let golden = case.join("files");
    if golden.is_dir() {
        let (want, got) = (files(&golden), files(&tree.join("out")));
        if want != got && update {
            std::fs::remove_dir_all(&golden).unwrap();
            copy(&tree.join("out"), &golden);
        } else if want != got {
            let differ: Vec<_> = want.keys().chain(got.keys()).filter(|k| want.get(*k) != got.get(*k)).collect();
            wrong.push(format!("these files differ: {differ:?}"));
        }
    }
    wrong
}

#[test]
fn every_case_comes_out_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/cases");
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut cases: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir()).collect();
    cases.sort();
    assert!(!cases.is_empty(), "no case in {}", folder.display());
    let mut wrong = Vec::new();
    for case in &cases {
        for what in run(case, update) {
            wrong.push(format!("{}: {what}", case.file_name().unwrap().to_string_lossy()));
        }
    }
    assert!(wrong.is_empty(), "{} differences in {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
