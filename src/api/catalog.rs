//! A [`ClusterCatalog`], as the controller gets to see it.

use super::field::{integer, text};
use super::schema::Schema;
use super::{Field, Kind, Manifest};
use crate::target::Target;
use serde_json::Value;
use std::collections::BTreeMap;

/// The label that every catalog in a cluster has: its own name.
pub const METADATA_NAME_LABEL: &str = "olm.operatorframework.io/metadata.name";

/// A ClusterCatalog: its manifest, and the object that the cluster would store.
///
/// The accessors speak of the stored object, as those of [`super::ClusterExtension`] do.
#[derive(Debug, Clone)]
pub struct ClusterCatalog {
    /// What was written.
    pub manifest: Manifest,
    /// What the cluster stores.
    pub object: Value,
}

/// Whether a catalog is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AvailabilityMode {
    /// It is.
    Available,
    /// It is switched off: no extension finds anything in it.
    Unavailable,
}

impl ClusterCatalog {
    /// The view of a manifest under a target; `None` where it is no ClusterCatalog.
    pub fn read(manifest: &Manifest, target: &Target) -> Option<Self> {
        if manifest.kind() != Some(Kind::ClusterCatalog) {
            return None;
        }
        let object = Schema::of(Kind::ClusterCatalog, target).default(manifest.object());
        Some(Self { manifest: manifest.clone(), object })
    }

    /// `metadata.name`, or nothing.
    pub fn name(&self) -> &str {
        self.manifest.name()
    }

    /// `metadata.labels`, and the one that the cluster sets whatever is written: [`METADATA_NAME_LABEL`].
    ///
    /// Follows operator-controller v1.11.0 `internal/catalogd/webhook/cluster_catalog_webhook.go`.
    pub fn labels(&self) -> BTreeMap<String, String> {
        let written = self.object.pointer("/metadata/labels").and_then(Value::as_object).into_iter().flatten();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut labels: BTreeMap<_, _> = written.map(|(key, value)| (key.clone(), text(value))).collect();
        labels.insert(METADATA_NAME_LABEL.to_owned(), self.name().to_owned());
        labels
    }

    /// `spec.priority`: of two catalogs that serve a bundle, the one with the higher number wins.
    pub fn priority(&self) -> i64 {
        integer(&self.object, "spec.priority").map_or(0, |field| field.value)
    }

    /// `spec.availabilityMode`.
    pub fn availability_mode(&self) -> AvailabilityMode {
        match text(&self.object, "spec.availabilityMode").map(|field| field.value) {
            Some("Unavailable") => AvailabilityMode::Unavailable,
            _ => AvailabilityMode::Available,
        }
    }

    /// `spec.source.image.ref`: the image that holds the catalog.
    pub fn image(&self) -> Option<Field<&str>> {
        text(&self.object, "spec.source.image.ref")
    }

    /// `spec.source.image.pollIntervalMinutes`: how often the cluster looks for a newer image under the same reference.
    pub fn poll_interval_minutes(&self) -> Option<Field<i64>> {
        integer(&self.object, "spec.source.image.pollIntervalMinutes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ClusterExtension;
    use crate::api::manifest::testing::manifest;
    use serde_json::json;

    fn read(metadata: Value, spec: Value) -> ClusterCatalog {
        let object =
            json!({"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterCatalog", "metadata": metadata, "spec": spec});
        let manifest = manifest(&object);
        assert!(ClusterExtension::read(&manifest, &Target::default()).is_none());
        ClusterCatalog::read(&manifest, &Target::default()).unwrap()
    }

    #[test]
    fn the_cluster_adds_a_label() {
        let catalog = read(json!({"name": "a", "labels": {METADATA_NAME_LABEL: "b", "team": "x"}}), json!({}));
        let labels: Vec<_> = catalog.labels().into_iter().collect();
        assert_eq!(labels, [(METADATA_NAME_LABEL.into(), "a".into()), ("team".into(), "x".into())]);
    }

    #[test]
    fn fields_and_defaults() {
        let catalog =
            read(json!({"name": "a"}), json!({"source": {"image": {"ref": "quay.io/o/c:v1", "pollIntervalMinutes": 10}}}));
        assert_eq!((catalog.priority(), catalog.availability_mode()), (0, AvailabilityMode::Available));
        assert_eq!(catalog.image().unwrap().value, "quay.io/o/c:v1");
        assert_eq!(catalog.poll_interval_minutes().unwrap().path.to_string(), "spec.source.image.pollIntervalMinutes");
        let catalog = read(json!({"name": "a"}), json!({"priority": -5, "availabilityMode": "Unavailable"}));
        assert_eq!((catalog.priority(), catalog.availability_mode()), (-5, AvailabilityMode::Unavailable));
        assert_eq!(catalog.image(), None);
    }
}
