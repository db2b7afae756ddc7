//! What is asked for: the part of a ClusterExtension that resolution looks at, and what is installed.

use crate::api::{LabelSelector, MalformedSelector};
use crate::target::{Gate, Resolver, Target};
use crate::version::MastermindsRelease;
use serde::Serialize;
use serde_json::Value;

/// What an extension asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Request {
    /// `packageName`.
    pub package: String,
    /// `version`, a Masterminds/semver range; empty where none is given.
    pub version: String,
    /// `channels`; empty where any channel will do.
    pub channels: Vec<String>,
    /// `selector`; `None` selects every catalog.
    pub selector: Option<LabelSelector>,
    /// `upgradeConstraintPolicy`.
    pub policy: UpgradeConstraintPolicy,
    /// What is installed, if anything.
    pub installed: Option<InstalledBundle>,
    /// What counts as a bundle's release.
    pub releases: ReleaseSupport,
    /// Which code resolves it.
    pub resolver: Resolver,
    /// What reads `version`.
    pub masterminds: MastermindsRelease,
}

/// Whether the edges of a channel bind an upgrade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpgradeConstraintPolicy {
    /// Only a successor of what is installed will do.
    #[default]
    CatalogProvided,
    /// Any bundle will do, older ones included.
    SelfCertified,
}

/// What counts as a bundle's release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReleaseSupport {
    /// Nothing does: build metadata is part of the version, and has no place in the order.
    None,
    /// Its version's build metadata.
    #[default]
    Legacy,
    /// An explicit `release` where there is one, else the version's build metadata: with the gate BundleReleaseSupport.
    Explicit,
    /// As [`Self::Legacy`], of whatever length: the controller limits it from 1.11 on.
    LegacyOfAnyLength,
    /// As [`Self::Explicit`], of whatever length.
    ExplicitOfAnyLength,
}

/// A bundle that is installed, as `status.install.bundle` has it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct InstalledBundle {
    /// The bundle's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its release; `None` where the version's build metadata is to be read as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
}

/// An extension that asks for nothing that could be resolved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// A field is missing or not of its type.
    #[error("{field}: must be {want}")]
    Malformed {
        /// The field.
        field: &'static str,
        /// What belongs there.
        want: &'static str,
    },
    /// The selector is malformed.
    #[error("spec.source.catalog.selector: {0}")]
    Selector(MalformedSelector),
}

impl Request {
    /// Reads what an extension asks for from the whole object, with the defaults that the API server fills in.
    ///
    /// # Errors
    /// Where a field that is needed is missing or of the wrong type: the API server refuses such an object.
    pub fn from_extension(extension: &Value, installed: Option<InstalledBundle>, target: &Target) -> Result<Self, RequestError> {
        let malformed = |field, want| RequestError::Malformed { field, want };
        let catalog = extension.pointer("/spec/source/catalog").filter(|catalog| catalog.is_object());
        let catalog = catalog.ok_or_else(|| malformed("spec.source.catalog", "an object"))?;
        let text = |name, field| match catalog.get(name) {
            None | Some(Value::Null) => Ok(""),
            Some(Value::String(text)) => Ok(text.as_str()),
            Some(_) => Err(malformed(field, "a string")),
        };
        let package = text("packageName", "spec.source.catalog.packageName")?;
        if package.is_empty() {
            return Err(malformed("spec.source.catalog.packageName", "the name of a package"));
        }
        let policy = match text("upgradeConstraintPolicy", "spec.source.catalog.upgradeConstraintPolicy")? {
            "SelfCertified" => UpgradeConstraintPolicy::SelfCertified,
            _ => UpgradeConstraintPolicy::CatalogProvided,
        };
        let channels = match catalog.get("channels") {
            None | Some(Value::Null) => Vec::new(),
            Some(channels) => strings(channels).ok_or_else(|| malformed("spec.source.catalog.channels", "a list of strings"))?,
        };
        let selector = match catalog.get("selector") {
            None | Some(Value::Null) => None,
            Some(selector) => Some(LabelSelector::from_value(selector).map_err(RequestError::Selector)?),
        };
        Ok(Self {
            package: package.to_owned(),
            version: text("version", "spec.source.catalog.version")?.to_owned(),
            channels,
            selector,
            policy,
            installed,
            releases: ReleaseSupport::of(target),
            resolver: target.resolver(),
            masterminds: MastermindsRelease::numbered(target.masterminds()),
        })
    }
}

impl ReleaseSupport {
    /// What the target does.
    pub fn of(target: &Target) -> Self {
        match (target.resolver(), target.has(Gate::BundleReleaseSupport)) {
            (Resolver::V1_0 | Resolver::V1_2, _) => Self::None,
            (Resolver::V1_8 | Resolver::V1_9, false) => Self::LegacyOfAnyLength,
            (Resolver::V1_8 | Resolver::V1_9, true) => Self::ExplicitOfAnyLength,
            (Resolver::V1_11, false) => Self::Legacy,
            (Resolver::V1_11, true) => Self::Explicit,
        }
    }
}

impl InstalledBundle {
    /// Reads `status.install.bundle` of a ClusterExtension; `None` where nothing is installed.
    pub fn from_status(extension: &Value) -> Option<Self> {
        Self::from_value(extension.pointer("/status/install/bundle")?)
    }

    /// Reads an object with `name`, `version` and, maybe, `release`; `None` where a name or a version is missing.
    pub fn from_value(bundle: &Value) -> Option<Self> {
        let text = |name| bundle.get(name).and_then(Value::as_str).map(str::to_owned);
        Some(Self { name: text("name")?, version: text("version")?, release: text("release") })
    }
}

fn strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|v| v.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reads_an_extension() {
        let extension = json!({
            "spec": {"source": {"sourceType": "Catalog", "catalog": {
                "packageName": "p", "channels": ["a"], "selector": {}, "upgradeConstraintPolicy": "SelfCertified"}}},
            "status": {"install": {"bundle": {"name": "p.v1", "version": "1.0.0"}}}
        });
        let installed = InstalledBundle::from_status(&extension);
        let request = Request::from_extension(&extension, installed.clone(), &Target::default()).unwrap();
        assert_eq!(
            request,
            Request {
                package: "p".to_owned(),
                channels: vec!["a".to_owned()],
                selector: Some(LabelSelector::default()),
                policy: UpgradeConstraintPolicy::SelfCertified,
                installed: Some(InstalledBundle { name: "p.v1".to_owned(), version: "1.0.0".to_owned(), release: None }),
                ..Request::default()
            }
        );
    }

    #[test]
    fn refuses_what_the_api_server_refuses() {
        let refused = |extension| Request::from_extension(&extension, None, &Target::default()).unwrap_err().to_string();
        assert_eq!(refused(json!({})), "spec.source.catalog: must be an object");
        let catalog = |catalog| json!({"spec": {"source": {"catalog": catalog}}});
        assert_eq!(refused(catalog(json!({}))), "spec.source.catalog.packageName: must be the name of a package");
        assert_eq!(
            refused(catalog(json!({"packageName": "p", "channels": [1]}))),
            "spec.source.catalog.channels: must be a list of strings"
        );
        assert_eq!(
            refused(catalog(json!({"packageName": "p", "selector": []}))),
            "spec.source.catalog.selector: selector: must be an object"
        );
    }
}
