//! The check of the releases before crdify: the same questions, in other words, and with less patience.

use super::checks::{self, CrdComparison, Objection};
use super::keyword::Keyword;
use super::schema::{Attribute, Schema};
use crate::go::{float, list, quote};

/// What the first generation says of a change that a check of properties objects to.
///
/// Follows operator-controller v1.3.0 internal/operator-controller/rukpak/preflights/crdupgradesafety/checks.go; the order of what is
/// listed is random there, and sorted here.
pub(crate) fn message(keyword: Keyword, before: &Schema, after: &Schema) -> Option<String> {
    let sorted = |texts: &[String], without: &[String]| {
        let mut texts: Vec<&String> = texts.iter().filter(|text| !without.contains(text)).collect();
        texts.sort();
        texts.dedup();
        list(&texts)
    };
    let (texts_before, texts_after) = (before.texts(keyword), after.texts(keyword));
    match keyword {
        Keyword::Enum if texts_before.is_empty() => {
            Some(format!("enum constraints {} added when there were no restrictions previously", sorted(texts_after, &[])))
        }
        Keyword::Enum => {
            Some(format!("enums {} removed from the set of previously allowed values", sorted(texts_before, texts_after)))
        }
        Keyword::Required => Some(format!("new required fields {} added", sorted(texts_after, texts_before))),
        Keyword::Default => Some(match (before.json(keyword), after.json(keyword)) {
            (None, after) => {
                format!("default value {} added when there was no default previously", quote(after.unwrap_or_default()))
            }
            (Some(before), None) => format!("default value {} removed", quote(before)),
            (Some(before), Some(after)) => format!("default value changed from {} to {}", quote(before), quote(after)),
        }),
        Keyword::Type => Some(format!("type changed from {} to {}", quote(before.text(keyword)), quote(after.text(keyword)))),
        _ => {
            let direction = if keyword.name().starts_with("max") { "decreased" } else { "increased" };
            Some(match (before.get(keyword), after.get(keyword)?) {
                (None, after) => {
                    format!("{keyword}: constraint {} added when there were no restrictions previously", number(after)?)
                }
                (Some(before), after) => {
                    format!("{keyword}: constraint {direction} from {} to {}", number(before)?, number(after)?)
                }
            })
        }
    }
}

fn number(bound: &Attribute) -> Option<String> {
    match bound {
        Attribute::Float(number) => Some(float::general(number.0)),
        Attribute::Int(number) => Some(number.to_string()),
        _ => None,
    }
}

/// What the first generation says of a change that it does not understand.
pub(crate) const UNKNOWN: &str = "has unknown change, refusing to determine that change is safe";

/// A version that is not compared any further, since a field is gone.
pub(crate) fn gone(before: &str, after: &str, path: &str) -> Objection {
    let message = if before == after {
        format!("calculating schema diff for CRD version {}", quote(before))
    } else {
        format!("calculating schema diff between CRD versions {} and {}", quote(before), quote(after))
    };
    let plain = format!("the field {path} is gone, and nothing else of the version is looked at");
    Objection { message, plain, before: None, after: None, identity: None }
}

/// What the first generation says of a change of the whole CRD.
///
/// Follows operator-controller v1.3.0 internal/operator-controller/rukpak/preflights/crdupgradesafety/validator.go.
pub(crate) fn whole_message(check: &str, crds: &CrdComparison<'_>, property: Option<&(String, String)>) -> String {
    match (check, property) {
        (checks::SCOPE, _) => format!("scope changed from {} to {}", quote(&crds.before.scope), quote(&crds.after.scope)),
        (checks::STORED_VERSIONS, _) => {
            let removed = crds.before.stored_versions.iter().find(|stored| crds.after.version(stored).is_none());
            format!("stored version {} removed", quote(removed.map_or("", String::as_str)))
        }
        (_, Some((version, path))) => format!("crd/{} version/{version} field/{path} may not be removed", crds.after.name),
        (_, None) => String::new(),
    }
}
