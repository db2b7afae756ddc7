//! A schema as the tree of Go values that reflection sees.

use super::super::keyword::{Keyword, Kind as Holding};
use super::super::schema::{Attribute, Dependency, Rule, Schema, SchemaId, Schemas};

/// A Go type, of those that a schema is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    Int,
    Float,
    Byte,
    String,
    Url,
    Reason,
    Schema,
    Json,
    SchemaOrArray,
    SchemaOrBool,
    SchemaOrStrings,
    Docs,
    Rule,
    Rules,
    Definitions,
    Dependencies,
    Pointer(&'static Type),
    Slice(&'static Type),
    Map(&'static Type),
}

/// A kind of Go type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Scalar,
    Byte,
    String,
    Struct,
    Pointer,
    Slice,
    Map,
}

impl Type {
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Bool | Self::Int | Self::Float => Kind::Scalar,
            Self::Byte => Kind::Byte,
            Self::String | Self::Url | Self::Reason => Kind::String,
            Self::Schema
            | Self::Json
            | Self::SchemaOrArray
            | Self::SchemaOrBool
            | Self::SchemaOrStrings
            | Self::Docs
            | Self::Rule => Kind::Struct,
            Self::Rules | Self::Slice(_) => Kind::Slice,
            Self::Definitions | Self::Dependencies | Self::Map(_) => Kind::Map,
            Self::Pointer(_) => Kind::Pointer,
        }
    }

    /// The type of what it holds.
    pub(super) fn element(&self) -> &'static Type {
        match self {
            Self::Pointer(of) | Self::Slice(of) | Self::Map(of) => of,
            Self::Rules => &Type::Rule,
            Self::Dependencies => &Type::SchemaOrStrings,
            _ => &Type::Schema,
        }
    }

    pub(super) fn name(&self) -> String {
        match self {
            Self::Bool => "bool".into(),
            Self::Int => "int64".into(),
            Self::Float => "float64".into(),
            Self::Byte => "uint8".into(),
            Self::String => "string".into(),
            Self::Url => "v1.JSONSchemaURL".into(),
            Self::Reason => "v1.FieldValueErrorReason".into(),
            Self::Schema => "v1.JSONSchemaProps".into(),
            Self::Json => "v1.JSON".into(),
            Self::SchemaOrArray => "v1.JSONSchemaPropsOrArray".into(),
            Self::SchemaOrBool => "v1.JSONSchemaPropsOrBool".into(),
            Self::SchemaOrStrings => "v1.JSONSchemaPropsOrStringArray".into(),
            Self::Docs => "v1.ExternalDocumentation".into(),
            Self::Rule => "v1.ValidationRule".into(),
            Self::Rules => "v1.ValidationRules".into(),
            Self::Definitions => "v1.JSONSchemaDefinitions".into(),
            Self::Dependencies => "v1.JSONSchemaDependencies".into(),
            Self::Pointer(of) => format!("*{}", of.name()),
            Self::Slice(of) => format!("[]{}", of.name()),
            Self::Map(of) => format!("map[string]{}", of.name()),
        }
    }
}

/// A Go value.
#[derive(Debug, Clone)]
pub(super) enum Value<'a> {
    Bool(bool),
    Int(i64),
    Float(f64),
    Byte(u8),
    Text(&'a str),
    Bytes(&'a [u8]),
    Pointer(Option<Box<Value<'a>>>),
    Struct(Struct<'a>),
    List(Vec<Value<'a>>),
    Map(Vec<(&'a str, Value<'a>)>),
    /// A list or map that is not there.
    Nil,
}

/// A Go struct.
#[derive(Debug, Clone, Copy)]
pub(super) enum Struct<'a> {
    Schema(&'a Schema),
    /// JSON text; empty is none.
    Json(&'a str),
    SchemaOrArray(Option<SchemaId>, &'a [SchemaId]),
    SchemaOrBool(bool, Option<SchemaId>),
    SchemaOrStrings(&'a Dependency),
    Docs(&'a str, &'a str),
    Rule(&'a Rule),
}

/// A field of a struct.
pub(super) struct Field<'a> {
    pub(super) name: &'static str,
    pub(super) of: &'static Type,
    pub(super) value: Value<'a>,
}

impl<'a> Value<'a> {
    pub(super) fn schema(schema: &'a Schema) -> Self {
        Self::Struct(Struct::Schema(schema))
    }

    fn pointer(to: Option<Self>) -> Self {
        Self::Pointer(to.map(Box::new))
    }

    fn list(items: impl Iterator<Item = Self>) -> Self {
        let items: Vec<Self> = items.collect();
        if items.is_empty() { Self::Nil } else { Self::List(items) }
    }

    /// Whether it is the type's zero value. Structs are never asked.
    pub(super) fn is_zero(&self) -> bool {
        match self {
            Self::Bool(flag) => !flag,
            Self::Int(number) => *number == 0,
            Self::Float(number) => *number == 0.0,
            Self::Byte(byte) => *byte == 0,
            Self::Text(text) => text.is_empty(),
            Self::Pointer(to) => to.is_none(),
            Self::Nil => true,
            Self::Bytes(_) | Self::Struct(_) | Self::List(_) | Self::Map(_) => false,
        }
    }

    pub(super) fn equal(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => a == b,
            (Self::Byte(a), Self::Byte(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Bytes(a), Self::Bytes(b)) => a == b,
            (Self::Pointer(a), Self::Pointer(b)) => match (a, b) {
                (Some(a), Some(b)) => a.equal(b),
                (a, b) => a.is_none() && b.is_none(),
            },
            (Self::Struct(a), Self::Struct(b)) => a.equal(b),
            (Self::List(a), Self::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.equal(b)),
            (Self::Map(a), Self::Map(b)) => a.len() == b.len() && a.iter().zip(b).all(|((n, a), (m, b))| n == m && a.equal(b)),
            (Self::Nil, Self::Nil) => true,
            _ => false,
        }
    }
}

impl<'a> Struct<'a> {
    fn equal(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Schema(a), Self::Schema(b)) => a == b,
            (Self::Json(a), Self::Json(b)) => a == b,
            (Self::SchemaOrArray(a, c), Self::SchemaOrArray(b, d)) => a == b && c == d,
            (Self::SchemaOrBool(a, c), Self::SchemaOrBool(b, d)) => a == b && c == d,
            (Self::SchemaOrStrings(a), Self::SchemaOrStrings(b)) => a == b,
            (Self::Docs(a, c), Self::Docs(b, d)) => a == b && c == d,
            (Self::Rule(a), Self::Rule(b)) => a == b,
            _ => false,
        }
    }

    pub(super) fn fields(&self, schemas: &'a Schemas) -> Vec<Field<'a>> {
        let field = |name, of, value| Field { name, of, value };
        let schema_pointer = |id: &Option<SchemaId>| Value::pointer(id.map(|id| Value::schema(schemas.get(id))));
        match self {
            Self::Schema(schema) => Keyword::ALL
                .iter()
                .map(|keyword| {
                    let of = type_of(keyword.kind());
                    field(
                        keyword.go_name(),
                        of,
                        schema.get(*keyword).map_or_else(|| zero(of), |attribute| value_of(*keyword, attribute, schemas)),
                    )
                })
                .collect(),
            Self::Json(text) => {
                vec![field(
                    "Raw",
                    &Type::Slice(&Type::Byte),
                    if text.is_empty() { Value::Nil } else { Value::Bytes(text.as_bytes()) },
                )]
            }
            Self::SchemaOrArray(schema, list) => vec![
                field("Schema", &Type::Pointer(&Type::Schema), schema_pointer(schema)),
                field("JSONSchemas", &Type::Slice(&Type::Schema), schema_list(list, schemas)),
            ],
            Self::SchemaOrBool(allows, schema) => vec![
                field("Allows", &Type::Bool, Value::Bool(*allows)),
                field("Schema", &Type::Pointer(&Type::Schema), schema_pointer(schema)),
            ],
            Self::SchemaOrStrings(dependency) => vec![
                field("Schema", &Type::Pointer(&Type::Schema), schema_pointer(&dependency.schema)),
                field("Property", &Type::Slice(&Type::String), texts(&dependency.property)),
            ],
            Self::Docs(description, url) => {
                vec![field("Description", &Type::String, Value::Text(description)), field("URL", &Type::String, Value::Text(url))]
            }
            Self::Rule(rule) => vec![
                field("Rule", &Type::String, Value::Text(&rule.rule)),
                field("Message", &Type::String, Value::Text(&rule.message)),
                field("MessageExpression", &Type::String, Value::Text(&rule.message_expression)),
                field("Reason", &Type::Pointer(&Type::Reason), Value::pointer(rule.reason.as_deref().map(Value::Text))),
                field("FieldPath", &Type::String, Value::Text(&rule.field_path)),
                field("OptionalOldSelf", &Type::Pointer(&Type::Bool), Value::pointer(rule.optional_old_self.map(Value::Bool))),
            ],
        }
    }
}

fn texts(texts: &[String]) -> Value<'_> {
    Value::list(texts.iter().map(|text| Value::Text(text)))
}

fn schema_list<'a>(ids: &[SchemaId], schemas: &'a Schemas) -> Value<'a> {
    Value::list(ids.iter().map(|id| Value::schema(schemas.get(*id))))
}

fn type_of(holding: Holding) -> &'static Type {
    match holding {
        Holding::Text => &Type::String,
        Holding::Url => &Type::Url,
        Holding::TextPointer => &Type::Pointer(&Type::String),
        Holding::Flag => &Type::Bool,
        Holding::FlagPointer => &Type::Pointer(&Type::Bool),
        Holding::Float => &Type::Pointer(&Type::Float),
        Holding::Int => &Type::Pointer(&Type::Int),
        Holding::Json => &Type::Pointer(&Type::Json),
        Holding::Jsons => &Type::Slice(&Type::Json),
        Holding::Texts => &Type::Slice(&Type::String),
        Holding::SchemaOrArray => &Type::Pointer(&Type::SchemaOrArray),
        Holding::Schemas => &Type::Slice(&Type::Schema),
        Holding::Schema => &Type::Pointer(&Type::Schema),
        Holding::SchemaMap => &Type::Map(&Type::Schema),
        Holding::Definitions => &Type::Definitions,
        Holding::SchemaOrBool => &Type::Pointer(&Type::SchemaOrBool),
        Holding::Dependencies => &Type::Dependencies,
        Holding::Docs => &Type::Pointer(&Type::Docs),
        Holding::Rules => &Type::Rules,
    }
}

fn zero(of: &Type) -> Value<'static> {
    match of.kind() {
        Kind::String => Value::Text(""),
        Kind::Pointer => Value::Pointer(None),
        Kind::Slice | Kind::Map => Value::Nil,
        Kind::Scalar | Kind::Byte | Kind::Struct => Value::Bool(false),
    }
}

fn value_of<'a>(keyword: Keyword, attribute: &'a Attribute, schemas: &'a Schemas) -> Value<'a> {
    let value = match attribute {
        Attribute::Text(text) => Value::Text(text),
        Attribute::Flag(flag) => Value::Bool(*flag),
        Attribute::Float(number) => Value::Float(number.0),
        Attribute::Int(number) => Value::Int(*number),
        Attribute::Json(text) => Value::Struct(Struct::Json(text)),
        Attribute::Jsons(list) => Value::list(list.iter().map(|text| Value::Struct(Struct::Json(text)))),
        Attribute::Texts(list) => texts(list),
        Attribute::Schema(id) => Value::schema(schemas.get(*id)),
        Attribute::Schemas(ids) => schema_list(ids, schemas),
        Attribute::SchemaMap(entries) => {
            Value::Map(entries.iter().map(|(name, id)| (name.as_str(), Value::schema(schemas.get(*id)))).collect())
        }
        Attribute::SchemaOrArray { schema, schemas } => Value::Struct(Struct::SchemaOrArray(*schema, schemas)),
        Attribute::SchemaOrBool { allows, schema } => Value::Struct(Struct::SchemaOrBool(*allows, *schema)),
        Attribute::Dependencies(entries) => Value::Map(
            entries.iter().map(|(name, entry)| (name.as_str(), Value::Struct(Struct::SchemaOrStrings(entry)))).collect(),
        ),
        Attribute::Docs { description, url } => Value::Struct(Struct::Docs(description, url)),
        Attribute::Rules(rules) => Value::list(rules.iter().map(|rule| Value::Struct(Struct::Rule(rule)))),
    };
    match type_of(keyword.kind()).kind() {
        Kind::Pointer => Value::pointer(Some(value)),
        _ => value,
    }
}
