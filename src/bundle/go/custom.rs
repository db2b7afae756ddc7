//! Types with an encoding of their own: quantities, times, int-or-string, schema-or-something, versions.

use super::mismatch::Mismatch;
use super::normalize::{self as plain, Decoder};
use super::types::{Shape, named};
use super::{quantity, semver};
use crate::go::json::kind as json_kind;
use crate::go::number::{self, GoNumber};
use crate::go::time;
use crate::place::Step;
use serde_json::Value;
use std::sync::OnceLock;

/// As [`plain::normalize`], for a type that decodes itself. What such a type holds is read by a JSON decoder.
pub(super) fn normalize(value: &mut Value, shape: &Shape, decoder: Decoder) -> Result<(), Mismatch> {
    let inner = if decoder == Decoder::Converter { Decoder::Json } else { decoder };
    match shape {
        Shape::Quantity => quantity(value),
        Shape::IntOrString => int_or_string(value),
        Shape::Time => text(value, time::rewrite),
        Shape::Version => text(value, |text| semver::parse_tolerant(text).map(|()| text.to_owned())),
        Shape::Release => text(value, |text| semver::parse_release(text).map(|()| text.to_owned())),
        Shape::SchemaOrBool => match value {
            Value::Bool(_) => Ok(()),
            Value::Object(_) => plain::normalize(value, schema(), inner),
            _ => Err(Mismatch::plain("boolean or JSON schema expected")),
        },
        Shape::SchemaOrArray => match value {
            Value::Object(_) => plain::normalize(value, schema(), inner),
            _ => items(value, schema(), inner),
        },
        Shape::SchemaOrStringArray => match value {
            Value::Object(_) => plain::normalize(value, schema(), inner),
            _ => items(value, &Shape::String, inner),
        },
        _ => Ok(()),
    }
    .map_err(Mismatch::across_if(decoder))
}

impl Mismatch {
    /// A JSON decoder that calls a type's own decoder puts its own structs in place of that one's.
    fn across_if(decoder: Decoder) -> impl Fn(Self) -> Self {
        move |mismatch| if decoder == Decoder::Converter { mismatch } else { mismatch.across() }
    }
}

fn schema() -> &'static Shape {
    static SCHEMA: OnceLock<Shape> = OnceLock::new();
    SCHEMA.get_or_init(|| named("apiextensions/v1.JSONSchemaProps"))
}

/// A list; anything that is none, or an empty one, is encoded as null.
fn items(value: &mut Value, item: &Shape, inner: Decoder) -> Result<(), Mismatch> {
    match value {
        Value::Array(items) if !items.is_empty() => {
            plain::all(items.iter_mut().enumerate().map(|(position, value)| (Step::Index(position), value)), item, inner)?;
        }
        _ => *value = Value::Null,
    }
    Ok(())
}

fn quantity(value: &mut Value) -> Result<(), Mismatch> {
    let text = match value {
        Value::String(text) => quantity::canonical(text.trim()),
        Value::Number(number) => quantity::canonical(&number::text(number)),
        // The decoder takes the JSON text as it is, and no other value's text is a quantity.
        _ => Err(quantity::FORMAT_WRONG),
    };
    *value = Value::String(text.map_err(Mismatch::plain)?);
    Ok(())
}

fn int_or_string(value: &mut Value) -> Result<(), Mismatch> {
    match value {
        Value::String(_) => Ok(()),
        Value::Number(number) => {
            let refused = || Mismatch::json(format!("number {}", number::text(number)), "int32");
            let int = match number::read(number) {
                GoNumber::Int(int) => Some(int),
                GoNumber::Float(float) => number::from_float(float).as_i64(),
            };
            let int = int.and_then(|int| i32::try_from(int).ok()).ok_or_else(refused)?;
            *value = Value::from(int);
            Ok(())
        }
        _ => Err(Mismatch::json(json_kind(value), "int32")),
    }
}

fn text(value: &mut Value, rewrite: impl Fn(&str) -> Result<String, String>) -> Result<(), Mismatch> {
    let Value::String(text) = value else { return Err(Mismatch::json(json_kind(value), "string")) };
    let rewritten = rewrite(text).map_err(Mismatch::plain)?;
    // The zero time is written as null.
    *value = if rewritten == time::ZERO { Value::Null } else { Value::String(rewritten) };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn after(shape: &Shape, mut value: Value) -> Result<Value, String> {
        normalize(&mut value, shape, Decoder::Converter).map_err(|mismatch| mismatch.to_string())?;
        Ok(value)
    }

    #[test]
    fn int_or_string_is_an_int32_or_a_string() {
        assert_eq!(after(&Shape::IntOrString, json!("80")), Ok(json!("80")));
        assert_eq!(after(&Shape::IntOrString, json!(80.0)), Ok(json!(80)));
        assert_eq!(
            after(&Shape::IntOrString, json!(true)),
            Err("json: cannot unmarshal bool into Go value of type int32".to_owned())
        );
    }

    #[test]
    fn quantities_take_numbers_and_nothing_else() {
        assert_eq!(after(&Shape::Quantity, json!(0.5)), Ok(json!("500m")));
        assert!(after(&Shape::Quantity, json!({})).unwrap_err().starts_with("quantities must match"));
    }

    #[test]
    fn a_schema_or_array_that_is_neither_is_null() {
        assert_eq!(after(&Shape::SchemaOrArray, json!([])), Ok(Value::Null));
        assert_eq!(after(&Shape::SchemaOrArray, json!("x")), Ok(Value::Null));
        assert_eq!(after(&Shape::SchemaOrStringArray, json!(["b", "a"])), Ok(json!(["b", "a"])));
    }
}
