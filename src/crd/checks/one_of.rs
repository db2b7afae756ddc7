//! The alternatives of a `oneOf` must stay.

use super::super::keyword::Keyword;
use super::super::policy::Allowance;
use super::super::render::schema_value;
use super::super::schema::{Schema, SchemaId, Schemas};
use super::registry::{Comparison, Objection};
use serde_json::Value;
use std::collections::HashSet;

pub(crate) const NAME: &str = "oneOf";
pub(crate) const HELP: &str = "objects that exist may fit none, or two, of the new alternatives: keep them as they were, or change them in a new version only";

/// Follows crdify bb9957db pkg/validations/property/oneof.go, whose messages also dump the schemas as Go structs. Its random order
/// decides what a new `oneOf` that keeps the old schema is compared with, where additions are allowed; here it is all of it.
pub(crate) fn compare(pair: &Comparison<'_>) -> Option<Objection> {
    let before = alternatives(pair.before.schemas(Keyword::OneOf), pair.schemas);
    let after = alternatives(pair.after.schemas(Keyword::OneOf), pair.schemas);
    let removed = missing(&before, &after);
    let added = missing(&after, &before);
    let (message, plain, named) = if before.is_empty() && !after.is_empty() {
        if pair.settings.one_of_addition == Allowance::Disallow {
            (
                "oneOf constraint added when there was none previously",
                "exactly one of several alternatives must fit from now on",
                added,
            )
        } else if added.contains(&bare(&pair.before.without(&[Keyword::OneOf]))) {
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
    let mut identity: Vec<String> = named.iter().map(|schema| format!("{schema:?}")).collect();
    identity.sort();
    let value = |ids: &[SchemaId]| {
        let mut budget = 200;
        Some(ids)
            .filter(|ids| !ids.is_empty())
            .map(|ids| ids.iter().map(|id| schema_value(*id, pair.schemas, &mut budget)).collect::<Value>())
    };
    Some(Objection {
        message: message.to_owned(),
        plain: plain.to_owned(),
        before: value(pair.before.schemas(Keyword::OneOf)),
        after: value(pair.after.schemas(Keyword::OneOf)),
        identity: Some(identity.join("\n")),
    })
}

/// A schema without what does not decide what it accepts.
fn bare(schema: &Schema) -> Schema {
    schema.without(&[Keyword::Description, Keyword::Title, Keyword::Example, Keyword::ExternalDocs])
}

fn alternatives(ids: &[SchemaId], schemas: &Schemas) -> Vec<Schema> {
    ids.iter().map(|id| bare(schemas.get(*id))).collect()
}

/// What is in the first list and not in the second, each once.
fn missing(from: &[Schema], within: &[Schema]) -> Vec<Schema> {
    let known: HashSet<&Schema> = within.iter().collect();
    let mut seen = HashSet::new();
    from.iter().filter(|schema| !known.contains(*schema) && seen.insert(*schema)).cloned().collect()
}
