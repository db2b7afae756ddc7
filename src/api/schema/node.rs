//! A schema in memory: a tree of [`Node`]s.

use super::rule::Rule;
use serde_json::Value;
use std::collections::BTreeMap;

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Object,
    Array,
    String,
    Integer,
}

impl Type {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Array => "array",
            Self::String => "string",
            Self::Integer => "integer",
        }
    }
}

/// How wide an integer may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Int32,
    Int64,
}

impl Format {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Int32 => "int32",
            Self::Int64 => "int64",
        }
    }
}

/// One node of a schema. `None` and empty mean: no such constraint.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: Type,
    pub(super) properties: BTreeMap<String, Node>,
    pub(super) additional: Option<Box<Node>>,
    pub(super) items: Option<Box<Node>>,
    pub(super) preserve_unknown: bool,
    pub(super) default: Option<Value>,
    pub(super) required: Vec<String>,
    pub(super) one_of: Vec<String>,
    pub(super) format: Option<Format>,
    pub(super) minimum: Option<i64>,
    pub(super) maximum: Option<i64>,
    pub(super) min_length: Option<u64>,
    pub(super) max_length: Option<u64>,
    pub(super) max_items: Option<u64>,
    pub(super) min_properties: Option<u64>,
    pub(super) rules: Vec<Rule>,
}

impl Node {
    pub(super) fn new(kind: Type) -> Self {
        Self {
            kind,
            properties: BTreeMap::new(),
            additional: None,
            items: None,
            preserve_unknown: false,
            default: None,
            required: Vec::new(),
            one_of: Vec::new(),
            format: None,
            minimum: None,
            maximum: None,
            min_length: None,
            max_length: None,
            max_items: None,
            min_properties: None,
            rules: Vec::new(),
        }
    }

    /// The schema of the value under `key`.
    pub(super) fn field(&self, key: &str) -> Option<&Self> {
        self.properties.get(key).or(self.additional.as_deref())
    }
}
