//! The value of a document -> what operator-registry's structs make of it, with encoding/json's rules and words.
//!
//! Follows `addMeta` of operator-registry v1.73.0 alpha/declcfg/load.go and the structs of alpha/declcfg/declcfg.go. Keys match in
//! any case; of several keys for one field (nested ones can differ in case) the later in byte order is read over the earlier; of
//! several faults the first one is reported.

use super::json::{Json, decode_base64, names_field, number};
use crate::quote::go_quote;
use crate::yaml;

/// A document, by its schema.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Blob {
    /// `olm.package`
    Package(PackageBlob),
    /// `olm.channel`
    Channel(ChannelBlob),
    /// `olm.bundle`
    Bundle(BundleBlob),
    /// `olm.deprecations`
    Deprecations(DeprecationsBlob),
    /// Any other schema.
    Other,
}

/// `olm.package`
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct PackageBlob {
    pub name: String,
    pub default_channel: String,
    pub description: String,
}

/// `olm.channel`
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ChannelBlob {
    pub name: String,
    pub package: String,
    pub entries: Vec<EntryBlob>,
}

/// An entry of a channel.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct EntryBlob {
    pub name: String,
    pub replaces: String,
    pub skips: Vec<String>,
    pub skip_range: String,
}

/// `olm.bundle`
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct BundleBlob {
    pub name: String,
    pub package: String,
    pub image: String,
    pub properties: Vec<PropertyBlob>,
    pub related_images: Vec<RelatedImageBlob>,
    /// How many objects the bundle carries in itself (`olm.bundle.object`).
    pub objects: usize,
}

/// A property.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct PropertyBlob {
    pub kind: String,
    /// `None` where the key is missing.
    pub value: Option<Json>,
}

/// A related image.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct RelatedImageBlob {
    pub name: String,
    pub image: String,
}

/// `olm.deprecations`
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct DeprecationsBlob {
    pub package: String,
    pub entries: Vec<DeprecationBlob>,
}

/// An entry of `olm.deprecations`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct DeprecationBlob {
    pub schema: String,
    pub name: String,
    pub message: String,
}

/// Reads a document of the schema `schema`.
///
/// # Errors
/// What operator-registry says where it refuses the document.
pub(super) fn blob(schema: &str, value: &Json) -> Result<Blob, String> {
    let mut decoder = Decoder::default();
    let (blob, what) = match schema {
        "olm.package" => (Blob::Package(decoder.package(value)), "package"),
        "olm.channel" => (Blob::Channel(decoder.channel(value)), "channel"),
        "olm.bundle" => (Blob::Bundle(decoder.bundle(value)), "bundle"),
        "olm.deprecations" => (Blob::Deprecations(decoder.deprecations(value)), "deprecation"),
        "" => return Err(format!("object '{}\n' is missing root schema field", value.write())),
        _ => return Ok(Blob::Other),
    };
    if let Some(fault) = decoder.fault {
        return Err(format!("parse {what}: {fault}"));
    }
    match blob {
        Blob::Bundle(mut bundle) => {
            bundle.objects = bundle_objects(&bundle).map_err(|fault| format!("read bundle objects: {fault}"))?;
            Ok(Blob::Bundle(bundle))
        }
        blob => Ok(blob),
    }
}

/// Follows `readBundleObjects`: what the objects hold is not looked at, unless they are YAML.
fn bundle_objects(bundle: &BundleBlob) -> Result<usize, String> {
    // Upstream reads each property over the one before: without data, it has that of its predecessor.
    let mut data = Vec::new();
    let mut count = 0;
    for (n, property) in bundle.properties.iter().enumerate().filter(|(_, p)| p.kind == "olm.bundle.object") {
        let place = || format!("package {}, bundle {}", go_quote(&bundle.package), go_quote(&bundle.name));
        decode_property(property, |d, value| d.bundle_object(value, &mut data))
            .map_err(|fault| format!("{}: parse property at index {n} as bundle object: {fault}", place()))?;
        let text = String::from_utf8_lossy(&data);
        if !text.trim_start().starts_with('{') {
            let read = match std::str::from_utf8(&data) {
                Ok(text) => yaml::read(text).map(drop).map_err(|e| e.to_string()),
                Err(_) => Err("yaml: invalid leading UTF-8 octet".to_owned()),
            };
            read.map_err(|fault| format!("{}: convert bundle object property at index {n} to JSON: {fault}", place()))?;
        }
        count += 1;
    }
    Ok(count)
}

/// Reads the value of a property with `read`.
pub(super) fn decode_property<T>(property: &PropertyBlob, read: impl FnOnce(&mut Decoder, &Json) -> T) -> Result<T, String> {
    let value = property.value.as_ref().ok_or("unexpected end of JSON input")?;
    let mut decoder = Decoder::default();
    let read = read(&mut decoder, value);
    decoder.fault.map_or(Ok(read), Err)
}

/// encoding/json's decoder, as far as structs of catalogs need it.
#[derive(Debug, Default)]
pub(super) struct Decoder {
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
    fn bytes(&mut self, value: &Json, into: &mut Vec<u8>) {
        match value {
            Json::String(text) => match decode_base64(text) {
                Ok(bytes) => *into = bytes,
                Err(fault) => {
                    self.fault.get_or_insert(fault.to_string());
                }
            },
            Json::Array(_) => self.array(value, "[]uint8", into, |d, element, byte| match element {
                Json::Null => {}
                Json::Number(n) => match number(*n).parse() {
                    Ok(b) => *byte = b,
                    Err(_) => d.mismatch(&format!("number {}", number(*n)), "uint8"),
                },
                other => d.mismatch(other.kind(), "uint8"),
            }),
            Json::Null => into.clear(),
            other => self.mismatch(other.kind(), "[]uint8"),
        }
    }

    fn strings(&mut self, value: &Json, into: &mut Vec<String>) {
        self.array(value, "[]string", into, Self::string);
    }

    fn properties(&mut self, value: &Json, into: &mut Vec<PropertyBlob>) {
        self.array(value, "[]property.Property", into, |d, value, property| {
            d.object(value, "property.Property", &["type", "value"], |d, field, value| match field {
                "type" => d.string(value, &mut property.kind),
                _ => property.value = Some(value.clone()),
            });
        });
    }

    fn package(&mut self, value: &Json) -> PackageBlob {
        let mut package = PackageBlob::default();
        let mut properties = Vec::new();
        let fields = ["schema", "name", "defaultChannel", "icon", "description", "properties"];
        self.object(value, "declcfg.Package", &fields, |d, field, value| match field {
            "name" => d.string(value, &mut package.name),
            "defaultChannel" => d.string(value, &mut package.default_channel),
            "description" => d.string(value, &mut package.description),
            "icon" => d.object(value, "declcfg.Icon", &["base64data", "mediatype"], |d, field, value| match field {
                "base64data" => d.bytes(value, &mut Vec::new()),
                _ => d.string(value, &mut String::new()),
            }),
            "properties" => d.properties(value, &mut properties),
            _ => d.string(value, &mut String::new()),
        });
        package
    }

    fn channel(&mut self, value: &Json) -> ChannelBlob {
        let mut channel = ChannelBlob::default();
        let mut properties = Vec::new();
        let fields = ["schema", "name", "package", "entries", "properties"];
        self.object(value, "declcfg.Channel", &fields, |d, field, value| match field {
            "name" => d.string(value, &mut channel.name),
            "package" => d.string(value, &mut channel.package),
            "entries" => d.array(value, "[]declcfg.ChannelEntry", &mut channel.entries, |d, value, entry| {
                let fields = ["name", "replaces", "skips", "skipRange"];
                d.object(value, "declcfg.ChannelEntry", &fields, |d, field, value| match field {
                    "name" => d.string(value, &mut entry.name),
                    "replaces" => d.string(value, &mut entry.replaces),
                    "skips" => d.strings(value, &mut entry.skips),
                    _ => d.string(value, &mut entry.skip_range),
                });
            }),
            "properties" => d.properties(value, &mut properties),
            _ => d.string(value, &mut String::new()),
        });
        channel
    }

    fn bundle(&mut self, value: &Json) -> BundleBlob {
        let mut bundle = BundleBlob::default();
        let fields = ["schema", "name", "package", "image", "properties", "relatedImages"];
        self.object(value, "declcfg.Bundle", &fields, |d, field, value| match field {
            "name" => d.string(value, &mut bundle.name),
            "package" => d.string(value, &mut bundle.package),
            "image" => d.string(value, &mut bundle.image),
            "properties" => d.properties(value, &mut bundle.properties),
            "relatedImages" => {
                d.array(value, "[]declcfg.RelatedImage", &mut bundle.related_images, |d, value, related| {
                    d.object(value, "declcfg.RelatedImage", &["name", "image"], |d, field, value| match field {
                        "name" => d.string(value, &mut related.name),
                        _ => d.string(value, &mut related.image),
                    });
                });
            }
            _ => d.string(value, &mut String::new()),
        });
        bundle
    }

    fn deprecations(&mut self, value: &Json) -> DeprecationsBlob {
        let mut deprecations = DeprecationsBlob::default();
        self.object(value, "declcfg.Deprecation", &["schema", "package", "entries"], |d, field, value| match field {
            "package" => d.string(value, &mut deprecations.package),
            "entries" => {
                d.array(value, "[]declcfg.DeprecationEntry", &mut deprecations.entries, |d, value, entry| {
                    d.object(value, "declcfg.DeprecationEntry", &["reference", "message"], |d, field, value| match field {
                        "message" => d.string(value, &mut entry.message),
                        _ => d.object(value, "declcfg.PackageScopedReference", &["schema", "name"], |d, field, value| {
                            match field {
                                "schema" => d.string(value, &mut entry.schema),
                                _ => d.string(value, &mut entry.name),
                            }
                        }),
                    });
                });
            }
            _ => d.string(value, &mut String::new()),
        });
        deprecations
    }

    /// Reads the value of an `olm.bundle.object` property over `data`.
    pub fn bundle_object(&mut self, value: &Json, data: &mut Vec<u8>) {
        self.object(value, "property.BundleObject", &["data"], |d, _, value| d.bytes(value, data));
    }
}
