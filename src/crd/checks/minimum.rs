//! A lower bound must not appear or tighten: `minimum`, `minItems`, `minLength`, `minProperties`.

use super::super::keyword::Keyword;
use super::super::schema::Attribute;
use super::bound::{text, value};
use super::registry::{Comparison, Objection};

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

#[cfg(test)]
mod tests {
    use super::super::super::policy::Policy;
    use super::super::super::testing::message;
    use serde_json::json;

    #[test]
    fn a_bound_must_not_appear_or_tighten() {
        for keyword in ["minimum", "minItems", "minLength", "minProperties"] {
            let of = |before, after| message(&Policy::strict(), before, after);
            let (wide, tight) = (json!({ keyword: 5 }), json!({ keyword: 10 }));
            let (name, words) = of(json!({}), wide.clone()).unwrap();
            assert_eq!((name, words.as_str()), (keyword, "minimum constraint added when there was none previously : 5"));
            assert_eq!(of(wide.clone(), tight.clone()).unwrap().1, "minimum increased : 5 -> 10");
            assert_eq!(of(tight, wide.clone()), None);
            assert_eq!(of(wide, json!({})), None);
        }
        let words = message(&Policy::strict(), json!({}), json!({"minimum": 1500000.5})).unwrap().1;
        assert!(words.ends_with(" : 1.5000005e+06"), "{words}");
        // Zero is a bound like any other.
        assert!(message(&Policy::strict(), json!({}), json!({"minItems": 0})).is_some());
    }
}
