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
        Ok(()) => off_the_margin(text),
        // Nothing in a JSON value is known to make it fail; JSON is YAML too.
        Err(_) => format!("{value}\n"),
    }
}

/// A line that begins with `---` parts documents for the reader of manifests, even where it is a key or a plain text. One blank before
/// every line makes no other difference.
fn off_the_margin(text: String) -> String {
    if !text.starts_with("---") && !text.contains("\n---") {
        return text;
    }
    text.split_inclusive('\n').flat_map(|line| [" ", line]).collect()
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

/// A block scalar whose first line begins with a tab: libyaml and its descendants take the tab for a mistake in the indentation. And a
/// text that the reader of manifests would take for JSON, since it passes over blanks that YAML knows nothing of.
fn needs_quotes(text: &str) -> bool {
    (text.contains('\n') && text.trim_start_matches('\n').starts_with('\t')) || text.trim_start().starts_with('{')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, json};

    use super::*;
    use crate::yaml::{read, values};

    const TRICKY: [&str; 60] = [
        "",
        "yes",
        "n",
        "1_000",
        "0o7",
        "1:20",
        "010",
        "~",
        "null",
        "=",
        "<<",
        "---",
        "--- a",
        "...",
        "# x",
        "a # b",
        "a: b",
        "{{ $labels.x }}",
        "- a",
        "? a",
        "!t",
        "&a",
        "*a",
        "|",
        ">",
        "%a",
        "@a",
        "`a`",
        "'",
        "\"",
        "a\nb",
        "a\nb\n",
        "a\n\n",
        "\n",
        "\n\na",
        " a",
        "a ",
        " a\nb",
        "a \nb",
        "a\t\nb",
        "\ta\nb",
        "\n\ta",
        "\t\n",
        "a\r\nb",
        "\r",
        "a\u{85}b",
        "a\u{2028}b",
        "\0",
        "\u{7}",
        "\u{7f}",
        "\u{feff}a",
        "😀",
        "\u{fffe}",
        "a\n---\nb",
        "  \n a\n",
        "a\n  ",
        "2001-12-14",
        ".inf",
        "0b-101",
        "12e03",
    ];

    /// Texts everywhere one can stand.
    fn around(text: &str) -> Vec<Value> {
        let mut keyed = Map::new();
        keyed.insert(text.to_owned(), json!({"x": [text]}));
        keyed.insert("after".to_owned(), json!(1));
        vec![json!(text), json!([text, [text]]), json!({"a": {"b": text, "c": [{"d": text, "e": 1}]}}), Value::Object(keyed)]
    }

    #[test]
    fn every_text_reads_back() {
        let long = ["x".repeat(3000), "x y ".repeat(1000), format!("{}\nz", "x y ".repeat(500)), "a\n".repeat(700)];
        for text in TRICKY.into_iter().chain(long.iter().map(String::as_str)) {
            for value in around(text) {
                let written = write(&value);
                assert_eq!(read(&written).as_ref(), Ok(&value), "{written}");
            }
        }
    }

    #[test]
    fn numbers_read_back() {
        for number in
            ["0", "-1", "18446744073709551615", "-9223372036854775808", "0.1", "1e300", "5e-324", "123456789012345680000"]
        {
            let value: Value = serde_json::from_str(number).unwrap();
            assert_eq!(read(&write(&value)), Ok(value));
        }
    }

    #[test]
    fn writes_plainly_and_in_order() {
        let value = json!({"b": {"z": [], "x": {}}, "a": [{"k": "v", "l": null}, true], "t": "x\ny\n"});
        assert_eq!(write(&value), "b:\n  z: []\n  x: {}\na:\n- k: v\n  l: null\n- true\nt: |\n  x\n  y\n");
    }

    #[test]
    fn documents_read_back() {
        let documents = vec![
            json!({"a": 1}),
            json!("x\n---\ny"),
            json!(null),
            json!([1]),
            json!("---x"),
            json!("\u{a0}{x}"),
            json!({"a": " x\ny", "---": {"b": "\n  c\nd"}, "---- e": ["\n f\n"]}),
        ];
        assert_eq!(values(&write_documents(&documents)), Ok(documents));
    }

    #[test]
    fn writes_as_deep_as_is_read() {
        let text = format!("{}{}", "[".repeat(500), "]".repeat(500));
        let value = read(&text).unwrap();
        assert_eq!(read(&write(&value)), Ok(value));
    }

    fn text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            3 => proptest::sample::select(vec![" ", "\n", "\t", ":", "#", "-", "'", "\"", "\\", "?", ",", "[", "{", "}", "&", "*", "!", "|", ">", "%", "@", "`", "~", "y", "0", "1", "_", ".", "e", "\r", "\u{85}", "\u{2028}", "\u{feff}", "é", "😀"]).prop_map(str::to_owned),
            1 => any::<char>().prop_map(String::from),
        ];
        proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            4 => text().prop_map(Value::from),
            1 => any::<i64>().prop_map(Value::from),
            1 => any::<u64>().prop_map(Value::from),
            1 => (-1e9..1e9f64).prop_filter("whole floats lose their point", |f| f.fract() != 0.0).prop_map(Value::from),
            1 => any::<bool>().prop_map(Value::from),
            1 => Just(Value::Null),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::vec((text(), inner), 0..4).prop_map(|entries| Value::Object(entries.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_value_reads_back(value in value()) {
            let written = write(&value);
            let back = read(&written);
            prop_assert_eq!(back, Ok(value), "{}", written);
        }

        #[test]
        fn nothing_makes_the_reader_panic(text in text()) {
            let _ = read(&text);
            let _ = crate::yaml::read_all_documents(text.as_str());
        }
    }
}
