//! `render`: the manifests that the controller would apply.

use super::json;
use crate::api;
use crate::api::schema::Schema;
use crate::cli::args::{Format, Global, Render};
use crate::cli::failure::{Failure, bad, chain};
use crate::cli::folder::{self, Name};
use crate::cli::pipeline::{self, How, Planned};
use crate::cli::settings::Settings;
use crate::cli::{Answer, End};
use crate::image::{Kind, Reference};
use crate::lint;
use crate::plan::{Coverage, ExtensionPlan, ObjectKey, Plan, World};
use crate::render::{self, OwnerLabels, RenderOptions};
use crate::report;
use crate::yaml;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

pub(in crate::cli) fn run(global: &Global, arguments: &Render) -> Result<Answer, Failure> {
    if let Some(bundle) = &arguments.bundle {
        return one_bundle(global, arguments, bundle);
    }
    let settings = Settings::new(global, &arguments.compare.paths.paths)?;
    let how = How { owner_labels: owner_labels(arguments), ..How::default() };
    let planned = pipeline::plan(&settings, &arguments.compare, how)?;
    let plan = &planned.plan;
    let failed: Vec<&ExtensionPlan> = there(plan).filter(|e| objects(e).is_none()).collect();
    let mut notes: Vec<String> = failed.iter().map(|e| format!("error: {}: {}", e.name, report::json::error(e))).collect();
    notes.extend(planned.stopped());
    notes.extend(report::approximations(plan).into_iter().map(|words| format!("note: {words}")));
    let text = match (&arguments.out, global.format) {
        (Some(out), _) => {
            let (written, removed) = write(out, &planned)?;
            if removed > 0 {
                notes.push(format!("note: {removed} files of an earlier run were removed"));
            }
            format!("{written} files written to {}\n", out.display())
        }
        (None, Format::Json) => json(&Value::Array(there(plan).map(rendering).collect())),
        (None, _) if arguments.phases => {
            there(plan).filter_map(|e| Some(format!("{}\n{}", report::printable(&e.name), phases(objects(e)?.iter())))).collect()
        }
        (None, _) => yaml::write_documents(&there(plan).filter_map(objects).flatten().cloned().collect::<Vec<_>>()),
    };
    let fails = settings.fail_on(arguments.compare.paths.fail_on).is_some();
    let end = match (plan.incomplete(), failed.is_empty() || !fails) {
        (true, _) => End::Incomplete,
        (false, false) => End::Findings,
        (false, true) => End::Clean,
    };
    Ok(planned.hold_to_lock(Answer { text, notes, end }))
}

fn owner_labels(arguments: &Render) -> OwnerLabels {
    if arguments.no_owner_labels { OwnerLabels::LeaveOut } else { OwnerLabels::Add }
}

fn there(plan: &Plan) -> impl Iterator<Item = &ExtensionPlan> {
    plan.extensions.iter().filter(|e| e.after.is_some())
}

fn objects(extension: &ExtensionPlan) -> Option<&Vec<Value>> {
    extension.after.as_ref()?.outcome.objects().map(AsRef::as_ref)
}

fn rendering(extension: &ExtensionPlan) -> Value {
    let bundle = extension.after.as_ref().and_then(|a| a.outcome.resolved()).map(|r| r.bundle.as_str());
    let mut value = json!({"cluster": extension.cluster, "extension": extension.name, "bundle": bundle});
    let (key, shown) = match objects(extension) {
        Some(objects) => ("objects", json!(objects)),
        None => ("error", json!(report::json::error(extension))),
    };
    if let Some(map) = value.as_object_mut() {
        map.insert(key.to_owned(), shown);
    }
    value
}

/// Writes a file an object; gives how many were written and removed.
fn write(out: &Path, planned: &Planned) -> Result<(usize, usize), Failure> {
    let mut names = Vec::new();
    let mut texts = Vec::new();
    let mut kept = Vec::new();
    // What stands in a manifest that cannot be read is not known, so nothing is taken for gone.
    if planned.coverage == Coverage::Damaged {
        kept.push(String::new());
    }
    for extension in there(&planned.plan) {
        let folders: Vec<String> = extension.cluster.iter().chain([&extension.name]).cloned().collect();
        // No answer, or a refusal: what is installed stays, and so do its files.
        if objects(extension).is_none() {
            kept.push(folder::folder_of(&folders));
        }
        for object in objects(extension).into_iter().flatten() {
            let key = ObjectKey::of(object);
            let api_version = object.get("apiVersion").and_then(Value::as_str).unwrap_or_default().to_owned();
            names.push(Name { folders: folders.clone(), kind: key.kind, api_version, namespace: key.namespace, name: key.name });
            texts.push(yaml::write(object));
        }
    }
    let files: BTreeMap<String, String> = folder::paths(&names, "yaml").into_iter().zip(texts).collect();
    let removed = folder::write(out, &files, &kept)?;
    Ok((files.len(), removed.len()))
}

fn phases<'a>(objects: impl Iterator<Item = &'a Value>) -> String {
    let objects: Vec<Value> = objects.cloned().collect();
    let mut text = String::new();
    for (phase, objects) in render::phases(&objects) {
        text.push_str(phase.name());
        text.push('\n');
        for object in objects {
            text.push_str(&format!("  {}\n", report::printable(&ObjectKey::of(object).to_string())));
        }
    }
    text
}

/// `--bundle`: one bundle, under an extension of the caller's or one made up for it.
fn one_bundle(global: &Global, arguments: &Render, bundle: &str) -> Result<Answer, Failure> {
    let settings = Settings::new(global, &[])?;
    let target = settings.target(None)?;
    let extension = extension(arguments)?;
    let (name, namespace) = (text(&extension, "/metadata/name"), text(&extension, "/spec/namespace"));
    let annotation = extension.pointer("/metadata/annotations").and_then(|a| a.get("olm.operatorframework.io/watch-namespace"));
    let options = RenderOptions {
        extension: name,
        install_namespace: namespace,
        config: extension.pointer("/spec/config"),
        watch_namespace_annotation: annotation.and_then(Value::as_str),
        target: &target,
        owner_labels: owner_labels(arguments),
    };
    // The controller gets to see what the API server lets through; here it sees what was written, and this says so.
    let dropped = Schema::of(api::Kind::ClusterExtension, &target).validate(&extension).dropped;
    let mut notes: Vec<String> = match arguments.compare.paths.paths.iter().any(|p| p.as_os_str() != ".") {
        true => dropped
            .iter()
            .map(|d| {
                format!("note: {} is no field of ClusterExtension in {target}; the API server drops it without a word", d.field)
            })
            .collect(),
        false => Vec::new(),
    };
    let images = settings.images()?;
    let content = if Path::new(bundle).exists() {
        images.open_path(Path::new(bundle), Kind::Bundle)?
    } else {
        let reference =
            Reference::parse(bundle).map_err(|e| bad("--bundle", format!("{bundle} is no folder, and no reference: {e}")))?;
        images.open(&reference, Kind::Bundle)?
    };
    let mut help = None;
    let rendered = World::bundle_of(&content).map_err(|e| e.to_string()).and_then(|b| {
        render::render(&b, &options).map_err(|e| {
            help = Some(format!("help: {}", lint::refusal_help(&e, &target, "the bundle")));
            chain(&e)
        })
    });
    if let Ok(objects) = &rendered {
        notes.extend(render::approximation(&target, objects).map(|words| format!("note: approximated on {target}: {words}")));
    }
    Ok(match (rendered, global.format) {
        (Ok(objects), Format::Json) => Answer { text: json(&Value::Array(objects)), notes, end: End::Clean },
        (Ok(objects), _) if arguments.phases => Answer { text: phases(objects.iter()), notes, end: End::Clean },
        (Ok(objects), _) => Answer { text: yaml::write_documents(&objects), notes, end: End::Clean },
        (Err(error), Format::Json) => {
            notes.extend(help);
            Answer { text: json(&json!({"error": error})), notes, end: End::Findings }
        }
        (Err(error), _) => {
            notes.push(format!("error: {bundle}: {error}"));
            notes.extend(help);
            Answer { text: String::new(), notes, end: End::Findings }
        }
    })
}

/// The extension to render under: a file that was given, or one for `--namespace`.
fn extension(arguments: &Render) -> Result<Value, Failure> {
    let given = arguments.compare.paths.paths.iter().find(|p| p.as_os_str() != ".");
    let mut extension = match given {
        None => json!({"metadata": {"name": "bundle"}, "spec": {"namespace": "bundle-system"}}),
        Some(file) => read_extension(file)?,
    };
    if let Some(namespace) = &arguments.namespace
        && let Some(spec) = extension.get_mut("spec").and_then(Value::as_object_mut)
    {
        spec.insert("namespace".to_owned(), json!(namespace));
    }
    Ok(extension)
}

#[allow(clippy::disallowed_methods)]
fn read_extension(file: &Path) -> Result<Value, Failure> {
    let text = std::fs::read_to_string(file).map_err(|e| Failure::io(file, &e))?;
    let documents = yaml::values(&text).map_err(|e| bad(file.display(), e))?;
    let is_extension = |d: &Value| {
        d.get("kind").and_then(Value::as_str) == Some("ClusterExtension") && d.get("spec").is_some_and(Value::is_object)
    };
    documents.into_iter().find(is_extension).ok_or_else(|| bad(file.display(), "there is no ClusterExtension with a spec in it"))
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
