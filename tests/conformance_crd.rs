//! Every pair of `conformance/crd`, under both named policies, against the reference's findings.

use olmplan::crd::{self, Policy};
use olmplan::target::Target;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    std::env::var_os("OLMPLAN_CONFORMANCE")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance"), PathBuf::from)
        .join("crd")
}

fn documents(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    olmplan::yaml::values(&text).unwrap()
}

/// A finding as the cases have it; the messages of two checks are not given.
fn shown(finding: &Value, with_message: bool) -> String {
    let field = |name: &str| finding.get(name).cloned().unwrap_or(Value::Null).to_string();
    let given = with_message && !matches!(finding["check"].as_str(), Some("oneOf" | "unhandled"));
    let message = if given { field("message") } else { String::new() };
    [field("crd"), field("version"), field("property"), field("check"), field("level"), message].join(" ")
}

#[test]
fn agrees_with_the_reference() {
    let folder = folder();
    if !folder.is_dir() {
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{} is missing", folder.display());
        println!("skipped: {} is missing", folder.display());
        return;
    }
    let policies = [("olm", Policy::olm(&Target::default())), ("strict", Policy::strict())];
    let mut names: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let (mut agree, mut differ) = (0, Vec::new());
    for name in &names {
        let case = folder.join(name);
        let (before, after) = (documents(&case.join("before.yaml")), documents(&case.join("after.yaml")));
        let want: Value = serde_json::from_str(&std::fs::read_to_string(case.join("want.json")).unwrap()).unwrap();
        let mut problems = Vec::new();
        for (policy_name, policy) in &policies {
            let mut wanted: Vec<String> =
                want[policy_name]["findings"].as_array().unwrap().iter().map(|finding| shown(finding, true)).collect();
            let mut got: Vec<String> = crd::check_all(&before, &after, policy)
                .unwrap()
                .iter()
                .map(|finding| shown(&serde_json::to_value(finding).unwrap(), true))
                .collect();
            wanted.sort();
            got.sort();
            problems.extend(wanted.iter().filter(|f| !got.contains(f)).map(|f| format!("{policy_name} lacks {f}")));
            problems.extend(got.iter().filter(|f| !wanted.contains(f)).map(|f| format!("{policy_name} has too much {f}")));
            if problems.is_empty() && wanted.len() != got.len() {
                problems.push(format!("{policy_name}: {} findings wanted, {} got", wanted.len(), got.len()));
            }
        }
        if problems.is_empty() {
            agree += 1;
        } else {
            differ.push(format!("{name}:\n  {}", problems.join("\n  ")));
        }
    }
    println!("{agree} of {} pairs agree", names.len());
    assert!(
        differ.is_empty(),
        "{} of {} pairs differ; the first:\n{}",
        differ.len(),
        names.len(),
        differ.iter().take(5).cloned().collect::<Vec<_>>().join("\n")
    );
}
