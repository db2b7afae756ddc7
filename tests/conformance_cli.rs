//! The conformance cases through the program itself: what a user gets is what the library computes.
//!
//! A part of the cases of each kind, or all with `OLMPLAN_CONFORMANCE_ALL=1`.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout)]

#[path = "support/registry.rs"]
mod registry;
mod support;

use registry::conformance;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use support::{olmplan, parts};

/// Every how many cases one is run.
fn every(n: usize) -> usize {
    if std::env::var_os("OLMPLAN_CONFORMANCE_ALL").is_some() { 1 } else { n }
}

fn lines(file: &Path) -> Vec<Value> {
    std::fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir()).collect();
    found.sort();
    found
}

fn read(file: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// Runs the program; gives the exit code and the JSON that it prints.
fn run(home: &Path, folder: &Path, arguments: &[&str]) -> (i32, Value) {
    let (code, stdout, stderr) = parts(&olmplan(home, folder).args(arguments).output().unwrap());
    let value = serde_json::from_str(&stdout).unwrap_or_else(|e| panic!("{arguments:?}: {e}\n{stdout}{stderr}"));
    (code, value)
}

/// Says how many agree, and fails with the first that do not.
fn verdict(what: &str, total: usize, wrong: &[String]) {
    println!("{what}: {} of {total} agree", total - wrong.len());
    assert!(total > 0, "{what}: no case");
    assert!(
        wrong.is_empty(),
        "{what}: {} of {total} do not agree, such as\n{}",
        wrong.len(),
        wrong[..wrong.len().min(3)].join("\n")
    );
}

/// An error without the part that is not compared.
fn words(error: &Value) -> String {
    let text = error.as_str().unwrap_or_default();
    text.split("is invalid:").next().unwrap().to_owned()
}

#[test]
fn resolve_prints_the_controllers_answer() {
    let Some(root) = conformance("resolve") else { return };
    let home = tempfile::tempdir().unwrap();
    let (mut total, mut wrong) = (0, Vec::new());
    for set in ["real", "synthetic"] {
        for (n, case) in lines(&root.join(set).join("cases.jsonl")).iter().enumerate().step_by(every(40)) {
            let tree = home.path().join(format!("{set}-{n}"));
            std::fs::create_dir(&tree).unwrap();
            let mut extension = case["extension"].clone();
            if case["installed"].is_object() {
                extension["status"] = json!({"install": {"bundle": case["installed"]}});
            }
            let mut items = vec![extension];
            let mut config = String::new();
            for catalog in case["catalogs"].as_array().unwrap() {
                let reference = catalog["spec"]["source"]["image"]["ref"].as_str().unwrap();
                let path = root.join(set).join("catalogs").join(catalog["metadata"]["name"].as_str().unwrap());
                config.push_str(&format!("[[image]]\nref = {reference:?}\npath = {:?}\n", path.canonicalize().unwrap()));
                items.push(catalog.clone());
            }
            std::fs::write(tree.join("olmplan.toml"), config).unwrap();
            std::fs::write(tree.join("all.json"), json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string())
                .unwrap();
            let (_, got) = run(home.path(), &tree, &["resolve", ".", "--format", "json", "--offline"]);
            let (got, want) = (&got[0], &case["want"]);
            // Some ranges and selectors do not get past the API server; the controller is then never asked.
            if got["error"] == "the API server refuses the ClusterExtension" {
                continue;
            }
            total += 1;
            let same = match want.get("error") {
                Some(error) => words(&got["error"]) == words(error),
                None => ["bundle", "image", "version", "release", "catalog", "deprecation"].iter().all(|k| got[*k] == want[*k]),
            };
            if !same {
                wrong.push(format!("{set} {n}: wanted {want}, got {got}"));
            }
        }
    }
    verdict("resolve", total, &wrong);
}

#[test]
fn render_prints_the_controllers_objects() {
    let Some(root) = conformance("render") else { return };
    let home = tempfile::tempdir().unwrap();
    let (mut total, mut wrong) = (0, Vec::new());
    let cases: Vec<PathBuf> =
        folders(&root).iter().flat_map(|bundle| folders(bundle)).filter(|c| c.join("want.json").exists()).collect();
    for case in cases.iter().step_by(every(13)) {
        let options = read(&case.join("options.json"));
        let gates: Vec<String> =
            options["featureGates"].as_array().unwrap().iter().map(|g| format!("{}=true", g.as_str().unwrap())).collect();
        let bundle = case.parent().unwrap().join("bundle").canonicalize().unwrap();
        let extension = case.join("extension.yaml").canonicalize().unwrap();
        let mut arguments = vec![
            "render",
            extension.to_str().unwrap(),
            "--bundle",
            bundle.to_str().unwrap(),
            "--format",
            "json",
            "--no-owner-labels",
        ];
        let gates = gates.join(",");
        arguments.extend(["--feature-gates", &gates, "--cert-provider", options["certProvider"].as_str().unwrap()]);
        let (code, got) = run(home.path(), home.path(), &arguments);
        let want = read(&case.join("want.json"));
        total += 1;
        let set = |objects: &Value| -> BTreeSet<String> {
            let object = |object: &Value| {
                let mut object = object.clone();
                object.as_object_mut().unwrap().remove("status");
                object.sort_all_objects();
                object.to_string()
            };
            objects.as_array().map(|o| o.iter().map(object).collect()).unwrap_or_default()
        };
        let same = match want.get("error") {
            Some(error) => code == 1 && words(&got["error"]) == words(error),
            None => code == 0 && set(&got) == set(&want["objects"]),
        };
        if !same {
            wrong.push(format!("{}: exit code {code}", case.display()));
        }
    }
    verdict("render", total, &wrong);
}

#[test]
fn crd_diff_prints_the_controllers_findings() {
    let Some(root) = conformance("crd") else { return };
    let home = tempfile::tempdir().unwrap();
    let (mut total, mut wrong) = (0, Vec::new());
    for case in folders(&root).iter().step_by(every(10)) {
        let want = read(&case.join("want.json"));
        for policy in ["olm", "strict"] {
            let case = case.canonicalize().unwrap();
            let arguments = ["crd-diff", "before.yaml", "after.yaml", "--policy", policy, "--format", "json"];
            let (code, got) = run(home.path(), &case, &arguments);
            total += 1;
            let key = |f: &Value, with_message: bool| {
                let mut key: Vec<Value> = ["crd", "version", "property", "check", "level"]
                    .iter()
                    .map(|k| f.get(*k).cloned().unwrap_or_default())
                    .collect();
                key.push(if with_message { f["message"].clone() } else { Value::Null });
                json!(key).to_string()
            };
            let given = want[policy]["findings"].as_array().unwrap();
            let without: BTreeSet<String> = given.iter().filter(|f| f.get("message").is_none()).map(|f| key(f, false)).collect();
            let wanted: Vec<String> = given.iter().map(|f| key(f, f.get("message").is_some())).collect();
            let found = |f: &Value| if without.contains(&key(f, false)) { key(f, false) } else { key(f, true) };
            let mut found: Vec<String> = got.as_array().unwrap().iter().map(found).collect();
            let mut wanted = wanted;
            found.sort();
            wanted.sort();
            let fails = given.iter().any(|f| f["level"] == "error");
            if found != wanted || (code == 1) != fails {
                wrong.push(format!("{} {policy}: exit code {code}, wanted {wanted:?}, got {found:?}", case.display()));
            }
        }
    }
    verdict("crd-diff", total, &wrong);
}

#[test]
fn lint_prints_what_the_api_server_says() {
    let Some(root) = conformance("api") else { return };
    let home = tempfile::tempdir().unwrap();
    let (mut total, mut wrong) = (0, Vec::new());
    for (n, case) in lines(&root.join("cases.jsonl")).iter().enumerate().step_by(every(6)) {
        let file = home.path().join(format!("{n}.json"));
        std::fs::write(&file, case["object"].to_string()).unwrap();
        for (target, schema) in [("olm-1.11", "v1.11-standard"), ("olm-1.8", "v1.8-standard"), ("olm-1.0", "v1.0-standard")] {
            let want = ["clusterextensions", "clustercatalogs"]
                .iter()
                .find_map(|kind| case["want"].get(format!("{kind}-{schema}.yaml")));
            let Some(want) = want else { continue };
            let (_, got) =
                run(home.path(), home.path(), &["lint", file.to_str().unwrap(), "--target", target, "--format", "json"]);
            total += 1;
            let fields = |rule: &str| -> BTreeSet<String> {
                let all = got["findings"].as_array().unwrap();
                all.iter().filter(|f| f["rule"] == rule).filter_map(|f| Some(f["field"].as_str()?.to_owned())).collect()
            };
            // What does not decode at all is refused in Go's words.
            if let Some(error) = want.get("error") {
                let says = |f: &Value| f["message"].as_str().unwrap().contains(error.as_str().unwrap());
                if !got["findings"].as_array().unwrap().iter().any(|f| f["rule"] == "invalid-object" && says(f)) {
                    wrong.push(format!("{n} {target}: wanted {error}, got {got}"));
                }
                continue;
            }
            let errors: BTreeSet<String> =
                want["errors"].as_array().unwrap().iter().map(|e| e[0].as_str().unwrap().to_owned()).collect();
            let dropped: BTreeSet<String> =
                want["dropped"].as_array().unwrap().iter().map(|d| d.as_str().unwrap().to_owned()).collect();
            if fields("invalid-object") != errors || fields("dropped-field") != dropped {
                wrong.push(format!(
                    "{n} {target}: wanted {want}, got {:?} and {:?}",
                    fields("invalid-object"),
                    fields("dropped-field")
                ));
            }
        }
    }
    verdict("lint", total, &wrong);
}

#[test]
fn catalog_validate_prints_the_authors_verdict() {
    let Some(root) = conformance("fbc") else { return };
    let home = tempfile::tempdir().unwrap();
    let (mut total, mut wrong) = (0, Vec::new());
    for (n, case) in lines(&root.join("cases.jsonl")).iter().enumerate().step_by(every(4)) {
        let folder = home.path().join(n.to_string());
        std::fs::create_dir(&folder).unwrap();
        for (path, text) in case["files"].as_object().unwrap() {
            let file = folder.join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text.as_str().unwrap()).unwrap();
        }
        let (code, got) = run(home.path(), home.path(), &["catalog", "validate", folder.to_str().unwrap(), "--format", "json"]);
        let want = &case["want"]["validate"];
        let ok = want["ok"] == true;
        total += 1;
        if got["ok"] != ok || (code == 0) != ok || got["errors"].as_array().unwrap().is_empty() != ok {
            wrong.push(format!("{}: wanted {want}, got {got}", case["name"]));
        }
    }
    verdict("catalog validate", total, &wrong);
}
