//! A struct as its generated `String` method writes it.

use super::super::schema::Schemas;
use super::value::{Kind, Struct, Type, Value};
use crate::go::{float, list};
use std::cell::Cell;

/// How much is written before the rest is left out.
pub(super) const LONGEST: usize = 1 << 17;

/// Where the addresses in dumps come from: no two are the same, as no two values are at one address.
#[derive(Debug, Default)]
pub(super) struct Addresses(Cell<u64>);

impl Addresses {
    /// How many there were, times what lies between two.
    pub(super) fn given(&self) -> u64 {
        self.0.get()
    }

    fn next(&self) -> String {
        self.0.set(self.0.get() + 8);
        format!("{:#012x}", 0xc0_0000_0000 + self.0.get())
    }
}

/// A struct as its `String` method writes it.
///
/// Follows k8s.io/apiextensions-apiserver v0.36 pkg/apis/apiextensions/v1/generated.pb.go. What is in a map is written by fmt's `%v`,
/// which writes the addresses of numbers, flags and strings that are held by pointer: such schemas are never equal to another.
pub(super) fn dump(of: &Struct<'_>, schemas: &Schemas, addresses: &Addresses) -> String {
    let mut dump = Dump { schemas, addresses, out: String::from("&") };
    dump.structure(of);
    dump.out
}

struct Dump<'a> {
    schemas: &'a Schemas,
    addresses: &'a Addresses,
    out: String,
}

impl Dump<'_> {
    /// Without the `&` before it.
    fn structure(&mut self, of: &Struct<'_>) {
        let schemas = self.schemas;
        let name = match of {
            Struct::Schema(_) => "JSONSchemaProps",
            Struct::Json(_) => "JSON",
            Struct::SchemaOrArray(..) => "JSONSchemaPropsOrArray",
            Struct::SchemaOrBool(..) => "JSONSchemaPropsOrBool",
            Struct::SchemaOrStrings(_) => "JSONSchemaPropsOrStringArray",
            Struct::Docs(..) => "ExternalDocumentation",
            Struct::Rule(_) => "ValidationRule",
        };
        self.out.push_str(name);
        self.out.push('{');
        for field in of.fields(schemas) {
            if self.out.len() > LONGEST {
                return;
            }
            self.out.push_str(field.name);
            self.out.push(':');
            self.field(field.of, &field.value);
            self.out.push(',');
        }
        self.out.push('}');
    }

    fn field(&mut self, of: &Type, value: &Value<'_>) {
        match value {
            Value::Pointer(None) => self.out.push_str("nil"),
            Value::Pointer(Some(to)) => match &**to {
                Value::Struct(inner) => {
                    self.out.push('&');
                    self.structure(inner);
                }
                scalar => {
                    self.out.push('*');
                    self.out.push_str(&plain(scalar));
                }
            },
            Value::Bytes(bytes) => {
                let numbers: Vec<String> = bytes.iter().map(u8::to_string).collect();
                self.out.push('*');
                self.out.push_str(&list(&numbers));
            }
            Value::Nil | Value::List(_) | Value::Map(_) => self.many(of, value),
            scalar => self.out.push_str(&plain(scalar)),
        }
    }

    fn many(&mut self, of: &Type, value: &Value<'_>) {
        if matches!(of, Type::Slice(Type::Byte)) {
            self.out.push_str("nil");
            return;
        }
        if matches!(of, Type::Slice(Type::String)) {
            let texts: Vec<String> = match value {
                Value::List(items) => items.iter().map(plain).collect(),
                _ => Vec::new(),
            };
            self.out.push_str(&list(&texts));
            return;
        }
        self.out.push_str(match of {
            Type::Slice(Type::Json) => "[]JSON{",
            Type::Rules => "[]ValidationRule{",
            Type::Map(_) => "map[string]JSONSchemaProps{",
            Type::Dependencies => "JSONSchemaDependencies{",
            Type::Definitions => "JSONSchemaDefinitions{",
            _ => "[]JSONSchemaProps{",
        });
        match value {
            Value::List(items) => {
                for item in items {
                    if let Value::Struct(inner) = item {
                        self.structure(inner);
                        self.out.push(',');
                    }
                }
            }
            Value::Map(entries) => {
                for (name, item) in entries {
                    self.out.push_str(name);
                    self.out.push_str(": ");
                    if let Value::Struct(inner) = item {
                        self.verbatim(inner);
                    }
                    self.out.push(',');
                }
            }
            _ => {}
        }
        self.out.push('}');
    }

    /// A struct as `%v` writes it: the values of its fields alone.
    fn verbatim(&mut self, of: &Struct<'_>) {
        self.out.push('{');
        for (n, field) in of.fields(self.schemas).into_iter().enumerate() {
            if self.out.len() > LONGEST {
                return;
            }
            if n > 0 {
                self.out.push(' ');
            }
            self.verbatim_value(field.of, &field.value);
        }
        self.out.push('}');
    }

    fn verbatim_value(&mut self, of: &Type, value: &Value<'_>) {
        match value {
            // Pointers are written by their String method where they have one, else as addresses.
            Value::Pointer(None) => self.out.push_str(if of.element().kind() == Kind::Struct { "nil" } else { "<nil>" }),
            Value::Pointer(Some(to)) => match &**to {
                Value::Struct(inner) => {
                    self.out.push('&');
                    self.structure(inner);
                }
                _ => self.out.push_str(&self.addresses.next()),
            },
            Value::Struct(inner) => self.verbatim(inner),
            Value::Nil => self.out.push_str(if of.kind() == Kind::Map { "map[]" } else { "[]" }),
            Value::Bytes(bytes) => {
                let numbers: Vec<String> = bytes.iter().map(u8::to_string).collect();
                self.out.push_str(&list(&numbers));
            }
            Value::List(items) => {
                self.out.push('[');
                for (n, item) in items.iter().enumerate() {
                    if n > 0 {
                        self.out.push(' ');
                    }
                    self.verbatim_value(of.element(), item);
                }
                self.out.push(']');
            }
            Value::Map(entries) => {
                self.out.push_str("map[");
                for (n, (name, item)) in entries.iter().enumerate() {
                    if n > 0 {
                        self.out.push(' ');
                    }
                    self.out.push_str(name);
                    self.out.push(':');
                    self.verbatim_value(of.element(), item);
                }
                self.out.push(']');
            }
            scalar => self.out.push_str(&plain(scalar)),
        }
    }
}

fn plain(value: &Value<'_>) -> String {
    match value {
        Value::Bool(flag) => flag.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => float::general(*number),
        Value::Byte(byte) => byte.to_string(),
        Value::Text(text) => (*text).to_owned(),
        _ => String::new(),
    }
}
