//! What releases before 1.7 read to know which namespace to watch: an annotation, then a configuration without a schema.
//!
//! Follows operator-controller `internal/operator-controller/applier/watchnamespace.go` (v1.2.0, v1.5.0) and
//! `rukpak/bundle/config.go` (v1.6.0).

use super::problem::ConfigProblem;
use super::settle::{Settled, inline};
use crate::bundle::{Bundle, InstallMode, subdomain_errors};
use crate::go::{json, quote};
use crate::place::FieldPath;
use crate::render::error::RenderError;
use crate::render::options::RenderOptions;
use crate::render::release::{Release, WatchNamespace};
use crate::target::Gate;
use serde_json::Value;

const MALFORMED: &str = "namespace must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an \
                         alphanumeric character";

/// The namespace to watch as a release up to 1.5 finds it.
pub(super) fn annotated(options: &RenderOptions<'_>) -> Result<Settled, RenderError> {
    if !options.target.has(Gate::SingleOwnNamespaceInstallSupport) {
        return Ok(Settled::default());
    }
    let annotation = options.watch_namespace_annotation;
    let namespace = match (Release::of(options.target).watch_namespace(), inline(options.config)) {
        (WatchNamespace::Nothing | WatchNamespace::Config, _) => None,
        (WatchNamespace::Annotation, _) => annotation.filter(|namespace| !namespace.is_empty()).map(str::to_owned),
        (WatchNamespace::ConfigOrAnnotation, Some(inline)) => Some(of_config(inline)?),
        (WatchNamespace::ConfigOrAnnotation, None) => annotation.map(str::to_owned),
    };
    if let Some(namespace) = &namespace
        && !subdomain_errors(namespace).is_empty()
    {
        let message = format!("invalid watch namespace '{namespace}': {MALFORMED}");
        return Err(RenderError::WatchNamespaceAnnotation { message });
    }
    Ok(Settled { watch_namespace: namespace, deployment_config: None })
}

fn of_config(inline: &Value) -> Result<String, RenderError> {
    let refused = |message: String, field: FieldPath| RenderError::Config {
        prefix: "invalid bundle configuration: ",
        problems: vec![ConfigProblem { message, field }],
        missing: None,
    };
    let base = FieldPath::of("spec.config.inline");
    match inline {
        Value::Object(map) => match map.get("watchNamespace") {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(namespace)) => Ok(namespace.clone()),
            Some(other) => Err(refused(
                format!("json: cannot unmarshal {} into Go struct field .watchNamespace of type string", json::kind(other)),
                base.key("watchNamespace"),
            )),
        },
        other => Err(refused(
            format!(
                "json: cannot unmarshal {} into Go value of type struct {{ WatchNamespace string \"json:\\\"watchNamespace\\\"\" }}",
                json::kind(other)
            ),
            base,
        )),
    }
}

/// The configuration as 1.6 reads it, into a struct that knows one field.
pub(super) fn strict(bundle: &Bundle, options: &RenderOptions<'_>) -> Result<Settled, RenderError> {
    if !options.target.has(Gate::SingleOwnNamespaceInstallSupport) {
        return Ok(Settled::default());
    }
    let base = FieldPath::of("spec.config.inline");
    let refused = |message: String, field: FieldPath| {
        Err(RenderError::Config {
            prefix: "invalid bundle configuration: error unmarshalling registry+v1 configuration: ",
            problems: vec![ConfigProblem { message, field }],
            missing: None,
        })
    };
    let field = base.key("watchNamespace");
    let namespace = match inline(options.config) {
        None => None,
        Some(Value::Object(map)) => {
            if let Some(unknown) = map.keys().filter(|key| !key.eq_ignore_ascii_case("watchNamespace")).min() {
                return refused(format!("unknown field {}", quote(unknown)), base.key(unknown.as_str()));
            }
            match map.values().next() {
                None | Some(Value::Null) => None,
                Some(Value::String(namespace)) => Some(namespace.clone()),
                // The reader writes numbers and bools out where a text is wanted.
                Some(scalar @ (Value::Bool(_) | Value::Number(_))) => Some(json::text(scalar)),
                Some(other) => {
                    let got = quote(json::kind(other));
                    return refused(
                        format!("invalid value type for field \"watchNamespace\": expected \"string\" but got {got}"),
                        field,
                    );
                }
            }
        }
        Some(_) => return refused("input is not a valid JSON object".to_owned(), base),
    };
    let supports = |mode| bundle.csv.supports(mode);
    let (own, single) = (supports(InstallMode::OwnNamespace), supports(InstallMode::SingleNamespace));
    let Some(namespace) = namespace else {
        if (own || single) && !supports(InstallMode::AllNamespaces) {
            return refused("required field \"watchNamespace\" is missing".to_owned(), base);
        }
        return Ok(Settled::default());
    };
    let install = options.install_namespace;
    let invalid = |words: String| format!("invalid 'watchNamespace' {}: {words}", quote(&namespace));
    if !own && !single {
        return refused("unknown field \"watchNamespace\"".to_owned(), field);
    }
    if !subdomain_errors(&namespace).is_empty() {
        return refused(invalid(MALFORMED.to_owned()), field);
    }
    if namespace == install && !own {
        return refused(invalid(format!("must not be install namespace ({install})")), field);
    }
    if namespace != install && !single {
        return refused(invalid(format!("must be install namespace ({install})")), field);
    }
    Ok(Settled { watch_namespace: Some(namespace), deployment_config: None })
}
