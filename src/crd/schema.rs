//! Schemas as the API server's types hold them, every distinct one once.
//!
//! All schemas of a comparison live in one [`Schemas`]; two of them are equal exactly where their [`SchemaId`]s are, however deep
//! they go. Empty lists and maps are the same as absent ones, as in apimachinery's semantic equality.

use super::error::Error;
use super::keyword::Keyword;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// A schema in a [`Schemas`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SchemaId(u32);

/// A number that can be hashed; never NaN, never negative zero.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Float(pub(crate) f64);

impl PartialEq for Float {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Float {}

impl std::hash::Hash for Float {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// A rule of `x-kubernetes-validations`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Rule {
    pub(crate) rule: String,
    pub(crate) message: String,
    pub(crate) message_expression: String,
    pub(crate) reason: Option<String>,
    pub(crate) field_path: String,
    pub(crate) optional_old_self: Option<bool>,
}

/// What a dependency asks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Dependency {
    pub(crate) schema: Option<SchemaId>,
    pub(crate) property: Vec<String>,
}

/// The value of a keyword that is there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Attribute {
    Text(String),
    Flag(bool),
    Float(Float),
    Int(i64),
    /// JSON text as Go's encoding/json writes it.
    Json(String),
    /// The same, many; `null` is the empty text.
    Jsons(Vec<String>),
    Texts(Vec<String>),
    Schema(SchemaId),
    Schemas(Vec<SchemaId>),
    SchemaMap(Vec<(String, SchemaId)>),
    SchemaOrArray {
        schema: Option<SchemaId>,
        schemas: Vec<SchemaId>,
    },
    SchemaOrBool {
        allows: bool,
        schema: Option<SchemaId>,
    },
    Dependencies(Vec<(String, Dependency)>),
    Docs {
        description: String,
        url: String,
    },
    Rules(Vec<Rule>),
}

impl Attribute {
    /// Whether it holds schemas.
    pub(crate) fn nests(&self) -> bool {
        match self {
            Self::Schema(_) | Self::Schemas(_) | Self::SchemaMap(_) | Self::SchemaOrArray { .. } => true,
            Self::SchemaOrBool { schema, .. } => schema.is_some(),
            Self::Dependencies(entries) => entries.iter().any(|(_, dependency)| dependency.schema.is_some()),
            _ => false,
        }
    }
}

/// One schema: its keywords that are there, in order.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Schema {
    attributes: Vec<(Keyword, Attribute)>,
}

impl Schema {
    pub(crate) fn new(mut attributes: Vec<(Keyword, Attribute)>) -> Self {
        attributes.sort_by_key(|(keyword, _)| *keyword);
        Self { attributes }
    }

    pub(crate) fn attributes(&self) -> &[(Keyword, Attribute)] {
        &self.attributes
    }

    pub(crate) fn get(&self, keyword: Keyword) -> Option<&Attribute> {
        let at = self.attributes.binary_search_by_key(&keyword, |(k, _)| *k).ok()?;
        self.attributes.get(at).map(|(_, value)| value)
    }

    /// The text of a keyword, `""` where it is not there.
    pub(crate) fn text(&self, keyword: Keyword) -> &str {
        match self.get(keyword) {
            Some(Attribute::Text(text)) => text,
            _ => "",
        }
    }

    pub(crate) fn flag(&self, keyword: Keyword) -> bool {
        matches!(self.get(keyword), Some(Attribute::Flag(true)))
    }

    pub(crate) fn texts(&self, keyword: Keyword) -> &[String] {
        match self.get(keyword) {
            Some(Attribute::Texts(texts) | Attribute::Jsons(texts)) => texts,
            _ => &[],
        }
    }

    pub(crate) fn json(&self, keyword: Keyword) -> Option<&str> {
        match self.get(keyword) {
            Some(Attribute::Json(text)) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn schemas(&self, keyword: Keyword) -> &[SchemaId] {
        match self.get(keyword) {
            Some(Attribute::Schemas(schemas)) => schemas,
            _ => &[],
        }
    }

    /// The schema without some of its keywords.
    pub(crate) fn without(&self, dropped: &[Keyword]) -> Self {
        Self { attributes: self.attributes.iter().filter(|(keyword, _)| !dropped.contains(keyword)).cloned().collect() }
    }

    /// Whether two schemas are equal but for some of their keywords.
    pub(crate) fn same_without(&self, other: &Self, dropped: &[Keyword]) -> bool {
        let kept = |(keyword, _): &&(Keyword, Attribute)| !dropped.contains(keyword);
        std::ptr::eq(self, other) || self.attributes.iter().filter(kept).eq(other.attributes.iter().filter(kept))
    }
}

/// All schemas of a comparison.
#[derive(Debug)]
pub(crate) struct Schemas {
    list: Vec<Rc<Schema>>,
    known: HashMap<Rc<Schema>, SchemaId>,
    empty: Rc<Schema>,
}

impl Schemas {
    pub(crate) fn new() -> Self {
        Self { list: Vec::new(), known: HashMap::new(), empty: Rc::new(Schema::default()) }
    }

    /// The id of a schema, which is the id of every equal one.
    pub(crate) fn add(&mut self, schema: Schema) -> Result<SchemaId, Error> {
        match self.known.entry(Rc::new(schema)) {
            Entry::Occupied(known) => Ok(*known.get()),
            Entry::Vacant(place) => {
                let id = SchemaId(u32::try_from(self.list.len()).map_err(|_| Error::TooLarge { what: "schemas" })?);
                self.list.push(Rc::clone(place.key()));
                Ok(*place.insert(id))
            }
        }
    }

    pub(crate) fn get(&self, id: SchemaId) -> &Schema {
        usize::try_from(id.0).ok().and_then(|n| self.list.get(n)).unwrap_or(&self.empty)
    }

    /// The schema without anything.
    pub(crate) fn empty(&self) -> &Schema {
        &self.empty
    }
}
