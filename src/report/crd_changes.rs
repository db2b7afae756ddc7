//! What changes of CRDs, beside the verdict on it.

use super::summary::{NOTHING, counted, full_name};
use crate::crd::{self, ChangeKind};
use crate::finding::Level;
use crate::plan::{CrdFinding, CrdVerdict, ExtensionPlan, Plan};
use serde_json::Value;
use std::collections::HashSet;

/// The CRDs of an extension that change, and all that changes.
pub(super) struct CrdChanges {
    /// "CRDs of weir: 2 errors stop the upgrade".
    pub(super) title: String,
    /// The changes that are shown, as [`cells`] has them.
    pub(super) rows: Vec<Vec<String>>,
    /// What is not among them, in words.
    pub(super) more: Vec<String>,
}

/// How many changes of an extension's CRDs are shown.
const CHANGES: usize = 40;

/// What changes of the CRDs of each extension, beside the verdict on it.
pub(super) fn of(plan: &Plan) -> Vec<CrdChanges> {
    plan.extensions.iter().filter_map(of_extension).collect()
}

fn of_extension(extension: &ExtensionPlan) -> Option<CrdChanges> {
    let CrdVerdict::Checked { findings, changes, enforced, .. } = &extension.crds else { return None };
    let name = full_name(extension.cluster.as_deref(), &extension.name);
    let changes = match changes {
        Ok(changes) if changes.is_empty() => return None,
        Ok(changes) => changes,
        Err(why) => {
            let title = format!("CRDs of {name}: what changes is not known");
            let more = vec![why.clone()];
            return Some(CrdChanges { title, rows: Vec::new(), more });
        }
    };
    let title = format!("CRDs of {name}: {}", verdict(findings, *enforced));
    let (texts, told): (Vec<&crd::Change>, Vec<&crd::Change>) = changes.iter().partition(|c| c.is_description());
    let left_out = told.len().saturating_sub(CHANGES);
    let more = [
        (left_out > 0).then(|| format!("and {}; --format json has them all", counted(left_out, "more change"))),
        (!texts.is_empty()).then(|| format!("and {} of descriptions", counted(texts.len(), "change"))),
    ];
    let rows = told.into_iter().take(CHANGES).map(cells).collect();
    Some(CrdChanges { title, rows, more: more.into_iter().flatten().collect() })
}

/// What the check comes to: "safe", "2 errors stop the upgrade".
fn verdict(findings: &[CrdFinding], enforced: bool) -> String {
    let errors = findings.iter().filter(|f| f.finding.level == Level::Error).count();
    let waived = findings.iter().filter(|f| f.finding.level == Level::Error && f.waiver.is_some()).count();
    let verb = if errors == 1 { "stops" } else { "stop" };
    let verdict = match (errors, enforced) {
        (0, _) => "safe".to_owned(),
        (n, true) => format!("{} {verb} the upgrade", counted(n, "error")),
        (n, false) => format!("{} that the switched-off check lets through", counted(n, "error")),
    };
    if waived > 0 { format!("{verdict}, {waived} of them waived here") } else { verdict }
}

/// A change of a CRD in a table.
pub(super) fn cells(change: &crd::Change) -> Vec<String> {
    let or_nothing = |text: &Option<String>| text.clone().unwrap_or_else(|| NOTHING.to_owned());
    let value = |v: Option<String>| v.map_or_else(|| NOTHING.to_owned(), |v| short(&v));
    let (before, after) = values(change);
    let kind = match &change.keyword {
        Some(keyword) => format!("{} {keyword}", change.kind.words()),
        None => change.kind.words().to_owned(),
    };
    vec![change.crd.clone(), or_nothing(&change.version), or_nothing(&change.field), kind, value(before), value(after)]
}

/// Both sides of a change, less what hides it in a table: the prose of a field that comes or goes, and what long lists share.
fn values(change: &crd::Change) -> (Option<String>, Option<String>) {
    let text = |v: &Option<Value>| v.as_ref().map(Value::to_string);
    let (before, after) = (text(&change.before), text(&change.after));
    match (&change.before, &change.after) {
        _ if matches!(change.kind, ChangeKind::FieldAdded | ChangeKind::FieldRemoved) => {
            let shape = |v: &Option<Value>| v.as_ref().map(|v| without_prose(v).to_string());
            (shape(&change.before), shape(&change.after))
        }
        (Some(Value::Array(was)), Some(Value::Array(is))) if [&before, &after].into_iter().flatten().any(|v| too_long(v)) => {
            (Some(only(was, is)), Some(only(is, was)))
        }
        _ => (before, after),
    }
}

/// A schema without its descriptions; a property of that name stays.
fn without_prose(schema: &Value) -> Value {
    match schema {
        Value::Object(keywords) => {
            let keyword = |(name, value): (&String, &Value)| match (name.as_str(), value) {
                ("description", Value::String(_)) => None,
                ("default" | "enum" | "example", value) => Some((name.clone(), value.clone())),
                ("properties" | "patternProperties" | "definitions", Value::Object(named)) => {
                    Some((name.clone(), named.iter().map(|(name, schema)| (name.clone(), without_prose(schema))).collect()))
                }
                (_, value) => Some((name.clone(), without_prose(value))),
            };
            keywords.iter().filter_map(keyword).collect()
        }
        Value::Array(schemas) => schemas.iter().map(without_prose).collect(),
        other => other.clone(),
    }
}

/// The items that the other list lacks, after a sign for those that both have; the list as it is where they differ in order alone.
fn only(list: &[Value], other: &[Value]) -> String {
    let (there, here): (HashSet<&Value>, HashSet<&Value>) = (other.iter().collect(), list.iter().collect());
    if there == here {
        return Value::from(list).to_string();
    }
    let own: Vec<String> = list.iter().filter(|item| !there.contains(item)).map(Value::to_string).collect();
    let shared = (own.len() < list.len()).then(|| "...".to_owned());
    format!("[{}]", shared.into_iter().chain(own).collect::<Vec<_>>().join(","))
}

/// How many characters of a value a table shows.
const LONGEST: usize = 60;

fn too_long(text: &str) -> bool {
    text.chars().nth(LONGEST).is_some()
}

/// A value that fits a table.
fn short(text: &str) -> String {
    if too_long(text) { format!("{}...", text.chars().take(LONGEST).collect::<String>()) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sides(kind: ChangeKind, before: Value, after: Value) -> (Option<String>, Option<String>) {
        let (crd, side) = ("weirs.water.example".to_owned(), |v: Value| Some(v).filter(|v| !v.is_null()));
        values(&crd::Change { crd, version: None, field: None, kind, keyword: None, before: side(before), after: side(after) })
    }

    #[test]
    fn a_new_field_is_shown_by_its_shape() {
        let field = json!({"description": "long prose", "type": "object", "default": {"description": "x"}, "properties": {
            "description": {"description": "more", "type": "string"}}});
        let shown = r#"{"type":"object","default":{"description":"x"},"properties":{"description":{"type":"string"}}}"#;
        assert_eq!(sides(ChangeKind::FieldAdded, Value::Null, field), (None, Some(shown.to_owned())));
    }

    #[test]
    fn of_long_lists_what_differs_is_shown() {
        let long = "a".repeat(LONGEST);
        let shown = |before, after| {
            let (before, after) = sides(ChangeKind::FieldChanged, before, after);
            [before.unwrap(), after.unwrap()]
        };
        assert_eq!(shown(json!([long, "b"]), json!([long, "c"])), [r#"[...,"b"]"#, r#"[...,"c"]"#]);
        assert_eq!(shown(json!([long, "b"]), json!([long])), [r#"[...,"b"]"#, "[...]"]);
        assert_eq!(shown(json!(["a", "b"]), json!(["b"])), [r#"["a","b"]"#, r#"["b"]"#]);
        let [before, after] = shown(json!([long, "b"]), json!(["b", long]));
        assert_ne!(before, after);
    }
}
