//! `metadata/annotations.yaml` and `metadata/properties.yaml`.

use super::csv::Csv;
use super::error::BundleError;
use super::files::BundleFiles;
use super::yaml_text;
use crate::go::json::{self, Html};
use crate::yaml::{self, Broken};
use serde_json::{Map, Value};

const KEY: &str = "olm.properties";
const FILE: &str = "metadata/properties.yaml";
const PACKAGE: &str = "operators.operatorframework.io.bundle.package.v1";
const TEXTS: [&str; 3] =
    [PACKAGE, "operators.operatorframework.io.bundle.channels.v1", "operators.operatorframework.io.bundle.channel.default.v1"];

/// The package's name in the annotations file; empty where it names none.
pub(super) fn package_name(content: &[u8]) -> Result<String, BundleError> {
    let refused = |message: String| BundleError::Metadata { path: "metadata/annotations.yaml".to_owned(), message };
    let document = yaml_text::document(content).map_err(refused)?;
    let unfit = |value: &Value, into: &str| {
        refused(format!(
            "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal {} into Go {into}",
            json::kind(value)
        ))
    };
    let annotations = match &document {
        Value::Null => return Ok(String::new()),
        Value::Object(map) => any_case(map, "annotations"),
        other => return Err(unfit(other, "value of type registry.AnnotationsFile")),
    };
    let annotations = match annotations {
        None | Some(Value::Null) => return Ok(String::new()),
        Some(Value::Object(map)) => map,
        Some(other) => {
            return Err(unfit(other, "struct field AnnotationsFile.annotations of type registry.Annotations"));
        }
    };
    let named = |key: &str| TEXTS.into_iter().find(|name| name.eq_ignore_ascii_case(key));
    let unfits = annotations.iter().filter(|(_, value)| value.is_array() || value.is_object());
    let unfits = unfits.filter_map(|(key, value)| Some((key, named(key)?, value)));
    if let Some((_, name, value)) = unfits.min_by_key(|(key, ..)| key.as_str()) {
        return Err(unfit(value, &format!("struct field Annotations.annotations.{name} of type string")));
    }
    Ok(any_case(annotations, PACKAGE).map(as_text).unwrap_or_default())
}

/// Merges `metadata/properties.yaml` into the CSV's `olm.properties`, which come first.
pub(super) fn merge(csv: &mut Csv, files: &dyn BundleFiles) -> Result<(), BundleError> {
    let mut properties = match csv.annotations().and_then(|annotations| annotations.get(KEY)).and_then(Value::as_str) {
        Some(text) => of_csv(text).map_err(|words| BundleError::Properties {
            path: csv.file.clone(),
            message: format!("failed to unmarshal csv.metadata.annotations['olm.properties']: {words}"),
        })?,
        None => Vec::new(),
    };
    let content = files.read(FILE).map_err(|error| BundleError::File {
        path: FILE.to_owned(),
        message: format!("failed to read properties.yaml file: {error}"),
    })?;
    let Some(content) = content.filter(|content| !content.is_empty()) else { return Ok(()) };
    properties.extend(of_file(&content).map_err(|words| BundleError::Properties {
        path: FILE.to_owned(),
        message: format!("failed to unmarshal metadata/properties.yaml: {words}"),
    })?);
    csv.annotate(KEY, written(&properties));
    Ok(())
}

/// A property: its type, and its value as compact JSON.
struct Property {
    kind: String,
    value: String,
}

fn written(properties: &[Property]) -> String {
    if properties.is_empty() {
        return "null".to_owned();
    }
    let mut out = String::from("[");
    for (n, property) in properties.iter().enumerate() {
        if n > 0 {
            out.push(',');
        }
        out.push_str("{\"type\":");
        json::write_string(&mut out, &property.kind, Html::Escaped);
        out.push_str(",\"value\":");
        out.push_str(&property.value);
        out.push('}');
    }
    out.push(']');
    out
}

fn of_file(content: &[u8]) -> Result<Vec<Property>, String> {
    let document = yaml_text::document(content)?;
    let unfit = |value: &Value, into: &str| {
        format!("error unmarshaling JSON: while decoding JSON: json: cannot unmarshal {} into Go {into}", json::kind(value))
    };
    let list = match &document {
        Value::Null => return Ok(Vec::new()),
        Value::Object(map) => any_case(map, "properties"),
        other => return Err(unfit(other, "value of type source.RegistryV1Properties")),
    };
    let items = match list {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(items)) => items,
        Some(other) => {
            return Err(unfit(other, "struct field RegistryV1Properties.properties of type []property.Property"));
        }
    };
    // Go goes on after a wrong type, and gives the first at the end.
    let mut wrong = None;
    let mut properties = Vec::new();
    for item in items {
        let nothing = Map::new();
        let fields = match item {
            Value::Object(map) => map,
            Value::Null => &nothing,
            other => {
                wrong.get_or_insert_with(|| {
                    unfit(other, "struct field RegistryV1Properties.properties of type property.Property")
                });
                continue;
            }
        };
        let of_type = fields.iter().filter(|(key, _)| key.eq_ignore_ascii_case("type"));
        let unfits = of_type.filter(|(_, value)| value.is_array() || value.is_object());
        if let Some((_, value)) = unfits.min_by_key(|(key, _)| key.as_str()) {
            wrong.get_or_insert_with(|| unfit(value, "struct field Property.properties.type of type string"));
        }
        let kind = any_case(fields, "type").map(as_text).unwrap_or_default();
        let value = fields.iter().filter(|(key, _)| key.eq_ignore_ascii_case("value")).max_by_key(|(key, _)| key.as_str());
        properties.push(Property { kind, value: value.map_or_else(|| "null".to_owned(), |(_, value)| json::text(value)) });
    }
    wrong.map_or(Ok(properties), Err)
}

fn of_csv(text: &str) -> Result<Vec<Property>, String> {
    let (start, end) = yaml::only_json(text).map_err(|broken| match broken {
        Broken::Ends => "unexpected end of JSON input".to_owned(),
        Broken::Syntax { message, .. } => message,
    })?;
    let whole = text.get(start..end).unwrap_or_default();
    match whole.as_bytes().first() {
        Some(b'n') => return Ok(Vec::new()),
        Some(b'[') => {}
        _ => return Err(format!("json: cannot unmarshal {} into Go value of type []property.Property", raw_kind(whole))),
    }
    // Go goes on after a wrong type, and gives the first at the end.
    let mut wrong = None;
    let mut properties = Vec::new();
    for item in parts(whole) {
        let mut property = Property { kind: String::new(), value: "null".to_owned() };
        match item.as_bytes().first() {
            Some(b'n') => {}
            Some(b'{') => {
                let words = parts(item);
                for (key, value) in words.iter().step_by(2).zip(words.iter().skip(1).step_by(2)) {
                    if let Err(refused) = set_field(&mut property, key, value) {
                        wrong.get_or_insert(refused);
                    }
                }
            }
            _ => {
                let refused = format!("json: cannot unmarshal {} into Go value of type property.Property", raw_kind(item));
                wrong.get_or_insert(refused);
            }
        }
        properties.push(property);
    }
    wrong.map_or(Ok(properties), Err)
}

/// Sets the field that a key names, whatever its case; of two the last one counts.
fn set_field(property: &mut Property, key: &str, value: &str) -> Result<(), String> {
    let text = |raw: &str| yaml::read_json(raw).and_then(|value| value.as_str().map(str::to_owned));
    let key = text(key).unwrap_or_default();
    if key.eq_ignore_ascii_case("value") {
        property.value = compact(value);
    } else if key.eq_ignore_ascii_case("type") && !value.starts_with('n') {
        property.kind = text(value).ok_or_else(|| {
            format!("json: cannot unmarshal {} into Go struct field Property.type of type string", raw_kind(value))
        })?;
    }
    Ok(())
}

/// The items of an array, or the keys and values of an object, as they are written.
fn parts(whole: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut at = 1;
    loop {
        let rest = whole.get(at..).unwrap_or_default();
        at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n', ',', ':']).len();
        match yaml::next_json(whole, at) {
            Ok(Some((start, end))) => {
                parts.push(whole.get(start..end).unwrap_or_default());
                at = end;
            }
            // The closing bracket begins no value.
            _ => return parts,
        }
    }
}

/// The JSON text without its spaces, and with the characters escaped that encoding/json escapes.
fn compact(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut in_text = false;
    let mut escaped = false;
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            ' ' | '\t' | '\r' | '\n' if !in_text => continue,
            c => out.push(c),
        }
        in_text ^= c == '"' && !escaped;
        escaped = in_text && c == '\\' && !escaped;
    }
    out
}

/// The value of a field, whatever the case of its name: of several, the last in the order of names that is not null.
fn any_case<'a>(map: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    let named = map.iter().filter(|(key, value)| key.eq_ignore_ascii_case(name) && !value.is_null());
    named.max_by_key(|(key, _)| key.as_str()).map(|(_, value)| value)
}

/// A scalar where a text is wanted: sigs.k8s.io/yaml writes numbers and bools out.
fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Array(_) | Value::Object(_) => String::new(),
        Value::Bool(_) | Value::Number(_) => json::text(value),
    }
}

fn raw_kind(raw: &str) -> &'static str {
    match raw.as_bytes().first() {
        Some(b'"') => "string",
        Some(b'{') => "object",
        Some(b'[') => "array",
        Some(b't' | b'f') => "bool",
        Some(b'n') => "null",
        _ => "number",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::BTreeMap;

    fn csv(properties: Option<&str>) -> Csv {
        let metadata = match properties {
            Some(text) => json!({"annotations": {KEY: text}, "name": "c"}),
            None => json!({"name": "c"}),
        };
        Csv {
            file: "manifests/csv.yaml".to_owned(),
            object: json!({"metadata": metadata}),
            without_annotations: properties.is_none(),
        }
    }

    fn merged(of_csv: Option<&str>, of_file: Option<&str>) -> Result<Option<String>, String> {
        let files: BTreeMap<String, Vec<u8>> =
            of_file.into_iter().map(|text| (FILE.to_owned(), text.as_bytes().to_vec())).collect();
        let mut csv = csv(of_csv);
        merge(&mut csv, &files).map_err(|error| error.to_string())?;
        Ok(csv.annotations().and_then(|a| a.get(KEY)).and_then(Value::as_str).map(str::to_owned))
    }

    #[test]
    fn the_csvs_come_first_and_keep_their_text() {
        let file = "properties:\n- type: b\n  value: {z: 1, a: '<'}\n";
        assert_eq!(
            merged(Some(r#"[{"type": "a", "value": {"z": 1.0, "a": "x y"}}]"#), Some(file)),
            Ok(Some(r#"[{"type":"a","value":{"z":1.0,"a":"x y"}},{"type":"b","value":{"a":"\u003c","z":1}}]"#.to_owned()))
        );
    }

    #[test]
    fn without_a_file_nothing_changes_but_what_does_not_parse_is_refused() {
        assert_eq!(merged(Some("[ ]"), None), Ok(Some("[ ]".to_owned())));
        assert_eq!(merged(None, None), Ok(None));
        assert_eq!(merged(None, Some("properties: []")), Ok(Some("null".to_owned())));
        assert_eq!(
            merged(Some("{}"), None).unwrap_err(),
            "failed to unmarshal csv.metadata.annotations['olm.properties']: json: cannot unmarshal object into Go value of type []property.Property"
        );
        assert_eq!(
            merged(Some("["), None).unwrap_err(),
            "failed to unmarshal csv.metadata.annotations['olm.properties']: unexpected end of JSON input"
        );
    }

    #[test]
    fn what_does_not_parse_is_refused_in_encoding_jsons_words() {
        let refusal = |text: &str| {
            let refused = merged(Some(text), None).unwrap_err();
            refused.strip_prefix("failed to unmarshal csv.metadata.annotations['olm.properties']: ").unwrap().to_owned()
        };
        assert_eq!(refusal("[]x"), "invalid character 'x' after top-level value");
        assert_eq!(refusal("['a']"), "invalid character '\\'' looking for beginning of value");
        assert_eq!(refusal("[nulL]"), "invalid character 'L' in literal null (expecting 'l')");
        assert_eq!(refusal(" "), "unexpected end of JSON input");
        // The first wrong type counts, but only where all of it is JSON.
        assert_eq!(
            refusal(r#"[{"type": 1}, 2]"#),
            "json: cannot unmarshal number into Go struct field Property.type of type string"
        );
        assert_eq!(refusal("[1, 2"), "unexpected end of JSON input");
    }

    #[test]
    fn of_two_fields_of_a_name_the_last_counts() {
        let properties = r#"[{"type": "a", "Type": "b", "value": 1, "VALUE": null}, {"type": "\ud800", "value": " x "}]"#;
        let want = "[{\"type\":\"b\",\"value\":null},{\"type\":\"\u{fffd}\",\"value\":\" x \"}]";
        assert_eq!(merged(Some(properties), Some("properties: []")), Ok(Some(want.to_owned())));
    }

    #[test]
    fn a_package_name_may_be_a_number() {
        let text = format!("annotations:\n  {PACKAGE}: 123\n");
        assert_eq!(package_name(text.as_bytes()).unwrap(), "123");
        assert_eq!(package_name(b"annotations:\n").unwrap(), "");
        assert!(
            package_name(b"[]")
                .unwrap_err()
                .to_string()
                .ends_with("cannot unmarshal array into Go value of type registry.AnnotationsFile")
        );
    }
}
