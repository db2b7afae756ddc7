//! A CRD document -> what the check reads of it.

use super::error::Error;
use super::read::{Reader, kind_of};
use super::schema::{SchemaId, Schemas};
use crate::bundle::go::{self, Decoder};
use serde_json::{Map, Value};

/// Which of the two sides of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// What the cluster has.
    Before,
    /// What it is to become.
    After,
}

/// A version of a CRD.
#[derive(Debug)]
pub(crate) struct Version {
    pub(crate) name: String,
    pub(crate) served: bool,
    pub(crate) storage: bool,
    /// `None` where the version has no `schema`; within, `None` where that is empty.
    pub(crate) schema: Option<Option<SchemaId>>,
}

/// What the check reads of a CRD.
#[derive(Debug)]
pub(crate) struct Crd {
    pub(crate) name: String,
    pub(crate) scope: String,
    /// `spec.conversion.strategy`.
    pub(crate) conversion: String,
    pub(crate) versions: Vec<Version>,
    pub(crate) stored_versions: Vec<String>,
}

/// Whether the controller would look at the document at all: a CustomResourceDefinition of apiextensions.k8s.io/v1.
pub(crate) fn is_crd(document: &Value) -> bool {
    text_of(document, "apiVersion") == "apiextensions.k8s.io/v1" && text_of(document, "kind") == "CustomResourceDefinition"
}

/// `metadata.name`.
pub(crate) fn name_of(document: &Value) -> &str {
    document.get("metadata").map_or("", |metadata| text_of(metadata, "name"))
}

fn text_of<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

impl Crd {
    /// Reads a document. The before side is read as a cluster has it: with the API's defaults filled in
    /// (k8s.io/apiextensions-apiserver v0.36 pkg/apis/apiextensions/v1/defaults.go), of which the check sees the stored versions.
    pub(crate) fn read(document: &Value, side: Side, schemas: &mut Schemas) -> Result<Self, Error> {
        if !is_crd(document) {
            return Err(Error::NotACrd { found: identity(document) });
        }
        let fields = Fields { crd: name_of(document) };
        let empty = Map::new();
        let spec = fields.map(document.get("spec"), "spec")?.unwrap_or(&empty);
        let status = fields.map(document.get("status"), "status")?.unwrap_or(&empty);
        let conversion = fields.map(spec.get("conversion"), "spec.conversion")?.unwrap_or(&empty);
        let mut versions = Vec::new();
        for (n, version) in fields.list(spec.get("versions"), "spec.versions")?.iter().enumerate() {
            versions.push(fields.version(version, &format!("spec.versions[{n}]"), schemas)?);
        }
        let mut stored_versions = Vec::new();
        for (n, version) in fields.list(status.get("storedVersions"), "status.storedVersions")?.iter().enumerate() {
            stored_versions.push(fields.text(Some(version), &format!("status.storedVersions[{n}]"))?);
        }
        if stored_versions.is_empty() && side == Side::Before {
            stored_versions.extend(versions.iter().find(|v| v.storage).map(|v| v.name.clone()));
        }
        fields.rest(document)?;
        Ok(Self {
            name: fields.crd.to_owned(),
            scope: fields.text(spec.get("scope"), "spec.scope")?,
            conversion: fields.text(conversion.get("strategy"), "spec.conversion.strategy")?,
            versions,
            stored_versions,
        })
    }

    /// The version of that name, and its position.
    pub(crate) fn version(&self, name: &str) -> Option<(usize, &Version)> {
        self.versions.iter().enumerate().find(|(_, version)| version.name == name)
    }
}

fn identity(document: &Value) -> String {
    let (api_version, kind) = (text_of(document, "apiVersion"), text_of(document, "kind"));
    if kind.is_empty() { kind_of(document).to_owned() } else { format!("{kind} {:?} of {api_version}", name_of(document)) }
}

/// The members of a mapping, copied, one of them by `copy`.
fn member_by(value: &Value, name: &str, copy: impl Fn(&Value) -> Value) -> Value {
    let Value::Object(map) = value else { return value.clone() };
    map.iter().map(|(key, value)| (key.clone(), if key == name { copy(value) } else { value.clone() })).collect()
}

/// The document without the schemas of its versions, which are read by themselves.
fn without_schemas(document: &Value) -> Value {
    let version = |version: &Value| member_by(version, "schema", |_| Value::Null);
    let versions = |versions: &Value| match versions {
        Value::Array(versions) => versions.iter().map(version).collect(),
        other => other.clone(),
    };
    member_by(document, "spec", |spec| member_by(spec, "versions", versions))
}

struct Fields<'a> {
    crd: &'a str,
}

impl Fields<'_> {
    fn wrong(&self, field: &str, expected: &'static str, found: &Value) -> Error {
        Error::WrongType { crd: self.crd.to_owned(), field: field.to_owned(), expected, found: kind_of(found) }
    }

    fn map<'v>(&self, value: Option<&'v Value>, field: &str) -> Result<Option<&'v Map<String, Value>>, Error> {
        match value {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Object(map)) => Ok(Some(map)),
            Some(other) => Err(self.wrong(field, "a mapping", other)),
        }
    }

    fn list<'v>(&self, value: Option<&'v Value>, field: &str) -> Result<&'v [Value], Error> {
        match value {
            None | Some(Value::Null) => Ok(&[]),
            Some(Value::Array(items)) => Ok(items),
            Some(other) => Err(self.wrong(field, "a list", other)),
        }
    }

    fn text(&self, value: Option<&Value>, field: &str) -> Result<String, Error> {
        match value {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(other) => Err(self.wrong(field, "a string", other)),
        }
    }

    fn flag(&self, value: Option<&Value>, field: &str) -> Result<bool, Error> {
        match value {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(self.wrong(field, "a boolean", other)),
        }
    }

    /// What the check does not read decides nothing, but the controller decodes it all the same.
    fn rest(&self, document: &Value) -> Result<(), Error> {
        let mut rest = without_schemas(document);
        let shape = go::named("apiextensions/v1.CustomResourceDefinition");
        go::normalize(&mut rest, &shape, Decoder::Converter).map_err(|mismatch| Error::Refused {
            crd: self.crd.to_owned(),
            field: mismatch.path().to_string(),
            reason: mismatch.to_string(),
        })
    }

    fn version(&self, value: &Value, field: &str, schemas: &mut Schemas) -> Result<Version, Error> {
        let empty = Map::new();
        let version = self.map(Some(value), field)?.unwrap_or(&empty);
        let schema_field = format!("{field}.schema");
        let schema = match self.map(version.get("schema"), &schema_field)? {
            None => None,
            Some(schema) => Some(match schema.get("openAPIV3Schema") {
                None | Some(Value::Null) => None,
                Some(root) => Some(Reader::new(schemas, self.crd, &format!("{schema_field}.openAPIV3Schema")).schema(root)?),
            }),
        };
        Ok(Version {
            name: self.text(version.get("name"), &format!("{field}.name"))?,
            served: self.flag(version.get("served"), &format!("{field}.served"))?,
            storage: self.flag(version.get("storage"), &format!("{field}.storage"))?,
            schema,
        })
    }
}
