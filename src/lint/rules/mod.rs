//! Rules that need nothing but the manifests. One a file.

mod bad_catalog_selector;
mod bad_version_range;
mod dropped_field;
mod duplicate_key;
mod duplicate_name;
mod invalid_manifest;
mod invalid_object;
mod unknown_api_group;
mod unknown_kind;

use super::Rule;

/// Every such rule, by name.
pub(super) static ALL: [&Rule; 9] = [
    &bad_catalog_selector::RULE,
    &bad_version_range::RULE,
    &dropped_field::RULE,
    &duplicate_key::RULE,
    &duplicate_name::RULE,
    &invalid_manifest::RULE,
    &invalid_object::RULE,
    &unknown_api_group::RULE,
    &unknown_kind::RULE,
];
