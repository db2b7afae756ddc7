//! The volumes that hold a deployment's serving certificate: any that stand in their place go, from the pod and from each
//! container, and the right ones are put at the end.

use crate::render::release::Release;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

struct CertVolume {
    name: &'static str,
    path: &'static str,
    certificate: &'static str,
    key: &'static str,
}

const VOLUMES: [CertVolume; 2] = [
    CertVolume { name: "webhook-cert", path: "/tmp/k8s-webhook-server/serving-certs", certificate: "tls.crt", key: "tls.key" },
    CertVolume {
        name: "apiservice-cert",
        path: "/apiserver.local.config/certificates",
        certificate: "apiserver.crt",
        key: "apiserver.key",
    },
];

/// Mounts the certificate in a secret into every container of a deployment's spec.
pub(super) fn mount(spec: &mut Map<String, Value>, secret: &str, release: Release) {
    let Some(pod) = spec.get_mut("template").and_then(|template| template.get_mut("spec")).and_then(Value::as_object_mut) else {
        return;
    };
    let mut replaced: BTreeSet<String> = VOLUMES.iter().map(|volume| volume.name.to_owned()).collect();
    let by_path = release.is_thorough_with_webhooks();
    for container in pod.get("containers").filter(|_| by_path).and_then(Value::as_array).into_iter().flatten() {
        for mount in container.get("volumeMounts").and_then(Value::as_array).into_iter().flatten() {
            let path = mount.get("mountPath").and_then(Value::as_str);
            if VOLUMES.iter().any(|volume| Some(volume.path) == path) {
                replaced.insert(name_of(mount).to_owned());
            }
        }
    }
    let volume = |volume: &CertVolume| {
        json!({
            "name": volume.name,
            "secret": {
                "items": [{"key": "tls.crt", "path": volume.certificate}, {"key": "tls.key", "path": volume.key}],
                "secretName": secret,
            },
        })
    };
    // 1.3 has them the other way round.
    let volumes = || {
        let (forth, back) = if by_path { (Some(VOLUMES.iter()), None) } else { (None, Some(VOLUMES.iter().rev())) };
        forth.into_iter().flatten().chain(back.into_iter().flatten())
    };
    replace(pod, "volumes", &replaced, volumes().map(volume));
    for container in pod.get_mut("containers").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(container) = container.as_object_mut() {
            let mount = |volume: &CertVolume| json!({"mountPath": volume.path, "name": volume.name});
            replace(container, "volumeMounts", &replaced, volumes().map(mount));
        }
    }
}

fn replace(owner: &mut Map<String, Value>, key: &str, replaced: &BTreeSet<String>, with: impl Iterator<Item = Value>) {
    let list = owner.entry(key).or_insert(Value::Null);
    let mut kept = match list.take() {
        Value::Array(items) => items,
        _ => Vec::new(),
    };
    kept.retain(|item| !replaced.contains(name_of(item)));
    kept.extend(with);
    *list = Value::Array(kept);
    if !owner.keys().is_sorted() {
        owner.sort_keys();
    }
}

fn name_of(item: &Value) -> &str {
    item.get("name").and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_their_place_goes() {
        let spec = json!({"template": {"spec": {
            "containers": [{"name": "a", "volumeMounts": [
                {"name": "cert", "mountPath": "/tmp/k8s-webhook-server/serving-certs"},
                {"name": "data", "mountPath": "/data"},
            ]}, {"name": "b"}],
            "volumes": [{"name": "cert"}, {"name": "data"}, {"name": "webhook-cert"}],
        }}});
        let Value::Object(mut spec) = spec else { panic!("no object") };
        mount(&mut spec, "s", Release::of(&crate::target::Target::default()));
        let pod = &spec["template"]["spec"];
        let names = |list: &Value| -> Vec<String> { list.as_array().unwrap().iter().map(|v| name_of(v).to_owned()).collect() };
        assert_eq!(names(&pod["volumes"]), ["data", "webhook-cert", "apiservice-cert"]);
        assert_eq!(names(&pod["containers"][0]["volumeMounts"]), ["data", "webhook-cert", "apiservice-cert"]);
        assert_eq!(names(&pod["containers"][1]["volumeMounts"]), ["webhook-cert", "apiservice-cert"]);
        assert_eq!(pod["volumes"][2]["secret"]["items"][1], json!({"key": "tls.key", "path": "apiserver.key"}));
    }
}
