//! A version that objects are stored at must stay.

use super::registry::{CrdComparison, CrdObjection, Objection};
use crate::go::list;

pub(crate) const NAME: &str = "storedVersionRemoval";
pub(crate) const HELP: &str = "migrate every object to a version that stays and drop the old one from the CRD's status.storedVersions before the upgrade, \
     or keep the version, unserved, for one more release";

/// Follows crdify bb9957db pkg/validations/crd/storedversionremoval/storedversionremoval.go.
pub(crate) fn compare(crds: &CrdComparison<'_>) -> Vec<CrdObjection> {
    let removed: Vec<&str> =
        crds.before.stored_versions.iter().filter(|stored| crds.after.version(stored).is_none()).map(String::as_str).collect();
    if removed.is_empty() {
        return Vec::new();
    }
    let kept: Vec<&str> = crds.after.versions.iter().map(|v| v.name.as_str()).collect();
    let objection = Objection {
        message: format!("stored versions removed : {}", list(&removed)),
        plain: format!("objects may be stored at {}, which the CRD no longer has", removed.join(", ")),
        before: Some(crds.before.stored_versions.clone().into()),
        after: Some(kept.into()),
        identity: None,
    };
    vec![CrdObjection { objection, property: None }]
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{findings, versions};
    use serde_json::json;

    #[test]
    fn a_stored_version_must_stay() {
        let schema = json!({"openAPIV3Schema": {"type": "object"}});
        let version = |name: &str, storage: bool| json!({"name": name, "served": true, "storage": storage, "schema": schema});
        let mut before = versions(json!([version("v1beta1", false), version("v1", true)]));
        let after = versions(json!([version("v1", true)]));
        // Without a status, what is stored is what is written.
        assert_eq!(findings(&before, &after), []);
        before["status"] = json!({"storedVersions": ["v1alpha1", "v1beta1", "v1"]});
        let found = findings(&before, &after);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].message, "stored versions removed : [v1alpha1 v1beta1]");
        assert_eq!(findings(&versions(json!([version("v1beta1", true)])), &after)[0].check, "storedVersionRemoval");
    }
}
