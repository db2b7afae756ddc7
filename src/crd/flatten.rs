//! A version's schema -> its properties by path, `^.spec.replicas`, as crdify names them.
//!
//! Two properties can have one path (a property that is called `items` beside the items of a list, `a.b` beside `b` within `a`).
//! crdify keeps the last one that it walks over, and walks over properties in random order; here the order is the name's.

use super::error::Error;
use super::generation::Naming;
use super::keyword::Keyword;
use super::schema::{Attribute, SchemaId, Schemas};
use super::trail::Trail;
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
    /// Where it is in the document.
    pub(crate) trail: Trail,
    parent: Option<usize>,
}

/// The properties of a version.
#[derive(Debug)]
pub(crate) struct Flat {
    walked: Vec<Property>,
    /// Positions in `walked`, ordered by path, each path once.
    order: Vec<usize>,
    /// Where the version is in the document.
    version: Trail,
}

impl Flat {
    /// Flattens the schema of the version at that position.
    ///
    /// Follows crdify bb9957db pkg/validations/util.go: FlattenCRDVersion and SchemaHas.
    pub(crate) fn new(root: Option<SchemaId>, version: usize, schemas: &Schemas, naming: Naming) -> Result<Self, Error> {
        let version = Trail::of(FieldPath::of("spec.versions").index(version));
        let mut walk = Walk { schemas, naming, path: String::from("^"), taken: 0, walked: Vec::new() };
        if let Some(root) = root {
            walk.schema(root, None, version.then(["schema", "openAPIV3Schema"].map(key).into()))?;
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
        Ok(Self { walked, order: unique, version })
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

    /// The properties, ordered by path, each with the other side's property of that path.
    pub(crate) fn beside<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (&'a Property, Option<&'a Property>)> {
        let mut theirs = other.properties().peekable();
        self.properties().map(move |ours| {
            while theirs.next_if(|theirs| theirs.path < ours.path).is_some() {}
            (ours, theirs.next_if(|theirs| theirs.path == ours.path))
        })
    }

    /// The property that a property stands in; `None` for the root.
    pub(crate) fn parent(&self, property: &Property) -> Option<&Property> {
        self.walked.get(property.parent?)
    }

    /// Where the property of that path is, or the nearest one above it that there is, by what the other side has above it.
    pub(crate) fn nearest(&self, other: &Self, path: &str) -> Trail {
        match (self.get(path), other.get(path)) {
            (Some(ours), _) => ours.trail.clone(),
            (None, Some(theirs)) => self.above(other, theirs),
            (None, None) => self.version.clone(),
        }
    }

    /// Where the nearest property is that there is above a property of the other side.
    pub(crate) fn above(&self, other: &Self, theirs: &Property) -> Trail {
        let mut ours = None;
        let mut theirs = other.parent(theirs);
        while let (None, Some(property)) = (ours, theirs) {
            ours = self.get(&property.path);
            theirs = other.parent(property);
        }
        ours.map_or_else(|| self.version.clone(), |property| property.trail.clone())
    }
}

fn key(name: &str) -> Step {
    Step::Key(name.to_owned())
}

struct Walk<'a> {
    schemas: &'a Schemas,
    naming: Naming,
    path: String,
    taken: usize,
    walked: Vec<Property>,
}

impl Walk<'_> {
    fn schema(&mut self, id: SchemaId, parent: Option<usize>, trail: Trail) -> Result<(), Error> {
        self.taken += self.path.len();
        if self.taken > PATHS_LIMIT {
            return Err(Error::TooLarge { what: "properties" });
        }
        let here = self.walked.len();
        self.walked.push(Property { path: self.path.clone(), schema: id, trail, parent });
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

    fn inside(&mut self, id: SchemaId, parent: usize, steps: Vec<Step>) -> Result<(), Error> {
        let Some(trail) = self.walked.get(parent).map(|property| property.trail.then(steps)) else { return Ok(()) };
        self.schema(id, Some(parent), trail)
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
        self.inside(id, parent, vec![key(keyword.name())])?;
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
            self.inside(*id, parent, vec![key(keyword.name()), Step::Index(n)])?;
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
        self.inside(id, parent, vec![key(keyword.name()), key(name)])?;
        self.path.truncate(length);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::read::Reader;
    use super::super::testing::any_schema;
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use std::collections::BTreeMap;

    /// The obvious way: every schema by its path, later ones over earlier ones.
    fn slowly(path: &str, schema: &Value, found: &mut BTreeMap<String, Value>) {
        found.insert(path.to_owned(), schema.clone());
        let mut inside = |path: String, schema: &Value| {
            if schema.is_object() {
                slowly(&path, schema, found);
            }
        };
        let member = |name: &str| schema.get(name).cloned().unwrap_or(Value::Null);
        let sorted = |name: &str| member(name).as_object().cloned().unwrap_or_default().into_iter().collect::<BTreeMap<_, _>>();
        inside(format!("{path}.items"), &member("items"));
        for name in ["items", "allOf", "anyOf", "oneOf"] {
            for (n, item) in member(name).as_array().into_iter().flatten().enumerate() {
                inside(format!("{path}.{name}[{n}]"), item);
            }
        }
        inside(format!("{path}.not"), &member("not"));
        for (name, item) in sorted("properties") {
            inside(format!("{path}.{name}"), &item);
        }
        inside(format!("{path}.additionalProperties"), &member("additionalProperties"));
        for (name, item) in sorted("patternProperties") {
            inside(format!("{path}.patternProperties[{name}]"), &item);
        }
        inside(format!("{path}.additionalItems"), &member("additionalItems"));
        for keyword in ["definitions", "dependencies"] {
            for (name, item) in sorted(keyword) {
                inside(format!("{path}.{keyword}[{name}]"), &item);
            }
        }
    }

    fn flat(schema: &Value, naming: Naming) -> Flat {
        let mut schemas = Schemas::new();
        let root = Reader::new(&mut schemas, "", "").schema(schema).unwrap();
        Flat::new(Some(root), 0, &schemas, naming).unwrap()
    }

    /// The steps from the schema's root.
    fn steps(property: &Property) -> Vec<Step> {
        property.trail.field().0.split_off(5)
    }

    fn at<'v>(schema: &'v Value, steps: &[Step]) -> &'v Value {
        steps.iter().fold(schema, |value, step| match step {
            Step::Key(key) => &value[key.as_str()],
            Step::Index(n) => &value[*n],
        })
    }

    proptest! {
        #[test]
        fn finds_what_the_obvious_way_finds(schema in any_schema()) {
            let mut slow = BTreeMap::new();
            slowly("^", &schema, &mut slow);
            let flat = flat(&schema, Naming::Keywords);
            let paths: Vec<&str> = flat.properties().map(|p| p.path.as_str()).collect();
            prop_assert_eq!(paths, slow.keys().map(String::as_str).collect::<Vec<_>>());
            for property in flat.properties() {
                prop_assert_eq!(at(&schema, &steps(property)), &slow[&property.path]);
            }
        }
    }

    #[test]
    fn older_releases_name_less() {
        let schema = json!({"items": {"properties": {"a": {"additionalProperties": {"type": "string"}}}, "anyOf": [{"type": "a"}, {"not": {}}]}});
        let flat = flat(&schema, Naming::Starred);
        let paths: Vec<&str> = flat.properties().map(|p| p.path.as_str()).collect();
        assert_eq!(paths, ["^", "^[*]", "^[*].a", "^[*].a[*]"]);
        // The last one walked stands for the property.
        assert_eq!(FieldPath(steps(flat.get("^[*]").unwrap())).to_string(), "items.anyOf[1].not");
    }

    #[test]
    fn one_path_stands_for_the_last_schema_walked() {
        let flat = flat(
            &json!({"properties": {"a.b": {"type": "x"}, "a": {"properties": {"b": {}}}, "": {}}, "items": {}}),
            Naming::Keywords,
        );
        let paths: Vec<&str> = flat.properties().map(|p| p.path.as_str()).collect();
        assert_eq!(paths, ["^", "^.a", "^.a.b", "^.items", "^[]"]);
        assert_eq!(steps(flat.get("^.a.b").unwrap()), [Step::Key("properties".into()), Step::Key("a.b".into())]);
    }
}
