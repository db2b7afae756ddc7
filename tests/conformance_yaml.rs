//! What Kubernetes' reader makes of each text of `conformance/yaml`, and what ours makes of it.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "this is a test"
)]

use std::path::PathBuf;

use olmplan::yaml;
use serde_json::Value;

/// The folder of cases; `None` where it is missing, which is an error only in CI.
fn folder(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("OLMPLAN_CONFORMANCE")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance"), PathBuf::from);
    let folder = root.join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{} is missing", folder.display());
    println!("skipped: {} is missing", folder.display());
    None
}

/// A value as text, with its keys sorted.
fn canonical(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().map(|(k, v)| format!("{}:{}", Value::from(k.as_str()), canonical(v))).collect();
            entries.sort();
            format!("{{{}}}", entries.join(","))
        }
        // Kubernetes has no negative zero.
        Value::Number(number) if number.as_f64() == Some(0.0) => "0".to_owned(),
        value => value.to_string(),
    }
}

/// Whether a value is what a JSON text says. serde_json refuses a few that Go does not (deep nesting, half a surrogate pair, a number
/// too large to hold); those are compared by their text, or as our own reader of JSON has them.
fn is_same(want: &str, got: &Value) -> bool {
    match serde_json::from_str::<Value>(want) {
        Ok(value) => canonical(&value) == canonical(got),
        Err(_) => want == format!("{got}") || yaml::values(want).is_ok_and(|values| values.first() == Some(got)),
    }
}

fn field<'a>(case: &'a Value, name: &str) -> Option<&'a str> {
    case.get(name).and_then(Value::as_str)
}

/// What differs between the case and our answer.
fn differences(case: &Value) -> (Vec<String>, usize) {
    let text = field(case, "text").expect("a case has a text");
    let mut found = Vec::new();
    let mut other_words = 0;
    let mut words = |want: &str, got: &str| other_words += usize::from(want != got);
    match (yaml::read(text), field(case, "json"), field(case, "error")) {
        (Ok(got), Some(want), _) if is_same(want, &got) => {}
        (Ok(got), Some(want), _) => found.push(format!("json: want {want}, got {got}")),
        (Err(got), None, Some(want)) => words(want, &got.message),
        (Ok(got), ..) => found.push(format!("want the error {:?}, got {}", field(case, "error"), canonical(&got))),
        (Err(got), ..) => found.push(format!("want {:?}, got the error {got}", field(case, "json"))),
    }
    let strict = match yaml::read_document(text) {
        Ok(document) => document.strict_error(),
        Err(error) => Some(error.strict_error().to_owned()),
    };
    match (strict, field(case, "strictError")) {
        (Some(got), Some(want)) => words(want, &got),
        (None, None) => {}
        (got, want) => found.push(format!("strict: want {want:?}, got {got:?}")),
    }
    let want_stream = case.get("stream").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut got_stream = Vec::new();
    let mut got_error = None;
    for document in yaml::read_stream(text) {
        match document {
            Ok(document) => got_stream.push(document.value),
            Err(error) => got_error = Some(error.message),
        }
    }
    if want_stream.len() != got_stream.len() {
        found.push(format!("stream: want {want_stream:?}, got {got_stream:?}"));
    }
    for (want, got) in want_stream.iter().zip(&got_stream) {
        let want = want.as_str().unwrap_or_default();
        if !is_same(want, got) {
            found.push(format!("stream: want {want}, got {got}"));
        }
    }
    match (got_error, field(case, "streamError")) {
        (Some(got), Some(want)) => words(want, &got),
        (None, None) => {}
        (got, want) => found.push(format!("stream error: want {want:?}, got {got:?}")),
    }
    let fast = yaml::values(text);
    if fast.is_ok() && fast != Ok(got_stream) {
        found.push("values and read_stream differ".to_owned());
    }
    (found, other_words)
}

#[test]
fn reads_as_kubernetes_does() {
    let Some(folder) = folder("yaml") else { return };
    let cases = std::fs::read_to_string(folder.join("cases.jsonl")).expect("cases.jsonl is readable");
    let (mut total, mut other_words) = (0, 0);
    let mut wrong = Vec::new();
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).expect("a case is JSON");
        total += 1;
        let (found, words) = differences(&case);
        other_words += words;
        if !found.is_empty() {
            wrong.push(format!("{}\n    {}", case["text"], found.join("\n    ")));
        }
    }
    println!("yaml: {} of {total} cases agree; {other_words} errors in other words", total - wrong.len());
    assert!(wrong.is_empty(), "{} of {total} differ:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
    assert_eq!(other_words, 0, "errors are told in the words of Kubernetes");
}
