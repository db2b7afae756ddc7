//! The bundle's CRDs; one that a conversion webhook names is converted by it.

use crate::bundle::{Webhook, WebhookKind};
use crate::render::certificates::Provisioner;
use crate::render::context::Context;
use crate::render::error::RenderError;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub(super) fn generate(context: &Context<'_>) -> Result<Vec<Value>, RenderError> {
    let mut webhooks: BTreeMap<&str, Webhook<'_>> = BTreeMap::new();
    for webhook in context.csv().webhooks().filter(|webhook| webhook.kind() == WebhookKind::Conversion) {
        for crd in webhook.conversion_crds() {
            if webhooks.insert(crd, webhook).is_some() {
                let message =
                    format!("custom resource definition '{crd}' is referenced by multiple conversion webhook definitions");
                return Err(RenderError::Generate { message });
            }
        }
    }
    let crd = |crd: &crate::bundle::Manifest| {
        let object = without_status(&crd.object);
        match webhooks.get(crd.name()) {
            Some(webhook) => converted(context, crd.name(), object, *webhook),
            None => Ok(object),
        }
    };
    context.bundle.crds.iter().map(crd).collect()
}

/// A copy of an object without its status.
pub(super) fn without_status(object: &Value) -> Value {
    let Some(map) = object.as_object() else { return object.clone() };
    let fields = map.iter().filter(|(key, _)| *key != "status");
    Value::Object(fields.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>())
}

fn converted(context: &Context<'_>, name: &str, mut object: Value, webhook: Webhook<'_>) -> Result<Value, RenderError> {
    let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut) else { return Ok(object) };
    if spec.get("preserveUnknownFields").and_then(Value::as_bool) == Some(true) {
        let message = format!(
            "custom resource definition '{name}' must have .spec.preserveUnknownFields set to false to let API Server call webhook \
             to do the conversion"
        );
        return Err(RenderError::Generate { message });
    }
    let provisioner = Provisioner::new(context, webhook.deployment_name());
    let conversion = json!({
        "strategy": "Webhook",
        "webhook": {
            "clientConfig": {
                "service": {
                    "name": provisioner.service,
                    "namespace": context.install_namespace,
                    "path": webhook.field("webhookPath").and_then(Value::as_str).unwrap_or("/"),
                    "port": webhook.container_port(),
                },
            },
            "conversionReviewVersions": webhook.field("admissionReviewVersions").cloned().unwrap_or(Value::Null),
        },
    });
    spec.insert("conversion".to_owned(), conversion);
    spec.sort_keys();
    provisioner.inject_authority(&mut object);
    Ok(object)
}
