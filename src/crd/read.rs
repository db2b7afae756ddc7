//! A document's values -> [`Schemas`], as the API's types decode them: unknown fields are dropped, a wrong type is an error.

use super::error::Error;
use super::keyword::{Keyword, Kind};
use super::schema::{Attribute, Dependency, Float, Rule, Schema, SchemaId, Schemas};
use crate::go::json;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// How deep schemas may be nested. Real CRDs stay below 40; the API server's own limits come long before.
pub(crate) const DEPTH_LIMIT: usize = 128;

/// What a value is, in words.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}

/// Where the reader stands, to say so in an error.
pub(crate) struct Reader<'a> {
    schemas: &'a mut Schemas,
    crd: &'a str,
    field: Vec<Cow<'static, str>>,
    depth: usize,
    /// Whether a JSON decoder reads, as it does within a schema that is one of several things; else the converter does.
    json: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(schemas: &'a mut Schemas, crd: &'a str, field: &str) -> Self {
        Self { schemas, crd, field: vec![Cow::Owned(field.to_owned())], depth: 0, json: false }
    }

    fn at(&self) -> String {
        if self.field.len() <= 12 {
            return self.field.join(".");
        }
        let first: Vec<_> = self.field.iter().take(8).cloned().collect();
        let last: Vec<_> = self.field.iter().skip(self.field.len() - 3).cloned().collect();
        format!("{}...{}", first.join("."), last.join("."))
    }

    fn wrong(&self, expected: &'static str, found: &Value) -> Error {
        Error::WrongType { crd: self.crd.to_owned(), field: self.at(), expected, found: kind_of(found) }
    }

    fn within<T>(&mut self, name: &str, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        self.field.push(Cow::Owned(name.to_owned()));
        let result = read(self);
        if result.is_ok() {
            self.field.pop();
        }
        result
    }

    /// Reads a schema; `null` is the empty one.
    pub(crate) fn schema(&mut self, value: &Value) -> Result<SchemaId, Error> {
        let map = match value {
            Value::Null => return self.schemas.add(Schema::default()),
            Value::Object(map) => map,
            other => return Err(self.wrong("a schema", other)),
        };
        if self.depth == DEPTH_LIMIT {
            return Err(Error::TooDeep { crd: self.crd.to_owned(), field: self.at(), limit: DEPTH_LIMIT });
        }
        self.depth += 1;
        let mut attributes = Vec::new();
        for (name, value) in map {
            let (Some(keyword), false) = (Keyword::named(name), value.is_null()) else { continue };
            self.field.push(Cow::Borrowed(keyword.name()));
            if let Some(attribute) = self.attribute(keyword.kind(), value)? {
                attributes.push((keyword, attribute));
            }
            self.field.pop();
        }
        self.depth -= 1;
        self.schemas.add(Schema::new(attributes))
    }

    fn attribute(&mut self, kind: Kind, value: &Value) -> Result<Option<Attribute>, Error> {
        Ok(match kind {
            Kind::Text | Kind::Url => Some(self.text(value)?).filter(|text| !text.is_empty()).map(Attribute::Text),
            Kind::TextPointer => Some(Attribute::Text(self.text(value)?)),
            Kind::Flag => Some(self.flag(value)?).filter(|flag| *flag).map(Attribute::Flag),
            Kind::FlagPointer => Some(Attribute::Flag(self.flag(value)?)),
            Kind::Float => Some(Attribute::Float(self.float(value)?)),
            Kind::Int => Some(Attribute::Int(self.int(value)?)),
            Kind::Json => Some(Attribute::Json(json::text(value))),
            Kind::Jsons => {
                self.some_list(value, |_, v| Ok(if v.is_null() { String::new() } else { json::text(v) }))?.map(Attribute::Jsons)
            }
            Kind::Texts => self.some_list(value, |reader, v| reader.text(v))?.map(Attribute::Texts),
            Kind::Schemas => self.some_list(value, Self::schema)?.map(Attribute::Schemas),
            Kind::Schema => Some(Attribute::Schema(self.schema(value)?)),
            Kind::SchemaMap | Kind::Definitions => self.some_map(value, Self::schema)?.map(Attribute::SchemaMap),
            Kind::Dependencies => {
                let dependency = |reader: &mut Self, value: &_| reader.decoding_json(|reader| reader.dependency(value));
                self.some_map(value, dependency)?.map(Attribute::Dependencies)
            }
            Kind::SchemaOrBool => Some(self.decoding_json(|reader| reader.schema_or_bool(value))?),
            Kind::SchemaOrArray => self.decoding_json(|reader| reader.schema_or_array(value))?,
            Kind::Docs => Some(self.docs(value)?),
            Kind::Rules => self.some_list(value, Self::rule)?.map(Attribute::Rules),
        })
    }

    fn text(&self, value: &Value) -> Result<String, Error> {
        match value {
            Value::Null => Ok(String::new()),
            Value::String(text) => Ok(text.clone()),
            other => Err(self.wrong("a string", other)),
        }
    }

    fn flag(&self, value: &Value) -> Result<bool, Error> {
        value.as_bool().ok_or_else(|| self.wrong("a boolean", value))
    }

    fn float(&self, value: &Value) -> Result<Float, Error> {
        // Adding zero turns a negative zero into the other one.
        value.as_f64().map(|number| Float(number + 0.0)).ok_or_else(|| self.wrong("a number", value))
    }

    /// Follows apimachinery v0.36 pkg/runtime/converter.go: fromUnstructured. A number that does not fit becomes the smallest on amd64.
    fn int(&self, value: &Value) -> Result<i64, Error> {
        if let Some(number) = value.as_i64() {
            return Ok(number);
        }
        let whole = value.as_f64().filter(|number| number.fract() == 0.0).ok_or_else(|| self.wrong("a whole number", value))?;
        match format!("{whole:.0}").parse() {
            Ok(number) => Ok(number),
            Err(_) if self.json => Err(self.wrong("a smaller number", value)),
            Err(_) => Ok(i64::MIN),
        }
    }

    fn decoding_json<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        let outside = std::mem::replace(&mut self.json, true);
        let result = read(self);
        self.json = outside;
        result
    }

    fn some_list<T>(
        &mut self,
        value: &Value,
        mut read: impl FnMut(&mut Self, &Value) -> Result<T, Error>,
    ) -> Result<Option<Vec<T>>, Error> {
        let Value::Array(items) = value else { return Err(self.wrong("a list", value)) };
        let items: Result<Vec<T>, Error> = items.iter().map(|item| read(self, item)).collect();
        items.map(|items| Some(items).filter(|items| !items.is_empty()))
    }

    #[allow(clippy::type_complexity)]
    fn some_map<T>(
        &mut self,
        value: &Value,
        mut read: impl FnMut(&mut Self, &Value) -> Result<T, Error>,
    ) -> Result<Option<Vec<(String, T)>>, Error> {
        let Value::Object(map) = value else { return Err(self.wrong("a mapping", value)) };
        let mut entries = Vec::with_capacity(map.len());
        for (name, item) in map {
            entries.push((name.clone(), self.within(name, |reader| read(reader, item))?));
        }
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(Some(entries).filter(|entries| !entries.is_empty()))
    }

    // k8s.io/apiextensions-apiserver v0.36 pkg/apis/apiextensions/v1/marshal.go: what each of the either-or types takes.
    fn schema_or_bool(&mut self, value: &Value) -> Result<Attribute, Error> {
        match value {
            Value::Bool(allows) => Ok(Attribute::SchemaOrBool { allows: *allows, schema: None }),
            Value::Object(_) => Ok(Attribute::SchemaOrBool { allows: true, schema: Some(self.schema(value)?) }),
            other => Err(self.wrong("a boolean or a schema", other)),
        }
    }

    /// An empty list is encoded as null on the way to the check, so that it is not there; so is anything else.
    fn schema_or_array(&mut self, value: &Value) -> Result<Option<Attribute>, Error> {
        Ok(match value {
            Value::Object(_) => Some(Attribute::SchemaOrArray { schema: Some(self.schema(value)?), schemas: Vec::new() }),
            Value::Array(_) => {
                let schemas = self.some_list(value, Self::schema)?;
                schemas.map(|schemas| Attribute::SchemaOrArray { schema: None, schemas })
            }
            _ => None,
        })
    }

    fn dependency(&mut self, value: &Value) -> Result<Dependency, Error> {
        Ok(match value {
            Value::Object(_) => Dependency { schema: Some(self.schema(value)?), property: Vec::new() },
            Value::Array(_) => {
                Dependency { schema: None, property: self.some_list(value, |reader, v| reader.text(v))?.unwrap_or_default() }
            }
            _ => Dependency::default(),
        })
    }

    fn docs(&mut self, value: &Value) -> Result<Attribute, Error> {
        let Value::Object(map) = value else { return Err(self.wrong("a mapping", value)) };
        Ok(Attribute::Docs { description: self.member(map, "description")?, url: self.member(map, "url")? })
    }

    fn rule(&mut self, value: &Value) -> Result<Rule, Error> {
        let map = match value {
            Value::Null => return Ok(Rule::default()),
            Value::Object(map) => map,
            other => return Err(self.wrong("a mapping", other)),
        };
        Ok(Rule {
            rule: self.member(map, "rule")?,
            message: self.member(map, "message")?,
            message_expression: self.member(map, "messageExpression")?,
            reason: map.get("reason").filter(|v| !v.is_null()).map(|v| self.text(v)).transpose()?,
            field_path: self.member(map, "fieldPath")?,
            optional_old_self: map.get("optionalOldSelf").filter(|v| !v.is_null()).map(|v| self.flag(v)).transpose()?,
        })
    }

    fn member(&mut self, map: &Map<String, Value>, name: &str) -> Result<String, Error> {
        map.get(name).map_or_else(|| Ok(String::new()), |value| self.within(name, |reader| reader.text(value)))
    }
}
