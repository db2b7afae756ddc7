//! JSON text as Go writes a struct: fields in the struct's order. Hashed names are taken over it.

use super::types::Shape;
use crate::go::json::{self, Html};
use serde_json::Value;

/// Writes a value of a type, already [normalized](super::normalize()), with the struct's order of fields.
pub fn write_typed(out: &mut String, value: &Value, shape: &Shape) {
    match (value, shape) {
        (Value::Object(map), Shape::Struct(id)) => {
            let fields = id.get().fields.iter().filter_map(|field| Some((field.name, (&field.shape, map.get(field.name)?))));
            json::write_object(out, fields, Html::Escaped, |out, (shape, value)| write_typed(out, value, shape));
        }
        (Value::Array(items), Shape::List(item)) => json::write_list(out, items, |out, value| write_typed(out, value, item)),
        (Value::Object(map), Shape::Map(item)) => {
            let mut entries: Vec<_> = map.iter().map(|(key, value)| (key.as_str(), value)).collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            json::write_object(out, entries, Html::Escaped, |out, value| write_typed(out, value, item));
        }
        _ => json::write(out, value),
    }
}

#[cfg(test)]
mod tests {
    use super::super::named;
    use super::*;
    use serde_json::json;

    #[test]
    fn structs_keep_their_order_and_maps_are_sorted() {
        let value = json!({"resources": ["a<b"], "verbs": null, "apiGroups": [""]});
        let mut out = String::new();
        write_typed(&mut out, &value, &named("rbac/v1.PolicyRule"));
        assert_eq!(out, r#"{"verbs":null,"apiGroups":[""],"resources":["a\u003cb"]}"#);
    }
}
