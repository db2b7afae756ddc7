//! Decoding a value into a Go type and encoding it from there again, in place: [`normalize`].

use super::mismatch::Mismatch;
use super::number::{self, GoNumber};
use super::types::{Field, Shape, Type};
use super::{base64, custom};
use crate::place::Step;
use serde_json::{Map, Value};

/// Which of Go's decoders reads. They take the same values; they differ in their words, and in a few ways that are said here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decoder {
    /// Kubernetes' converter of unstructured objects: an integer that does not fit wraps around.
    Converter,
    /// sigs.k8s.io/json: an integer that does not fit is refused.
    Json,
    /// encoding/json: as [`Decoder::Json`], and field names match whatever their case.
    AnyCaseJson,
}

/// Makes `value` what encoding a Go value of that type gives, after decoding `value` into it: unknown fields are gone,
/// empty values left out or filled in, keys sorted.
///
/// Follows apimachinery `pkg/runtime/converter.go` (v0.36).
///
/// # Errors
/// Where Go refuses the value; `value` is then left half done.
pub fn normalize(value: &mut Value, shape: &Shape, decoder: Decoder) -> Result<(), Mismatch> {
    if value.is_null() {
        *value = zero(shape);
        return Ok(());
    }
    match shape {
        Shape::String => string(value, decoder),
        Shape::Bool => bool(value, decoder),
        Shape::Int32 | Shape::Int64 => int(value, shape, decoder),
        Shape::Float64 => float(value, decoder),
        Shape::Bytes => bytes(value, decoder),
        Shape::Raw | Shape::Json => {
            number::tidy(value);
            Ok(())
        }
        Shape::Struct(id) => struct_of(value, id.get(), decoder),
        Shape::List(item) => list(value, shape, item, decoder),
        Shape::Map(item) => map(value, shape, item, decoder),
        _ => custom::normalize(value, shape, decoder),
    }
}

/// Whether `value` can be decoded into the type; `value` stays as it is.
///
/// # Errors
/// Where Go refuses the value.
pub fn check(value: &Value, shape: &Shape, decoder: Decoder) -> Result<(), Mismatch> {
    normalize(&mut value.clone(), shape, decoder)
}

/// What the zero value of a type is encoded as.
pub(super) fn zero(shape: &Shape) -> Value {
    match shape {
        Shape::String | Shape::Release => Value::from(""),
        Shape::Bool | Shape::SchemaOrBool => Value::Bool(false),
        Shape::Int32 | Shape::Int64 | Shape::Float64 | Shape::IntOrString => Value::from(0),
        Shape::Quantity => Value::from("0"),
        Shape::Version => Value::from("0.0.0"),
        Shape::Bytes
        | Shape::Raw
        | Shape::Json
        | Shape::Time
        | Shape::SchemaOrArray
        | Shape::SchemaOrStringArray
        | Shape::List(_)
        | Shape::Map(_) => Value::Null,
        Shape::Struct(id) => {
            Value::Object(id.get().required().map(|(_, field)| (field.name.to_owned(), absent(field))).collect())
        }
    }
}

/// What a field is written as that the input does not have.
fn absent(field: &Field) -> Value {
    if field.pointer { Value::Null } else { zero(&field.shape) }
}

fn omitted(field: &Field, value: &Value) -> bool {
    if field.omit_zero && (value.is_null() || value.as_str() == Some("")) {
        return true;
    }
    if !field.omit_empty || field.pointer {
        return false;
    }
    match (&field.shape, value) {
        (Shape::String | Shape::Bytes, Value::String(text)) => text.is_empty(),
        (Shape::Bool, Value::Bool(yes)) => !yes,
        (Shape::Int32 | Shape::Int64 | Shape::Float64, Value::Number(number)) => number.as_f64() == Some(0.0),
        (Shape::List(_), Value::Array(items)) => items.is_empty(),
        (Shape::Map(_), Value::Object(map)) => map.is_empty(),
        _ => false,
    }
}

fn struct_of(value: &mut Value, kind: &Type, decoder: Decoder) -> Result<(), Mismatch> {
    let Value::Object(map) = value else {
        return Err(match decoder {
            Decoder::Converter => Mismatch::plain(format!("cannot restore struct from: {}", go_kind(value))),
            Decoder::Json | Decoder::AnyCaseJson => Mismatch::json(json_kind(value), kind.go_name()),
        });
    };
    if decoder == Decoder::AnyCaseJson {
        fold_case(map, kind);
    }
    let mut seen: u128 = 0;
    let mut in_order = true;
    let mut last = 0;
    // The converter goes through the struct's fields, a JSON decoder through sorted keys: the first refusal counts.
    let mut first: Option<(usize, Mismatch)> = None;
    map.retain(|key, value| {
        let Some((rank, position, field)) = kind.find(key) else { return false };
        if value.is_null() {
            return false;
        }
        if let Err(mismatch) = normalize(value, &field.shape, decoder) {
            let (turn, mismatch) = match decoder {
                Decoder::Converter => (position, mismatch.below(Step::Key(field.name.to_owned()))),
                Decoder::Json | Decoder::AnyCaseJson => (rank, mismatch.below_field(kind.bare_name(), field.name)),
            };
            if first.as_ref().is_none_or(|(before, _)| turn < *before) {
                first = Some((turn, mismatch));
            }
            return false;
        }
        if omitted(field, value) {
            return false;
        }
        seen |= 1 << rank;
        in_order &= rank >= last;
        last = rank;
        true
    });
    if let Some((_, mismatch)) = first {
        return Err(mismatch);
    }
    for (rank, field) in kind.required() {
        if seen & (1 << rank) == 0 {
            map.insert(field.name.to_owned(), absent(field));
            in_order = false;
        }
    }
    if !in_order {
        map.sort_keys();
    }
    Ok(())
}

/// Renames keys that are fields but for their case.
fn fold_case(map: &mut Map<String, Value>, kind: &Type) {
    if map.keys().all(|key| kind.find(key).is_some()) {
        return;
    }
    map.sort_keys();
    let folded = std::mem::take(map).into_iter().map(|(key, value)| {
        let field = kind.fields.iter().find(|field| kind.find(&key).is_none() && field.name.eq_ignore_ascii_case(&key));
        (field.map_or(key, |field| field.name.to_owned()), value)
    });
    *map = folded.collect();
}

fn list(value: &mut Value, shape: &Shape, item: &Shape, decoder: Decoder) -> Result<(), Mismatch> {
    let Value::Array(items) = value else {
        return Err(match decoder {
            Decoder::Converter => Mismatch::plain(format!("cannot restore slice from {}", go_kind(value))),
            Decoder::Json | Decoder::AnyCaseJson => Mismatch::json(json_kind(value), shape.go_name()),
        });
    };
    for (position, value) in items.iter_mut().enumerate() {
        normalize(value, item, decoder).map_err(|mismatch| mismatch.below(Step::Index(position)))?;
    }
    Ok(())
}

fn map(value: &mut Value, shape: &Shape, item: &Shape, decoder: Decoder) -> Result<(), Mismatch> {
    let Value::Object(map) = value else {
        return Err(match decoder {
            Decoder::Converter => Mismatch::plain(format!("cannot restore map from {}", go_kind(value))),
            Decoder::Json | Decoder::AnyCaseJson => Mismatch::json(json_kind(value), shape.go_name()),
        });
    };
    if !map.keys().is_sorted() {
        map.sort_keys();
    }
    for (key, value) in map.iter_mut() {
        normalize(value, item, decoder).map_err(|mismatch| mismatch.below(Step::Key(key.clone())))?;
    }
    Ok(())
}

fn string(value: &Value, decoder: Decoder) -> Result<(), Mismatch> {
    match (value, decoder) {
        (Value::String(_), _) => Ok(()),
        (Value::Number(number), Decoder::Converter) if matches!(number::read(number), GoNumber::Int(_)) => {
            // Go's reflection finds an integer convertible to a string; the converter does not do it.
            Err(Mismatch::plain("cannot convert int64 to string"))
        }
        _ => Err(unfit(value, "string", decoder)),
    }
}

fn bool(value: &Value, decoder: Decoder) -> Result<(), Mismatch> {
    if value.is_boolean() { Ok(()) } else { Err(unfit(value, "bool", decoder)) }
}

fn int(value: &mut Value, shape: &Shape, decoder: Decoder) -> Result<(), Mismatch> {
    let kind = if *shape == Shape::Int32 { "int32" } else { "int64" };
    let Value::Number(number) = value else { return Err(unfit(value, kind, decoder)) };
    let int = match (number::read(number), decoder) {
        (GoNumber::Int(int), _) => int,
        (GoNumber::Float(float), Decoder::Converter) if float.fract() == 0.0 => wrap(float),
        (GoNumber::Float(_), Decoder::Converter) => {
            return Err(Mismatch::plain(format!("cannot convert float64 to {kind}")));
        }
        (GoNumber::Float(float), _) => match number::from_float(float).as_i64() {
            Some(int) => int,
            None => return Err(Mismatch::json(format!("number {}", number::text(number)), kind)),
        },
    };
    let int = match (shape, i32::try_from(int)) {
        (Shape::Int32, Err(_)) if decoder != Decoder::Converter => {
            return Err(Mismatch::json(format!("number {}", number::text(number)), kind));
        }
        (Shape::Int32, Err(_)) => i64::from(low_bits(int)),
        _ => int,
    };
    *value = Value::from(int);
    Ok(())
}

/// The low 32 bits, as Go's conversion keeps them.
fn low_bits(int: i64) -> i32 {
    let [a, b, c, d, ..] = int.to_le_bytes();
    i32::from_le_bytes([a, b, c, d])
}

/// A float that Go converts to an int64; out of range, amd64 gives the smallest.
#[allow(clippy::cast_possible_truncation)]
fn wrap(float: f64) -> i64 {
    if float >= 9_223_372_036_854_775_808.0 { i64::MIN } else { float as i64 }
}

fn float(value: &mut Value, decoder: Decoder) -> Result<(), Mismatch> {
    let Value::Number(number) = value else { return Err(unfit(value, "float64", decoder)) };
    *value = number::from_float(number.as_f64().unwrap_or_default());
    Ok(())
}

fn bytes(value: &mut Value, decoder: Decoder) -> Result<(), Mismatch> {
    let Value::String(text) = value else {
        return Err(match decoder {
            Decoder::Converter => Mismatch::plain(format!("cannot restore slice from {}", go_kind(value))),
            Decoder::Json | Decoder::AnyCaseJson => Mismatch::json(json_kind(value), "[]uint8"),
        });
    };
    match base64::decode(text) {
        Ok(bytes) => {
            *text = base64::encode(&bytes);
            Ok(())
        }
        Err(position) => {
            let start = if decoder == Decoder::Converter { "error decoding from json: " } else { "" };
            Err(Mismatch::plain(format!("{start}illegal base64 data at input byte {position}")))
        }
    }
}

/// A scalar's refusal.
pub(super) fn unfit(value: &Value, kind: &str, decoder: Decoder) -> Mismatch {
    match decoder {
        Decoder::Converter => Mismatch::plain(format!("unrecognized type: {kind}")),
        Decoder::Json | Decoder::AnyCaseJson => Mismatch::json(json_kind(value), kind),
    }
}

/// The kind that Go's reflection says a decoded value has.
fn go_kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "invalid",
        Value::Bool(_) => "bool",
        Value::Number(number) => match number::read(number) {
            GoNumber::Int(_) => "int64",
            GoNumber::Float(_) => "float64",
        },
        Value::String(_) => "string",
        Value::Array(_) => "slice",
        Value::Object(_) => "map",
    }
}

/// What encoding/json calls a value in its refusals.
pub fn json_kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use super::super::types::named;
    use super::*;
    use serde_json::json;

    fn after(kind: &str, mut value: Value) -> Value {
        normalize(&mut value, &named(kind), Decoder::Converter).unwrap();
        value
    }

    fn refusal(kind: &str, mut value: Value, decoder: Decoder) -> String {
        normalize(&mut value, &named(kind), decoder).unwrap_err().to_string()
    }

    #[test]
    fn empty_values_vanish_or_stay_as_the_struct_says() {
        let rule = after("rbac/v1.PolicyRule", json!({"resources": ["b"], "apiGroups": [], "unknown": 1, "resourceNames": null}));
        assert_eq!(rule.to_string(), r#"{"resources":["b"],"verbs":null}"#);
        let container =
            after("core/v1.Container", json!({"name": "c", "stdin": false, "env": [null, {"name": "A", "value": ""}]}));
        assert_eq!(container.to_string(), r#"{"env":[{"name":""},{"name":"A"}],"name":"c","resources":{}}"#);
        // A pointer to a zero value is kept.
        let context = after("core/v1.SecurityContext", json!({"runAsUser": 0, "privileged": false}));
        assert_eq!(context.to_string(), r#"{"privileged":false,"runAsUser":0}"#);
        let meta =
            after("meta/v1.ObjectMeta", json!({"creationTimestamp": null, "labels": {"b": null, "a": "1"}, "finalizers": []}));
        assert_eq!(meta.to_string(), r#"{"labels":{"a":"1","b":""}}"#);
    }

    #[test]
    fn schemas_keep_their_own_encodings() {
        let schema = json!({
            "properties": {"x": {"items": [], "additionalProperties": true, "default": {"b": null, "a": 1.0}, "maximum": 3}},
            "enum": [null, "a"],
            "items": {"type": "string", "nope": 1},
        });
        assert_eq!(
            after("apiextensions/v1.JSONSchemaProps", schema).to_string(),
            r#"{"enum":[null,"a"],"items":{"type":"string"},"properties":{"x":{"additionalProperties":true,"default":{"a":1,"b":null},"items":null,"maximum":3}}}"#
        );
    }

    #[test]
    fn refusals_are_in_the_decoders_words() {
        let deployment = json!({"replicas": "1"});
        assert_eq!(refusal("apps/v1.DeploymentSpec", deployment, Decoder::Converter), "unrecognized type: int32");
        let meta = json!({"labels": {"a": 1}});
        assert_eq!(
            refusal("meta/v1.ObjectMeta", meta.clone(), Decoder::Json),
            "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string"
        );
        assert_eq!(refusal("meta/v1.ObjectMeta", meta, Decoder::Converter), "cannot convert int64 to string");
        assert_eq!(refusal("core/v1.Container", json!({"env": {}}), Decoder::Converter), "cannot restore slice from map");
        // Within `items`, JSON is what reads.
        assert_eq!(
            refusal("apiextensions/v1.JSONSchemaProps", json!({"items": {"properties": {"x": {"type": 1}}}}), Decoder::Converter),
            "json: cannot unmarshal number into Go struct field JSONSchemaProps.properties.type of type string"
        );
        assert_eq!(
            refusal("apiextensions/v1.JSONSchemaProps", json!({"additionalProperties": "x"}), Decoder::Converter),
            "boolean or JSON schema expected"
        );
    }

    #[test]
    fn the_first_refusal_is_the_structs_first() {
        let mut value = json!({"args": 1, "name": 2, "image": 3.5});
        let refusal = normalize(&mut value, &named("core/v1.Container"), Decoder::Converter).unwrap_err();
        assert_eq!(refusal.to_string(), "cannot convert int64 to string");
        assert_eq!(refusal.path().to_string(), "name");
    }

    #[test]
    fn integers_wrap_or_are_refused() {
        let wrapped = after("core/v1.ContainerPort", json!({"containerPort": 4_294_967_297_i64}));
        assert_eq!(wrapped, json!({"containerPort": 1}));
        assert_eq!(
            refusal("core/v1.ContainerPort", json!({"containerPort": 4_294_967_297_i64}), Decoder::Json),
            "json: cannot unmarshal number 4294967297 into Go struct field ContainerPort.containerPort of type int32"
        );
    }

    #[test]
    fn any_case_will_do_for_encoding_json() {
        let mut value = json!({"Name": "a", "VALUE": "b"});
        normalize(&mut value, &named("core/v1.EnvVar"), Decoder::AnyCaseJson).unwrap();
        assert_eq!(value, json!({"name": "a", "value": "b"}));
    }
}
