//! The reference's own answers for ranges and for the order of bundle versions.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods
)]

use olmplan::version::{BlangRange, MastermindsRange, Version, VersionRelease};
use serde_json::Value;
use std::path::PathBuf;

fn cases(file: &str) -> Option<Vec<Value>> {
    let folder = std::env::var_os("OLMPLAN_CONFORMANCE")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance"), PathBuf::from);
    let path = folder.join("version").join(file);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()),
        Err(e) if std::env::var("CI").is_ok_and(|v| v == "true") => panic!("{}: {e}", path.display()),
        Err(_) => {
            println!("skipped: no conformance cases at {}", path.display());
            None
        }
    }
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().map(|list| list.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
}

fn report(name: &str, total: usize, faults: &[String]) {
    println!("{name}: {} of {total} agree", total - faults.len());
    for fault in faults.iter().take(10) {
        println!("  {fault}");
    }
    assert!(total > 0 && faults.is_empty(), "{name}: {} of {total} disagree", faults.len());
}

fn compare_ranges<R, E: ToString>(name: &str, parse: impl Fn(&str) -> Result<R, E>, contains: impl Fn(&R, &Version) -> bool) {
    let Some(cases) = cases(name) else { return };
    let mut faults = Vec::new();
    for case in &cases {
        let text = case["range"].as_str().unwrap();
        match (parse(text), case["error"].as_str()) {
            (Err(got), Some(want)) if got.to_string() == want => {}
            (Err(got), Some(want)) => faults.push(format!("{text:?}: {:?}, not {want:?}", got.to_string())),
            (Err(got), None) => faults.push(format!("{text:?}: refused: {}", got.to_string())),
            (Ok(_), Some(want)) => faults.push(format!("{text:?}: read, but {want}")),
            (Ok(range), None) => {
                let is_in = |v: &&str| contains(&range, &Version::parse(v).unwrap());
                let missed: Vec<&str> = strings(&case["match"]).into_iter().filter(|v| !is_in(v)).collect();
                let extra: Vec<&str> = strings(&case["no"]).into_iter().filter(is_in).collect();
                if !missed.is_empty() || !extra.is_empty() {
                    faults.push(format!("{text:?}: misses {missed:?}, should not hold {extra:?}"));
                }
            }
        }
    }
    report(name, cases.len(), &faults);
}

#[test]
fn masterminds_ranges() {
    compare_ranges("masterminds.jsonl", MastermindsRange::parse, MastermindsRange::contains);
}

#[test]
fn blang_ranges() {
    compare_ranges("blang.jsonl", BlangRange::parse, BlangRange::contains);
}

#[test]
fn newest_first() {
    let Some(cases) = cases("order.jsonl") else { return };
    let mut faults = Vec::new();
    for case in &cases {
        let mut versions: Vec<(&str, Option<VersionRelease>)> =
            strings(&case["versions"]).into_iter().map(|v| (v, VersionRelease::legacy(v).ok())).collect();
        versions.sort_by(|(_, a), (_, b)| match (a, b) {
            (Some(a), Some(b)) => b.precedence(a),
            (a, b) => b.is_some().cmp(&a.is_some()),
        });
        let got: Vec<&str> = versions.into_iter().map(|(v, _)| v).collect();
        if got != strings(&case["newestFirst"]) {
            faults.push(format!("{}: {got:?}", case["versions"]));
        }
    }
    report("order.jsonl", cases.len(), &faults);
}
