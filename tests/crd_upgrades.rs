//! The CRD upgrade safety check as `check` reports it: waivers, enforcement, and what upgrades are compared with.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout
)]

mod support;

use serde_json::Value;
use support::demo::Demo;

/// The demo with nothing to object to but the CRD of weir.
fn demo() -> Demo {
    let demo = Demo::new();
    std::fs::remove_file(demo.tree().join("extensions/millstone.yaml")).unwrap();
    let lock = demo.read("olmplan.lock");
    let (before, rest) = lock.split_once("\n[[extension]]\nname = \"millstone\"").unwrap();
    let after = rest.split_once("\n[[extension]]").unwrap().1;
    demo.write("olmplan.lock", &format!("{before}\n[[extension]]{after}"));
    demo
}

fn configured(demo: &Demo, text: &str) {
    demo.write("olmplan.toml", &format!("{}\n{text}", demo.read("olmplan.toml")));
}

const WAIVERS: &str = r#"
[[waiver]]
crd = "weirs.water.example"
property = "^.spec.gate"
check = "enum"
reason = "no weir is half open"

[[waiver]]
crd = "weirs.water.example"
reason = "maxFlow was never read"
expires = 2026-06-30

[[waiver]]
crd = "dams.water.example"
reason = "a slip"
"#;

fn on_day(demo: &Demo, seconds: &str) -> (i32, Value) {
    let mut command = support::olmplan(demo.home(), &demo.tree());
    command.args(["check", ".", "--format", "json"]).env("SOURCE_DATE_EPOCH", seconds);
    let (code, stdout, stderr) = support::parts(&command.output().unwrap());
    (code, serde_json::from_str(&stdout).unwrap_or_else(|e| panic!("{e}: {stdout}{stderr}")))
}

fn findings(report: &Value, rule: &str) -> Vec<(String, String)> {
    let all = report["findings"].as_array().unwrap().iter().filter(|f| f["rule"] == rule);
    all.map(|f| (f["level"].as_str().unwrap().to_owned(), f["message"].as_str().unwrap().to_owned())).collect()
}

#[test]
fn a_waived_finding_is_listed_and_does_not_fail_the_run() {
    let demo = demo();
    configured(&demo, WAIVERS);
    // 2026-06-01: the second waiver still counts.
    let (code, report) = on_day(&demo, "1780272000");
    assert_eq!(code, 0, "{report:#}");
    let unsafe_ones = findings(&report, "unsafe-crd-upgrade");
    assert_eq!(unsafe_ones.len(), 3);
    assert!(unsafe_ones.iter().all(|(level, message)| level == "note" && message.starts_with("waived (")), "{unsafe_ones:?}");
    assert_eq!(findings(&report, "unused-waiver").len(), 1);
    assert!(findings(&report, "expired-waiver").is_empty());
    // The cluster does not read the waiver: the extension is still unsafe, and the help says what to set there.
    let weir = report["extensions"].as_array().unwrap().iter().find(|e| e["extension"] == "weir").unwrap();
    assert_eq!(weir["status"], "unsafe");
    let help =
        report["findings"].as_array().unwrap().iter().find(|f| f["rule"] == "unsafe-crd-upgrade").unwrap()["help"].to_string();
    assert!(help.contains("enforcement is None"), "{help}");
}

#[test]
fn an_expired_waiver_no_longer_counts() {
    let demo = demo();
    configured(&demo, WAIVERS);
    // 2026-07-02.
    let (code, report) = on_day(&demo, "1782950400");
    assert_eq!(code, 1);
    let levels: Vec<String> = findings(&report, "unsafe-crd-upgrade").into_iter().map(|(level, _)| level).collect();
    assert_eq!(levels.iter().filter(|l| *l == "error").count(), 2, "{levels:?}");
    assert_eq!(findings(&report, "expired-waiver").len(), 1);
}

#[test]
fn enforcement_none_lets_it_through_and_says_what_it_hides() {
    let demo = demo();
    let weir = demo.read("extensions/weir.yaml");
    let install = "  install:\n    preflight:\n      crdUpgradeSafety:\n        enforcement: None\n  source:\n";
    demo.write("extensions/weir.yaml", &weir.replace("  source:\n", install));
    let (code, report) = on_day(&demo, "1780272000");
    assert_eq!(code, 0, "{report:#}");
    assert!(findings(&report, "unsafe-crd-upgrade").is_empty());
    let found = report["findings"].as_array().unwrap().iter().find(|f| f["rule"] == "unenforced-crd-check").unwrap();
    assert_eq!(found["level"], "warning");
    assert!(found["help"].as_str().unwrap().contains("^.spec.maxFlow"), "{found}");
}

#[test]
fn the_clusters_crds_count_before_all_else() {
    let demo = demo();
    // In the cluster, weir's CRD is already the new one: nothing is unsafe any more.
    let (code, stdout, _) = demo.run(&["check", ".", "--cluster-crds", "images/weir-0.5.0/manifests/weirs.yaml"]);
    assert_eq!(code, 0, "{stdout}");
    // In the cluster there is a kettle with a field that the new extension's bundle does not have.
    let kettle = demo.read("images/kettle-0.3.0/manifests/kettles.yaml");
    demo.write("dump.yaml", &kettle.replace("litres:", "gallons:"));
    let (code, stdout, _) = demo.run(&["check", ".", "--cluster-crds", "dump.yaml", "--format", "json"]);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(code, 1);
    let messages = findings(&report, "unsafe-crd-upgrade");
    assert!(messages.iter().any(|(_, m)| m.contains("^.spec.gallons")), "{messages:?}");
}

#[test]
fn a_crd_of_the_tree_counts_where_nothing_else_is_known() {
    let demo = demo();
    let kettle = demo.read("images/kettle-0.3.0/manifests/kettles.yaml");
    std::fs::create_dir(demo.tree().join("crds")).unwrap();
    demo.write("crds/kettle.yaml", &kettle.replace("litres:", "gallons:"));
    let (_, stdout, _) = demo.run(&["check", "."]);
    assert!(stdout.contains("kettle     unsafe"), "{stdout}");
}
