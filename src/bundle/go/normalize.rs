//! Decoding a value into a Go type and encoding it from there again, in place: [`normalize`].

use super::custom;
use super::mismatch::Mismatch;
use super::scalar::{self, go_kind};
use super::types::{Field, Shape, Type};
use crate::go::json::kind as json_kind;
use crate::go::number;
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
        Shape::String | Shape::Text(_) => scalar::string(value, shape, decoder),
        Shape::Bool => scalar::bool(value, decoder),
        Shape::Int32 | Shape::Int64 => scalar::int(value, shape, decoder),
        Shape::Float64 => scalar::float(value, decoder),
        Shape::Bytes => scalar::bytes(value, decoder),
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
        Shape::String | Shape::Text(_) | Shape::Release => Value::from(""),
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
        (Shape::String | Shape::Text(_) | Shape::Bytes, Value::String(text)) => text.is_empty(),
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
    // The converter goes through the struct's fields, a JSON decoder through sorted keys: the first refusal counts, but for a JSON
    // decoder one that stops it goes before all others.
    let mut first: Option<(usize, Mismatch)> = None;
    map.retain(|key, value| {
        let Some((rank, position, field)) = kind.find(key) else { return false };
        if value.is_null() {
            return false;
        }
        if let Err(mismatch) = normalize(value, &field.shape, decoder) {
            let (turn, mismatch) = match decoder {
                Decoder::Converter => (position, mismatch.below(Step::Key(field.name.to_owned()))),
                Decoder::Json | Decoder::AnyCaseJson => {
                    let mismatch = field.own_name.map_or(mismatch.clone(), |name| mismatch.of_type(name));
                    (rank, mismatch.below_field(kind.bare_name(), field.name))
                }
            };
            let sooner = |before: &usize, of: &Mismatch| mismatch.overrules(of) || turn < *before && !of.overrules(&mismatch);
            if first.as_ref().is_none_or(|(before, of)| sooner(before, of)) {
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
    let each = items.iter_mut().enumerate();
    all(each.map(|(position, value)| (Step::Index(position), value)), item, decoder)
}

/// Normalizes each; a JSON decoder goes on after a wrong type, for what may stop it.
pub(super) fn all<'a>(each: impl Iterator<Item = (Step, &'a mut Value)>, item: &Shape, decoder: Decoder) -> Result<(), Mismatch> {
    let mut first = None;
    for (step, value) in each {
        let Err(mismatch) = normalize(value, item, decoder) else { continue };
        let mismatch = mismatch.below(step);
        if decoder == Decoder::Converter || mismatch.stops() {
            return Err(mismatch);
        }
        first.get_or_insert(mismatch);
    }
    first.map_or(Ok(()), Err)
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
    all(map.iter_mut().map(|(key, value)| (Step::Key(key.clone()), value)), item, decoder)
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
        assert_eq!(
            refusal("core/v1.PodSpec", json!({"restartPolicy": 1}), Decoder::Converter),
            "cannot convert int64 to v1.RestartPolicy"
        );
        assert_eq!(
            refusal("meta/v1.ObjectMeta", json!({"uid": 1}), Decoder::Json),
            "json: cannot unmarshal number into Go struct field ObjectMeta.uid of type types.UID"
        );
        assert_eq!(
            refusal("core/v1.ResourceRequirements", json!({"limits": []}), Decoder::Json),
            "json: cannot unmarshal array into Go struct field ResourceRequirements.limits of type v1.ResourceList"
        );
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
    fn a_json_decoder_goes_on_after_a_wrong_type_until_a_types_own_decoder_refuses() {
        let value = json!({"annotations": 1, "creationTimestamp": "2020-13-01T00:00:00Z", "labels": []});
        assert_eq!(
            refusal("meta/v1.ObjectMeta", value.clone(), Decoder::Json),
            "parsing time \"2020-13-01T00:00:00Z\": month out of range"
        );
        assert_eq!(
            refusal("meta/v1.ObjectMeta", value, Decoder::Converter),
            "parsing time \"2020-13-01T00:00:00Z\": month out of range"
        );
        let value = json!({"managedFields": [{"manager": 1}, {"time": "x"}]});
        assert!(refusal("meta/v1.ObjectMeta", value, Decoder::Json).starts_with("parsing time \"x\""));
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

    /// Schemas with what may stand in them, and a field that may not.
    fn schemas() -> impl proptest::strategy::Strategy<Value = Value> {
        use proptest::prelude::*;
        let leaf = (any::<f64>(), any::<i64>(), any::<bool>()).prop_map(|(maximum, length, nullable)| {
            json!({"type": "string", "maximum": maximum, "minLength": length, "nullable": nullable, "default": {"z": maximum, "a": null}})
        });
        leaf.prop_recursive(5, 40, 4, |inner| {
            let some = proptest::option::of(inner.clone());
            let named = proptest::collection::vec(("[a-c]", inner), 0..3);
            (named, some.clone(), some, any::<bool>()).prop_map(|(named, items, additional, flag)| {
                let properties: Map<String, Value> = named.into_iter().collect();
                json!({
                    "x-unknown": 1,
                    "required": if flag { json!(["a"]) } else { json!([]) },
                    "properties": properties,
                    "items": items,
                    "additionalProperties": additional.unwrap_or(Value::Bool(flag)),
                    "enum": [flag, {"b": 1.0}],
                })
            })
        })
    }

    proptest::proptest! {
        #[test]
        fn what_has_been_through_go_goes_through_unchanged(value in schemas()) {
            let shape = named("apiextensions/v1.JSONSchemaProps");
            let mut once = value;
            normalize(&mut once, &shape, Decoder::Converter).unwrap();
            let mut twice = once.clone();
            normalize(&mut twice, &shape, Decoder::Json).unwrap();
            proptest::prop_assert_eq!(once.to_string(), twice.to_string());
            let mut sorted = once.clone();
            sorted.sort_all_objects();
            proptest::prop_assert_eq!(once.to_string(), sorted.to_string());
        }
    }

    #[test]
    fn any_case_will_do_for_encoding_json() {
        let mut value = json!({"Name": "a", "VALUE": "b"});
        normalize(&mut value, &named("core/v1.EnvVar"), Decoder::AnyCaseJson).unwrap();
        assert_eq!(value, json!({"name": "a", "value": "b"}));
    }
}
