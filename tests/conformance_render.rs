//! Rendering against operator-controller's own answers: `render/` of the conformance folder.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::disallowed_methods, clippy::print_stdout, clippy::panic)]

use olmplan::bundle;
use olmplan::render::{OwnerLabels, RenderOptions, render};
use olmplan::target::{CertificateProvider, Target};
use olmplan::yaml;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What is rendered is read back from YAML as it was.
#[test]
fn rendered_objects_survive_yaml() {
    let Some(folder) = conformance("render") else { return };
    let target = Target::default();
    let mut count = 0;
    for bundle in folders(&folder) {
        let options = RenderOptions {
            extension: "e",
            install_namespace: "ns",
            config: None,
            watch_namespace_annotation: None,
            target: &target,
            owner_labels: OwnerLabels::Add,
        };
        let Ok(bundle) = bundle::read(&files(&bundle.join("bundle"))) else { continue };
        for object in render(&bundle, &options).unwrap_or_default() {
            assert_eq!(yaml::read(&yaml::write(&object)).as_ref(), Ok(&object));
            count += 1;
        }
    }
    println!("render: {count} objects survive YAML");
    assert!(count > 0);
}

#[test]
fn renders_as_the_controller_does() {
    let Some(folder) = conformance("render") else { return };
    let mut agree = 0;
    let mut differ = Vec::new();
    for bundle in folders(&folder) {
        let files = files(&bundle.join("bundle"));
        for case in folders(&bundle).into_iter().filter(|case| case.join("want.json").exists()) {
            match compare(&files, &case) {
                Ok(()) => agree += 1,
                Err(why) => differ.push(format!("{}: {why}", case.strip_prefix(&folder).unwrap().display())),
            }
        }
    }
    println!("render: {agree} of {} agree", agree + differ.len());
    assert!(agree > 0 && differ.is_empty(), "{} differ, the first:\n{}", differ.len(), differ[..differ.len().min(8)].join("\n"));
}

fn compare(files: &BTreeMap<String, Vec<u8>>, case: &Path) -> Result<(), String> {
    let want: Value = serde_json::from_str(&fs::read_to_string(case.join("want.json")).unwrap()).unwrap();
    let given: Value = serde_json::from_str(&fs::read_to_string(case.join("options.json")).unwrap()).unwrap();
    let extension = yaml::read(&fs::read_to_string(case.join("extension.yaml")).unwrap()).unwrap();
    let target = target(&given);
    let spec = &extension["spec"];
    let options = RenderOptions {
        extension: extension["metadata"]["name"].as_str().unwrap(),
        install_namespace: spec["namespace"].as_str().unwrap(),
        config: spec.get("config"),
        watch_namespace_annotation: None,
        target: &target,
        owner_labels: OwnerLabels::LeaveOut,
    };
    let got = match bundle::read(files) {
        Ok(bundle) => render(&bundle, &options).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match (got, want.get("error").and_then(Value::as_str), want.get("objects").and_then(Value::as_array)) {
        (Ok(got), None, Some(want)) => same_objects(got, want),
        (Err(got), Some(want), _) => {
            let cut = |text: &str| text.split("is invalid:").next().unwrap_or_default().to_owned();
            if cut(&got) == cut(want) { Ok(()) } else { Err(format!("error\n  got  {got}\n  want {want}")) }
        }
        (Ok(_), Some(want), _) => Err(format!("rendered, but should be refused: {want}")),
        (Err(got), _, _) => Err(format!("refused, but should be rendered: {got}")),
        (Ok(_), None, None) => Err("the case says nothing".to_owned()),
    }
}

fn target(given: &Value) -> Target {
    let mut target = Target::named("olm-1.11").unwrap();
    for gate in given["featureGates"].as_array().unwrap() {
        target.set_gates(&format!("{}=true", gate.as_str().unwrap())).unwrap();
    }
    match given["certProvider"].as_str().unwrap() {
        "cert-manager" => target.set_certificate_provider(Some(CertificateProvider::CertManager)),
        "openshift" => target.set_certificate_provider(Some(CertificateProvider::OpenShiftServiceCa)),
        _ => target.set_gates("WebhookProviderCertManager=false").unwrap(),
    }
    target
}

fn same_objects(got: Vec<Value>, want: &[Value]) -> Result<(), String> {
    let keyed = |objects: Vec<Value>| -> Vec<(String, Value)> {
        let mut keyed: Vec<(String, Value)> = objects
            .into_iter()
            .map(|mut object| {
                object.as_object_mut().unwrap().remove("status");
                object.sort_all_objects();
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                let metadata = &object["metadata"];
                let key = [&object["apiVersion"], &object["kind"], &metadata["namespace"], &metadata["name"]].map(text);
                (key.join(" "), object)
            })
            .collect();
        keyed.sort_by_cached_key(|(key, object)| (key.clone(), object.to_string()));
        keyed
    };
    let (got, want) = (keyed(got), keyed(want.to_vec()));
    let names = |objects: &[(String, Value)]| objects.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
    if names(&got) != names(&want) {
        return Err(format!("objects\n  got  {:?}\n  want {:?}", names(&got), names(&want)));
    }
    for ((key, got), (_, want)) in got.iter().zip(&want) {
        if let Some((path, got, want)) = difference("", got, want) {
            return Err(format!("{key} at {path}\n  got  {got}\n  want {want}"));
        }
    }
    Ok(())
}

/// The first place where two values differ.
fn difference(path: &str, got: &Value, want: &Value) -> Option<(String, String, String)> {
    match (got, want) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            let missing = Value::String("(not there)".to_owned());
            keys.into_iter().find_map(|key| {
                let (a, b) = (a.get(key).unwrap_or(&missing), b.get(key).unwrap_or(&missing));
                difference(&format!("{path}.{key}"), a, b)
            })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().find_map(|(n, (a, b))| difference(&format!("{path}[{n}]"), a, b))
        }
        (got, want) if got == want => None,
        (got, want) => Some((path.to_owned(), got.to_string(), want.to_string())),
    }
}

/// A folder of the conformance cases; `None`, said aloud, where it is missing.
fn conformance(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("OLMPLAN_CONFORMANCE")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance"), PathBuf::from);
    let folder = root.join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{} is missing", folder.display());
    println!("skipped: {} is missing", folder.display());
    None
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).filter(|p| p.is_dir()).collect();
    folders.sort();
    folders
}

fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in walkdir::WalkDir::new(root).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file()) {
        let path = entry.path().strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        files.insert(path, fs::read(entry.path()).unwrap());
    }
    files
}
