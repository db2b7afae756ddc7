//! The table of Go's struct types, read once from `types.txt` (made by `scripts/gotypes.py`).
//!
//! A type's line stands at the margin, its fields' lines below it, indented, in the struct's order: name, type, flags
//! (`e` omitempty, `z` omitzero, `p` pointer). A custom type has `!` after its name. After a field's type and `=` stands the name
//! that it has of its own in Go: of the text, where it is a text or a list of texts, or else of the whole.

use std::collections::BTreeMap;
use std::sync::OnceLock;

/// What a Go type is, as far as encoding goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// A string.
    String,
    /// A type made from a string, by its name in Go: `v1.RestartPolicy`.
    Text(&'static str),
    /// A bool.
    Bool,
    /// An int32.
    Int32,
    /// An int64.
    Int64,
    /// A float64.
    Float64,
    /// A `[]byte`: base64 text.
    Bytes,
    /// Any JSON value, kept as it is (`json.RawMessage`, `FieldsV1`).
    Raw,
    /// `apiextensions/v1.JSON`: any JSON value; null where there is none.
    Json,
    /// `resource.Quantity`.
    Quantity,
    /// `intstr.IntOrString`.
    IntOrString,
    /// `meta/v1.Time`.
    Time,
    /// `apiextensions/v1.JSONSchemaPropsOrBool`.
    SchemaOrBool,
    /// `apiextensions/v1.JSONSchemaPropsOrArray`.
    SchemaOrArray,
    /// `apiextensions/v1.JSONSchemaPropsOrStringArray`.
    SchemaOrStringArray,
    /// The API library's `version.OperatorVersion`.
    Version,
    /// The API library's `release.OperatorRelease`.
    Release,
    /// A struct of the table.
    Struct(TypeId),
    /// A slice.
    List(Box<Shape>),
    /// A map from strings.
    Map(Box<Shape>),
}

/// A struct type's position in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypeId(usize);

impl TypeId {
    /// The type; one without fields where the table has none at that position.
    pub fn get(self) -> &'static Type {
        static NONE: Type = Type { name: "", fields: Vec::new(), sorted: Vec::new(), required: Vec::new() };
        table().types.get(self.0).unwrap_or(&NONE)
    }
}

/// A field of a struct.
#[derive(Debug)]
pub struct Field {
    /// Its name in JSON.
    pub name: &'static str,
    /// Its type, without the pointer.
    pub shape: Shape,
    /// The name of a list's or a map's type, where it has one of its own.
    pub own_name: Option<&'static str>,
    /// Whether it is a pointer: a zero value that is set is kept.
    pub pointer: bool,
    /// Whether it is left out when empty.
    pub omit_empty: bool,
    /// Whether it is left out when zero.
    pub omit_zero: bool,
}

impl Field {
    /// Whether the field is written even where the input does not have it.
    fn always(&self) -> bool {
        if self.omit_zero {
            return false;
        }
        // A struct that is no pointer is never empty.
        let list_like = matches!(self.shape, Shape::List(_) | Shape::Map(_) | Shape::Bytes | Shape::Raw);
        let scalar =
            matches!(self.shape, Shape::String | Shape::Text(_) | Shape::Bool | Shape::Int32 | Shape::Int64 | Shape::Float64);
        !self.omit_empty || !(self.pointer || list_like || scalar)
    }
}

/// A struct type.
#[derive(Debug)]
pub struct Type {
    /// `meta/v1.ObjectMeta`.
    pub name: &'static str,
    /// The fields in the struct's order.
    pub fields: Vec<Field>,
    /// Positions in `fields`, by name.
    sorted: Vec<(&'static str, usize)>,
    /// Positions in `sorted` of the fields that are always written.
    required: Vec<usize>,
}

impl Type {
    /// The field of that name, with its position in the order of names and in the struct's.
    pub fn find(&self, name: &str) -> Option<(usize, usize, &Field)> {
        let rank = self.sorted.binary_search_by(|(field, _)| (*field).cmp(name)).ok()?;
        let (_, position) = self.sorted.get(rank)?;
        Some((rank, *position, self.fields.get(*position)?))
    }

    /// The fields that are always written, with their position in the order of names.
    pub fn required(&self) -> impl Iterator<Item = (usize, &Field)> {
        self.required.iter().filter_map(|rank| {
            let (_, position) = self.sorted.get(*rank)?;
            Some((*rank, self.fields.get(*position)?))
        })
    }

    /// The type's name as Go's reflection says it: `v1.ObjectMeta`.
    pub fn go_name(&self) -> String {
        match self.name.rsplit_once('/') {
            Some((_, name)) => name.to_owned(),
            None => self.name.to_owned(),
        }
    }

    /// The bare name: `ObjectMeta`.
    pub fn bare_name(&self) -> &'static str {
        self.name.rsplit_once('.').map_or(self.name, |(_, bare)| bare)
    }
}

impl Shape {
    /// The type's name as Go's reflection says it.
    pub fn go_name(&self) -> String {
        match self {
            Self::String => "string".to_owned(),
            Self::Text(name) => (*name).to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::Int32 => "int32".to_owned(),
            Self::Int64 => "int64".to_owned(),
            Self::Float64 => "float64".to_owned(),
            Self::Bytes => "[]uint8".to_owned(),
            Self::Raw => "json.RawMessage".to_owned(),
            Self::Json => "v1.JSON".to_owned(),
            Self::Quantity => "resource.Quantity".to_owned(),
            Self::IntOrString => "intstr.IntOrString".to_owned(),
            Self::Time => "v1.Time".to_owned(),
            Self::SchemaOrBool => "v1.JSONSchemaPropsOrBool".to_owned(),
            Self::SchemaOrArray => "v1.JSONSchemaPropsOrArray".to_owned(),
            Self::SchemaOrStringArray => "v1.JSONSchemaPropsOrStringArray".to_owned(),
            Self::Version => "version.OperatorVersion".to_owned(),
            Self::Release => "release.OperatorRelease".to_owned(),
            Self::Struct(id) => id.get().go_name(),
            Self::List(item) => format!("[]{}", item.go_name()),
            Self::Map(item) => format!("map[string]{}", item.go_name()),
        }
    }
}

/// The shape of the struct type of that name (`operators/v1alpha1.ClusterServiceVersion`); [`Shape::Raw`] where the table
/// has no such type.
pub fn named(name: &str) -> Shape {
    table().by_name.get(name).map_or(Shape::Raw, |id| Shape::Struct(*id))
}

struct Table {
    types: Vec<Type>,
    by_name: BTreeMap<&'static str, TypeId>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| parse(include_str!("types.txt")))
}

fn parse(text: &'static str) -> Table {
    let mut by_name = BTreeMap::new();
    let heads = text.lines().filter(|line| !line.starts_with(' ') && !line.ends_with('!'));
    for (position, name) in heads.enumerate() {
        by_name.insert(name, TypeId(position));
    }
    let mut types: Vec<Type> = Vec::with_capacity(by_name.len());
    for line in text.lines().filter(|line| !line.ends_with('!')) {
        if let Some(field) = line.strip_prefix(' ') {
            let mut words = field.split(' ');
            let (name, kind, flags) =
                (words.next().unwrap_or_default(), words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let (kind, own_name) = kind.split_once('=').map_or((kind, None), |(kind, name)| (kind, Some(name)));
            let shape = shape(kind, &by_name);
            let (shape, own_name) = match (own_name, shape) {
                (Some(name), Shape::String) => (Shape::Text(name), None),
                (Some(name), Shape::List(item)) if *item == Shape::String => (Shape::List(Box::new(Shape::Text(name))), None),
                (own_name, shape) => (shape, own_name),
            };
            if let Some(last) = types.last_mut() {
                last.fields.push(Field {
                    name,
                    shape,
                    own_name,
                    pointer: flags.contains('p'),
                    omit_empty: flags.contains('e'),
                    omit_zero: flags.contains('z'),
                });
            }
        } else {
            types.push(Type { name: line, fields: Vec::new(), sorted: Vec::new(), required: Vec::new() });
        }
    }
    for one in &mut types {
        one.sorted = one.fields.iter().enumerate().map(|(position, field)| (field.name, position)).collect();
        one.sorted.sort_unstable();
        let always =
            |(rank, (_, position)): (usize, &(&str, usize))| one.fields.get(*position).is_some_and(Field::always).then_some(rank);
        one.required = one.sorted.iter().enumerate().filter_map(always).collect();
    }
    Table { types, by_name }
}

fn shape(kind: &str, by_name: &BTreeMap<&'static str, TypeId>) -> Shape {
    if let Some(item) = kind.strip_prefix("[]") {
        return Shape::List(Box::new(shape(item, by_name)));
    }
    if let Some(item) = kind.strip_prefix("map[string]") {
        return Shape::Map(Box::new(shape(item, by_name)));
    }
    match kind {
        "string" => Shape::String,
        "bool" => Shape::Bool,
        "int32" => Shape::Int32,
        "int64" => Shape::Int64,
        "float64" => Shape::Float64,
        "bytes" => Shape::Bytes,
        "api/resource.Quantity" => Shape::Quantity,
        "apiextensions/v1.JSON" => Shape::Json,
        "apiextensions/v1.JSONSchemaPropsOrArray" => Shape::SchemaOrArray,
        "apiextensions/v1.JSONSchemaPropsOrBool" => Shape::SchemaOrBool,
        "apiextensions/v1.JSONSchemaPropsOrStringArray" => Shape::SchemaOrStringArray,
        "lib/release.OperatorRelease" => Shape::Release,
        "lib/version.OperatorVersion" => Shape::Version,
        "meta/v1.Time" => Shape::Time,
        "util/intstr.IntOrString" => Shape::IntOrString,
        _ => by_name.get(kind).map_or(Shape::Raw, |id| Shape::Struct(*id)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole() {
        let Shape::Struct(id) = named("apiextensions/v1.JSONSchemaProps") else { panic!("no struct") };
        let schema = id.get();
        assert_eq!(schema.fields.len(), 44);
        assert!(schema.find("x-kubernetes-validations").is_some());
        assert!(schema.find("Items").is_none());
        assert_eq!(schema.required().count(), 0);
        // Every type that a field names is in the table, but for the two that are raw JSON.
        for one in &table().types {
            for field in &one.fields {
                let mut shape = &field.shape;
                while let Shape::List(item) | Shape::Map(item) = shape {
                    shape = item;
                }
                assert!(*shape != Shape::Raw || ["value", "fieldsV1"].contains(&field.name), "{} {}", one.name, field.name);
            }
            assert!(one.fields.len() <= 128, "{}: the decoder marks what it has seen in 128 bits", one.name);
        }
    }

    #[test]
    fn knows_what_is_always_written() {
        let Shape::Struct(id) = named("apps/v1.DeploymentSpec") else { panic!("no struct") };
        let names: Vec<&str> = id.get().required().map(|(_, field)| field.name).collect();
        assert_eq!(names, ["selector", "strategy", "template"]);
    }
}
