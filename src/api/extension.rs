//! A [`ClusterExtension`], as the controller gets to see it.

use super::field::{at, integer, text};
use super::schema::Schema;
use super::{Field, Kind, Manifest};
use crate::target::Target;
use serde_json::{Map, Value};

/// A ClusterExtension: its manifest, and the object that the cluster would store.
///
/// The accessors speak of the stored object: a field that the target's schema does not know is not there, and one that is left
/// out has its default. A value of the wrong type counts as left out; the rule `invalid-object` speaks of it.
#[derive(Debug, Clone)]
pub struct ClusterExtension {
    /// What was written.
    pub manifest: Manifest,
    /// What the cluster stores.
    pub object: Value,
}

/// Whether changes of CRDs are checked before they are applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CrdUpgradeSafety {
    /// They are; an unsafe one stops the upgrade.
    Strict,
    /// They are not.
    None,
}

/// The bundle that is installed, as the controller last reported it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstalledBundle<'a> {
    /// The bundle's name.
    pub name: &'a str,
    /// Its version.
    pub version: &'a str,
    /// Its release, where the controller reports one.
    pub release: Option<&'a str>,
}

impl ClusterExtension {
    /// The view of a manifest under a target; `None` where it is no ClusterExtension.
    pub fn read(manifest: &Manifest, target: &Target) -> Option<Self> {
        if manifest.kind() != Some(Kind::ClusterExtension) {
            return None;
        }
        let object = Schema::of(Kind::ClusterExtension, target).default(manifest.object());
        Some(Self { manifest: manifest.clone(), object })
    }

    /// `metadata.name`, or nothing.
    pub fn name(&self) -> &str {
        self.manifest.name()
    }

    /// `spec.namespace`: where the bundle's namespaced objects go.
    pub fn namespace(&self) -> Option<Field<&str>> {
        text(&self.object, "spec.namespace")
    }

    /// `spec.serviceAccount.name`: who installs.
    pub fn service_account(&self) -> Option<Field<&str>> {
        text(&self.object, "spec.serviceAccount.name")
    }

    /// `spec.source.catalog.packageName`.
    pub fn package(&self) -> Option<Field<&str>> {
        text(&self.object, "spec.source.catalog.packageName")
    }

    /// `spec.source.catalog.version`: a range.
    pub fn version(&self) -> Option<Field<&str>> {
        text(&self.object, "spec.source.catalog.version")
    }

    /// `spec.source.catalog.channels`; none means all.
    pub fn channels(&self) -> Vec<Field<&str>> {
        let Some(list) = at(&self.object, "spec.source.catalog.channels") else { return Vec::new() };
        let items = list.value.as_array().into_iter().flatten().enumerate();
        items.filter_map(|(i, v)| v.as_str().map(|value| Field { value, path: list.path.index(i) })).collect()
    }

    /// `spec.source.catalog.selector`: which catalogs are looked into, by label. Left out, all are.
    pub fn selector(&self) -> Option<Field<&Value>> {
        at(&self.object, "spec.source.catalog.selector")
    }

    /// `spec.install.preflight.crdUpgradeSafety.enforcement`.
    pub fn crd_upgrade_safety(&self) -> CrdUpgradeSafety {
        match text(&self.object, "spec.install.preflight.crdUpgradeSafety.enforcement").map(|field| field.value) {
            Some("None") => CrdUpgradeSafety::None,
            _ => CrdUpgradeSafety::Strict,
        }
    }

    /// `spec.config.inline`: the bundle's configuration.
    pub fn config(&self) -> Option<Field<&Map<String, Value>>> {
        let field = at(&self.object, "spec.config.inline")?;
        field.value.as_object().map(|value| Field { value, path: field.path })
    }

    /// `spec.progressDeadlineMinutes`.
    pub fn progress_deadline_minutes(&self) -> Option<Field<i64>> {
        integer(&self.object, "spec.progressDeadlineMinutes")
    }

    /// `status.install.bundle`: what is installed, where the manifest was read from a cluster.
    pub fn installed_bundle(&self) -> Option<Field<InstalledBundle<'_>>> {
        let field = at(&self.object, "status.install.bundle")?;
        let get = |key| field.value.get(key).and_then(Value::as_str);
        let value = InstalledBundle { name: get("name")?, version: get("version")?, release: get("release") };
        Some(Field { value, path: field.path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::manifest::testing::manifest;
    use crate::place::FieldPath;
    use serde_json::json;

    fn read(spec: Value, target: &str) -> ClusterExtension {
        let object = json!({
            "apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterExtension", "metadata": {"name": "argocd"}, "spec": spec,
        });
        ClusterExtension::read(&manifest(&object), &Target::named(target).unwrap()).unwrap()
    }

    #[test]
    fn fields_come_with_their_path() {
        let spec = json!({
            "namespace": "argocd", "serviceAccount": {"name": "installer"}, "progressDeadlineMinutes": 20,
            "install": {"preflight": {"crdUpgradeSafety": {"enforcement": "None"}}},
            "source": {"sourceType": "Catalog", "catalog": {
                "packageName": "argocd-operator", "version": "1.x", "channels": ["alpha", 5, "beta"], "selector": {},
                "upgradeConstraintPolicy": "SelfCertified",
            }},
        });
        let extension = read(spec, "olm-1.9");
        assert_eq!(extension.name(), "argocd");
        assert_eq!(extension.namespace().unwrap().value, "argocd");
        assert_eq!(extension.service_account().unwrap().path, FieldPath::of("spec.serviceAccount.name"));
        assert_eq!(extension.package().unwrap().value, "argocd-operator");
        assert_eq!(extension.version().unwrap().value, "1.x");
        let channels: Vec<_> = extension.channels().iter().map(|c| (c.value, c.path.to_string())).collect();
        let path = "spec.source.catalog.channels";
        assert_eq!(channels, [("alpha", format!("{path}[0]")), ("beta", format!("{path}[2]"))]);
        assert_eq!(extension.selector().unwrap().value, &json!({}));
        assert_eq!(extension.crd_upgrade_safety(), CrdUpgradeSafety::None);
        assert_eq!(extension.progress_deadline_minutes(), None, "the standard set of 1.9 has no such field");
        assert!(extension.manifest.object().pointer("/spec/progressDeadlineMinutes").is_some());
    }

    #[test]
    fn what_is_left_out_has_its_default() {
        let extension = read(json!({"source": {"catalog": {"upgradeConstraintPolicy": null}}}), "olm-1.11");
        assert_eq!(extension.object.pointer("/spec/source/catalog/upgradeConstraintPolicy"), Some(&json!("CatalogProvided")));
        assert_eq!(extension.crd_upgrade_safety(), CrdUpgradeSafety::Strict);
        assert_eq!(extension.package(), None);
        assert!(extension.channels().is_empty() && extension.selector().is_none() && extension.installed_bundle().is_none());
    }

    #[test]
    fn the_configuration_is_there_where_the_target_has_it() {
        let spec = json!({"config": {"configType": "Inline", "inline": {"watchNamespace": "x"}}});
        assert!(read(spec.clone(), "olm-1.11").config().is_none());
        assert_eq!(read(spec.clone(), "olm-1.8").config().unwrap().value.get("watchNamespace"), Some(&json!("x")));
        assert!(read(spec.clone(), "ocp-4.20-preview").config().is_none());
        assert!(read(spec, "ocp-4.21-preview").config().is_some());
    }

    #[test]
    fn the_status_says_what_is_installed() {
        let object = json!({
            "apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterExtension", "metadata": {"name": "argocd"}, "spec": {},
            "status": {"install": {"bundle": {"name": "argocd-operator.v0.6.0", "version": "0.6.0"}}},
        });
        let extension = ClusterExtension::read(&manifest(&object), &Target::default()).unwrap();
        let bundle = extension.installed_bundle().unwrap();
        assert_eq!(bundle.value, InstalledBundle { name: "argocd-operator.v0.6.0", version: "0.6.0", release: None });
        assert_eq!(bundle.path, FieldPath::of("status.install.bundle"));
    }
}
