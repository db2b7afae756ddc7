//! Two schemas -> the keywords in which they differ, as deep inside as they can be told.

use super::keyword::Keyword;
use super::render::{attribute_value, brief};
use super::schema::{Attribute, Schema, SchemaId, Schemas};
use serde_json::Value;

/// A keyword in which two schemas differ.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leaf {
    /// Where it is within the schema: `additionalProperties.format`.
    pub(crate) path: String,
    pub(crate) before: Option<Value>,
    pub(crate) after: Option<Value>,
}

impl Leaf {
    /// The difference in words.
    pub(crate) fn plain(&self) -> String {
        match (&self.before, &self.after) {
            (None, Some(after)) => format!("{} appears: {}", self.path, brief(after)),
            (Some(before), None) => format!("{} is gone: {}", self.path, brief(before)),
            (Some(Value::Array(before)), Some(Value::Array(after))) => self.lists(before, after),
            (Some(before), Some(after)) => format!("{} changes from {} to {}", self.path, brief(before), brief(after)),
            (None, None) => format!("{} changes", self.path),
        }
    }
}

impl Leaf {
    /// What a list gains and loses: its beginning is mostly what stays.
    fn lists(&self, before: &[Value], after: &[Value]) -> String {
        let without =
            |one: &[Value], other: &[Value]| -> Vec<Value> { one.iter().filter(|v| !other.contains(v)).cloned().collect() };
        let (lost, gained) = (without(before, after), without(after, before));
        match (lost.is_empty(), gained.is_empty()) {
            (true, true) => format!("{} changes in its order or how often something is in it", self.path),
            (true, false) => format!("{} gains {}", self.path, brief(&Value::Array(gained))),
            (false, true) => format!("{} loses {}", self.path, brief(&Value::Array(lost))),
            (false, false) => {
                format!("{} loses {} and gains {}", self.path, brief(&Value::Array(lost)), brief(&Value::Array(gained)))
            }
        }
    }
}

/// How many schemas are written out for one value.
const VALUE_BUDGET: usize = 40;

/// The differences, at most `limit` of them, ordered by keyword, then by name or position.
pub(crate) fn leaves(before: &Schema, after: &Schema, schemas: &Schemas, limit: usize) -> Vec<Leaf> {
    let mut differ = Differ { schemas, path: String::new(), limit, leaves: Vec::new() };
    differ.schema(before, after);
    differ.leaves
}

struct Differ<'a> {
    schemas: &'a Schemas,
    path: String,
    limit: usize,
    leaves: Vec<Leaf>,
}

impl Differ<'_> {
    fn schema(&mut self, before: &Schema, after: &Schema) {
        for keyword in Keyword::ALL {
            if self.is_full() {
                return;
            }
            let (before, after) = (before.get(*keyword), after.get(*keyword));
            if before != after {
                self.within(keyword.name(), |differ| differ.attribute(before, after));
            }
        }
    }

    fn is_full(&self) -> bool {
        self.leaves.len() >= self.limit
    }

    fn within(&mut self, name: &str, descend: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        if !self.path.is_empty() && !name.starts_with('[') {
            self.path.push('.');
        }
        self.path.push_str(name);
        descend(self);
        self.path.truncate(length);
    }

    fn attribute(&mut self, before: Option<&Attribute>, after: Option<&Attribute>) {
        match (before, after) {
            (Some(Attribute::Schema(before)), Some(Attribute::Schema(after)))
            | (
                Some(Attribute::SchemaOrBool { schema: Some(before), .. }),
                Some(Attribute::SchemaOrBool { schema: Some(after), .. }),
            )
            | (
                Some(Attribute::SchemaOrArray { schema: Some(before), .. }),
                Some(Attribute::SchemaOrArray { schema: Some(after), .. }),
            ) => {
                self.ids(*before, *after);
            }
            (Some(Attribute::Schemas(before)), Some(Attribute::Schemas(after)))
            | (Some(Attribute::SchemaOrArray { schemas: before, .. }), Some(Attribute::SchemaOrArray { schemas: after, .. }))
                if before.len() == after.len() =>
            {
                for (n, (before, after)) in before.iter().zip(after).enumerate() {
                    if before != after && !self.is_full() {
                        self.within(&format!("[{n}]"), |differ| differ.ids(*before, *after));
                    }
                }
            }
            (Some(Attribute::SchemaMap(before)), Some(Attribute::SchemaMap(after))) => self.maps(before, after),
            _ => self.leaf(before, after),
        }
    }

    fn ids(&mut self, before: SchemaId, after: SchemaId) {
        if before != after {
            let (schemas, before, after) = (self.schemas, before, after);
            self.schema(schemas.get(before), schemas.get(after));
        }
    }

    fn maps(&mut self, before: &[(String, SchemaId)], after: &[(String, SchemaId)]) {
        let find = |list: &[(String, SchemaId)], name: &str| {
            list.binary_search_by(|(n, _)| n.as_str().cmp(name)).ok().and_then(|at| list.get(at)).map(|(_, id)| *id)
        };
        for (name, before) in before {
            if self.is_full() {
                return;
            }
            match find(after, name) {
                Some(after) if after == *before => {}
                Some(after) => self.within(name, |differ| differ.ids(*before, after)),
                None => self.within(name, |differ| differ.leaf(Some(&Attribute::Schema(*before)), None)),
            }
        }
        for (name, after) in after {
            if self.is_full() {
                return;
            }
            if find(before, name).is_none() {
                self.within(name, |differ| differ.leaf(None, Some(&Attribute::Schema(*after))));
            }
        }
    }

    fn leaf(&mut self, before: Option<&Attribute>, after: Option<&Attribute>) {
        if self.is_full() {
            return;
        }
        let value =
            |attribute: Option<&Attribute>| attribute.map(|a| attribute_value(a, self.schemas, &mut VALUE_BUDGET.clone()));
        self.leaves.push(Leaf { path: self.path.clone(), before: value(before), after: value(after) });
    }
}
