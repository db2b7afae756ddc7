//! Whatever changes and no check understands.

use super::super::cmp;
use super::super::difference::{Leaf, leaves};
use super::super::keyword::Keyword;
use super::registry::{Comparison, Objection};
use serde_json::{Map, Value};

pub(crate) const NAME: &str = "unhandled";
pub(crate) const HELP: &str = "no check knows what this change does to objects that exist, so it counts as unsafe: undo it, \
     or see for yourself that it is harmless and waive it";

/// How many changes are shown, and how many are named in the one line.
const SHOWN: usize = 20;
const NAMED: usize = 3;

/// Follows crdify bb9957db pkg/validations/compare.go: checkUnhandled, with the controller's digest of its words. `handled` are the keywords that other checks have looked at.
pub(crate) fn compare(pair: &Comparison<'_>, handled: &[Keyword]) -> Option<Objection> {
    let (before, after) = (pair.before.without(handled), pair.after.without(handled));
    if before == after {
        return None;
    }
    let differences = leaves(&before, &after, pair.schemas, SHOWN);
    let mut plain: Vec<String> = differences.iter().take(NAMED).map(Leaf::plain).collect();
    if differences.len() > NAMED {
        plain.push("and more".to_owned());
    }
    let side = |pick: fn(&Leaf) -> &Option<Value>| {
        let values: Map<String, Value> =
            differences.iter().filter_map(|leaf| Some((leaf.path.clone(), pick(leaf).clone()?))).collect();
        Some(values).filter(|values| !values.is_empty()).map(Value::Object)
    };
    let report = cmp::diff(&before, &after, pair.schemas, pair.work);
    Some(Objection {
        message: report.as_deref().map_or_else(|| "unhandled changes found".to_owned(), cmp::digest),
        plain: plain.join("; "),
        before: side(|leaf| &leaf.before),
        after: side(|leaf| &leaf.after),
        identity: Some(report.unwrap_or_else(|| format!("{before:?}\n{after:?}"))),
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{crd, findings};
    use serde_json::json;

    #[test]
    fn names_the_keyword_and_both_values() {
        let before = json!({"type": "object", "additionalProperties": {"type": "string", "format": "a"}});
        let after = json!({"type": "object", "additionalProperties": {"type": "string", "format": "b"}});
        let found = findings(&crd(before), &crd(after));
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].property.as_deref(), found[0].check), (Some("^"), "unhandled"));
        assert_eq!(found[0].plain, "additionalProperties.format changes from \"a\" to \"b\"");
        assert_eq!(found[0].before, Some(json!({"additionalProperties.format": "a"})));
        assert_eq!(found[1].message, "unhandled changes found (Format \"a\" -> \"b\")");
        assert_eq!(found[1].after_field.field().to_string(), "spec.versions[0].schema.openAPIV3Schema.additionalProperties");
    }

    #[test]
    fn what_a_check_has_seen_is_handled() {
        assert_eq!(findings(&crd(json!({"maxLength": 1})), &crd(json!({}))), []);
        assert_eq!(findings(&crd(json!({"anyOf": []})), &crd(json!({"x-unknown": true}))), []);
        assert_eq!(findings(&crd(json!({})), &crd(json!({"x-kubernetes-preserve-unknown-fields": false}))).len(), 1);
    }
}
