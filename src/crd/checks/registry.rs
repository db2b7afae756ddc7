//! The table of the checks, and what they take and give.

use super::super::cmp::Addresses;
use super::super::document::Crd;
use super::super::flatten::Flat;
use super::super::keyword::Keyword;
use super::super::policy::Allowance;
use super::super::schema::{Schema, Schemas};
use super::{
    default_value, description, enum_values, maximum, minimum, nullable, one_of, pattern, removed_fields, required, scope,
};
use super::{stored_versions, type_name};
use crate::target::CrdCheck;
use serde_json::Value;

/// What can be set on the checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Settings {
    pub(crate) enum_addition: Allowance,
    pub(crate) nullable_addition: Allowance,
    pub(crate) nullable_removal: Allowance,
    pub(crate) one_of_addition: Allowance,
    pub(crate) one_of_removal: Allowance,
    pub(crate) pattern_removal: Allowance,
}

/// Two schemas of one property.
pub(crate) struct Comparison<'a> {
    pub(crate) before: &'a Schema,
    pub(crate) after: &'a Schema,
    pub(crate) schemas: &'a Schemas,
    pub(crate) settings: Settings,
    /// Where the addresses in the reference's dumps come from.
    pub(crate) addresses: &'a Addresses,
}

/// What a check has against a change.
#[derive(Debug, Clone)]
pub(crate) struct Objection {
    /// The reference's words, but for the order of what it names in random order.
    pub(crate) message: String,
    pub(crate) plain: String,
    pub(crate) before: Option<Value>,
    pub(crate) after: Option<Value>,
    /// What tells the objection from others of its check, where the message does not.
    pub(crate) identity: Option<String>,
}

impl Objection {
    /// Whether the reference would hold the two to be one and the same.
    pub(crate) fn same(&self, other: &Self) -> bool {
        self.message == other.message && self.identity == other.identity
    }
}

/// A check of a property.
pub(crate) struct PropertyCheck {
    pub(crate) name: &'static str,
    /// The keyword that it understands.
    pub(crate) keyword: Keyword,
    /// The first generation that has it.
    pub(crate) since: CrdCheck,
    pub(crate) compare: fn(&Comparison<'_>) -> Option<Objection>,
    pub(crate) help: &'static str,
}

/// Two CRDs, and the properties of each version that has a schema.
pub(crate) struct CrdComparison<'a> {
    pub(crate) before: &'a Crd,
    pub(crate) after: &'a Crd,
    pub(crate) before_flat: &'a [Option<Flat>],
    pub(crate) after_flat: &'a [Option<Flat>],
}

/// An objection to a whole CRD: where, and what.
pub(crate) struct CrdObjection {
    pub(crate) objection: Objection,
    /// The version and path of the property that it speaks of, if any.
    pub(crate) property: Option<(String, String)>,
}

/// A check of a whole CRD.
pub(crate) struct CrdCheckEntry {
    pub(crate) name: &'static str,
    /// The field that it speaks of, where it is not a property.
    pub(crate) field: &'static str,
    pub(crate) compare: fn(&CrdComparison<'_>) -> Vec<CrdObjection>,
    pub(crate) help: &'static str,
}

const FIRST: CrdCheck = CrdCheck::FirstGeneration;

const fn bound(
    name: &'static str,
    keyword: Keyword,
    compare: fn(&Comparison<'_>) -> Option<Objection>,
    help: &'static str,
) -> PropertyCheck {
    PropertyCheck { name, keyword, since: FIRST, compare, help }
}

/// The checks of properties.
pub(crate) static PROPERTY_CHECKS: &[PropertyCheck] = &[
    PropertyCheck {
        name: default_value::NAME,
        keyword: Keyword::Default,
        since: FIRST,
        compare: default_value::compare,
        help: default_value::HELP,
    },
    PropertyCheck {
        name: description::NAME,
        keyword: Keyword::Description,
        since: FIRST,
        compare: description::compare,
        help: description::HELP,
    },
    PropertyCheck {
        name: enum_values::NAME,
        keyword: Keyword::Enum,
        since: FIRST,
        compare: enum_values::compare,
        help: enum_values::HELP,
    },
    bound("maximum", Keyword::Maximum, |c| maximum::compare(c, Keyword::Maximum), maximum::HELP),
    bound("maxItems", Keyword::MaxItems, |c| maximum::compare(c, Keyword::MaxItems), maximum::HELP),
    bound("maxLength", Keyword::MaxLength, |c| maximum::compare(c, Keyword::MaxLength), maximum::HELP),
    bound("maxProperties", Keyword::MaxProperties, |c| maximum::compare(c, Keyword::MaxProperties), maximum::HELP),
    bound("minimum", Keyword::Minimum, |c| minimum::compare(c, Keyword::Minimum), minimum::HELP),
    bound("minItems", Keyword::MinItems, |c| minimum::compare(c, Keyword::MinItems), minimum::HELP),
    bound("minLength", Keyword::MinLength, |c| minimum::compare(c, Keyword::MinLength), minimum::HELP),
    bound("minProperties", Keyword::MinProperties, |c| minimum::compare(c, Keyword::MinProperties), minimum::HELP),
    PropertyCheck {
        name: nullable::NAME,
        keyword: Keyword::Nullable,
        since: CrdCheck::Crdify54162f2e,
        compare: nullable::compare,
        help: nullable::HELP,
    },
    PropertyCheck {
        name: one_of::NAME,
        keyword: Keyword::OneOf,
        since: CrdCheck::CrdifyBb9957db,
        compare: one_of::compare,
        help: one_of::HELP,
    },
    PropertyCheck {
        name: pattern::NAME,
        keyword: Keyword::Pattern,
        since: CrdCheck::Crdify54162f2e,
        compare: pattern::compare,
        help: pattern::HELP,
    },
    PropertyCheck {
        name: required::NAME,
        keyword: Keyword::Required,
        since: FIRST,
        compare: required::compare,
        help: required::HELP,
    },
    PropertyCheck {
        name: type_name::NAME,
        keyword: Keyword::Type,
        since: FIRST,
        compare: type_name::compare,
        help: type_name::HELP,
    },
];

/// The checks of whole CRDs.
pub(crate) static CRD_CHECKS: &[CrdCheckEntry] = &[
    CrdCheckEntry { name: scope::NAME, field: "spec.scope", compare: scope::compare, help: scope::HELP },
    CrdCheckEntry {
        name: stored_versions::NAME,
        field: "spec.versions",
        compare: stored_versions::compare,
        help: stored_versions::HELP,
    },
    CrdCheckEntry {
        name: removed_fields::NAME,
        field: "spec.versions",
        compare: removed_fields::compare,
        help: removed_fields::HELP,
    },
];

/// The names of the checks that can be configured.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    CRD_CHECKS.iter().map(|c| c.name).chain(PROPERTY_CHECKS.iter().map(|c| c.name))
}
