//! Runs the examples of the documentation: of each block marked `console`, the commands after `$ `, and compares what comes out.
//!
//! `UPDATE_GOLDEN=1` writes what comes out into the documents: read the difference before committing it.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests start programs, make files and look at the environment"
)]

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn documents() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md")];
    let pages = std::fs::read_dir(root().join("docs")).unwrap().map(|e| e.unwrap().path());
    found.extend(pages.filter(|p| p.extension().is_some_and(|e| e == "md")));
    found.sort();
    found
}

/// The block with its commands run: what it should say.
fn rerun(block: &str, home: &Path) -> String {
    let mut text = String::new();
    for command in block.lines().filter_map(|l| l.strip_prefix("$ ")) {
        let program = Path::new(env!("CARGO_BIN_EXE_olmplan"));
        let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
        let output = Command::new("sh")
            .args(["-c", command])
            .current_dir(root())
            .env_clear()
            .env("PATH", path)
            .env("HOME", home)
            .output()
            .unwrap();
        text.push_str(&format!("$ {command}\n{}", String::from_utf8_lossy(&output.stdout)));
        let code = output.status.code().unwrap_or(-1);
        if code != 0 {
            text.push_str(&format!("[exit code {code}]\n"));
        }
    }
    text
}

#[test]
fn the_examples_say_what_comes_out() {
    let home = tempfile::tempdir().unwrap();
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut ran = 0;
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        let mut now = String::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once("```console\n") {
            let (block, after) = after.split_once("```").expect("a block ends");
            now.push_str(&format!("{before}```console\n{}```", rerun(block, home.path())));
            rest = after;
            ran += 1;
        }
        now.push_str(rest);
        if now != text && update {
            std::fs::write(&document, &now).unwrap();
        } else if now != text {
            let diff = similar::TextDiff::from_lines(text.as_str(), now.as_str());
            panic!("{}:\n{}", document.display(), diff.unified_diff().header("written", "comes out"));
        }
    }
    assert!(ran > 0, "no example was run");
}

#[test]
fn links_lead_somewhere() {
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        for target in text.split("](").skip(1).filter_map(|t| t.split(')').next()) {
            let target = target.split('#').next().unwrap();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            let at = document.parent().unwrap().join(target);
            assert!(at.exists(), "{} points to {target}", document.display());
        }
    }
}
