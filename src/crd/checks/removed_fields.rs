//! A field of a version must stay.

use super::registry::{CrdComparison, CrdObjection, Objection};

pub(crate) const NAME: &str = "existingFieldRemoval";
pub(crate) const HELP: &str = "keep the field in this version, deprecated in its description, and drop it in a new version only";

/// Follows crdify bb9957db pkg/validations/crd/existingfieldremoval/existingfieldremoval.go.
pub(crate) fn compare(crds: &CrdComparison<'_>) -> Vec<CrdObjection> {
    let mut objections = Vec::new();
    for (n, after) in crds.after.versions.iter().enumerate() {
        let Some((m, _)) = crds.before.version(&after.name) else { continue };
        let (Some(Some(before_flat)), Some(Some(after_flat))) = (crds.before_flat.get(m), crds.after_flat.get(n)) else {
            continue;
        };
        for (property, _) in before_flat.beside(after_flat).filter(|(_, after)| after.is_none()) {
            let objection = Objection {
                message: format!("removed field : {}.{}", after.name, property.path),
                plain: format!("the field {} is gone from {}", property.path, after.name),
                before: None,
                after: None,
                identity: None,
            };
            objections.push(CrdObjection { objection, property: Some((after.name.clone(), property.path.clone())) });
        }
    }
    objections
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{crd, findings};
    use serde_json::json;

    #[test]
    fn fields_must_stay() {
        let before = crd(json!({"properties": {"a": {"items": {"type": "string"}}, "b": {}}}));
        let after = crd(json!({"properties": {"b": {}, "c": {}}}));
        let found = findings(&before, &after);
        let removed: Vec<&str> = found.iter().filter(|f| f.check == super::NAME).map(|f| f.message.as_str()).collect();
        assert_eq!(removed, ["removed field : v1.^.a", "removed field : v1.^.a.items"]);
        let fields = (found[0].before_field.field().to_string(), found[0].after_field.field().to_string());
        let root = "spec.versions[0].schema.openAPIV3Schema";
        assert_eq!(fields, (format!("{root}.properties.a"), root.to_owned()));
        // What was there besides its place is an empty schema's difference.
        assert_eq!(findings(&after, &crd(json!({"properties": {"b": {}}})))[0].plain, "the field ^.c is gone from v1");
    }
}
