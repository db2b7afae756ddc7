//! The bundle's other objects as they are, in the namespace that the bundle is installed in where they have one.

use super::crds::without_status;
use crate::bundle::{Manifest, Scope, scope_of};
use crate::render::context::Context;
use crate::render::error::RenderError;
use serde_json::{Map, Value};

pub(super) fn generate(context: &Context<'_>) -> Result<Vec<Value>, RenderError> {
    let other = |manifest: &Manifest| {
        let Some(scope) = scope_of(manifest.kind()) else {
            let (name, kind) = (manifest.name(), manifest.kind());
            let message = format!("bundle contains unsupported resource: Name: {name}, Kind: {kind}");
            return Err(RenderError::Generate { message });
        };
        let mut object = without_status(&manifest.object);
        if scope == Scope::Namespaced {
            set_namespace(&mut object, context.install_namespace);
        }
        Ok(object)
    };
    context.bundle.others.iter().map(other).collect()
}

/// Sets the namespace; metadata that are no map are left alone, as Kubernetes does.
fn set_namespace(object: &mut Value, namespace: &str) {
    let Some(object) = object.as_object_mut() else { return };
    if !namespace.is_empty() && !object.contains_key("metadata") {
        object.insert("metadata".to_owned(), Value::Object(Map::new()));
        object.sort_keys();
    }
    let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else { return };
    if namespace.is_empty() {
        metadata.shift_remove("namespace");
    } else if metadata.insert("namespace".to_owned(), Value::from(namespace)).is_none() {
        metadata.sort_keys();
    }
}
