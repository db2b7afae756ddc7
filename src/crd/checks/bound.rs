//! What [`super::maximum`] and [`super::minimum`] say of a bound.

use super::super::schema::Attribute;
use crate::go::float;
use serde_json::Value;

/// The bound in crdify's words: `%v` of a number.
pub(super) fn text(bound: &Attribute) -> String {
    match bound {
        Attribute::Float(number) => float::general(number.0),
        Attribute::Int(number) => number.to_string(),
        _ => String::new(),
    }
}

/// The bound as the CRD has it.
pub(super) fn value(bound: &Attribute) -> Option<Value> {
    match bound {
        Attribute::Float(number) => serde_json::from_str(&float::json(number.0)).ok(),
        Attribute::Int(number) => Some(Value::from(*number)),
        _ => None,
    }
}
