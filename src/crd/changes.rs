//! [`changes`]: what is different between two sides of a CRD, good or bad.

use super::compare::by_name;
use super::difference::leaves;
use super::document::{Crd, Side};
use super::error::Error;
use super::flatten::Flat;
use super::generation::Naming;
use super::keyword::Keyword;
use super::render::schema_value;
use super::schema::{Schema, Schemas};
use serde::Serialize;
use serde_json::Value;

/// What kind of change it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeKind {
    /// The scope is another one.
    ScopeChanged,
    /// How versions are converted is another one.
    ConversionChanged,
    /// A version is new.
    VersionAdded,
    /// A version is gone.
    VersionRemoved,
    /// A version is served from now on, or no longer.
    ServedChanged,
    /// A version is stored from now on, or no longer.
    StorageChanged,
    /// A field is new.
    FieldAdded,
    /// A field is gone.
    FieldRemoved,
    /// A keyword of a field is another one.
    FieldChanged,
}

impl ChangeKind {
    /// How reports say it.
    pub fn words(self) -> &'static str {
        match self {
            Self::ScopeChanged => "scope changed",
            Self::ConversionChanged => "conversion changed",
            Self::VersionAdded => "version added",
            Self::VersionRemoved => "version removed",
            Self::ServedChanged => "served changed",
            Self::StorageChanged => "storage changed",
            Self::FieldAdded => "field added",
            Self::FieldRemoved => "field removed",
            Self::FieldChanged => "changed",
        }
    }
}

/// A change of a CRD. Ordered by CRD, version, field, kind, keyword.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// The CRD's name.
    pub crd: String,
    /// The version; `None` for the whole CRD.
    pub version: Option<String>,
    /// The field's path, as in `^.spec.replicas`; `None` for a whole version.
    pub field: Option<String>,
    /// What kind of change.
    pub kind: ChangeKind,
    /// The keyword that is another one, with what is within it: `additionalProperties.format`.
    pub keyword: Option<String>,
    /// What was there.
    pub before: Option<Value>,
    /// What is there now.
    pub after: Option<Value>,
}

impl Change {
    /// Whether it is but another description.
    pub fn is_description(&self) -> bool {
        self.kind == ChangeKind::FieldChanged
            && self.keyword.as_deref().is_some_and(|k| k == "description" || k.ends_with(".description"))
    }

    fn key(&self) -> (&str, &Option<String>, &Option<String>, ChangeKind, &Option<String>) {
        (&self.crd, &self.version, &self.field, self.kind, &self.keyword)
    }
}

/// How many keywords of one field are told.
const KEYWORDS: usize = 50;
/// How many changes one CRD may have.
const LIMIT: usize = 200_000;
/// How much of a field that is added or removed is written out, in schemas.
const SHOWN: usize = 40;

/// What is different between two sides of a CRD. A field that is added or removed is told once, at its top.
///
/// # Errors
/// As [`super::check`].
pub fn changes(before: &Value, after: &Value) -> Result<Vec<Change>, Error> {
    let mut schemas = Schemas::new();
    let before = Crd::read(before, Side::Before, &mut schemas)?;
    let after = Crd::read(after, Side::After, &mut schemas)?;
    let mut list = List { crd: after.name.clone(), schemas: &schemas, changes: Vec::new() };
    let text = |text: &str| Some(Value::String(text.to_owned())).filter(|_| !text.is_empty());
    list.unequal(None, ChangeKind::ScopeChanged, text(&before.scope), text(&after.scope))?;
    let conversion = |crd: &Crd| text(if crd.conversion.is_empty() { "None" } else { &crd.conversion });
    list.unequal(None, ChangeKind::ConversionChanged, conversion(&before), conversion(&after))?;
    for version in &before.versions {
        let Some((_, now)) = after.version(&version.name) else {
            list.add(Some(&version.name), None, ChangeKind::VersionRemoved, None, None, None)?;
            continue;
        };
        let flag = |flag: bool| Some(Value::Bool(flag));
        list.unequal(Some(&version.name), ChangeKind::ServedChanged, flag(version.served), flag(now.served))?;
        list.unequal(Some(&version.name), ChangeKind::StorageChanged, flag(version.storage), flag(now.storage))?;
        if version.schema != now.schema {
            let flat = |root: Option<Option<_>>| Flat::new(root.flatten(), 0, &schemas, Naming::Keywords);
            list.fields(&version.name, &flat(version.schema)?, &flat(now.schema)?)?;
        }
    }
    for version in after.versions.iter().filter(|version| before.version(&version.name).is_none()) {
        list.add(Some(&version.name), None, ChangeKind::VersionAdded, None, None, None)?;
    }
    list.changes.sort_by(|a, b| a.key().cmp(&b.key()));
    Ok(list.changes)
}

/// The changes of all CRDs that are on both sides, matched by name, as [`super::check_all`] matches them.
///
/// # Errors
/// As [`changes`].
pub fn changes_all<'a>(
    before: impl IntoIterator<Item = &'a Value>,
    after: impl IntoIterator<Item = &'a Value>,
) -> Result<Vec<Change>, Error> {
    let mut all = Vec::new();
    for (before, after) in by_name(before, after) {
        if let Some(before) = before {
            all.extend(changes(before, after)?);
        }
    }
    all.sort_by(|a, b| a.key().cmp(&b.key()));
    Ok(all)
}

struct List<'a> {
    crd: String,
    schemas: &'a Schemas,
    changes: Vec<Change>,
}

impl List<'_> {
    fn add(
        &mut self,
        version: Option<&str>,
        field: Option<&str>,
        kind: ChangeKind,
        keyword: Option<String>,
        before: Option<Value>,
        after: Option<Value>,
    ) -> Result<(), Error> {
        if self.changes.len() == LIMIT {
            return Err(Error::TooLarge { what: "changes" });
        }
        self.changes.push(Change {
            crd: self.crd.clone(),
            version: version.map(str::to_owned),
            field: field.map(str::to_owned),
            kind,
            keyword,
            before,
            after,
        });
        Ok(())
    }

    fn unequal(
        &mut self,
        version: Option<&str>,
        kind: ChangeKind,
        before: Option<Value>,
        after: Option<Value>,
    ) -> Result<(), Error> {
        if before == after { Ok(()) } else { self.add(version, None, kind, None, before, after) }
    }

    fn fields(&mut self, version: &str, before: &Flat, after: &Flat) -> Result<(), Error> {
        let schemas = self.schemas;
        for property in before.properties() {
            match after.get(&property.path) {
                None if before.parent(property).is_some_and(|parent| after.get(&parent.path).is_none()) => {}
                None => {
                    let value = Some(schema_value(property.schema, schemas, &mut SHOWN.clone()));
                    self.add(Some(version), Some(&property.path), ChangeKind::FieldRemoved, None, value, None)?;
                }
                Some(now) if now.schema == property.schema => {}
                Some(now) => {
                    let (before, after) = (schemas.get(property.schema), schemas.get(now.schema));
                    // What is within is a field of its own.
                    let side = |schema: &Schema| {
                        let nested: Vec<Keyword> =
                            schema.attributes().iter().filter(|(_, value)| value.nests()).map(|(keyword, _)| *keyword).collect();
                        schema.without(&nested)
                    };
                    for leaf in leaves(&side(before), &side(after), schemas, KEYWORDS) {
                        self.add(
                            Some(version),
                            Some(&property.path),
                            ChangeKind::FieldChanged,
                            Some(leaf.path),
                            leaf.before,
                            leaf.after,
                        )?;
                    }
                }
            }
        }
        for property in after.properties().filter(|property| before.get(&property.path).is_none()) {
            if after.parent(property).is_none_or(|parent| before.get(&parent.path).is_some()) {
                let value = Some(schema_value(property.schema, schemas, &mut SHOWN.clone()));
                self.add(Some(version), Some(&property.path), ChangeKind::FieldAdded, None, None, value)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{crd, versions};
    use super::*;
    use serde_json::json;

    fn shown(before: &Value, after: &Value) -> Vec<String> {
        let line = |change: &Change| {
            let text = |value: &Option<Value>| value.as_ref().map_or_else(String::new, Value::to_string);
            let parts = [
                change.version.clone().unwrap_or_default(),
                change.field.clone().unwrap_or_default(),
                serde_json::to_value(change.kind).unwrap().as_str().unwrap().to_owned(),
                change.keyword.clone().unwrap_or_default(),
                text(&change.before),
                text(&change.after),
            ];
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
        };
        changes(before, after).unwrap().iter().map(line).collect()
    }

    #[test]
    fn tells_fields_once_at_their_top() {
        let before = crd(
            json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "object", "properties": {"c": {}}}}}),
        );
        let after = crd(
            json!({"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}, "d": {"items": {"type": "string"}}}}),
        );
        assert_eq!(
            shown(&before, &after),
            [
                "v1 ^.a field-changed maxLength 3",
                "v1 ^.b field-removed {\"type\":\"object\",\"properties\":{\"c\":{}}}",
                "v1 ^.d field-added {\"items\":{\"type\":\"string\"}}",
            ]
        );
        assert_eq!(shown(&before, &before), Vec::<String>::new());
    }

    #[test]
    fn tells_of_versions_and_of_the_whole() {
        let before = versions(json!([{"name": "v1", "served": true, "storage": true}, {"name": "v1beta1", "served": true}]));
        let mut after = versions(json!([{"name": "v1", "served": true}, {"name": "v2", "served": true, "storage": true}]));
        after["spec"]["scope"] = json!("Cluster");
        after["spec"]["conversion"] = json!({"strategy": "Webhook"});
        assert_eq!(
            shown(&before, &after),
            [
                "scope-changed \"Namespaced\" \"Cluster\"",
                "conversion-changed \"None\" \"Webhook\"",
                "v1 storage-changed true false",
                "v1beta1 version-removed",
                "v2 version-added",
            ]
        );
    }

    #[test]
    fn tells_of_what_is_within_by_its_own_field() {
        let before = crd(json!({"additionalProperties": {"type": "string"}}));
        let after = crd(json!({"additionalProperties": {"type": "integer"}}));
        assert_eq!(shown(&before, &after), ["v1 ^.additionalProperties field-changed type \"string\" \"integer\""]);
        let after = crd(json!({"additionalProperties": true}));
        assert_eq!(
            shown(&before, &after),
            ["v1 ^ field-changed additionalProperties true", "v1 ^.additionalProperties field-removed {\"type\":\"string\"}"]
        );
    }
}
