//! For programs: an interface with a version.

use super::summary::{self, Ignored, Report};
use super::{level_name, summary::failure};
use crate::crd;
use crate::finding::{Finding, Label, Level};
use crate::plan::{CatalogContent, CrdFinding, CrdVerdict, ExtensionPlan, Plan};
use crate::resolve::CatalogStory;
use serde_json::{Map, Value, json};

/// The version of what `lint` and `check` print.
pub const SCHEMA_VERSION: u32 = 1;

/// `check`.
pub fn check(report: &Report<'_>) -> Value {
    json!({
        "schemaVersion": SCHEMA_VERSION,
        "comparedWith": report.plan.compared_with,
        "targets": report.plan.targets,
        "approximations": summary::approximations(report.plan),
        "findings": report.findings.iter().map(finding).collect::<Vec<_>>(),
        "ignored": report.ignored.iter().map(ignored).collect::<Vec<_>>(),
        "summary": counts(report.findings, Some(report.plan)),
        "catalogs": report.plan.catalogs.iter().map(|c| json!({
            "cluster": c.cluster,
            "catalog": c.view.name(),
            "ref": c.view.image().map(|f| f.value),
            "state": catalog_state(&c.content),
            "digest": match &c.content { CatalogContent::Read { digest, .. } => digest.as_deref(), _ => None },
        })).collect::<Vec<_>>(),
        "extensions": report.plan.extensions.iter().map(extension).collect::<Vec<_>>(),
    })
}

fn catalog_state(content: &CatalogContent) -> &'static str {
    match content {
        CatalogContent::Refused => "refused",
        CatalogContent::Unavailable => "unavailable",
        CatalogContent::Unselected => "unselected",
        CatalogContent::Read { .. } => "read",
        CatalogContent::Failed(_) => "failed",
    }
}

fn extension(plan: &ExtensionPlan) -> Value {
    let mut object = resolution(plan);
    object.shift_remove("candidates");
    object.shift_remove("catalogs");
    object.insert("status".to_owned(), plan.status.word().into());
    let changes = plan.changes.as_ref().ok().map(|changes| {
        let change = |c: &crate::plan::ObjectChange| {
            let verb = match (&c.before, &c.after) {
                (None, _) => "added",
                (_, None) => "removed",
                _ => "changed",
            };
            let replaces = c.replaces.as_ref().map(|k| &k.name);
            json!({"group": c.key.group, "kind": c.key.kind, "namespace": c.key.namespace, "name": c.key.name, "change": verb, "replaces": replaces})
        };
        changes.iter().map(change).collect::<Vec<_>>()
    });
    object.insert("objects".to_owned(), json!(changes));
    let crds = match &plan.crds {
        CrdVerdict::NotApplicable => Value::Null,
        CrdVerdict::Checked { findings, changes, enforced, approximation, .. } => {
            let finding = |f: &CrdFinding| {
                let mut value = crd_finding(&f.finding, f.before.as_ref(), f.after.as_ref());
                if let Some(map) = value.as_object_mut() {
                    map.insert("waived".to_owned(), f.waiver.is_some().into());
                }
                value
            };
            json!({
                "enforced": enforced,
                "approximation": approximation,
                "findings": findings.iter().map(finding).collect::<Vec<_>>(),
                "changes": changes.as_ref().ok(),
            })
        }
        CrdVerdict::Unknown(problem) => json!({"error": problem.message}),
    };
    object.insert("crds".to_owned(), crds);
    Value::Object(object)
}

/// `resolve`: one extension.
pub fn resolution(plan: &ExtensionPlan) -> Map<String, Value> {
    let mut object = Map::new();
    let after = plan.after.as_ref();
    object.insert("cluster".to_owned(), json!(plan.cluster));
    object.insert("extension".to_owned(), json!(plan.name));
    let resolved = after.and_then(|a| a.outcome.resolved());
    let package = after.and_then(|a| a.view.package()).map(|f| f.value);
    object.insert("package".to_owned(), json!(package));
    match (resolved, after.and_then(|a| failure(&a.outcome))) {
        (Some(resolved), _) => {
            object.insert("bundle".to_owned(), json!(resolved.bundle));
            object.insert("version".to_owned(), json!(resolved.version.version.to_string()));
            object.insert("release".to_owned(), json!(resolved.version.release.as_ref().map(ToString::to_string)));
            object.insert("image".to_owned(), json!(resolved.image));
            object.insert("catalog".to_owned(), json!(resolved.catalog));
        }
        (None, error) => {
            object.insert("error".to_owned(), json!(error));
        }
    }
    let installed =
        plan.installed.as_ref().map(|i| json!({"name": i.bundle.name, "version": i.bundle.version, "release": i.bundle.release}));
    object.insert("installed".to_owned(), json!(installed));
    object.insert("deprecation".to_owned(), after.map_or(Value::Null, |a| a.deprecation.clone()));
    let hints: Vec<String> = after.iter().flat_map(|a| &a.hints).map(ToString::to_string).collect();
    object.insert("hints".to_owned(), json!(hints));
    if let Some(story) = after.and_then(|a| a.story.as_ref()) {
        let catalog =
            |c: &CatalogStory| json!({"catalog": c.catalog, "priority": c.priority, "verdict": c.verdict, "reason": c.reason});
        object.insert("catalogs".to_owned(), json!(story.catalogs.iter().map(catalog).collect::<Vec<_>>()));
        object.insert("candidates".to_owned(), json!(story.candidates().collect::<Vec<_>>()));
    }
    object
}

/// A finding of the CRD check, and where both sides stand.
pub fn crd_finding(finding: &crd::Finding, before: Option<&Label>, after: Option<&Label>) -> Value {
    let mut value = json!(finding);
    if let Some(map) = value.as_object_mut() {
        map.insert("beforePlace".to_owned(), before.map_or(Value::Null, |l| place(l).into()));
        map.insert("afterPlace".to_owned(), after.map_or(Value::Null, |l| place(l).into()));
    }
    value
}

fn place(label: &Label) -> Map<String, Value> {
    let Label { image, path, place, .. } = label;
    let mut map = Map::new();
    map.insert("image".to_owned(), json!(image));
    map.insert("path".to_owned(), json!(path));
    map.insert("line".to_owned(), json!(place.line));
    map.insert("column".to_owned(), json!(place.column));
    map.insert("endLine".to_owned(), json!(place.end_line));
    map.insert("endColumn".to_owned(), json!(place.end_column));
    map
}

fn label(label: &Label) -> Value {
    let mut map = place(label);
    map.insert("text".to_owned(), json!(label.text));
    Value::Object(map)
}

/// `lint`.
pub fn lint(findings: &[Finding], ignored_findings: &[Ignored]) -> Value {
    json!({
        "schemaVersion": SCHEMA_VERSION,
        "findings": findings.iter().map(finding).collect::<Vec<_>>(),
        "ignored": ignored_findings.iter().map(ignored).collect::<Vec<_>>(),
        "summary": counts(findings, None),
    })
}

/// One finding.
pub fn finding(finding: &Finding) -> Value {
    json!({
        "rule": finding.rule,
        "level": level_name(finding.level),
        "message": finding.message,
        "path": finding.path,
        "line": finding.place.map(|p| p.line),
        "column": finding.place.map(|p| p.column),
        "endLine": finding.place.map(|p| p.end_line),
        "endColumn": finding.place.map(|p| p.end_column),
        "cluster": finding.cluster,
        "extension": finding.extension,
        "field": finding.field.as_ref().map(ToString::to_string),
        "help": finding.help,
        "labels": finding.labels.iter().map(label).collect::<Vec<_>>(),
    })
}

fn ignored(ignored: &Ignored) -> Value {
    let mut value = finding(&ignored.finding);
    if let Some(object) = value.as_object_mut() {
        object.insert("reason".to_owned(), json!(ignored.reason));
    }
    value
}

fn counts(findings: &[Finding], plan: Option<&Plan>) -> Value {
    let of = |level| findings.iter().filter(|f| f.level == level).count();
    let mut counts = json!({"errors": of(Level::Error), "warnings": of(Level::Warning), "notes": of(Level::Note)});
    if let (Some(plan), Some(object)) = (plan, counts.as_object_mut()) {
        object.insert("extensions".to_owned(), plan.extensions.len().into());
        object.insert("headline".to_owned(), summary::headline(plan).into());
    }
    counts
}

/// Why an extension gets nothing, in the controller's words.
pub fn error(plan: &ExtensionPlan) -> String {
    plan.after.as_ref().and_then(|a| failure(&a.outcome)).unwrap_or_default()
}

/// Why the changes of an extension's objects are not known; empty where they are.
pub fn why_no_diff(plan: &ExtensionPlan) -> String {
    let failed = plan.after.as_ref().and_then(|a| failure(&a.outcome));
    failed.or_else(|| plan.changes.as_ref().err().cloned()).unwrap_or_default()
}

/// `diff`.
pub fn diff(plan: &Plan) -> Value {
    let changes = |extension: &ExtensionPlan| {
        let change = |c: &crate::plan::ObjectChange| json!({"group": c.key.group, "kind": c.key.kind, "namespace": c.key.namespace, "name": c.key.name, "replaces": c.replaces.as_ref().map(|k| &k.name), "before": c.before, "after": c.after});
        let changes = extension.changes.as_ref().ok().map(|c| c.iter().map(change).collect::<Vec<_>>());
        json!({"cluster": extension.cluster, "extension": extension.name, "changes": changes, "error": extension.changes.as_ref().err()})
    };
    Value::Array(plan.extensions.iter().map(changes).collect())
}
