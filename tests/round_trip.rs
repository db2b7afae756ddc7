//! What is written as YAML is read as the same object by PyYAML, by kubectl and by our own reader: every rendered bundle at hand,
//! and strings that YAML readers are known to take for something else.
//!
//! Needs Python with PyYAML, and kubectl for its part; without them it says so and passes, but with `CI=true` Python must be there.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout)]

#[path = "support/registry.rs"]
mod registry;

use olmplan::render::{OwnerLabels, RenderOptions};
use olmplan::target::Target;
use olmplan::{bundle, render, yaml};
use registry::conformance;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Strings that some reader of YAML takes for something else.
const HOSTILE: &[&str] = &[
    "",
    " ",
    "y",
    "n",
    "yes",
    "no",
    "on",
    "off",
    "true",
    "True",
    "null",
    "Null",
    "~",
    "1",
    "01",
    "010",
    "0o7",
    "0x1F",
    "0b1",
    "1_000",
    "1.0",
    "1e3",
    ".5",
    ".inf",
    "-.INF",
    ".nan",
    "1:20",
    "12:30:45",
    "2001-12-14",
    "2001-12-14t21:59:43.10-05:00",
    "<<",
    "=",
    "-",
    "- a",
    "? a",
    ": a",
    "a: b",
    "a #b",
    "#a",
    "&a",
    "*a",
    "!a",
    "!!str",
    "|",
    ">",
    "%a",
    "@a",
    "`a",
    "'a",
    "\"a",
    "{a",
    "[a",
    "}a",
    "]a",
    ",a",
    "---",
    "...",
    "--- a",
    "a\n",
    "\na",
    "a\nb",
    "a\n\n",
    " a",
    "a ",
    "\ta",
    "a\t",
    "\n",
    "\r",
    "a\r\nb",
    "a\u{85}b",
    "a\u{2028}b",
    "\u{feff}a",
    "\u{0}",
    "\u{7}",
    "\u{1b}[31m",
    "é",
    "😀",
    "{{ $labels.x }}",
    "a\\b",
    "a\"b'c",
    "  a\n b\n",
    "a\n  b\n\n c\n",
];

fn python(script: &str, input: &str) -> Option<String> {
    let child =
        Command::new("python3").args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let output = child.ok().and_then(|mut child| {
        child.stdin.take()?.write_all(input.as_bytes()).ok();
        child.wait_with_output().ok()
    });
    match output {
        Some(output) if output.status.success() => Some(String::from_utf8(output.stdout).unwrap()),
        _ => {
            assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "Python with PyYAML is not installed");
            println!("skipped: Python with PyYAML is not installed");
            None
        }
    }
}

/// What PyYAML makes of a text: one JSON document a line.
fn by_pyyaml(text: &str) -> Option<Vec<Value>> {
    let script =
        "import sys, json, yaml\nfor d in yaml.safe_load_all(sys.stdin.buffer.read().decode()):\n    print(json.dumps(d))";
    let out = python(script, text)?;
    Some(out.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in walkdir::WalkDir::new(folder) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            let path = entry.path().strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
            files.insert(path, std::fs::read(entry.path()).unwrap());
        }
    }
    files
}

/// The objects of every bundle at hand that can be installed in all namespaces or in its own.
fn rendered() -> Option<Vec<Value>> {
    let root = conformance("render")?;
    let mut target = Target::default();
    target.set_gates("SingleOwnNamespaceInstallSupport=true").unwrap();
    let mut objects = Vec::new();
    let mut bundles: Vec<_> = std::fs::read_dir(root).unwrap().map(|e| e.unwrap().path().join("bundle")).collect();
    bundles.sort();
    for folder in bundles {
        let bundle = bundle::read(&files(&folder)).unwrap();
        for config in [None, Some(json!({"configType": "Inline", "inline": {"watchNamespace": "ns"}}))] {
            let options = RenderOptions {
                extension: "x",
                install_namespace: "ns",
                config: config.as_ref(),
                watch_namespace_annotation: None,
                target: &target,
                owner_labels: OwnerLabels::Add,
            };
            if let Ok(found) = render::render(&bundle, &options) {
                objects.extend(found);
                break;
            }
        }
    }
    assert!(objects.len() > 100, "{}", objects.len());
    Some(objects)
}

#[test]
fn rendered_bundles_are_read_as_they_were_written() {
    let Some(objects) = rendered() else { return };
    let text = yaml::write_documents(&objects);
    assert_eq!(yaml::values(&text).unwrap(), objects);
    let Some(read) = by_pyyaml(&text) else { return };
    assert_eq!(read.len(), objects.len());
    for (read, wrote) in read.iter().zip(&objects) {
        assert_eq!(read, wrote);
    }
}

#[test]
fn hostile_strings_are_read_as_they_were_written() {
    let mut wrong = Vec::new();
    let documents: Vec<Value> =
        HOSTILE.iter().flat_map(|s| [json!({"k": s}), json!({(*s): "v"}), json!([s, {(*s): [s]}])]).collect();
    let text = yaml::write_documents(&documents);
    let ours = yaml::values(&text).unwrap();
    let theirs = by_pyyaml(&text).unwrap_or_else(|| ours.clone());
    assert_eq!((ours.len(), theirs.len()), (documents.len(), documents.len()));
    for ((wrote, ours), theirs) in documents.iter().zip(&ours).zip(&theirs) {
        if ours != wrote || theirs != wrote {
            wrong.push(format!("{wrote}: ours {ours}, PyYAML {theirs}, text {:?}", yaml::write(wrote)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn kubectl_reads_what_was_written() {
    // ConfigMaps hold text alone, which is what readers disagree about.
    let data: serde_json::Map<String, Value> = HOSTILE.iter().enumerate().map(|(n, s)| (format!("k{n}"), json!(s))).collect();
    let object = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "namespace": "n"}, "data": data});
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.yaml");
    std::fs::write(&file, yaml::write(&object)).unwrap();
    let output = Command::new("kubectl")
        .args(["label", "--local", "-o", "json", "a=b", "-f"])
        .arg(&file)
        .env("KUBECONFIG", folder.path().join("none"))
        .output();
    match output {
        Ok(output) if output.status.success() => {
            let read: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(read["data"], object["data"]);
        }
        Ok(output) => println!("skipped: kubectl wants a cluster: {}", String::from_utf8_lossy(&output.stderr).trim()),
        Err(_) => println!("skipped: kubectl is not installed"),
    }
}
