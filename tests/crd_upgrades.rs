//! The CRD upgrade safety check as `check` reports it: waivers, enforcement, and what upgrades are compared with.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout
)]

#[path = "support/oci.rs"]
mod oci;
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

/// The findings of the check on an extension, with their places.
fn crd_findings(report: &Value, extension: &str) -> Vec<Value> {
    let extensions = report["extensions"].as_array().unwrap();
    let found = extensions.iter().find(|e| e["extension"] == extension).unwrap();
    found["crds"]["findings"].as_array().unwrap().clone()
}

/// The line of a file of the tree that a place names, from its column to its end.
fn text_at(demo: &Demo, place: &Value) -> String {
    let number = |key: &str| usize::try_from(place[key].as_u64().unwrap()).unwrap();
    let text = demo.read(place["path"].as_str().unwrap());
    let line = text.lines().nth(number("line") - 1).unwrap();
    line.chars().skip(number("column") - 1).take(number("endColumn") - number("column")).collect()
}

#[test]
fn a_finding_points_at_both_sides_in_the_bundles_folders() {
    let demo = demo();
    let (_, report) = on_day(&demo, "1780272000");
    let found = crd_findings(&report, "weir");
    let gate = found.iter().find(|f| f["check"] == "enum").unwrap();
    assert_eq!(gate["beforePlace"]["path"], "images/weir-0.4.0/manifests/weirs.yaml");
    assert_eq!(gate["afterPlace"]["path"], "images/weir-0.5.0/manifests/weirs.yaml");
    assert_eq!((text_at(&demo, &gate["beforePlace"]), text_at(&demo, &gate["afterPlace"])), ("enum".into(), "enum".into()));
    let gone = found.iter().find(|f| f["check"] == "existingFieldRemoval").unwrap();
    // What is gone is placed where it was, and at the field around it.
    assert_eq!((text_at(&demo, &gone["beforePlace"]), text_at(&demo, &gone["afterPlace"])), ("maxFlow".into(), "spec".into()));
    let listed =
        report["findings"].as_array().unwrap().iter().find(|f| f["message"].as_str().unwrap().contains("(enum)")).unwrap();
    let texts: Vec<&str> = listed["labels"].as_array().unwrap().iter().map(|l| l["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["after", "before"]);
    assert_eq!(listed["labels"][1]["line"], gate["beforePlace"]["line"]);
}

#[test]
fn of_an_image_a_finding_names_the_image_and_the_file_in_it() {
    let demo = demo();
    let folder = demo.tree().join("images/weir-0.5.0");
    let image = oci::image(&[], vec![oci::folder_layer(oci::Packing::Gzip, &folder, "")]);
    std::fs::write(demo.tree().join("images/weir.tar"), oci::oci_archive(&[("v0.5.0", &image)])).unwrap();
    demo.write("olmplan.toml", &demo.read("olmplan.toml").replace("images/weir-0.5.0", "images/weir.tar"));
    let (_, report) = on_day(&demo, "1780272000");
    let found = crd_findings(&report, "weir");
    assert_eq!(found.len(), 3, "{report:#}");
    for found in found {
        assert_eq!(found["beforePlace"]["image"], Value::Null);
        assert_eq!(found["afterPlace"]["image"], "registry.example/weir:v0.5.0");
        assert_eq!(found["afterPlace"]["path"], "manifests/weirs.yaml");
    }
    let (_, text, _) = demo.run(&["check", "."]);
    assert!(text.contains("after: registry.example/weir:v0.5.0/manifests/weirs.yaml:32:19"), "{text}");
}

#[test]
fn one_finding_is_drawn_with_both_sides() {
    let demo = demo();
    let before = demo.read("images/weir-0.4.0/manifests/weirs.yaml");
    demo.write("images/weir-0.5.0/manifests/weirs.yaml", &before.replace("[open, shut, half]", "[open, shut]"));
    let (_, text, _) = demo.run(&["check", "."]);
    for line in [" 32 │                   enum: [open, shut]\n", " 32 │                   enum: [open, shut, half]\n"] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn a_finding_points_into_the_clusters_dump() {
    let demo = demo();
    let kettle = demo.read("images/kettle-0.3.0/manifests/kettles.yaml").replace("litres:", "gallons:");
    let item: String = kettle.lines().map(|line| format!("  {line}\n")).collect();
    demo.write("dump.yaml", &format!("apiVersion: v1\nkind: List\nitems:\n- {}", item.trim_start()));
    let (_, stdout, _) = demo.run(&["check", ".", "--cluster-crds", "dump.yaml", "--format", "json"]);
    let found = crd_findings(&serde_json::from_str(&stdout).unwrap(), "kettle");
    let gone = found.iter().find(|f| f["check"] == "existingFieldRemoval").unwrap();
    assert_eq!(gone["beforePlace"]["path"], "dump.yaml");
    assert_eq!(text_at(&demo, &gone["beforePlace"]), "gallons");
    // The terminal draws both.
    let (_, stdout, _) = demo.run(&["check", ".", "--cluster-crds", "dump.yaml"]);
    assert!(stdout.contains("before: dump.yaml:"), "{stdout}");
}

#[test]
fn a_finding_points_into_the_tree_before() {
    let demo = demo();
    let kettle = demo.read("images/kettle-0.3.0/manifests/kettles.yaml");
    std::fs::create_dir(demo.tree().join("crds")).unwrap();
    demo.write("crds/kettle.yaml", &kettle.replace("litres:", "gallons:"));
    demo.commit();
    // The file after has the same name and other lines.
    demo.write("crds/kettle.yaml", &format!("# the\n# new\n# one\n{kettle}"));
    let (_, stdout, stderr) = demo.run(&["check", ".", "--base", "HEAD", "--format", "json"]);
    let found = crd_findings(&serde_json::from_str(&stdout).unwrap_or_else(|e| panic!("{e}: {stderr}")), "kettle");
    let gone = found.iter().find(|f| f["check"] == "existingFieldRemoval").unwrap();
    assert_eq!(gone["beforePlace"]["path"], "HEAD:crds/kettle.yaml");
    let line = kettle.lines().position(|line| line.contains("litres:")).unwrap() + 1;
    assert_eq!(gone["beforePlace"]["line"], line);
}

#[test]
fn what_changes_is_shown_beside_the_verdict() {
    let demo = demo();
    let (_, report) = on_day(&demo, "1780272000");
    let of =
        |name: &str| report["extensions"].as_array().unwrap().iter().find(|e| e["extension"] == name).unwrap()["crds"].clone();
    let kinds = |crds: &Value| -> Vec<String> {
        crds["changes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| format!("{} {}", c["field"].as_str().unwrap(), c["kind"].as_str().unwrap()))
            .collect()
    };
    assert_eq!(kinds(&of("weir")), ["^.spec.flow field-added", "^.spec.gate field-changed", "^.spec.maxFlow field-removed"]);
    // A safe upgrade shows what changes as well.
    assert_eq!(
        (of("lantern")["findings"].as_array().unwrap().len(), kinds(&of("lantern"))),
        (0, vec!["^.spec.shade field-added".to_owned()])
    );
    let (_, text, _) = demo.run(&["check", "."]);
    assert!(text.contains("\nCRDs of lantern: safe\n") && text.contains("\nCRDs of weir: 3 errors stop the upgrade\n"), "{text}");
    let (_, markdown, _) = demo.run(&["check", ".", "--format", "markdown"]);
    assert!(markdown.contains("<details><summary>CRDs of weir: 3 errors stop the upgrade</summary>"), "{markdown}");
}

#[test]
fn many_changes_are_counted_and_those_of_descriptions_told_in_a_word() {
    let demo = demo();
    let file = "images/lantern-1.3.1/manifests/lanterns.yaml";
    let crd = demo.read(file);
    let indent = crd.lines().find(|l| l.contains("shade:")).map(|l| l.len() - l.trim_start().len()).unwrap();
    let pad = " ".repeat(indent);
    let more: String = (0..60).map(|n| format!("{pad}extra{n:02}:\n{pad}  type: string\n")).collect();
    let crd = crd.replace(&format!("{pad}shade:\n"), &format!("{more}{pad}shade:\n"));
    let crd = crd.replacen("          type: object\n", "          type: object\n          description: other words\n", 1);
    demo.write(file, &crd);
    let (_, text, stderr) = demo.run(&["check", "."]);
    assert!(
        text.contains("  and 21 more changes; --format json has them all\n  and 1 change of descriptions\n"),
        "{text}{stderr}"
    );
}

#[test]
fn what_the_check_stops_is_said_where_no_findings_are_reported() {
    let demo = demo();
    for command in ["diff", "render"] {
        let (code, _, stderr) = demo.run(&[command, "."]);
        assert_eq!((code, stderr.lines().count()), (0, 1), "{stderr}");
        assert!(stderr.starts_with("note: weir: the CRD upgrade safety check stops this upgrade"), "{stderr}");
    }
}

#[test]
fn a_path_of_a_revision_starts_where_git_starts_it() {
    let demo = demo();
    demo.commit();
    let file = "images/weir-0.4.0/manifests/weirs.yaml";
    let run = |before: &str| {
        let mut command = support::olmplan(demo.home(), &demo.tree().join("images"));
        command.args(["crd-diff", before, "weir-0.5.0/manifests/weirs.yaml"]);
        support::parts(&command.output().unwrap())
    };
    for before in [format!("HEAD:{file}"), format!("HEAD:../{file}"), "HEAD:./weir-0.4.0/manifests".to_owned()] {
        let (code, stdout, stderr) = run(&before);
        assert_eq!(code, 1, "{before}: {stderr}");
        assert!(stdout.contains("^.spec.maxFlow is gone"), "{stdout}");
    }
    assert_eq!(run("HEAD:../../images").0, 2);
}

#[test]
fn crd_diff_writes_yaml_and_compares_by_name() {
    let demo = demo();
    let (before, after) = ("images/weir-0.4.0/manifests/weirs.yaml", "images/weir-0.5.0/manifests/weirs.yaml");
    let (code, yaml, _) = demo.run(&["crd-diff", before, after, "--format", "yaml"]);
    let (_, json, _) = demo.run(&["crd-diff", before, after, "--format", "json"]);
    assert_eq!(code, 1);
    assert_eq!(olmplan::yaml::read(&yaml).unwrap(), serde_json::from_str::<Value>(&json).unwrap());
    // CRDs are matched by name, as the controller matches them.
    demo.write("dams.yaml", &demo.read(after).replace("weirs.water.example", "dams.water.example"));
    let (code, stdout, stderr) = demo.run(&["crd-diff", before, "dams.yaml", "--format", "json"]);
    assert_eq!((code, stdout.trim()), (0, "[]"));
    assert!(stderr.contains("nothing was compared"), "{stderr}");
}

#[test]
fn a_switched_off_check_that_cannot_be_run_stops_nothing() {
    let demo = demo();
    // The check needs a schema of every version that it compares.
    let crd = demo.read("images/weir-0.4.0/manifests/weirs.yaml");
    let (head, _) = crd.split_once("      schema:").unwrap();
    demo.write("dump.yaml", head);
    let check = || {
        let (code, stdout, stderr) = demo.run(&["check", ".", "--cluster-crds", "dump.yaml", "--format", "json"]);
        let report: Value = serde_json::from_str(&stdout).unwrap_or_else(|e| panic!("{e}: {stderr}"));
        let extensions = report["extensions"].as_array().unwrap();
        let status = extensions.iter().find(|e| e["extension"] == "weir").unwrap()["status"].clone();
        (code, status, findings(&report, "unchecked-crds"))
    };
    let (code, status, unchecked) = check();
    assert_eq!((code, status), (1, "unknown".into()));
    assert_eq!(unchecked[0].0, "error");
    let weir = demo.read("extensions/weir.yaml");
    let install = "  install:\n    preflight:\n      crdUpgradeSafety:\n        enforcement: None\n  source:\n";
    demo.write("extensions/weir.yaml", &weir.replace("  source:\n", install));
    let (code, status, unchecked) = check();
    assert_eq!((code, status), (0, "upgrade".into()));
    assert_eq!(unchecked[0].0, "note");
}

#[test]
fn what_is_for_people_stays_short_and_says_how_much_more_there_is() {
    let demo = demo();
    let crd = demo.read("images/weir-0.4.0/manifests/weirs.yaml");
    let fields = |kind: &str| -> String {
        (0..2_000).map(|n| format!("                field{n}:\n                  type: {kind}\n")).collect()
    };
    let with = |kind: &str| crd.replace("                maxFlow:\n", &format!("{}                maxFlow:\n", fields(kind)));
    demo.write("images/weir-0.4.0/manifests/weirs.yaml", &with("string"));
    demo.write("images/weir-0.5.0/manifests/weirs.yaml", &with("integer"));
    let diff = ["crd-diff", "images/weir-0.4.0", "images/weir-0.5.0"];
    let all: Value = serde_json::from_str(&demo.run(&[&diff[..], &["--format", "json"]].concat()).1).unwrap();
    assert_eq!(all.as_array().unwrap().len(), 2_000);
    // A comment on a pull request takes 65,536 characters.
    for command in [&diff[..], &["check", "."]] {
        let (_, markdown, _) = demo.run(&[command, &["--format", "markdown"]].concat());
        assert!(markdown.chars().count() < 65_536, "{command:?}: {}", markdown.chars().count());
        assert!(markdown.contains(" more"), "{command:?}");
        let (_, text, _) = demo.run(command);
        assert!(text.lines().count() < 10_000 && text.contains(" more"), "{command:?}: {}", text.lines().count());
    }
}
