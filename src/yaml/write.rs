//! Values -> YAML that every reader of YAML reads back as the same values.
//!
//! Left to serde-saphyr, which quotes what YAML 1.1 or Go would take for something else than text, but for the little below.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;
use serde_saphyr::DoubleQuoted;

/// YAML that Kubernetes reads back as `value`; keys stand in the value's order.
pub fn write(value: &Value) -> String {
    let options = serde_saphyr::ser_options! { folded_wrap_chars: usize::MAX };
    let mut text = String::new();
    match serde_saphyr::to_fmt_writer_with_options(&mut text, &Written(value), options) {
        Ok(()) => text,
        // Nothing in a JSON value is known to make it fail; JSON is YAML too.
        Err(_) => format!("{value}\n"),
    }
}

/// YAML of several documents, each after a line `---`.
pub fn write_documents(values: &[Value]) -> String {
    let mut text = String::new();
    for value in values {
        text.push_str("---\n");
        text.push_str(&write(value));
    }
    text
}

/// A value with hints on how to write its texts.
struct Written<'a>(&'a Value);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::String(text) if needs_quotes(text) => DoubleQuoted(text.as_str()).serialize(serializer),
            Value::Array(list) => {
                let mut writer = serializer.serialize_seq(Some(list.len()))?;
                for value in list {
                    writer.serialize_element(&Written(value))?;
                }
                writer.end()
            }
            Value::Object(map) => {
                let mut writer = serializer.serialize_map(Some(map.len()))?;
                for (key, value) in map {
                    writer.serialize_entry(key, &Written(value))?;
                }
                writer.end()
            }
            value => value.serialize(serializer),
        }
    }
}

/// A block scalar whose first line begins with a tab: libyaml and its descendants take the tab for a mistake in the indentation.
fn needs_quotes(text: &str) -> bool {
    text.contains('\n') && text.trim_start_matches('\n').starts_with('\t')
}
