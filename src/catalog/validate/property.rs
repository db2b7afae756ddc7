//! The properties of a bundle, as operator-registry reads those that it knows.

use crate::catalog::decode::{Decoder, PropertyBlob, decode_property};
use crate::catalog::json::Json;
use crate::go::{float, quote};
use std::str::FromStr;

/// The value of an `olm.package` property.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PackageProperty {
    pub name: String,
    pub version: String,
    pub release: String,
}

/// The type of a Go value, as far as reading JSON into it goes.
enum Shape {
    Text,
    Bool,
    Int,
    Int32,
    Any,
    List(&'static str, &'static Shape),
    Map(&'static str, &'static Shape),
    Struct(&'static str, &'static [(&'static str, &'static Shape)]),
}

/// Reads the properties and gives the `olm.package` ones.
///
/// Follows `Parse` of operator-registry v1.73.0 alpha/property/property.go.
///
/// # Errors
/// What it says of the first property that is not of its type's form.
pub(super) fn parse(properties: &[PropertyBlob]) -> Result<Vec<PackageProperty>, String> {
    let mut packages = Vec::new();
    for (n, property) in properties.iter().enumerate() {
        let read = decode_property(property, |decoder, value| match property.kind.as_str() {
            "olm.package" => packages.push(package(decoder, value)),
            "olm.bundle.object" => decoder.bundle_object(value, &mut Vec::new()),
            kind => shape(kind).check(decoder, value),
        });
        read.map_err(|fault| format!("parse property[{n}] of type {}: {fault}", quote(&property.kind)))?;
    }
    Ok(packages)
}

fn package(decoder: &mut Decoder, value: &Json) -> PackageProperty {
    let mut package = PackageProperty::default();
    decoder.object(value, "property.Package", &["packageName", "version", "release"], |d, field, value| match field {
        "packageName" => d.string(value, &mut package.name),
        "version" => d.string(value, &mut package.version),
        _ => d.string(value, &mut package.release),
    });
    package
}

fn shape(kind: &str) -> &'static Shape {
    match kind {
        "olm.package.required" => &Shape::Struct("property.PackageRequired", &[("packageName", TEXT), ("versionRange", TEXT)]),
        "olm.gvk" => &Shape::Struct("property.GVK", GVK),
        "olm.gvk.required" => &Shape::Struct("property.GVKRequired", GVK),
        "olm.channel" => &Shape::Struct("property.Channel", &[("channelName", TEXT), ("priority", &Shape::Int)]),
        "olm.csv.metadata" => &CSV_METADATA,
        _ => &Shape::Any,
    }
}

impl Shape {
    fn check(&self, decoder: &mut Decoder, value: &Json) {
        match (self, value) {
            (Self::Any, _) | (_, Json::Null) => {}
            (Self::Text, value) => decoder.string(value, &mut String::new()),
            (Self::Bool, Json::Bool(_)) => {}
            (Self::Bool, other) => decoder.mismatch(other.kind(), "bool"),
            (Self::Int, value) => integer::<i64>(decoder, value, "int"),
            (Self::Int32, value) => integer::<i32>(decoder, value, "int32"),
            (Self::List(go_type, element), value) => {
                decoder.array(value, go_type, &mut Vec::<()>::new(), |d, value, ()| element.check(d, value));
            }
            (Self::Map(_, element), Json::Object(entries)) => entries.values().for_each(|value| element.check(decoder, value)),
            (Self::Map(go_type, _), other) => decoder.mismatch(other.kind(), go_type),
            (Self::Struct(go_type, fields), value) => {
                let names: Vec<&'static str> = fields.iter().map(|(name, _)| *name).collect();
                decoder.object(value, go_type, &names, |d, field, value| {
                    if let Some((_, shape)) = fields.iter().find(|(name, _)| *name == field) {
                        shape.check(d, value);
                    }
                });
            }
        }
    }
}

fn integer<T: FromStr>(decoder: &mut Decoder, value: &Json, go_type: &str) {
    match value {
        Json::Number(n) => {
            let text = float::json(*n);
            if text.parse::<T>().is_err() {
                decoder.mismatch(&format!("number {text}"), go_type);
            }
        }
        other => decoder.mismatch(other.kind(), go_type),
    }
}

// The structs of operator-framework/api v0.45.0 pkg/operators/v1alpha1/clusterserviceversion_types.go.
const TEXT: &Shape = &Shape::Text;
const TEXTS: &Shape = &Shape::List("[]string", TEXT);
const TEXT_MAP: &Shape = &Shape::Map("map[string]string", TEXT);
const GVK: &[(&str, &Shape)] = &[("group", TEXT), ("kind", TEXT), ("version", TEXT)];
const RESOURCES: &Shape = &Shape::List(
    "[]v1alpha1.APIResourceReference",
    &Shape::Struct("v1alpha1.APIResourceReference", &[("name", TEXT), ("kind", TEXT), ("version", TEXT)]),
);
const DESCRIPTOR: &[(&str, &Shape)] =
    &[("path", TEXT), ("displayName", TEXT), ("description", TEXT), ("x-descriptors", TEXTS), ("value", &Shape::Any)];
const STATUS: &Shape = &Shape::List("[]v1alpha1.StatusDescriptor", &Shape::Struct("v1alpha1.StatusDescriptor", DESCRIPTOR));
const SPEC: &Shape = &Shape::List("[]v1alpha1.SpecDescriptor", &Shape::Struct("v1alpha1.SpecDescriptor", DESCRIPTOR));
const ACTION: &Shape = &Shape::List("[]v1alpha1.ActionDescriptor", &Shape::Struct("v1alpha1.ActionDescriptor", DESCRIPTOR));
const API_SERVICES: &Shape = &Shape::List(
    "[]v1alpha1.APIServiceDescription",
    &Shape::Struct(
        "v1alpha1.APIServiceDescription",
        &[
            ("name", TEXT),
            ("group", TEXT),
            ("version", TEXT),
            ("kind", TEXT),
            ("deploymentName", TEXT),
            ("containerPort", &Shape::Int32),
            ("displayName", TEXT),
            ("description", TEXT),
            ("resources", RESOURCES),
            ("statusDescriptors", STATUS),
            ("specDescriptors", SPEC),
            ("actionDescriptors", ACTION),
        ],
    ),
);
const CRDS: &Shape = &Shape::List(
    "[]v1alpha1.CRDDescription",
    &Shape::Struct(
        "v1alpha1.CRDDescription",
        &[
            ("name", TEXT),
            ("version", TEXT),
            ("kind", TEXT),
            ("displayName", TEXT),
            ("description", TEXT),
            ("resources", RESOURCES),
            ("statusDescriptors", STATUS),
            ("specDescriptors", SPEC),
            ("actionDescriptors", ACTION),
        ],
    ),
);
const LINK: &Shape = &Shape::Struct("v1alpha1.AppLink", &[("name", TEXT), ("url", TEXT)]);
static CSV_METADATA: Shape = Shape::Struct(
    "property.CSVMetadata",
    &[
        ("annotations", TEXT_MAP),
        (
            "apiServiceDefinitions",
            &Shape::Struct("v1alpha1.APIServiceDefinitions", &[("owned", API_SERVICES), ("required", API_SERVICES)]),
        ),
        ("crdDescriptions", &Shape::Struct("v1alpha1.CustomResourceDefinitions", &[("owned", CRDS), ("required", CRDS)])),
        ("description", TEXT),
        ("displayName", TEXT),
        (
            "installModes",
            &Shape::List(
                "[]v1alpha1.InstallMode",
                &Shape::Struct("v1alpha1.InstallMode", &[("type", TEXT), ("supported", &Shape::Bool)]),
            ),
        ),
        ("keywords", TEXTS),
        ("labels", TEXT_MAP),
        ("links", &Shape::List("[]v1alpha1.AppLink", LINK)),
        (
            "maintainers",
            &Shape::List("[]v1alpha1.Maintainer", &Shape::Struct("v1alpha1.Maintainer", &[("name", TEXT), ("email", TEXT)])),
        ),
        ("maturity", TEXT),
        ("minKubeVersion", TEXT),
        ("nativeAPIs", &Shape::List("[]v1.GroupVersionKind", &Shape::Struct("v1.GroupVersionKind", GVK))),
        ("provider", LINK),
    ],
);
