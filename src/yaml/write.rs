//! Values -> YAML.

use serde_json::Value;

/// YAML that Kubernetes reads back as `value`.
pub fn write(value: &Value) -> String {
    let options = serde_saphyr::ser_options! { folded_wrap_chars: usize::MAX };
    let mut text = String::new();
    match serde_saphyr::to_fmt_writer_with_options(&mut text, value, options) {
        Ok(()) => text,
        Err(_) => value.to_string(),
    }
}

/// YAML of several documents, each after a `---`.
pub fn write_documents(values: &[Value]) -> String {
    values.iter().map(|value| format!("---\n{}", write(value))).collect()
}
