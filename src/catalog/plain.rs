//! The short way to a bundle: one pass over the bytes of a document that is written as everybody writes bundles.
//!
//! Whatever is unusual takes the long way, through [`decode`](super::decode), which knows all the rules; a test holds the short
//! way to it.

use super::essence::for_display;
use super::json::{Scanner, parse, unquote};
use super::model::{Bundle, Property};
use serde_json::value::RawValue;

/// A bundle as [`plain_bundle`] finds it.
pub(super) struct PlainBundle {
    /// `olm.bundle`
    pub schema: String,
    /// The bundle.
    pub bundle: Bundle,
    /// The byte after it.
    pub end: usize,
}

/// The bundle at `from` that is written as everybody writes bundles, in one pass over its bytes. `None` where it is no bundle and
/// where anything is unusual: other keys, keys in another case or twice, values of another type, objects in the bundle itself.
/// Those take the long way.
pub(super) fn plain_bundle(bytes: &[u8], from: usize) -> Option<PlainBundle> {
    let mut reader = Plain { bytes, scanner: Scanner::at(bytes, from), depth: 0 };
    let mut schema = None;
    let (mut name, mut package, mut image, mut properties, mut related) = (None, None, None, None, None);
    let fields = ["schema", "name", "package", "image", "properties", "relatedImages"];
    reader.object(&fields, |reader, field| match field {
        "schema" => once(&mut schema, reader.string().filter(|schema| schema == "olm.bundle")?),
        "name" => once(&mut name, reader.string()?),
        "package" => once(&mut package, reader.string()?),
        "image" => once(&mut image, reader.string()?),
        "properties" => once(&mut properties, reader.properties()?),
        _ => once(&mut related, reader.related_images()?),
    })?;
    if reader.scanner.overflow().is_some() {
        return None;
    }
    let bundle = Bundle {
        name: name.unwrap_or_default(),
        package: package.unwrap_or_default(),
        image: image.unwrap_or_default(),
        properties: properties.unwrap_or_default(),
    };
    Some(PlainBundle { schema: schema?, bundle, end: reader.scanner.pos() })
}

fn once<T>(slot: &mut Option<T>, value: T) -> Option<()> {
    slot.replace(value).is_none().then_some(())
}

struct Plain<'a> {
    bytes: &'a [u8],
    scanner: Scanner<'a>,
    depth: usize,
}

impl<'a> Plain<'a> {
    fn slice(&self, from: usize) -> &'a [u8] {
        self.bytes.get(from..self.scanner.pos()).unwrap_or_default()
    }

    fn string(&mut self) -> Option<String> {
        self.quoted().map(|quoted| unquote(quoted).into_owned())
    }

    /// A string, with its quotes.
    fn quoted(&mut self) -> Option<&'a [u8]> {
        let from = self.scanner.pos();
        if self.scanner.peek() != Some(b'"') {
            return None;
        }
        self.scanner.string().ok()?;
        Some(self.slice(from))
    }

    /// Reads an object: `read` is called before the value of each of the `fields`.
    fn object(&mut self, fields: &[&'static str], mut read: impl FnMut(&mut Self, &'static str) -> Option<()>) -> Option<()> {
        self.scanner.enter_object().ok()?;
        let outermost = self.depth == 0;
        self.depth += 1;
        let mut first = true;
        while let Some(key) = self.scanner.next_key(first).ok()? {
            first = false;
            self.scanner.space();
            let key = self.bytes.get(key.start + 1..key.end - 1)?;
            let key = std::str::from_utf8(key).ok().filter(|key| key.is_ascii() && !key.contains('\\'))?;
            match fields.iter().find(|field| field.eq_ignore_ascii_case(key)) {
                Some(field) if *field == key => read(self, field)?,
                Some(_) => return None,
                // No two keys of a document may be equal but for case.
                None if outermost => return None,
                None => self.scanner.value(self.depth + 1).ok()?,
            }
        }
        self.depth -= 1;
        Some(())
    }

    fn array(&mut self, mut read: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.scanner.enter_array().ok()?;
        let mut first = true;
        while self.scanner.next_element(first).ok()? {
            first = false;
            self.scanner.space();
            read(self)?;
        }
        Some(())
    }

    fn related_images(&mut self) -> Option<()> {
        self.array(|reader| {
            let (mut name, mut image) = (None, None);
            reader.object(&["name", "image"], |reader, field| match field {
                "name" => once(&mut name, reader.quoted()?),
                _ => once(&mut image, reader.quoted()?),
            })
        })
    }

    fn properties(&mut self) -> Option<Vec<Property>> {
        let mut properties = Vec::new();
        self.array(|reader| {
            let (mut kind, mut value) = (None, None);
            reader.object(&["type", "value"], |reader, field| match field {
                "type" => once(&mut kind, reader.string()?),
                _ => {
                    let from = reader.scanner.pos();
                    reader.scanner.value(3).ok()?;
                    once(&mut value, reader.slice(from))
                }
            })?;
            let (kind, value) = (kind?, value?);
            if kind == "olm.bundle.object" {
                return None;
            }
            if !for_display(&kind) {
                let text = flat_object(value).or_else(|| Some(parse(value).ok()?.write()))?;
                let value = RawValue::from_string(text).ok()?;
                properties.push(Property { kind, value });
            }
            Some(())
        })?;
        Some(properties)
    }
}

/// What [`Json::write`](super::json::Json::write) makes of an object of plain ASCII strings, as most properties are; `None` for
/// anything else.
fn flat_object(bytes: &[u8]) -> Option<String> {
    let mut reader = Plain { bytes, scanner: Scanner::at(bytes, 0), depth: 0 };
    let plain = |quoted: &[u8]| quoted.is_ascii() && memchr::memchr(b'\\', quoted).is_none();
    let mut entries: Vec<(&[u8], &[u8])> = Vec::new();
    reader.scanner.enter_object().ok()?;
    while let Some(key) = reader.scanner.next_key(entries.is_empty()).ok()? {
        reader.scanner.space();
        let (key, value) = (bytes.get(key)?, reader.quoted()?);
        if !plain(key) || !plain(value) {
            return None;
        }
        entries.push((key, value));
    }
    // With their quotes keys sort as without: the quote sorts before every character of a plain key but the space and `!`.
    if entries.iter().any(|(key, _)| key.iter().any(|b| *b <= b'!')) {
        return None;
    }
    entries.sort_unstable();
    if entries.windows(2).any(|pair| matches!(pair, [(a, _), (b, _)] if a == b)) {
        return None;
    }
    let mut out = String::with_capacity(bytes.len());
    for (key, value) in entries {
        out.push(if out.is_empty() { '{' } else { ',' });
        out.push_str(std::str::from_utf8(key).ok()?);
        out.push(':');
        out.push_str(std::str::from_utf8(value).ok()?);
    }
    if out.is_empty() {
        out.push('{');
    }
    out.push('}');
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::essence::Essence;

    fn long_way(text: &str) -> Option<Essence> {
        Essence::of_value("olm.bundle", &parse(text.as_bytes()).unwrap()).ok()
    }

    #[test]
    fn the_short_way_leads_where_the_long_one_does() {
        for text in [
            r#"{"schema":"olm.bundle","name":"n","package":"p","image":"i","relatedImages":[{"name":"a","image":"b","x":1}],
                "properties":[{"type":"t","value":{"b":1.0,"a":"\u00e9\ud83d\ude00"}},{"type":"olm.csv.metadata","value":{}}]}"#,
            r#"{"schema":"olm.bundle","name":"\"\\","properties":[]}"#,
            r#"{"properties":[{"type":"olm.package","value":null}],"schema":"olm.bundle"}"#,
        ] {
            let plain = plain_bundle(text.as_bytes(), 0).unwrap_or_else(|| panic!("{text}")).bundle;
            let (Some(short), Some(long)) = (Essence::Bundle(plain).encode(), long_way(text).and_then(|e| e.encode())) else {
                panic!("{text}")
            };
            assert_eq!(String::from_utf8(short), String::from_utf8(long), "{text}");
        }
    }

    #[test]
    fn flat_objects_are_written_as_all_are() {
        for text in [
            "{}",
            "{ }",
            r#"{"b":"1","a":"2"}"#,
            r#"{ "kind" : "K", "group":"g.x", "version":"v1" , "":"", "ab":"<&>", "a-b":"1","a":"\u007f" }"#,
            r#"{"b":"1","a b":"2"}"#,
            r#"{"a":"1","a":"2"}"#,
            r#"{"a":"é"}"#,
            r#"{"a":1}"#,
        ] {
            let want = parse(text.as_bytes()).unwrap().write();
            assert_eq!(flat_object(text.as_bytes()).unwrap_or_else(|| want.clone()), want);
        }
        assert!(flat_object(br#"{"b":"1","a":"2"}"#).is_some());
        assert!(flat_object(br#"{"a":"1","a":"2"}"#).is_none());
        assert!(flat_object(br#"{"a":"1""#).is_none());
    }

    #[test]
    fn what_is_unusual_takes_the_long_way() {
        for rest in [
            r#""name":"a","name":"b"}"#,
            r#""Name":"a"}"#,
            r#""name":null}"#,
            r#""\u006eame":"a"}"#,
            "\"\u{17f}chema\":1}",
            r#""schema":"olm.bundle"}"#,
            r#""other":1}"#,
            r#""properties":null}"#,
            r#""properties":[{"type":"t"}]}"#,
            r#""properties":[{"type":"t","value":1,"Value":2}]}"#,
            r#""properties":[{"type":"t","value":1e999}]}"#,
            r#""properties":[{"type":"olm.bundle.object","value":{"data":""}}]}"#,
            r#""relatedImages":[{"name":1}]}"#,
            r#""relatedImages":["x"]}"#,
            r#""name":"a""#,
        ] {
            let text = format!(r#"{{"schema":"olm.bundle",{rest}"#);
            assert!(plain_bundle(text.as_bytes(), 0).is_none(), "{text}");
        }
        assert!(plain_bundle(br#"{"schema":"olm.bundle"}"#, 0).is_some());
        assert!(plain_bundle(br#"{"schema":"olm.channel"}"#, 0).is_none());
        assert!(plain_bundle(br#"{"name":"x"}"#, 0).is_none());
    }
}
