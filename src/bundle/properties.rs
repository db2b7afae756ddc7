//! `metadata/annotations.yaml` and `metadata/properties.yaml`.

use super::csv::Csv;
use super::error::BundleError;
use super::files::BundleFiles;
use super::yaml_text;
use crate::go::json::{self, Html};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

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
    for name in TEXTS {
        if let Some(value @ (Value::Array(_) | Value::Object(_))) = any_case(annotations, name) {
            return Err(unfit(value, &format!("struct field Annotations.annotations.{name} of type string")));
        }
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
    let property = |item: &Value| match item {
        Value::Null => Ok(Property { kind: String::new(), value: "null".to_owned() }),
        Value::Object(map) => {
            let kind = match any_case(map, "type") {
                Some(value @ (Value::Array(_) | Value::Object(_))) => {
                    return Err(unfit(value, "struct field Property.properties.type of type string"));
                }
                kind => kind.map(as_text).unwrap_or_default(),
            };
            Ok(Property { kind, value: any_case(map, "value").map_or_else(|| "null".to_owned(), json::text) })
        }
        other => Err(unfit(other, "struct field RegistryV1Properties.properties of type property.Property")),
    };
    items.iter().map(property).collect()
}

fn of_csv(text: &str) -> Result<Vec<Property>, String> {
    type Fields = BTreeMap<String, Box<RawValue>>;
    let whole: &RawValue = serde_json::from_str(text).map_err(|error| syntax(text, &error))?;
    let items: Vec<Box<RawValue>> = match whole.get().as_bytes().first() {
        Some(b'n') => return Ok(Vec::new()),
        Some(b'[') => serde_json::from_str(whole.get()).map_err(|error| syntax(text, &error))?,
        _ => return Err(format!("json: cannot unmarshal {} into Go value of type []property.Property", raw_kind(whole))),
    };
    let property = |item: &RawValue| {
        let fields: Fields = match item.get().as_bytes().first() {
            Some(b'n') => Fields::new(),
            Some(b'{') => serde_json::from_str(item.get()).map_err(|error| syntax(text, &error))?,
            _ => return Err(format!("json: cannot unmarshal {} into Go value of type property.Property", raw_kind(item))),
        };
        let field = |name: &str| {
            let exact = fields.get(name);
            exact.or_else(|| fields.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value))
        };
        let kind = match field("type").map(|raw| raw.get()) {
            None | Some("null") => String::new(),
            Some(raw) => serde_json::from_str(raw).map_err(|_| {
                let kind = field("type").map_or("null", |raw| raw_kind(raw));
                format!("json: cannot unmarshal {kind} into Go struct field Property.type of type string")
            })?,
        };
        Ok(Property { kind, value: field("value").map_or_else(|| "null".to_owned(), |raw| compact(raw.get())) })
    };
    items.iter().map(|item| property(item)).collect()
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

/// What encoding/json says of JSON that does not parse, as far as that can be told.
fn syntax(text: &str, error: &serde_json::Error) -> String {
    if error.is_eof() {
        return "unexpected end of JSON input".to_owned();
    }
    let line = text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    match line.as_bytes().get(error.column().saturating_sub(1)) {
        Some(byte) if byte.is_ascii_graphic() => {
            format!("invalid character '{}' looking for beginning of value", char::from(*byte))
        }
        _ => "invalid character looking for beginning of value".to_owned(),
    }
}

fn any_case<'a>(map: &'a serde_json::Map<String, Value>, name: &str) -> Option<&'a Value> {
    map.get(name).or_else(|| map.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value))
}

/// A scalar where a text is wanted: sigs.k8s.io/yaml writes numbers and bools out.
fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Array(_) | Value::Object(_) => String::new(),
        Value::Bool(_) | Value::Number(_) => json::text(value),
    }
}

fn raw_kind(raw: &RawValue) -> &'static str {
    match raw.get().as_bytes().first() {
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

    fn csv(properties: Option<&str>) -> Csv {
        let metadata = match properties {
            Some(text) => json!({"annotations": {KEY: text}, "name": "c"}),
            None => json!({"name": "c"}),
        };
        Csv { file: "manifests/csv.yaml".to_owned(), object: json!({"metadata": metadata}) }
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
