//! Applying a deployment configuration: [`apply`].

use super::{affinity, lists};
use crate::render::release::Release;
use serde_json::{Map, Value};

type Object = Map<String, Value>;

/// Changes a deployment's metadata and spec as the configuration says.
pub(in crate::render) fn apply(config: &Object, release: Release, metadata: &mut Object, spec: &mut Object) {
    if let Some(pod) = spec.get_mut("template").and_then(|template| template.get_mut("spec")).and_then(Value::as_object_mut) {
        apply_to_pod(config, release, pod);
    }
    let Some(annotations) = config.get("annotations").and_then(Value::as_object).filter(|map| !map.is_empty()) else { return };
    annotate(metadata, annotations);
    let template = spec.get_mut("template").and_then(|template| template.get_mut("metadata"));
    if let Some(template) = template.and_then(Value::as_object_mut) {
        annotate(template, annotations);
    }
}

fn apply_to_pod(config: &Object, release: Release, pod: &mut Object) {
    let merge = if release.always_takes_deployment_config() { lists::add } else { lists::replace_by_name };
    let list = |key| config.get(key).and_then(Value::as_array).filter(|items| !items.is_empty());
    if let Some(containers) = pod.get_mut("containers").and_then(Value::as_array_mut) {
        for container in containers.iter_mut().filter_map(Value::as_object_mut) {
            if let Some(env) = list("env") {
                lists::replace_by_name(container, "env", env);
            }
            if let Some(sources) = list("envFrom") {
                lists::add_missing(container, "envFrom", sources);
            }
            if let Some(mounts) = list("volumeMounts") {
                merge(container, "volumeMounts", mounts);
            }
            if let Some(resources) = config.get("resources") {
                container.insert("resources".to_owned(), resources.clone());
            }
            container.sort_keys();
        }
    }
    if let Some(volumes) = list("volumes") {
        merge(pod, "volumes", volumes);
    }
    if let Some(tolerations) = list("tolerations") {
        lists::add_missing(pod, "tolerations", tolerations);
    }
    match config.get("nodeSelector").and_then(Value::as_object) {
        // Go leaves an empty map out.
        Some(selector) if selector.is_empty() => {
            pod.shift_remove("nodeSelector");
        }
        Some(selector) => {
            pod.insert("nodeSelector".to_owned(), Value::Object(selector.clone()));
        }
        None => {}
    }
    if let Some(wanted) = config.get("affinity").and_then(Value::as_object) {
        affinity::apply(wanted, release, pod);
    }
    pod.sort_keys();
}

/// Adds the annotations that are not there yet.
fn annotate(metadata: &mut Object, annotations: &Object) {
    let own = metadata.entry("annotations").or_insert_with(|| Value::Object(Map::new()));
    if let Some(own) = own.as_object_mut() {
        for (key, value) in annotations {
            own.entry(key).or_insert_with(|| value.clone());
        }
        own.sort_keys();
    }
    metadata.sort_keys();
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Object {
        let Value::Object(map) = value else { panic!("no object") };
        map
    }

    fn newest() -> Release {
        Release::of(&crate::target::Target::default())
    }

    #[test]
    fn every_container_and_the_pod_are_changed() {
        let config = object(json!({
            "env": [{"name": "A", "value": "2"}, {"name": "B"}],
            "envFrom": [{"prefix": "P"}],
            "volumes": [{"name": "v", "emptyDir": {}}],
            "volumeMounts": [{"name": "v", "mountPath": "/v"}],
            "tolerations": [{"key": "k"}, {"key": "l"}],
            "resources": {"limits": {"cpu": "1"}},
            "nodeSelector": {"n": ""},
            "annotations": {"a": "new", "b": "new"},
        }));
        let mut metadata = object(json!({"name": "d"}));
        let mut spec = object(json!({"template": {"metadata": {"annotations": {"a": "old"}}, "spec": {
            "containers": [{"name": "c", "env": [{"name": "A", "value": "1"}], "envFrom": [{"prefix": "P"}], "resources": {}}],
            "tolerations": [{"key": "k"}],
            "volumes": [{"name": "v", "secret": {}}],
        }}}));
        apply(&config, newest(), &mut metadata, &mut spec);
        assert_eq!(metadata["annotations"], json!({"a": "new", "b": "new"}));
        assert_eq!(
            spec["template"],
            json!({"metadata": {"annotations": {"a": "old", "b": "new"}}, "spec": {
                "containers": [{
                    "name": "c",
                    "env": [{"name": "A", "value": "2"}, {"name": "B"}],
                    "envFrom": [{"prefix": "P"}],
                    "resources": {"limits": {"cpu": "1"}},
                    "volumeMounts": [{"name": "v", "mountPath": "/v"}],
                }],
                "nodeSelector": {"n": ""},
                "tolerations": [{"key": "k"}, {"key": "l"}],
                "volumes": [{"name": "v", "emptyDir": {}}],
            }})
        );
    }

    #[test]
    fn an_empty_node_selector_takes_the_deployments_away() {
        let config = object(json!({"nodeSelector": {}, "env": []}));
        let mut spec = object(json!({"template": {"metadata": {}, "spec": {"nodeSelector": {"a": "b"}, "containers": null}}}));
        apply(&config, newest(), &mut Map::new(), &mut spec);
        assert_eq!(spec["template"]["spec"], json!({"containers": null}));
    }
}
