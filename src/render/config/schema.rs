//! The schema of a configuration: the part of JSON Schema that the controller's uses.
//!
//! `schema.json` is made by `scripts/bundle_config_schema.py`.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A schema with what it refers to.
#[derive(Debug, Deserialize)]
pub(super) struct Document {
    /// The schema of `spec.config.inline`.
    pub root: Schema,
    /// What `$ref` names.
    pub definitions: BTreeMap<String, Schema>,
}

/// A schema.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(super) struct Schema {
    #[serde(rename = "$ref")]
    pub reference: Option<String>,
    #[serde(rename = "type")]
    pub kind: Option<Kind>,
    pub properties: BTreeMap<String, Schema>,
    pub required: Vec<String>,
    pub additional_properties: Option<Additional>,
    pub items: Option<Box<Schema>>,
    pub all_of: Vec<Schema>,
    pub any_of: Vec<Schema>,
    pub one_of: Vec<Schema>,
    /// What the value of a namespace must be besides text; never in the file.
    #[serde(skip)]
    pub namespace: Option<Namespace>,
}

/// A JSON type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Null,
    Boolean,
    Object,
    Array,
    Number,
    String,
    Integer,
}

/// What properties that are not named may be.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Additional {
    /// Anything, or nothing.
    Allowed(bool),
    /// What fits the schema.
    Fits(Box<Schema>),
}

/// What a namespace must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Namespace {
    /// How it stands to the namespace that the bundle is installed in.
    pub relation: Relation,
    /// Whether it must have the form of a namespace's name.
    pub form: Form,
}

/// How a watched namespace stands to the namespace that a bundle is installed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// It is the same.
    Own,
    /// It is another one.
    Other,
    /// Any will do.
    Any,
}

/// Whether the form of a namespace's name is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// It is.
    Checked,
    /// It is not.
    Unchecked,
}

/// The pattern of a namespace's name.
pub(super) const NAME_PATTERN: &str = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";

/// The most bytes of a namespace's name.
pub(super) const NAME_LENGTH: usize = 63;

impl Kind {
    /// The type's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Object => "object",
            Self::Array => "array",
            Self::Number => "number",
            Self::String => "string",
            Self::Integer => "integer",
        }
    }
}

/// The schema of a configuration before it is narrowed.
pub(super) fn document() -> &'static Document {
    static DOCUMENT: OnceLock<Document> = OnceLock::new();
    DOCUMENT.get_or_init(|| {
        // A test holds the file to this.
        serde_json::from_str(include_str!("schema.json"))
            .unwrap_or_else(|_| Document { root: Schema::default(), definitions: BTreeMap::new() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_read_whole() {
        let document = document();
        assert_eq!(document.root.properties.len(), 2);
        assert!(document.definitions.len() > 70);
        let text = include_str!("schema.json");
        for reference in text.split("\"$ref\":\"").skip(1) {
            let name = reference.split('"').next().unwrap();
            assert!(document.definitions.contains_key(name), "{name}");
        }
    }
}
