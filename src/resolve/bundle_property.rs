//! What resolution reads off a bundle's properties: its version, and the dependencies that OLM v1 does not support.

use super::ReleaseSupport;
use crate::catalog::Bundle;
use crate::go::quote;
use crate::version::{Release, Version, VersionError, VersionRelease};
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// A bundle whose version cannot be told, in the controller's words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BundleVersionError {
    /// There is no `olm.package` property.
    #[error("no package property found in bundle {}", quote(.bundle))]
    Missing {
        /// The bundle's name.
        bundle: String,
    },
    /// The property's value does not have the shape of one.
    #[error("error unmarshalling package property: {0}")]
    Malformed(String),
    /// The version, or the release, is none.
    #[error(transparent)]
    Version(#[from] VersionError),
}

const PACKAGE: &str = "olm.package";
const DEPENDENCIES: [&str; 3] = ["olm.package.required", "olm.gvk.required", "olm.constraint"];

/// The bundle's version and release, from its first `olm.package` property.
///
/// Follows `GetVersionAndRelease` of operator-controller df2c201d internal/operator-controller/bundleutil/bundle.go.
///
/// # Errors
/// Where there is none, or where it cannot be read.
pub fn version_release(bundle: &Bundle, releases: ReleaseSupport) -> Result<VersionRelease, BundleVersionError> {
    let property = bundle.properties.iter().find(|p| p.kind == PACKAGE);
    let property = property.ok_or_else(|| BundleVersionError::Missing { bundle: bundle.name.clone() })?;
    let package = PackageProperty::read(property.value.get(), releases).map_err(BundleVersionError::Malformed)?;
    let version = &package.version;
    Ok(match (releases, &package.release) {
        (ReleaseSupport::None, _) => VersionRelease { version: Version::parse(version)?, release: None },
        (ReleaseSupport::Explicit, Some(release)) => VersionRelease::explicit(version, release)?,
        (ReleaseSupport::ExplicitOfAnyLength, Some(release)) => {
            VersionRelease::explicit_with(version, release, Release::parse_any_length)?
        }
        (ReleaseSupport::Legacy | ReleaseSupport::Explicit, _) => VersionRelease::legacy(version)?,
        (ReleaseSupport::LegacyOfAnyLength | ReleaseSupport::ExplicitOfAnyLength, _) => {
            VersionRelease::legacy_with(version, Release::parse_any_length)?
        }
    })
}

/// The first property that declares a dependency, which OLM v1 does not support; such a bundle is not installed.
///
/// Follows `NoDependencyValidation` of operator-controller df2c201d internal/operator-controller/resolve/validation.go.
pub fn unsupported_dependency(bundle: &Bundle) -> Option<&str> {
    bundle.properties.iter().map(|p| p.kind.as_str()).find(|kind| DEPENDENCIES.contains(kind))
}

/// The value of an `olm.package` property, read as Go's `encoding/json` reads it: keys in any case, the last of equal keys
/// counts, `null` is as good as nothing.
#[derive(Debug, Default)]
struct PackageProperty {
    version: String,
    release: Option<String>,
}

impl PackageProperty {
    fn read(json: &str, releases: ReleaseSupport) -> Result<Self, String> {
        match json_type(json) {
            JsonType::Object => {}
            JsonType::Null => return Ok(Self::default()),
            other => return Err(format!("json: cannot unmarshal {} into Go value of type property.Package", other.name())),
        }
        let fields: Fields<'_> = serde_json::from_str(json).map_err(|e| e.to_string())?;
        let mut package = Self::default();
        // Where there are no releases, the field is one that nobody knows.
        let is_known = |field: &Field| *field != Field::Release || releases != ReleaseSupport::None;
        for (field, value) in fields.0.into_iter().filter(|(field, _)| is_known(field)) {
            let text = match json_type(value.get()) {
                // What is no text of Unicode can be no version either.
                JsonType::String => Some(serde_json::from_str(value.get()).unwrap_or_else(|_| "\u{fffd}".to_owned())),
                JsonType::Null => None,
                other => return Err(field.type_error(other)),
            };
            match field {
                Field::PackageName | Field::Other => {}
                Field::Version => package.version = text.unwrap_or(package.version),
                Field::Release => package.release = text,
            }
        }
        Ok(package)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    PackageName,
    Version,
    Release,
    Other,
}

impl Field {
    fn named(key: &str) -> Self {
        [Self::PackageName, Self::Version, Self::Release].into_iter().find(|f| folds_to(key, f.name())).unwrap_or(Self::Other)
    }

    fn name(self) -> &'static str {
        match self {
            Self::PackageName => "packageName",
            Self::Version => "version",
            Self::Release => "release",
            Self::Other => "",
        }
    }

    fn type_error(self, found: JsonType) -> String {
        format!("json: cannot unmarshal {} into Go struct field Package.{} of type string", found.name(), self.name())
    }
}

/// Whether two keys are equal under Unicode's simple folding, as far as that concerns ASCII names.
fn folds_to(key: &str, name: &str) -> bool {
    let fold = |c: char| match c {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        c => c.to_ascii_lowercase(),
    };
    key.chars().map(fold).eq(name.chars().map(fold))
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Key;
        impl Visitor<'_> for Key {
            type Value = Field;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_str<E: de::Error>(self, key: &str) -> Result<Field, E> {
                Ok(Field::named(key))
            }
        }
        deserializer.deserialize_str(Key)
    }
}

/// The fields that count, as they are written, in their order.
struct Fields<'a>(Vec<(Field, &'a RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::with_capacity(3);
                while let Some(field) = map.next_key::<Field>()? {
                    match field {
                        Field::Other => {
                            map.next_value::<IgnoredAny>()?;
                        }
                        _ => fields.push((field, map.next_value()?)),
                    }
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JsonType {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

impl JsonType {
    fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "bool",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

fn json_type(json: &str) -> JsonType {
    match json.trim_start().bytes().next() {
        Some(b'{') => JsonType::Object,
        Some(b'[') => JsonType::Array,
        Some(b'"') => JsonType::String,
        Some(b't' | b'f') => JsonType::Bool,
        Some(b'n') | None => JsonType::Null,
        Some(_) => JsonType::Number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Property;

    fn bundle(value: &str) -> Bundle {
        let value = RawValue::from_string(value.to_owned()).unwrap();
        let property = Property { kind: PACKAGE.to_owned(), value };
        Bundle { name: "b".to_owned(), properties: vec![property], ..Bundle::default() }
    }

    fn read(value: &str, releases: ReleaseSupport) -> String {
        match version_release(&bundle(value), releases) {
            Ok(read) => format!("{} {}", read.version, read.release.map_or("-".to_owned(), |r| format!("[{r}]"))),
            Err(e) => e.to_string(),
        }
    }

    #[test]
    fn reads_as_go_does() {
        let legacy = |value| read(value, ReleaseSupport::Legacy);
        assert_eq!(legacy(r#"{"packageName": "p", "version": "1.0.0+2"}"#), "1.0.0 [2]");
        assert_eq!(legacy(r#"{"VERSION": "1.0.0", "ver\u017fion": "2.0.0", "version": null}"#), "2.0.0 -");
        assert_eq!(legacy(r#"{"version": "1.0.0", "release": "3", "x": [1]}"#), "1.0.0 -");
        assert_eq!(legacy("null"), "Version string empty");
        assert_eq!(
            legacy(r#"{"version": 1}"#),
            "error unmarshalling package property: json: cannot unmarshal number into Go struct field Package.version of type string"
        );
        assert_eq!(
            legacy("[]"),
            "error unmarshalling package property: json: cannot unmarshal array into Go value of type property.Package"
        );
        assert_eq!(legacy(r#"{"packageName": "\ud800", "version": "1.0.0"}"#), "1.0.0 -");
    }

    #[test]
    fn an_explicit_release_counts_where_the_gate_is_on() {
        let explicit = |value| read(value, ReleaseSupport::Explicit);
        assert_eq!(explicit(r#"{"version": "1.0.0+g", "release": "3"}"#), "1.0.0+g [3]");
        assert_eq!(explicit(r#"{"version": "1.0.0+g", "release": ""}"#), "1.0.0+g []");
        assert_eq!(explicit(r#"{"version": "1.0.0+g", "release": "3", "Release": null}"#), "1.0.0 [g]");
        assert_eq!(
            explicit(r#"{"version": "1.0", "release": "3"}"#),
            "error parsing version \"1.0\": No Major.Minor.Patch elements found"
        );
    }

    #[test]
    fn older_controllers_know_longer_releases_or_none() {
        let value = r#"{"version": "1.0.0+a12345678901234567890", "release": "b12345678901234567890"}"#;
        assert_eq!(read(value, ReleaseSupport::None), "1.0.0+a12345678901234567890 -");
        assert_eq!(read(value, ReleaseSupport::Legacy), "1.0.0+a12345678901234567890 -");
        assert_eq!(read(value, ReleaseSupport::LegacyOfAnyLength), "1.0.0 [a12345678901234567890]");
        assert_eq!(read(value, ReleaseSupport::ExplicitOfAnyLength), "1.0.0+a12345678901234567890 [b12345678901234567890]");
        assert!(read(value, ReleaseSupport::Explicit).contains("exceeds maximum length"));
    }

    #[test]
    fn a_bundle_without_the_property() {
        let error = version_release(&Bundle { name: "b".to_owned(), ..Bundle::default() }, ReleaseSupport::Legacy).unwrap_err();
        assert_eq!(error.to_string(), "no package property found in bundle \"b\"");
    }
}
