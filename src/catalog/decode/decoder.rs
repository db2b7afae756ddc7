//! Reading a value into strings, lists and structs.

use super::PropertyBlob;
use crate::catalog::json::{Json, names_field};
use crate::go::{base64, float};

/// Reads the value of a property with `read`.
pub(in crate::catalog) fn decode_property<T>(
    property: &PropertyBlob,
    read: impl FnOnce(&mut Decoder, &Json) -> T,
) -> Result<T, String> {
    let value = property.value.as_ref().ok_or("unexpected end of JSON input")?;
    let mut decoder = Decoder::default();
    let read = read(&mut decoder, value);
    decoder.fault.map_or(Ok(read), Err)
}

/// encoding/json's decoder, as far as structs of catalogs need it.
#[derive(Debug, Default)]
pub(in crate::catalog) struct Decoder {
    /// The first fault.
    pub fault: Option<String>,
    structure: &'static str,
    fields: Vec<&'static str>,
}

impl Decoder {
    /// Notes that a value is of the wrong type.
    pub fn mismatch(&mut self, found: &str, go_type: &str) {
        let message = if self.structure.is_empty() {
            format!("json: cannot unmarshal {found} into Go value of type {go_type}")
        } else {
            let field = self.fields.join(".");
            format!("json: cannot unmarshal {found} into Go struct field {}.{field} of type {go_type}", self.structure)
        };
        self.fault.get_or_insert(message);
    }

    /// Reads a string.
    pub fn string(&mut self, value: &Json, into: &mut String) {
        match value {
            Json::String(text) => into.clone_from(text),
            Json::Null => {}
            other => self.mismatch(other.kind(), "string"),
        }
    }

    /// Reads an object into a struct: `read` is called for every key that names one of the fields.
    pub fn object(
        &mut self,
        value: &Json,
        go_type: &'static str,
        fields: &[&'static str],
        mut read: impl FnMut(&mut Self, &'static str, &Json),
    ) {
        let entries = match value {
            Json::Object(entries) => entries,
            Json::Null => return,
            other => return self.mismatch(other.kind(), go_type),
        };
        let outside = self.structure;
        for (key, value) in entries {
            let Some(field) = fields.iter().find(|field| names_field(key, field)) else { continue };
            self.structure = go_type.rsplit('.').next().unwrap_or(go_type);
            self.fields.push(field);
            read(self, field, value);
            self.fields.pop();
            self.structure = outside;
        }
    }

    /// Reads a list. Elements are read over what the list holds already.
    pub fn array<T: Default>(
        &mut self,
        value: &Json,
        go_type: &str,
        into: &mut Vec<T>,
        mut read: impl FnMut(&mut Self, &Json, &mut T),
    ) {
        match value {
            Json::Array(elements) => {
                into.resize_with(elements.len().min(into.len()), T::default);
                for (n, element) in elements.iter().enumerate() {
                    if n >= into.len() {
                        into.push(T::default());
                    }
                    if let Some(slot) = into.get_mut(n) {
                        read(self, element, slot);
                    }
                }
            }
            Json::Null => into.clear(),
            other => self.mismatch(other.kind(), go_type),
        }
    }

    /// Reads bytes: base 64, or a list of numbers.
    pub fn bytes(&mut self, value: &Json, into: &mut Vec<u8>) {
        match value {
            Json::String(text) => match base64::decode(text) {
                Ok(bytes) => *into = bytes,
                Err(fault) => {
                    self.fault.get_or_insert(fault.to_string());
                }
            },
            Json::Array(_) => self.array(value, "[]uint8", into, |d, element, byte| match element {
                Json::Null => {}
                Json::Number(n) => match float::json(*n).parse() {
                    Ok(b) => *byte = b,
                    Err(_) => d.mismatch(&format!("number {}", float::json(*n)), "uint8"),
                },
                other => d.mismatch(other.kind(), "uint8"),
            }),
            Json::Null => into.clear(),
            other => self.mismatch(other.kind(), "[]uint8"),
        }
    }

    /// Reads a list of strings.
    pub fn strings(&mut self, value: &Json, into: &mut Vec<String>) {
        self.array(value, "[]string", into, Self::string);
    }
}
