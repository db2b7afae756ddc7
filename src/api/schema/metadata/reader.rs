//! JSON values -> fields of Go structs, with the errors of sigs.k8s.io/json where one does not go into the other.

use super::super::prune;
use super::super::verdict::{At, Dropped, ErrorKind, SchemaError};
use crate::go::number::{GoNumber, read};
use crate::go::{float, json, time as gotime};
use crate::place::FieldPath;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Go decodes from JSON that was written with sorted keys; of several errors it reports the first.
pub(super) fn sorted(map: &Map<String, Value>) -> Vec<(&str, &Value)> {
    let mut entries: Vec<_> = map.iter().map(|(key, value)| (key.as_str(), value)).collect();
    entries.sort_by_key(|(key, _)| *key);
    entries
}

/// Reads values into the fields of one Go struct. Null leaves a field as it is.
pub(super) struct Reader<'a> {
    pub(super) context: &'static str,
    pub(super) prefix: &'static str,
    pub(super) dropped: &'a mut Vec<Dropped>,
}

impl Reader<'_> {
    fn refuse(&self, field: &str, found: &str, at: &At<'_>, wanted: &str) -> SchemaError {
        let Self { context, prefix, .. } = self;
        let message = format!("json: cannot unmarshal {found} into Go struct field {context}.{prefix}{field} of type {wanted}");
        SchemaError::at(at, ErrorKind::Malformed, message)
    }

    pub(super) fn text(&self, field: &str, value: &Value, at: &At<'_>, wanted: &str) -> Result<String, SchemaError> {
        match value {
            Value::Null => Ok(String::new()),
            Value::String(text) => Ok(text.clone()),
            _ => Err(self.refuse(field, json::kind(value), at, wanted)),
        }
    }

    pub(super) fn texts(&self, field: &str, value: &Value, at: &At<'_>) -> Result<BTreeMap<String, String>, SchemaError> {
        let mut out = BTreeMap::new();
        for (key, value) in self.map(field, value, at, "map[string]string")? {
            out.insert(key.to_owned(), self.text(field, value, &at.key(key), "string")?);
        }
        Ok(out)
    }

    pub(super) fn flag(&self, field: &str, value: &Value, at: &At<'_>) -> Result<bool, SchemaError> {
        match value {
            Value::Null => Ok(false),
            Value::Bool(flag) => Ok(*flag),
            _ => Err(self.refuse(field, json::kind(value), at, "bool")),
        }
    }

    pub(super) fn int(&self, field: &str, value: &Value, at: &At<'_>) -> Result<(), SchemaError> {
        match value {
            Value::Null => Ok(()),
            Value::Number(number) => match read(number) {
                GoNumber::Float(float) if float != float.trunc() || float.abs() > 9e18 => {
                    Err(self.refuse(field, &format!("number {}", float::json(float)), at, "int64"))
                }
                _ => Ok(()),
            },
            _ => Err(self.refuse(field, json::kind(value), at, "int64")),
        }
    }

    pub(super) fn list<'v>(&self, field: &str, value: &'v Value, at: &At<'_>, wanted: &str) -> Result<&'v [Value], SchemaError> {
        match value {
            Value::Null => Ok(&[]),
            Value::Array(list) => Ok(list),
            _ => Err(self.refuse(field, json::kind(value), at, wanted)),
        }
    }

    pub(super) fn map<'v>(
        &self,
        field: &str,
        value: &'v Value,
        at: &At<'_>,
        wanted: &str,
    ) -> Result<Vec<(&'v str, &'v Value)>, SchemaError> {
        match value {
            Value::Null => Ok(Vec::new()),
            Value::Object(map) => Ok(sorted(map)),
            _ => Err(self.refuse(field, json::kind(value), at, wanted)),
        }
    }

    pub(super) fn drop(&mut self, at: &At<'_>) {
        let FieldPath(steps) = at.path();
        self.dropped.push(Dropped { field: prune::name(&steps), path: FieldPath(steps) });
    }
}

/// A time, which is the value of the Go struct field `field`.
///
/// Follows apimachinery v0.36.2 `pkg/apis/meta/v1/time.go` (`UnmarshalJSON`).
pub(super) fn time(field: &str, value: &Value, at: &At<'_>) -> Result<(), SchemaError> {
    let message = match value {
        Value::Null => return Ok(()),
        Value::String(text) => match gotime::rewrite(text) {
            Ok(_) => return Ok(()),
            Err(words) => words,
        },
        _ => format!("json: cannot unmarshal {} into Go struct field {field} of type string", json::kind(value)),
    };
    Err(SchemaError::at(at, ErrorKind::Malformed, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_times() {
        let told =
            |text: &str| time("ObjectMeta.creationTimestamp", &Value::from(text), &At::ROOT).map_err(|error| error.message);
        for good in ["2026-08-21T10:00:00Z", "2026-08-21T1:00:00Z", "2026-08-21T10:00:00.5+02:00"] {
            assert_eq!(told(good), Ok(()), "{good}");
        }
        for bad in ["", "2026-08-21", "2026-13-21T10:00:00Z", "2026-02-30T10:00:00Z", "2026-08-21T10:00:00", "x"] {
            assert!(told(bad).unwrap_err().starts_with(&format!("parsing time \"{bad}\"")), "{bad}");
        }
    }
}
