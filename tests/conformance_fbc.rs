//! The cases of `conformance/fbc`: what a cluster reads from the files of a catalog, and what its author's check says.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]

use olmplan::catalog::{Memory, load, validate};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The cases, or `None` where their folder is not there and need not be.
fn cases() -> Option<Vec<Value>> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/conformance");
    #[allow(clippy::disallowed_methods)]
    let root = std::env::var_os("OLMPLAN_CONFORMANCE").map_or_else(|| PathBuf::from(default), PathBuf::from);
    #[allow(clippy::disallowed_methods)]
    let ci = std::env::var_os("CI").is_some_and(|v| v == "true");
    #[allow(clippy::disallowed_methods)]
    match std::fs::read_to_string(root.join("fbc/cases.jsonl")) {
        Ok(text) => Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()),
        Err(error) if ci => panic!("{}: {error}", root.display()),
        Err(error) => {
            println!("skipped: {}: {error}", root.display());
            None
        }
    }
}

fn files(case: &Value) -> Memory {
    case["files"].as_object().unwrap().iter().map(|(path, text)| (path.as_str(), text.as_str().unwrap())).collect()
}

fn agree(what: &str, differ: impl Fn(&Value) -> Option<String>) {
    let Some(cases) = cases() else { return };
    let wrong: Vec<String> = cases.iter().filter_map(|case| differ(case).map(|how| format!("{}: {how}", case["name"]))).collect();
    println!("fbc {what}: {} of {} agree", cases.len() - wrong.len(), cases.len());
    assert!(wrong.is_empty(), "{}", wrong.iter().take(10).cloned().collect::<Vec<_>>().join("\n"));
}

#[test]
fn load_agrees() {
    agree("load", |case| {
        let want = &case["want"]["load"];
        match load(&files(case)) {
            Ok(documents) => {
                let have: Vec<Value> = documents
                    .iter()
                    .map(|d| json!({"path": d.path, "schema": d.schema, "package": d.package, "name": d.name}))
                    .collect();
                (json!(have) != *want).then(|| format!("want {want}\n  have {}", json!(have)))
            }
            Err(error) => {
                println!("{}: want {}\n  have {error}", case["name"], want["error"]);
                want.get("error").is_none().then(|| format!("want {want}\n  have {error}"))
            }
        }
    });
}

#[test]
fn validate_agrees() {
    agree("validate", |case| {
        let want = &case["want"]["validate"];
        let verdict = validate(&files(case));
        if verdict.ok {
            let counts = verdict.counts;
            let have = json!({
                "ok": true,
                "packages": counts.packages,
                "channels": counts.channels,
                "bundles": counts.bundles,
                "deprecations": counts.deprecations,
                "others": counts.others,
            });
            return (have != *want).then(|| format!("want {want}\n  have {have}"));
        }
        let have = verdict.text.unwrap_or_default();
        if want["error"].as_str() != Some(&have) {
            println!("{}: other words\n  want {}\n  have {have:?}", case["name"], want["error"]);
        }
        want.get("error").is_none().then(|| format!("want {want}\n  have {have}"))
    });
}
