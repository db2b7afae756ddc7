//! From `spec.config` to what a rendering uses: [`settle`].

use super::check::Check;
use super::early;
use super::failure::{Words, problems};
use super::problem::ConfigProblem;
use super::schema::{Form, document};
use super::watch_namespace::{self, Presence};
use crate::bundle::Bundle;
use crate::bundle::go::{self, Decoder};
use crate::go::{json, number};
use crate::place::FieldPath;
use crate::render::error::{Missing, RenderError};
use crate::render::options::RenderOptions;
use crate::render::release::{Release, WatchNamespace};
use crate::target::Gate;
use crate::yaml;
use serde_json::{Map, Value};

/// What a configuration asks for.
#[derive(Debug, Default)]
pub(in crate::render) struct Settled {
    /// The namespace to watch, where one is given.
    pub watch_namespace: Option<String>,
    /// `deploymentConfig` as Go's struct holds it, where it is given.
    pub deployment_config: Option<Map<String, Value>>,
}

/// Checks the configuration against the bundle and reads it.
///
/// Follows operator-controller `internal/operator-controller/applier/provider.go` (v1.11.0, v1.8.0, v1.7.0).
///
/// # Errors
/// Where the controller refuses the configuration.
pub(in crate::render) fn settle(bundle: &Bundle, options: &RenderOptions<'_>) -> Result<Settled, RenderError> {
    let release = Release::of(options.target);
    if release.watch_namespace() != WatchNamespace::Config {
        return early::annotated(options);
    }
    if !release.has_config_schema() {
        return early::strict(bundle, options);
    }
    let gated = options.target.has(Gate::SingleOwnNamespaceInstallSupport);
    if !gated && (options.config.is_none() || !release.always_checks_config()) {
        return Ok(Settled::default());
    }
    held_to_schema(bundle, options, release)
}

fn held_to_schema(bundle: &Bundle, options: &RenderOptions<'_>, release: Release) -> Result<Settled, RenderError> {
    let base = FieldPath::of("spec.config.inline");
    let words = if release.checks_namespace_form() { Words::Later } else { Words::First };
    let nothing = Value::Object(Map::new());
    let inline = &read_again(inline(options.config).unwrap_or(&nothing)).map_err(|message| RenderError::Config {
        prefix: prefix(words),
        problems: vec![ConfigProblem { message, field: base.clone() }],
        missing: None,
    })?;
    let with_deployments = options.target.has(Gate::DeploymentConfig) || release.always_takes_deployment_config();
    let form = if release.checks_namespace_form() { Form::Checked } else { Form::Unchecked };
    let mut schema = document().root.clone();
    match watch_namespace::schema(&bundle.csv, form) {
        Some((watched, presence)) => {
            schema.properties.insert("watchNamespace".to_owned(), watched);
            if presence == Presence::Required {
                schema.required.push("watchNamespace".to_owned());
            }
        }
        None => {
            schema.properties.remove("watchNamespace");
        }
    }
    if !with_deployments {
        schema.properties.remove("deploymentConfig");
    }
    let check = Check { install_namespace: options.install_namespace, words };
    if let Some(failure) = check.run(&schema, inline, &FieldPath::root()) {
        let wants_deployments = inline.get("deploymentConfig").is_some() && !with_deployments;
        return Err(RenderError::Config {
            prefix: prefix(words),
            problems: problems(failure, &base, words),
            missing: wants_deployments.then(|| Missing::new(options.target, Gate::DeploymentConfig)),
        });
    }
    let watch_namespace = inline.get("watchNamespace").and_then(Value::as_str).map(str::to_owned);
    let deployment_config = match inline.get("deploymentConfig") {
        Some(config) if with_deployments && !config.is_null() => Some(read_deployment_config(config, &base)?),
        _ => None,
    };
    Ok(Settled { watch_namespace, deployment_config })
}

fn prefix(words: Words) -> &'static str {
    match words {
        Words::Later => "terminal error: invalid ClusterExtension configuration: invalid configuration: ",
        Words::First => "invalid ClusterExtension configuration: invalid configuration: ",
    }
}

/// The configuration as the controller has it after reading the JSON that the API server gives it as YAML: characters that may stand
/// in JSON may not stand in YAML, or mean something else there; and every number is a float.
fn read_again(inline: &Value) -> Result<Value, String> {
    let mut inline = yaml::read(&json::text(inline)).map_err(|error| {
        let words = error.to_string();
        words.rsplit(':').next().unwrap_or_default().trim().to_owned()
    })?;
    floats(&mut inline);
    Ok(inline)
}

fn floats(value: &mut Value) {
    match value {
        Value::Number(number) => *value = number::from_float(number.as_f64().unwrap_or_default()),
        Value::Array(items) => items.iter_mut().for_each(floats),
        Value::Object(map) => map.values_mut().for_each(floats),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// `spec.config.inline`, where the configuration is inline and there.
pub(super) fn inline(config: Option<&Value>) -> Option<&Value> {
    let config = config.filter(|config| config.get("configType").and_then(Value::as_str) == Some("Inline"))?;
    config.get("inline").filter(|inline| !inline.is_null())
}

fn read_deployment_config(given: &Value, base: &FieldPath) -> Result<Map<String, Value>, RenderError> {
    let mut config = given.clone();
    let shape = go::named("operators/v1alpha1.SubscriptionConfig");
    go::normalize(&mut config, &shape, Decoder::AnyCaseJson).map_err(|mismatch| {
        let mut field = base.key("deploymentConfig");
        field.0.extend(mismatch.path().0);
        RenderError::DeploymentConfig { message: mismatch.to_string(), field }
    })?;
    let Value::Object(mut map) = config else { return Ok(Map::new()) };
    // Go leaves an empty map out where it writes one, and here tells it from none.
    if let Some(selector) = given.get("nodeSelector").filter(|selector| selector.is_object()) {
        map.entry("nodeSelector").or_insert_with(|| selector.clone());
    }
    Ok(map)
}
