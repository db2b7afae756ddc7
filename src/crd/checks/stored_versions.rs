//! A version that objects are stored at must stay.

use super::super::go::list;
use super::registry::{CrdComparison, CrdObjection, Objection};

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
