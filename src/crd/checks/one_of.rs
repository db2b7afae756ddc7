//! The alternatives of a `oneOf` must stay.

use super::super::cmp;
use super::super::keyword::Keyword;
use super::super::policy::Allowance;
use super::super::render::schema_value;
use super::super::schema::{Schema, SchemaId};
use super::registry::{Comparison, Objection};
use serde_json::Value;
use std::collections::BTreeSet;

/// How many schemas are shown of a side.
const SHOWN: usize = 200;

pub(crate) const NAME: &str = "oneOf";
pub(crate) const HELP: &str = "objects that exist may fit none, or two, of the new alternatives: keep them as they were, or change them in a new version only";

/// Follows crdify bb9957db pkg/validations/property/oneof.go. Its messages also dump the schemas as Go structs, which is left out here.
/// It tells schemas by those dumps, so that one with an address in its dump is never equal to another. And its random order decides
/// what a new `oneOf` has to keep, where additions are allowed; here it is all of the old schema.
pub(crate) fn compare(pair: &Comparison<'_>) -> Option<Objection> {
    let (before, after) = (alternatives(pair.before, pair), alternatives(pair.after, pair));
    let removed: Vec<&String> = before.difference(&after).collect();
    let added: Vec<&String> = after.difference(&before).collect();
    let (message, plain, named) = if before.is_empty() && !after.is_empty() {
        if pair.settings.one_of_addition == Allowance::Disallow {
            (
                "oneOf constraint added when there was none previously",
                "exactly one of several alternatives must fit from now on",
                added,
            )
        } else if after.contains(&dump(&pair.before.without(&[Keyword::OneOf]), pair)) {
            return None;
        } else {
            (
                "oneOf constraint added and pre-existing property schema is not preserved in the new oneOf entries",
                "exactly one of several alternatives must fit from now on, and none of them is what there was",
                added,
            )
        }
    } else if !removed.is_empty() && pair.settings.one_of_removal == Allowance::Disallow {
        ("allowed oneOf schemas removed", "alternatives are gone or changed", removed)
    } else if !added.is_empty() && pair.settings.one_of_addition == Allowance::Disallow {
        ("allowed oneOf schemas added", "there are new alternatives", added)
    } else {
        return None;
    };
    let identity: Vec<&str> = named.iter().map(|text| text.as_str()).collect();
    let value = |ids: &[SchemaId]| {
        let mut budget = SHOWN;
        Some(ids)
            .filter(|ids| !ids.is_empty())
            .map(|ids| ids.iter().map(|id| schema_value(*id, pair.schemas, &mut budget)).collect::<Value>())
    };
    Some(Objection {
        message: message.to_owned(),
        plain: plain.to_owned(),
        before: value(pair.before.schemas(Keyword::OneOf)),
        after: value(pair.after.schemas(Keyword::OneOf)),
        identity: Some(identity.join(" ")),
    })
}

/// The alternatives of a schema, as crdify tells them apart.
fn alternatives(schema: &Schema, pair: &Comparison<'_>) -> BTreeSet<String> {
    schema.schemas(Keyword::OneOf).iter().map(|id| dump(pair.schemas.get(*id), pair)).collect()
}

/// A schema without what does not decide what it accepts.
fn dump(schema: &Schema, pair: &Comparison<'_>) -> String {
    let bare = schema.without(&[Keyword::Description, Keyword::Title, Keyword::Example, Keyword::ExternalDocs]);
    let text = cmp::dumped(&bare, pair.schemas, pair.addresses);
    if cmp::is_cut(&text) { format!("{bare:?}") } else { text }
}
