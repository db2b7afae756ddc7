//! Reading a document by its schema.

use super::{Blob, BundleBlob, ChannelBlob, Decoder, DeprecationsBlob, PackageBlob, PropertyBlob, decode_property};
use crate::catalog::json::Json;
use crate::go::quote;
use crate::yaml;

/// Reads a document of the schema `schema`.
///
/// Follows `addMeta` of operator-registry v1.73.0 alpha/declcfg/load.go.
///
/// # Errors
/// What operator-registry says where it refuses the document.
pub(in crate::catalog) fn blob(schema: &str, value: &Json) -> Result<Blob, String> {
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
        let place = || format!("package {}, bundle {}", quote(&bundle.package), quote(&bundle.name));
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

impl Decoder {
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
            "entries" if *value == Json::Null => deprecations.entries = None,
            "entries" => {
                let entries = deprecations.entries.get_or_insert_default();
                d.array(value, "[]declcfg.DeprecationEntry", entries, |d, value, entry| {
                    d.object(value, "declcfg.DeprecationEntry", &["reference", "message"], |d, field, value| match field {
                        "message" => d.string(value, &mut entry.message),
                        _ => d.object(
                            value,
                            "declcfg.PackageScopedReference",
                            &["schema", "name"],
                            |d, field, value| match field {
                                "schema" => d.string(value, &mut entry.schema),
                                _ => d.string(value, &mut entry.name),
                            },
                        ),
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
