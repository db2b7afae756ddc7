//! Affinity: an empty one takes the deployment's away, an empty part takes that part away.

use crate::render::release::Release;
use serde_json::{Map, Value};

const PARTS: [&str; 3] = ["nodeAffinity", "podAffinity", "podAntiAffinity"];
const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";

/// Changes a pod's affinity as the configuration's says.
pub(super) fn apply(wanted: &Map<String, Value>, release: Release, pod: &mut Map<String, Value>) {
    if release.always_takes_deployment_config() {
        return set_parts(wanted, pod);
    }
    let own = match pod.shift_remove("affinity") {
        Some(Value::Object(own)) if !wanted.is_empty() => own,
        None if !wanted.is_empty() => Map::new(),
        _ => return,
    };
    let mut own = own;
    for part in PARTS {
        match wanted.get(part) {
            Some(value) if is_empty(part, value) => {
                own.shift_remove(part);
            }
            Some(value) => {
                own.insert(part.to_owned(), value.clone());
            }
            None => {}
        }
    }
    own.sort_keys();
    // A part of the deployment's own may be empty too.
    if PARTS.iter().any(|part| own.get(*part).is_some_and(|value| !is_empty(part, value))) {
        pod.insert("affinity".to_owned(), Value::Object(own));
    }
}

/// As 1.8 does it: each part that is given, empty or not.
fn set_parts(wanted: &Map<String, Value>, pod: &mut Map<String, Value>) {
    let own = pod.entry("affinity").or_insert_with(|| Value::Object(Map::new()));
    if let Some(own) = own.as_object_mut() {
        let parts = wanted.iter().filter(|(part, _)| PARTS.contains(&part.as_str()));
        own.extend(parts.map(|(part, value)| (part.clone(), value.clone())));
        own.sort_keys();
    }
}

fn is_empty(part: &str, value: &Value) -> bool {
    let empty = |list: Option<&Value>| list.and_then(Value::as_array).is_none_or(Vec::is_empty);
    let required = value.get(REQUIRED);
    let required = if part == "nodeAffinity" { required.and_then(|terms| terms.get("nodeSelectorTerms")) } else { required };
    empty(required) && empty(value.get(PREFERRED))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn applied(wanted: Value, own: Value) -> Value {
        let (Value::Object(wanted), Value::Object(mut pod)) = (wanted, own) else { panic!("no objects") };
        apply(&wanted, Release::of(&crate::target::Target::default()), &mut pod);
        Value::Object(pod)
    }

    #[test]
    fn parts_are_set_and_taken_away() {
        let pods = json!({PREFERRED: [{"weight": 1}]});
        let own = json!({"affinity": {"podAffinity": pods}});
        assert_eq!(applied(json!({}), own.clone()), json!({}));
        assert_eq!(applied(json!({"podAffinity": {}}), own.clone()), json!({}));
        assert_eq!(
            applied(json!({"podAntiAffinity": pods}), own.clone()),
            json!({"affinity": {"podAffinity": pods, "podAntiAffinity": pods}})
        );
        assert_eq!(applied(json!({"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": []}}}), own.clone()), own);
        assert_eq!(applied(json!({"nodeAffinity": {}}), json!({})), json!({}));
    }
}
