//! A lower bound must not appear or tighten: `minimum`, `minItems`, `minLength`, `minProperties`.

use super::super::go::float_g;
use super::super::keyword::Keyword;
use super::super::schema::Attribute;
use super::registry::{Comparison, Objection};
use serde_json::Value;

pub(crate) const HELP: &str =
    "objects that exist may lie beyond the new bound: leave it as it was, or set it in a new version only";

/// Follows crdify bb9957db pkg/validations/property/min.go.
pub(crate) fn compare(pair: &Comparison<'_>, keyword: Keyword) -> Option<Objection> {
    let (before, after) = (pair.before.get(keyword), pair.after.get(keyword)?);
    let (message, plain) = match before {
        None => (
            format!("minimum constraint added when there was none previously : {}", text(after)),
            format!("a {keyword} of {} appears", text(after)),
        ),
        Some(before) if tighter(before, after) => (
            format!("minimum increased : {} -> {}", text(before), text(after)),
            format!("{keyword} rises from {} to {}", text(before), text(after)),
        ),
        Some(_) => return None,
    };
    Some(Objection { message, plain, before: before.and_then(value), after: value(after), identity: None })
}

fn tighter(before: &Attribute, after: &Attribute) -> bool {
    match (before, after) {
        (Attribute::Float(before), Attribute::Float(after)) => after.0 > before.0,
        (Attribute::Int(before), Attribute::Int(after)) => after > before,
        _ => false,
    }
}

fn text(bound: &Attribute) -> String {
    match bound {
        Attribute::Float(number) => float_g(number.0),
        Attribute::Int(number) => number.to_string(),
        _ => String::new(),
    }
}

fn value(bound: &Attribute) -> Option<Value> {
    match bound {
        Attribute::Float(number) => serde_json::from_str(&super::super::go::float_json(number.0)).ok(),
        Attribute::Int(number) => Some(Value::from(*number)),
        _ => None,
    }
}
