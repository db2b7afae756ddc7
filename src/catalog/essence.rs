//! What resolution needs of a document, small enough to be kept with the index.
//!
//! Most bytes of a catalog describe operators for display. Without them a package is a few kilobytes, which the index keeps, so
//! that asking for one again touches no file. A document that a cluster refuses has no essence: it is read again, and refused
//! again, when its package is asked for.

use super::decode::{self, Blob};
use super::document;
use super::json::Json;
use super::model::{Bundle, Channel, ChannelEntry, DeprecatedReference, Deprecation, Property};
use super::stream::Form;
use serde_json::json;
use serde_json::value::RawValue;

/// A document with more than this is not kept with the index.
const MAX_LEN: usize = 256 * 1024;

/// What resolution needs of a document.
#[derive(Debug, Clone)]
pub(super) enum Essence {
    /// The default channel of an `olm.package`.
    Package(String),
    /// An `olm.channel`.
    Channel(Channel),
    /// An `olm.bundle`, its properties without those that are for display.
    Bundle(Bundle),
    /// The entries of an `olm.deprecations`, where it has a list of them.
    Deprecations(Option<Vec<Deprecation>>),
    /// A document of another schema.
    Other,
}

impl Essence {
    /// The essence of a document of the schema `schema`.
    ///
    /// # Errors
    /// What the cluster says where it refuses the document.
    pub fn of(schema: &str, bytes: &[u8], form: Form) -> Result<Self, String> {
        Self::of_value(schema, &document::value(bytes, form)?)
    }

    /// The essence of the value of a document.
    ///
    /// # Errors
    /// What the cluster says where it refuses the document.
    pub fn of_value(schema: &str, value: &Json) -> Result<Self, String> {
        Ok(match decode::blob(schema, value)? {
            Blob::Package(blob) => Self::Package(blob.default_channel),
            Blob::Channel(blob) => Self::Channel(channel(blob)),
            Blob::Bundle(blob) => Self::Bundle(bundle(blob)),
            Blob::Deprecations(blob) => Self::Deprecations(blob.entries.map(|e| e.into_iter().map(deprecation).collect())),
            Blob::Other => Self::Other,
        })
    }

    /// The essence as bytes; `None` where it is too large to be kept.
    pub fn encode(&self) -> Option<Vec<u8>> {
        let bytes = match self {
            Self::Package(default_channel) => json!(["p", default_channel]).to_string(),
            Self::Channel(Channel { name, entries }) => {
                let entries: Vec<_> = entries.iter().map(|e| (&e.name, &e.replaces, &e.skips, &e.skip_range)).collect();
                json!(["c", name, entries]).to_string()
            }
            Self::Bundle(Bundle { name, package, image, properties }) => {
                let properties: Vec<_> = properties.iter().map(|p| (&p.kind, &p.value)).collect();
                serde_json::to_string(&("b", name, package, image, properties)).ok()?
            }
            Self::Deprecations(entries) => {
                let entries = entries.as_ref().map(|entries| {
                    let entries = entries.iter().map(|e| (e.reference.schema(), e.reference.name(), &e.message));
                    entries.collect::<Vec<_>>()
                });
                json!(["d", entries]).to_string()
            }
            Self::Other => "[\"o\"]".to_owned(),
        };
        (bytes.len() <= MAX_LEN).then(|| bytes.into_bytes())
    }

    /// The essence that `bytes` hold; `None` where they hold none.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        Some(match bytes.get(..4)? {
            b"[\"p\"" => {
                let (_, default_channel): (&str, String) = serde_json::from_slice(bytes).ok()?;
                Self::Package(default_channel)
            }
            b"[\"c\"" => {
                type Entry = (String, String, Vec<String>, String);
                let (_, name, entries): (&str, String, Vec<Entry>) = serde_json::from_slice(bytes).ok()?;
                let entry = |(name, replaces, skips, skip_range): Entry| ChannelEntry { name, replaces, skips, skip_range };
                Self::Channel(Channel { name, entries: entries.into_iter().map(entry).collect() })
            }
            b"[\"b\"" => {
                type Read<'a> = (&'a str, String, String, String, Vec<(String, Box<RawValue>)>);
                let (_, name, package, image, properties): Read<'_> = serde_json::from_slice(bytes).ok()?;
                let properties = properties.into_iter().map(|(kind, value)| Property { kind, value }).collect();
                Self::Bundle(Bundle { name, package, image, properties })
            }
            b"[\"d\"" => {
                type Entry = (String, String, String);
                let (_, entries): (&str, Option<Vec<Entry>>) = serde_json::from_slice(bytes).ok()?;
                let entry =
                    |(schema, name, message): Entry| Deprecation { reference: DeprecatedReference::new(&schema, name), message };
                Self::Deprecations(entries.map(|e| e.into_iter().map(entry).collect()))
            }
            b"[\"o\"" => Self::Other,
            _ => return None,
        })
    }
}

fn channel(blob: decode::ChannelBlob) -> Channel {
    let entry =
        |e: decode::EntryBlob| ChannelEntry { name: e.name, replaces: e.replaces, skips: e.skips, skip_range: e.skip_range };
    Channel { name: blob.name, entries: blob.entries.into_iter().map(entry).collect() }
}

fn bundle(blob: decode::BundleBlob) -> Bundle {
    let properties = blob.properties.into_iter().filter(|p| !for_display(&p.kind)).filter_map(|p| {
        // A missing value reads as null does, but for the words of an error.
        let text = p.value.as_ref().map_or_else(|| "null".to_owned(), Json::write);
        RawValue::from_string(text).ok().map(|value| Property { kind: p.kind, value })
    });
    Bundle { properties: properties.collect(), name: blob.name, package: blob.package, image: blob.image }
}

/// Whether resolution never looks at properties of that type.
pub(super) fn for_display(kind: &str) -> bool {
    matches!(kind, "olm.csv.metadata" | "olm.bundle.object")
}

fn deprecation(blob: decode::DeprecationBlob) -> Deprecation {
    Deprecation { reference: DeprecatedReference::new(&blob.schema, blob.name), message: blob.message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn essences_survive_storage() {
        let entry = ChannelEntry { name: "n".into(), replaces: "r\"".into(), skips: vec!["s".into()], skip_range: "<1".into() };
        let value = RawValue::from_string(r#"{"a":1}"#.to_owned()).unwrap();
        for essence in [
            Essence::Package("é".into()),
            Essence::Channel(Channel { name: "c".into(), entries: vec![entry] }),
            Essence::Bundle(Bundle {
                name: "n".into(),
                package: "p".into(),
                image: "i".into(),
                properties: vec![Property { kind: "k".into(), value }],
            }),
            Essence::Deprecations(None),
            Essence::Deprecations(Some(vec![
                Deprecation { reference: DeprecatedReference::Package("".into()), message: "m".into() },
                Deprecation { reference: DeprecatedReference::new("x", "n".into()), message: "m".into() },
                Deprecation { reference: DeprecatedReference::Channel("c".into()), message: "\n".into() },
                Deprecation { reference: DeprecatedReference::Bundle("b".into()), message: String::new() },
            ])),
            Essence::Other,
        ] {
            let bytes = essence.encode().unwrap();
            assert_eq!(format!("{:?}", Essence::decode(&bytes).unwrap()), format!("{essence:?}"));
            for n in 0..bytes.len() {
                assert!(Essence::decode(&bytes[..n]).is_none() || n >= 4, "{n}");
            }
        }
    }
}
