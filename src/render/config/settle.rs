//! From `spec.config` to what a rendering uses: [`settle`].

use super::check::Check;
use super::failure::problems;
use super::problem::Marking;
use super::schema::{Form, document};
use super::watch_namespace::{self, Presence};
use crate::bundle::go::{self, Decoder};
use crate::bundle::{Bundle, InstallMode};
use crate::place::FieldPath;
use crate::render::error::RenderError;
use crate::render::options::RenderOptions;
use crate::target::Gate;
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
/// Follows operator-controller `internal/operator-controller/applier/provider.go` (v1.11.0).
///
/// # Errors
/// Where the controller refuses the configuration.
pub(in crate::render) fn settle(bundle: &Bundle, options: &RenderOptions<'_>) -> Result<Settled, RenderError> {
    let base = FieldPath::of("spec.config.inline");
    let nothing = Value::Object(Map::new());
    let inline = inline(options.config).unwrap_or(&nothing);
    let with_deployments = options.target.has(Gate::DeploymentConfig);
    let mut schema = document().root.clone();
    match watch_namespace::schema(&bundle.csv, Form::Checked) {
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
    let check = Check { install_namespace: options.install_namespace };
    if let Some(failure) = check.run(&schema, inline, &FieldPath::root()) {
        let gate = missing_gate(bundle, options, inline);
        return Err(RenderError::Config {
            problems: problems(failure, &base),
            gate,
            since: gate.and_then(|gate| options.target.first_with(gate)),
            terminal: Marking::Terminal,
        });
    }
    let watch_namespace = inline.get("watchNamespace").and_then(Value::as_str).map(str::to_owned);
    let deployment_config = match inline.get("deploymentConfig") {
        Some(config) if with_deployments && !config.is_null() => Some(read_deployment_config(config, &base)?),
        _ => None,
    };
    Ok(Settled { watch_namespace, deployment_config })
}

/// `spec.config.inline`, where the configuration is inline and there.
fn inline(config: Option<&Value>) -> Option<&Value> {
    let config = config.filter(|config| config.get("configType").and_then(Value::as_str) == Some("Inline"))?;
    config.get("inline").filter(|inline| !inline.is_null())
}

/// The gate that would make the configuration fit, as far as a field of it is concerned.
fn missing_gate(bundle: &Bundle, options: &RenderOptions<'_>, inline: &Value) -> Option<Gate> {
    let _ = (bundle, InstallMode::AllNamespaces);
    let wants = inline.get("deploymentConfig").is_some() && !options.target.has(Gate::DeploymentConfig);
    wants.then_some(Gate::DeploymentConfig)
}

fn read_deployment_config(config: &Value, base: &FieldPath) -> Result<Map<String, Value>, RenderError> {
    let mut config = config.clone();
    let shape = go::named("operators/v1alpha1.SubscriptionConfig");
    go::normalize(&mut config, &shape, Decoder::AnyCaseJson).map_err(|mismatch| {
        let mut field = base.key("deploymentConfig");
        field.0.extend(mismatch.path().0);
        RenderError::DeploymentConfig { message: mismatch.to_string(), field }
    })?;
    match config {
        Value::Object(map) => Ok(map),
        _ => Ok(Map::new()),
    }
}
