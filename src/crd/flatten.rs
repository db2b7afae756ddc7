//! A version's schema -> its properties by path, `^.spec.replicas`, as crdify names them.
//!
//! Two properties can have one path (a property that is called `items` beside the items of a list, `a.b` beside `b` within `a`).
//! crdify keeps the last one that it walks over, and walks over properties in random order; here the order is the name's.

use super::error::Error;
use super::generation::Naming;
use super::keyword::Keyword;
use super::schema::{Attribute, SchemaId, Schemas};
use crate::place::{FieldPath, Step};
use std::fmt::Write as _;

/// How much text the paths of one version may take, in bytes.
const PATHS_LIMIT: usize = 128 << 20;

/// A schema within a version.
#[derive(Debug)]
pub(crate) struct Property {
    /// crdify's path.
    pub(crate) path: String,
    pub(crate) schema: SchemaId,
    parent: usize,
    step: Within,
}

/// How to get from a schema into one of its own.
#[derive(Debug, Clone)]
enum Within {
    Root,
    Keyword(Keyword),
    Index(Keyword, usize),
    Name(Keyword, String),
}

/// The properties of a version.
#[derive(Debug, Default)]
pub(crate) struct Flat {
    walked: Vec<Property>,
    /// Positions in `walked`, ordered by path, each path once.
    order: Vec<usize>,
}

impl Flat {
    /// Flattens the schema of a version.
    ///
    /// Follows crdify bb9957db pkg/validations/util.go: FlattenCRDVersion and SchemaHas.
    pub(crate) fn new(root: Option<SchemaId>, schemas: &Schemas, naming: Naming) -> Result<Self, Error> {
        let mut walk = Walk { schemas, naming, path: String::from("^"), taken: 0, walked: Vec::new() };
        if let Some(root) = root {
            walk.schema(root, 0, Within::Root)?;
        }
        let walked = walk.walked;
        let mut order: Vec<usize> = (0..walked.len()).collect();
        let path = |n: &usize| walked.get(*n).map_or("", |p| p.path.as_str());
        // The sort is stable, so of two with one path the later walked one stands last.
        order.sort_by(|a, b| path(a).cmp(path(b)));
        let mut unique: Vec<usize> = Vec::with_capacity(order.len());
        for n in order {
            match unique.last_mut() {
                Some(last) if path(last) == path(&n) => *last = n,
                _ => unique.push(n),
            }
        }
        Ok(Self { walked, order: unique })
    }

    /// The properties, ordered by path.
    pub(crate) fn properties(&self) -> impl Iterator<Item = &Property> {
        self.order.iter().filter_map(|n| self.walked.get(*n))
    }

    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// The property of that path.
    pub(crate) fn get(&self, path: &str) -> Option<&Property> {
        let at = self.order.binary_search_by(|n| self.walked.get(*n).map_or("", |p| p.path.as_str()).cmp(path)).ok()?;
        self.order.get(at).and_then(|n| self.walked.get(*n))
    }

    /// The property that a property stands in; `None` for the root.
    pub(crate) fn parent(&self, property: &Property) -> Option<&Property> {
        if matches!(property.step, Within::Root) { None } else { self.walked.get(property.parent) }
    }

    /// The keys that lead to a property from the schema's root.
    pub(crate) fn steps(&self, property: &Property) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = property;
        loop {
            match &at.step {
                Within::Root => break,
                Within::Keyword(keyword) => steps.push(Step::Key(keyword.name().to_owned())),
                Within::Index(keyword, n) => steps.extend([Step::Index(*n), Step::Key(keyword.name().to_owned())]),
                Within::Name(keyword, name) => steps.extend([Step::Key(name.clone()), Step::Key(keyword.name().to_owned())]),
            }
            let Some(parent) = self.walked.get(at.parent) else { break };
            at = parent;
        }
        steps.reverse();
        steps
    }

    /// The property of that path in a document, or the nearest one above it that there is.
    pub(crate) fn nearest(&self, other: &Self, path: &str, version: usize) -> FieldPath {
        let mut field = vec![Step::Key("spec".into()), Step::Key("versions".into()), Step::Index(version)];
        let root = [Step::Key("schema".into()), Step::Key("openAPIV3Schema".into())];
        if let Some(property) = self.get(path) {
            field.extend(root);
            field.extend(self.steps(property));
            return FieldPath(field);
        }
        let mut at = other.get(path).and_then(|property| other.walked.get(property.parent));
        while let Some(property) = at {
            if let Some(ours) = self.get(&property.path) {
                field.extend(root);
                field.extend(self.steps(ours));
                break;
            }
            if matches!(property.step, Within::Root) {
                break;
            }
            at = other.walked.get(property.parent);
        }
        FieldPath(field)
    }
}

struct Walk<'a> {
    schemas: &'a Schemas,
    naming: Naming,
    path: String,
    taken: usize,
    walked: Vec<Property>,
}

impl Walk<'_> {
    fn schema(&mut self, id: SchemaId, parent: usize, step: Within) -> Result<(), Error> {
        self.taken += self.path.len();
        if self.taken > PATHS_LIMIT {
            return Err(Error::TooLarge { what: "properties" });
        }
        let here = self.walked.len();
        self.walked.push(Property { path: self.path.clone(), schema: id, parent, step });
        let schemas = self.schemas;
        let schema = schemas.get(id);
        // The order of the walk, which decides between properties with one path.
        const ORDER: [Keyword; 11] = [
            Keyword::Items,
            Keyword::AllOf,
            Keyword::AnyOf,
            Keyword::OneOf,
            Keyword::Not,
            Keyword::Properties,
            Keyword::AdditionalProperties,
            Keyword::PatternProperties,
            Keyword::AdditionalItems,
            Keyword::Definitions,
            Keyword::Dependencies,
        ];
        for keyword in ORDER {
            let Some(attribute) = schema.get(keyword) else { continue };
            match attribute {
                Attribute::Schema(inner) | Attribute::SchemaOrBool { schema: Some(inner), .. } => {
                    self.keyword(*inner, here, keyword)?
                }
                Attribute::SchemaOrArray { schema, schemas } => {
                    if let Some(inner) = schema {
                        self.keyword(*inner, here, keyword)?;
                    }
                    self.list(schemas, here, keyword)?;
                }
                Attribute::Schemas(list) => self.list(list, here, keyword)?,
                Attribute::SchemaMap(entries) => {
                    for (name, inner) in entries {
                        self.named(name, *inner, here, keyword)?;
                    }
                }
                Attribute::Dependencies(entries) => {
                    for (name, dependency) in entries {
                        if let Some(inner) = dependency.schema {
                            self.named(name, inner, here, keyword)?;
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn keyword(&mut self, id: SchemaId, parent: usize, keyword: Keyword) -> Result<(), Error> {
        let length = self.path.len();
        match (self.naming, keyword) {
            (Naming::Keywords, _) => {
                self.path.push('.');
                self.path.push_str(keyword.name());
            }
            (Naming::Starred, Keyword::Items | Keyword::AdditionalProperties) => self.path.push_str("[*]"),
            (Naming::Starred, _) => {}
        }
        self.schema(id, parent, Within::Keyword(keyword))?;
        self.path.truncate(length);
        Ok(())
    }

    fn list(&mut self, list: &[SchemaId], parent: usize, keyword: Keyword) -> Result<(), Error> {
        for (n, id) in list.iter().enumerate() {
            let length = self.path.len();
            let _ = match (self.naming, keyword) {
                (Naming::Keywords, _) => write!(self.path, ".{keyword}[{n}]"),
                (Naming::Starred, Keyword::Items) => write!(self.path, "[{n}]"),
                (Naming::Starred, _) => Ok(()),
            };
            self.schema(*id, parent, Within::Index(keyword, n))?;
            self.path.truncate(length);
        }
        Ok(())
    }

    fn named(&mut self, name: &str, id: SchemaId, parent: usize, keyword: Keyword) -> Result<(), Error> {
        let length = self.path.len();
        if keyword == Keyword::Properties && name.is_empty() {
            self.path.push_str("[]");
        } else if keyword == Keyword::Properties {
            self.path.push('.');
            self.path.push_str(name);
        } else if self.naming == Naming::Keywords {
            let _ = write!(self.path, ".{keyword}[{name}]");
        }
        self.schema(id, parent, Within::Name(keyword, name.to_owned()))?;
        self.path.truncate(length);
        Ok(())
    }
}
