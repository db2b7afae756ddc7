//! The catalogs that a cluster has, as resolution looks at them.

use crate::catalog::Package;
use crate::go::quote;
use serde_json::Value;
use std::collections::BTreeMap;

/// The label that a cluster puts on each catalog: its name.
pub(super) const NAME_LABEL: &str = "olm.operatorframework.io/metadata.name";

/// A ClusterCatalog, without its content.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Catalog {
    /// The catalog's name.
    pub name: String,
    /// Its labels, the one that the cluster adds included.
    pub labels: BTreeMap<String, String>,
    /// `spec.priority`: the highest wins.
    pub priority: i32,
    /// `spec.availabilityMode`.
    pub availability: Availability,
}

/// Whether a catalog is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Availability {
    /// It is.
    #[default]
    Available,
    /// It is not, and resolution passes it over.
    Unavailable,
}

/// A catalog, and what it holds of the package that is asked for.
#[derive(Debug, Clone)]
pub struct CatalogEntry<'a> {
    /// The catalog.
    pub catalog: &'a Catalog,
    /// The package; `None` where the catalog does not have it, an error where the catalog cannot be read. A catalog that the
    /// request does not select may be left at `Ok(None)`: hints can then not point to it.
    pub content: Result<Option<&'a Package>, String>,
}

impl Catalog {
    /// Reads a ClusterCatalog from the whole object, with the defaults that the API server fills in and the label that the
    /// webhook adds (operator-controller df2c201d internal/catalogd/webhook/cluster_catalog_webhook.go).
    pub fn from_object(object: &Value) -> Self {
        let name = object.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let labels = object.pointer("/metadata/labels").and_then(Value::as_object);
        let mut labels: BTreeMap<String, String> =
            labels.into_iter().flatten().filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect();
        labels.insert(NAME_LABEL.to_owned(), name.clone());
        let priority = object.pointer("/spec/priority").and_then(Value::as_i64);
        let availability = match object.pointer("/spec/availabilityMode").and_then(Value::as_str) {
            Some("Unavailable") => Availability::Unavailable,
            _ => Availability::Available,
        };
        Self { name, labels, priority: priority.and_then(|p| i32::try_from(p).ok()).unwrap_or_default(), availability }
    }

    /// What the controller says of a catalog whose content the cluster could not unpack: the error of a [`CatalogEntry`]'s
    /// content (operator-controller df2c201d internal/operator-controller/catalogmetadata/client/client.go).
    pub fn not_served(&self) -> String {
        format!("catalog {} is not being served", quote(&self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_cluster_labels_a_catalog_with_its_name() {
        let catalog = Catalog::from_object(&json!({
            "metadata": {"name": "a", "labels": {"tier": "gold", NAME_LABEL: "forged"}},
            "spec": {"priority": -3, "availabilityMode": "Unavailable"}
        }));
        assert_eq!((catalog.priority, catalog.availability), (-3, Availability::Unavailable));
        assert_eq!(catalog.labels.get(NAME_LABEL).map(String::as_str), Some("a"));
        assert_eq!(catalog.labels.len(), 2);
        assert_eq!(Catalog::from_object(&json!({})).availability, Availability::Available);
        assert_eq!(catalog.not_served(), "catalog \"a\" is not being served");
    }
}
