//! A file -> its documents: concatenated JSON, or YAML split by `---`, told apart by looking.
//!
//! Follows k8s.io/apimachinery v0.36 pkg/util/yaml/decoder.go (`YAMLOrJSONDecoder` with a buffer of 4096 bytes) over `Meta` of
//! operator-registry: a file whose first character is `{` is JSON; where that fails at the first or second document, the rest
//! is read as YAML, and what JSON said is reported if that fails as well.

use super::essence::Essence;
use super::json::{Fault, Json, Scanner, parse, unquote};
use super::meta::{Field, Header};
use super::plain::plain_bundle;
use crate::yaml;
use rayon::prelude::*;
use std::ops::Range;

/// How far the decoder looks for the brace.
const PEEK: usize = 4096;

/// How a document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// JSON.
    Json,
    /// A YAML document between separators.
    Yaml,
}

/// A document of a file.
#[derive(Debug)]
pub(super) struct Found {
    /// Its bytes.
    pub range: Range<usize>,
    /// How it is written.
    pub form: Form,
    /// Its header; `None` for an empty YAML document, which the decoder yields and the cluster stores nothing for.
    pub header: Option<Header>,
    /// What resolution needs of it, where that came to light on the way.
    pub essence: Option<Essence>,
}

/// Where and why a file stops to be readable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stop {
    /// The byte that the document starts at.
    pub at: usize,
    /// What the decoder says.
    pub message: String,
}

/// Why the JSON reader stops.
struct Refusal {
    stop: Stop,
    /// The byte that is no JSON, where the text is none.
    syntax: Option<usize>,
}

impl Refusal {
    /// In a file that is certainly JSON.
    fn plain(self) -> Stop {
        self.stop
    }

    /// In a file that might be YAML as well.
    fn ambiguous(self) -> Stop {
        let Stop { at, message } = self.stop;
        match self.syntax {
            Some(byte) => Stop { at, message: format!("json: offset {}: {message}", byte + 1) },
            None => Stop { at, message },
        }
    }
}

/// The documents of a file, up to where it stops to be readable.
pub(super) fn documents(bytes: &[u8]) -> (Vec<Found>, Option<Stop>) {
    let mut found = Vec::new();
    let mut from = 0;
    let mut json_stop = None;
    if looks_like_json(bytes) {
        loop {
            match json_document(bytes, from) {
                Ok(None) => return (found, None),
                Ok(Some(document)) => {
                    from = document.range.end;
                    found.push(document);
                }
                Err(refusal) if found.len() > 1 => return (found, Some(refusal.plain())),
                Err(refusal) => match past_white_space(bytes, from) {
                    Some(next) => {
                        from = next;
                        json_stop = Some(refusal.ambiguous());
                        break;
                    }
                    None => return (found, Some(refusal.ambiguous())),
                },
            }
        }
    }
    let (ranges, separator_stop) = yaml_ranges(bytes, from);
    let read: Vec<_> = ranges.into_par_iter().map(|range| yaml_document(bytes, range)).collect();
    let mut first = true;
    for document in read {
        match document {
            Ok(document) => found.push(document),
            Err(stop) => return (found, Some(json_stop.filter(|_| first).unwrap_or(stop))),
        }
        first = false;
    }
    (found, separator_stop.map(|stop| json_stop.filter(|_| first).unwrap_or(stop)))
}

fn looks_like_json(bytes: &[u8]) -> bool {
    let head = bytes.get(..PEEK).unwrap_or(bytes);
    let mut rest = head;
    while let Some((c, len)) = next_char(rest) {
        if !c.is_whitespace() {
            return c == '{';
        }
        rest = rest.get(len..).unwrap_or_default();
    }
    false
}

/// The first character and its length; U+FFFD of length 1 for what is no UTF-8.
fn next_char(bytes: &[u8]) -> Option<(char, usize)> {
    let head = bytes.get(..4).unwrap_or(bytes);
    let valid = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(head.get(..error.valid_up_to())?).unwrap_or_default(),
    };
    match valid.chars().next() {
        Some(c) => Some((c, c.len_utf8())),
        None => (!head.is_empty()).then_some(('\u{fffd}', 1)),
    }
}

/// What the decoder eats before it switches to YAML: white space, up to and with the first line break. It gives up (`None`) where
/// fewer than four bytes are left, or no character begins.
fn past_white_space(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let head = bytes.get(at..at.checked_add(4)?)?;
        let (c, len) = next_char(head)?;
        if c == '\u{fffd}' {
            return None;
        }
        if !c.is_whitespace() {
            return Some(at);
        }
        at += len;
        if c == '\n' {
            return Some(at);
        }
    }
}

/// The JSON value at `from`; `None` at the end of the file.
fn json_document(bytes: &[u8], from: usize) -> Result<Option<Found>, Refusal> {
    let mut scanner = Scanner::at(bytes, from);
    scanner.space();
    let start = scanner.pos();
    let stop = |message: String| Refusal { stop: Stop { at: start, message }, syntax: None };
    let first = match scanner.peek() {
        None => return Ok(None),
        Some(first) => first,
    };
    if let Some(plain) = plain_bundle(bytes, start) {
        let header =
            Some(Header { package: plain.bundle.package.clone(), name: plain.bundle.name.clone(), schema: plain.schema });
        let essence = Some(Essence::Bundle(plain.bundle));
        return Ok(Some(Found { range: start..plain.end, form: Form::Json, header, essence }));
    }
    let mut entries = Vec::with_capacity(8);
    let scanned = if first == b'{' {
        scanner.object(|key, value| entries.push((unquote(bytes.get(key).unwrap_or_default()), value)))
    } else {
        scanner.value(0)
    };
    scanned.map_err(|fault| Refusal {
        syntax: (fault.fault != Fault::UnexpectedEnd).then_some(fault.at),
        ..stop(fault.fault.to_string())
    })?;
    if let Some(number) = scanner.overflow() {
        let number = String::from_utf8_lossy(number);
        return Err(stop(format!("json: cannot unmarshal number {number} into Go value of type float64")));
    }
    let header = match first {
        b'{' => Header::of_entries(entries, |range| json_field(bytes, range)).map_err(stop)?,
        b'n' => Header::default(),
        _ => {
            let value = parse(bytes.get(start..scanner.pos()).unwrap_or_default());
            return Err(stop(value.map_or_else(|syntax| syntax.fault.to_string(), |value| value.no_object())));
        }
    };
    Ok(Some(Found { range: start..scanner.pos(), form: Form::Json, header: Some(header), essence: None }))
}

fn json_field(bytes: &[u8], range: Range<usize>) -> Field<'_> {
    let text = bytes.get(range).unwrap_or_default();
    if text.first() == Some(&b'"') {
        return Field::Text(unquote(text));
    }
    match parse(text) {
        Ok(value) => Field::Other(value.shown()),
        Err(_) => Field::Other(String::new()),
    }
}

/// The YAML documents from `from` on, as `YAMLReader` splits them; and where a separator stops it.
///
/// A line that begins with `---` ends a document, unless nothing came before: then it is the document's first line.
fn yaml_ranges(bytes: &[u8], from: usize) -> (Vec<Range<usize>>, Option<Stop>) {
    let mut ranges = Vec::new();
    let mut start = from;
    let mut at = from;
    while at < bytes.len() {
        let rest = bytes.get(at..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest).map_or(bytes.len(), |n| at + n + 1);
        let line = bytes.get(at..end).unwrap_or_default();
        if let Some(after) = line.strip_prefix(b"---") {
            let after = String::from_utf8_lossy(after);
            let after = after.trim();
            if !after.is_empty() && !after.starts_with('#') {
                return (ranges, Some(Stop { at, message: format!("invalid Yaml document separator: {after}") }));
            }
            if start < at {
                ranges.push(start..at);
                start = end;
            }
        }
        at = end;
    }
    if start < bytes.len() {
        ranges.push(start..bytes.len());
    }
    (ranges, None)
}

fn yaml_document(bytes: &[u8], range: Range<usize>) -> Result<Found, Stop> {
    let stop = |message: String| Stop { at: range.start, message };
    let value = yaml_value(bytes.get(range.clone()).unwrap_or_default())
        .map_err(|message| stop(format!("error converting YAML to JSON: {message}")))?;
    let decoding = |message: String| stop(format!("error unmarshaling JSON: while decoding JSON: {message}"));
    let (header, essence) = match &value {
        Json::Null => (None, None),
        Json::Object(entries) => {
            let header = Header::of_object(entries).map_err(decoding)?;
            let essence = Essence::of_value(&header.schema, &value).ok();
            (Some(header), essence)
        }
        other => return Err(decoding(other.no_object())),
    };
    Ok(Found { range, form: Form::Yaml, header, essence })
}

/// The value of a YAML document, from its bytes as they stand in the file.
pub(super) fn yaml_value(bytes: &[u8]) -> Result<Json, String> {
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes)?,
        bytes => std::str::from_utf8(bytes).map_err(|_| "yaml: invalid leading UTF-8 octet".to_owned())?.to_owned(),
    };
    // `ReadLine` takes a carriage return with the line feed.
    let mut text = if text.contains("\r\n") { text.replace("\r\n", "\n") } else { text };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    yaml::read(&text).map(Json::of_yaml).map_err(|error| error.to_string())
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, String> {
    let units = bytes.chunks(2).map(|pair| <[u8; 2]>::try_from(pair).map(unit).unwrap_or(0xd800));
    char::decode_utf16(units).collect::<Result<_, _>>().map_err(|_| "yaml: incomplete UTF-16 surrogate pair".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> (Vec<String>, bool) {
        let (found, stop) = documents(text.as_bytes());
        (found.into_iter().map(|f| f.header.map_or("-".into(), |h| h.name)).collect(), stop.is_some())
    }

    fn good(text: &str) -> Vec<String> {
        let (found, stop) = names(text);
        assert!(!stop, "{text}");
        found
    }

    #[test]
    fn json_and_yaml_are_told_apart() {
        assert_eq!(good(r#" {"name":"a"}{"name":"b"} {"name":"c"}"#), ["a", "b", "c"]);
        assert_eq!(good("{name: a}\n---\n{name: b}\n"), ["a", "b"]);
        assert_eq!(good("{\"name\":\"a\"}\n---\nname: b\n"), ["a", "b"]);
        assert_eq!(good("{\"name\":\"a\"}\nname: b\n"), ["a", "b"]);
        assert_eq!(names("{\"name\":\"a\"}{\"name\":\"b\"}\n---\nname: c\n"), (vec!["a".into(), "b".into()], true));
        assert_eq!(good("{\"name\":\"a\"} null"), ["a", ""]);
        assert_eq!(good("null"), ["-"]);
        assert_eq!(good(&(" ".repeat(5000) + "{\"name\":\"a\"}")), ["a"]);
    }

    #[test]
    fn separators_begin_lines() {
        assert_eq!(good("---\n---\nname: a\n---\n---\nname: b\n---\n"), ["-", "a", "b"]);
        assert_eq!(good("--- # x\nname: a\n"), ["a"]);
        // The document before a separator that is none is lost with it.
        assert_eq!(names("name: a\n--- {name: b}\n"), (vec![], true));
        assert_eq!(good("name: a\r\n---\r\nname: b"), ["a", "b"]);
        assert_eq!(good(""), Vec::<String>::new());
    }

    #[test]
    fn numbers_must_fit() {
        assert_eq!(names(r#"{"name":"a"}{"name":"b"}{"x":1e999}"#), (vec!["a".into(), "b".into()], true));
        // Read again as YAML, it is a string.
        assert_eq!(good(r#"{"name":"a","x":1e999}"#), ["a"]);
    }

    #[test]
    fn hostile_texts_are_refused() {
        let deep = format!("{{\"x\":{}", "[".repeat(100_000));
        assert!(documents(deep.as_bytes()).1.is_some());
        let deep = format!("{{\"name\":\"a\",\"x\":{}{}}}", "[".repeat(9_000), "]".repeat(9_000));
        assert_eq!(good(&deep), ["a"]);
        let (_, stop) = documents(br#"{"name":"a","name":1}{}{}"#);
        assert!(stop.is_some());
        let message = |text: &str| documents(text.as_bytes()).1.map(|stop| stop.message).unwrap_or_default();
        assert_eq!(message("{}{}}"), "invalid character '}' looking for beginning of value");
        assert_eq!(message("{}}"), "json: offset 3: invalid character '}' looking for beginning of value");
        assert_eq!(message("{\"a\": [}"), "json: offset 8: invalid character '}' looking for beginning of value");
        assert_eq!(message("{\"a\": "), "unexpected EOF");
    }
}
