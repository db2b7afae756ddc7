//! Whether a value fits a schema.
//!
//! Follows santhosh-tekuri/jsonschema v6 `validator.go` for draft 7. Where that goes through a map in Go's random order, here
//! names are sorted.

use super::failure::{Failure, Reason, Words};
use super::schema::{Additional, Form, Kind, NAME_LENGTH, Namespace, Relation, Schema, document};
use crate::go::quote;
use crate::place::FieldPath;
use serde_json::{Map, Value};

/// What a check needs besides the schema.
#[derive(Debug, Clone, Copy)]
pub(super) struct Check<'a> {
    pub install_namespace: &'a str,
    pub words: Words,
}

impl Check<'_> {
    /// What is wrong with the value; `None` where it fits.
    pub fn run(self, schema: &Schema, value: &Value, path: &FieldPath) -> Option<Failure> {
        let fail = |reason, causes| Failure { reason, path: path.clone(), causes };
        if let Some(reference) = &schema.reference {
            let target = document().definitions.get(reference)?;
            let failure = self.run(target, value, path)?;
            let causes = if matches!(failure.reason, Reason::Group) { failure.causes } else { vec![failure] };
            return Some(fail(Reason::Reference, causes));
        }
        if let Some(want) = schema.kind
            && !is(value, want)
        {
            return Some(fail(Reason::Type { got: kind_of(value).name(), want }, Vec::new()));
        }
        if let (Some(namespace), Value::String(name)) = (schema.namespace, value)
            && let Some(reason) = self.relation(namespace.relation, name)
        {
            return Some(fail(reason, Vec::new()));
        }
        let mut failures = Vec::new();
        match value {
            Value::Object(map) => self.object(schema, map, path, &mut failures),
            Value::Array(items) => {
                if let Some(item) = &schema.items {
                    let each = items.iter().enumerate();
                    failures.extend(each.filter_map(|(n, value)| self.run(item, value, &path.index(n))));
                }
            }
            Value::String(name) => {
                let reasons = schema.namespace.map(|namespace| form(namespace, name)).unwrap_or_default();
                failures.extend(reasons.into_iter().map(|reason| fail(reason, Vec::new())));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
        self.combined(schema, value, path, &mut failures);
        match failures.len() {
            0 | 1 => failures.pop(),
            _ => Some(fail(Reason::Group, failures)),
        }
    }

    fn object(self, schema: &Schema, map: &Map<String, Value>, path: &FieldPath, failures: &mut Vec<Failure>) {
        let fail = |reason| Failure { reason, path: path.clone(), causes: Vec::new() };
        let missing: Vec<String> = schema.required.iter().filter(|name| !map.contains_key(*name)).cloned().collect();
        if !missing.is_empty() {
            failures.push(fail(Reason::Required(missing)));
        }
        let mut names: Vec<&String> = map.keys().collect();
        names.sort_unstable();
        let mut unknown = Vec::new();
        for name in names {
            let Some(value) = map.get(name) else { continue };
            let fits = match (schema.properties.get(name), &schema.additional_properties) {
                (Some(schema), _) => schema,
                (None, Some(Additional::Fits(schema))) => schema,
                (None, Some(Additional::Allowed(false))) => {
                    unknown.push(name.clone());
                    continue;
                }
                (None, Some(Additional::Allowed(true)) | None) => continue,
            };
            failures.extend(self.run(fits, value, &path.key(name.as_str())));
        }
        if !unknown.is_empty() {
            failures.push(fail(Reason::Additional(unknown)));
        }
    }

    fn combined(self, schema: &Schema, value: &Value, path: &FieldPath, failures: &mut Vec<Failure>) {
        let fail = |reason, causes| Failure { reason, path: path.clone(), causes };
        let run_each =
            |schemas: &[Schema]| -> Vec<Option<Failure>> { schemas.iter().map(|schema| self.run(schema, value, path)).collect() };
        let all: Vec<Failure> = run_each(&schema.all_of).into_iter().flatten().collect();
        if !all.is_empty() {
            failures.push(fail(Reason::AllOf, all));
        }
        if !schema.any_of.is_empty() {
            let results = run_each(&schema.any_of);
            if results.iter().all(Option::is_some) {
                failures.push(fail(Reason::AnyOf, results.into_iter().flatten().collect()));
            }
        }
        if !schema.one_of.is_empty() {
            let results = run_each(&schema.one_of);
            let mut fitting = results.iter().enumerate().filter(|(_, result)| result.is_none()).map(|(n, _)| n);
            match (fitting.next(), fitting.next()) {
                (None, _) => failures.push(fail(Reason::OneOf(None), results.into_iter().flatten().collect())),
                (Some(a), Some(b)) => failures.push(fail(Reason::OneOf(Some((a, b))), Vec::new())),
                (Some(_), None) => {}
            }
        }
    }

    /// Whether a namespace stands to the one of the installation as it must.
    fn relation(self, relation: Relation, name: &str) -> Option<Reason> {
        let own = self.install_namespace;
        if own.is_empty() {
            return None;
        }
        let subject = if self.words == Words::First { "watchNamespace " } else { "" };
        let (format, words) = match relation {
            Relation::Own if name != own => (
                "ownNamespaceInstallMode",
                format!(
                    "invalid value {}: {subject}must be {} (the namespace where the operator is installed) because this operator only \
                     supports OwnNamespace install mode",
                    quote(name),
                    quote(own)
                ),
            ),
            Relation::Other if name == own => (
                "singleNamespaceInstallMode",
                format!(
                    "invalid value {}: {subject}must be different from {} (the install namespace) because this operator uses \
                     SingleNamespace install mode to watch a different namespace",
                    quote(name),
                    quote(own)
                ),
            ),
            _ => return None,
        };
        Some(Reason::Format { got: name.to_owned(), name: format, words })
    }
}

/// What is wrong with the form of a namespace's name.
fn form(namespace: Namespace, name: &str) -> Vec<Reason> {
    if namespace.form == Form::Unchecked {
        return Vec::new();
    }
    let mut reasons = Vec::new();
    let length = name.chars().count();
    if length < 1 {
        reasons.push(Reason::MinLength { got: length, want: 1 });
    }
    if length > NAME_LENGTH {
        reasons.push(Reason::MaxLength { got: length, want: NAME_LENGTH });
    }
    let letters = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if !letters || name.is_empty() || name.starts_with('-') || name.ends_with('-') {
        reasons.push(Reason::Pattern);
    }
    reasons
}

fn kind_of(value: &Value) -> Kind {
    match value {
        Value::Null => Kind::Null,
        Value::Bool(_) => Kind::Boolean,
        Value::Number(_) => Kind::Number,
        Value::String(_) => Kind::String,
        Value::Array(_) => Kind::Array,
        Value::Object(_) => Kind::Object,
    }
}

fn is(value: &Value, want: Kind) -> bool {
    match (want, value) {
        (Kind::Integer, Value::Number(number)) => number.as_f64().is_some_and(|float| float.fract() == 0.0),
        _ => kind_of(value) == want,
    }
}
