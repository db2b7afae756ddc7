//! What the first releases do with braces: they run every object as a template of Helm.

use super::release::Release;
use crate::target::Target;
use serde_json::Value;

/// In what the objects are not known to be those that the target applies; `None` where they are.
///
/// Up to 1.2, an object's JSON is itself a template of a Helm chart, and `{{` in any text of it begins an action. A PrometheusRule
/// with `{{ $labels.pod }}` is refused there: the variable is not defined. From 1.3 on, and in every release of OpenShift, a
/// template only includes the JSON. Follows operator-controller `internal/operator-controller/rukpak/convert/registryv1.go` (v1.2.0).
pub fn approximation(target: &Target, objects: &[Value]) -> Option<&'static str> {
    let templated = Release::of(target).runs_objects_as_templates() && objects.iter().any(braces);
    templated.then_some(
        "objects of the bundle hold {{, which this release runs as an action of a Helm template: it applies another text, or refuses \
         the bundle; the objects here are those before that",
    )
}

/// Whether a text in the value, or a key, begins an action. Nothing else in JSON does.
fn braces(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains("{{"),
        Value::Array(items) => items.iter().any(braces),
        Value::Object(map) => map.iter().any(|(key, value)| key.contains("{{") || braces(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn braces_matter_to_the_first_releases_alone() {
        let said = |target: &str, text: &str| {
            approximation(&Target::named(target).unwrap(), &[json!({"kind": "A", "x": [{"y": text}]})]).is_some()
        };
        assert!(said("olm-1.0", "{{ $labels.x }}") && said("olm-1.2", "a{{b"));
        assert!(!said("olm-1.2", "{ {") && !said("olm-1.3", "{{x}}"));
        assert!(!said("ocp-4.18", "{{x}}") && !said("ocp-4.19", "{{x}}"));
    }
}
