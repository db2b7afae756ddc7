//! Holds the imports to the flow that `src/lib.rs` draws: a module uses what stands above it, never what stands below.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests start programs, make files and look at the environment"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The modules, in the order of the flow.
const ORDER: &[&str] = &[
    "nearest",
    "go",
    "parallel",
    "place",
    "finding",
    "target",
    "yaml",
    "config",
    "lock",
    "workspace",
    "api",
    "version",
    "image",
    "catalog",
    "resolve",
    "bundle",
    "render",
    "crd",
    "plan",
    "lint",
    "report",
    "cli",
];

/// What only some modules may name, and which.
const OWNED: [(&str, &[&str]); 6] = [
    ("oci_client", &["image"]),
    ("tokio", &["image"]),
    ("rustls", &["image"]),
    ("std::process::Command", &["workspace"]),
    ("println!", &["cli"]),
    ("std::env", &["cli"]),
];

/// Modules that take bytes and values and give values: no disk, no network, no clock.
const PURE: [&str; 6] = ["version", "resolve", "render", "crd", "yaml", "api"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The text of a source file without its tests and comments.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default().to_owned();
    text.lines().filter(|l| !l.trim_start().starts_with("//")).map(|l| format!("{l}\n")).collect()
}

/// Each module's code, by the module's name.
fn modules() -> BTreeMap<String, Vec<(PathBuf, String)>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut modules: BTreeMap<String, Vec<(PathBuf, String)>> = BTreeMap::new();
    for file in files {
        let relative = file.strip_prefix(&root).unwrap();
        let first = relative.components().next().unwrap().as_os_str().to_str().unwrap();
        let name = first.strip_suffix(".rs").unwrap_or(first).to_owned();
        let is_tests = relative.file_stem().is_some_and(|s| s == "tests");
        if name != "lib" && name != "main" && !is_tests {
            modules.entry(name).or_default().push((relative.to_owned(), code(&file)));
        }
    }
    modules
}

#[test]
fn an_arrow_runs_down_or_not_at_all() {
    let mut wrong = Vec::new();
    for (module, files) in modules() {
        let rank = ORDER.iter().position(|m| *m == module).unwrap_or_else(|| panic!("{module} is not in the flow"));
        for (path, code) in files {
            for used in code.split("crate::").skip(1) {
                let used: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                match ORDER.iter().position(|m| *m == used) {
                    Some(other) if other > rank => wrong.push(format!("{} uses {used}", path.display())),
                    _ => {}
                }
            }
        }
    }
    assert!(wrong.is_empty(), "against the flow:\n{}", wrong.join("\n"));
}

#[test]
fn what_one_module_owns_no_other_names() {
    let mut wrong = Vec::new();
    for (module, files) in modules() {
        for (path, code) in files {
            for (name, owners) in OWNED {
                if !owners.contains(&module.as_str()) && code.contains(name) {
                    wrong.push(format!("{} names {name}", path.display()));
                }
            }
            for name in ["std::fs", "std::net", "SystemTime", "Instant"] {
                if PURE.contains(&module.as_str()) && code.contains(name) {
                    wrong.push(format!("{} names {name}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
