//! A [`Target`]: a release of the controller plus the feature gates that it runs with, and what it does differently.
//!
//! Facts read from the release tags of operator-controller, the release branches of OpenShift's fork, openshift/api and
//! cluster-olm-operator. What a row does not say is as in the newest release.

use std::collections::BTreeMap;
use std::fmt;

/// A feature gate of operator-controller that changes what is resolved or rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gate {
    /// Own- and SingleNamespace install modes through `spec.config.inline.watchNamespace`.
    SingleOwnNamespaceInstallSupport,
    /// Certificates for webhooks from cert-manager.
    WebhookProviderCertManager,
    /// Certificates for webhooks from OpenShift's service CA.
    WebhookProviderOpenshiftServiceCA,
    /// `spec.config.inline.deploymentConfig`.
    DeploymentConfig,
    /// An explicit `release` in a bundle's `olm.package` property.
    BundleReleaseSupport,
    /// The check of the installer's permissions before anything is applied.
    PreflightPermissions,
}

impl Gate {
    /// Every gate, by name.
    pub const ALL: [Self; 6] = [
        Self::BundleReleaseSupport,
        Self::DeploymentConfig,
        Self::PreflightPermissions,
        Self::SingleOwnNamespaceInstallSupport,
        Self::WebhookProviderCertManager,
        Self::WebhookProviderOpenshiftServiceCA,
    ];

    /// The gate's name, as the controller's `--feature-gates` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::SingleOwnNamespaceInstallSupport => "SingleOwnNamespaceInstallSupport",
            Self::WebhookProviderCertManager => "WebhookProviderCertManager",
            Self::WebhookProviderOpenshiftServiceCA => "WebhookProviderOpenshiftServiceCA",
            Self::DeploymentConfig => "DeploymentConfig",
            Self::BundleReleaseSupport => "BundleReleaseSupport",
            Self::PreflightPermissions => "PreflightPermissions",
        }
    }

    /// The gate of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|g| g.name() == name)
    }
}

/// Whether `spec.serviceAccount` must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceAccount {
    /// The API server refuses an extension without one.
    Required,
    /// It may be there, and is ignored.
    Ignored,
}

/// Who makes the certificates that webhooks serve with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CertificateProvider {
    /// cert-manager: an Issuer and a Certificate a webhook service.
    CertManager,
    /// OpenShift's service CA: annotations.
    OpenShiftServiceCa,
}

/// Which code checks CRD upgrades.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CrdCheck {
    /// The controller's own validator, before crdify.
    FirstGeneration,
    /// crdify 398e4483.
    Crdify398e4483,
    /// crdify 69e65223.
    Crdify69e65223,
    /// crdify 0.5.0: enum additions are allowed.
    Crdify050,
    /// crdify 54162f2e.
    Crdify54162f2e,
    /// crdify bb9957db: `oneOf` is a check.
    CrdifyBb9957db,
}

/// Which code resolves extensions. The older ones come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Resolver {
    /// That of 1.0 and 1.1, which looks at what is installed before it asks whether a catalog has the package.
    V1_0,
    /// That of 1.2 to 1.7: a bundle has a version and no release.
    V1_2,
    /// That of 1.8: build metadata is a release.
    V1_8,
    /// That of 1.9 and 1.10: a bundle may have an explicit release.
    V1_9,
    /// That of 1.11: a release has at most 20 characters.
    #[default]
    V1_11,
}

/// How a gate stands in a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// The release does not know the gate, and does not do what it stands for.
    Absent,
    /// Known, and off.
    Off,
    /// Known, and on.
    On,
    /// No gate any more: always so.
    Always,
}

/// Whose release a target is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Distribution {
    /// operator-controller as released upstream.
    Upstream,
    /// OpenShift.
    OpenShift,
}

#[derive(Debug)]
struct Row {
    distribution: Distribution,
    release: (u32, u32),
    service_account: ServiceAccount,
    webhooks: Stand,
    own_single: Stand,
    deployment_config: Stand,
    release_support: Stand,
    permissions: Stand,
    crd_check: CrdCheck,
    resolver: Resolver,
    /// Of Masterminds/semver 3, which reads version ranges.
    masterminds: (u32, u32),
    schema: u32,
}

const fn upstream(minor: u32) -> Row {
    use Stand::{Absent, Always, Off, On};
    Row {
        distribution: Distribution::Upstream,
        release: (1, minor),
        service_account: if minor >= 11 { ServiceAccount::Ignored } else { ServiceAccount::Required },
        webhooks: match minor {
            0..=2 => Absent,
            3..=5 => Off,
            _ => Always,
        },
        own_single: match minor {
            0..=1 => Absent,
            8 => On,
            _ => Off,
        },
        deployment_config: if minor >= 9 { Off } else { Absent },
        release_support: if minor >= 9 { Off } else { Absent },
        permissions: match minor {
            0..=1 | 11.. => Absent,
            _ => Off,
        },
        crd_check: match minor {
            0..=3 => CrdCheck::FirstGeneration,
            4 => CrdCheck::Crdify398e4483,
            5..=8 => CrdCheck::Crdify050,
            9 => CrdCheck::Crdify54162f2e,
            _ => CrdCheck::CrdifyBb9957db,
        },
        resolver: match minor {
            0..=1 => Resolver::V1_0,
            2..=7 => Resolver::V1_2,
            8 => Resolver::V1_8,
            9..=10 => Resolver::V1_9,
            _ => Resolver::V1_11,
        },
        masterminds: match minor {
            0 => (3, 0),
            1..=3 => (3, 1),
            4..=8 => (4, 0),
            _ => (5, 0),
        },
        schema: minor,
    }
}

const fn openshift(major: u32, minor: u32, schema: u32) -> Row {
    use Stand::{Absent, Always, Off};
    let n = if major >= 5 { 23 + minor } else { minor };
    Row {
        distribution: Distribution::OpenShift,
        release: (major, minor),
        service_account: ServiceAccount::Required,
        webhooks: match n {
            0..=19 => Absent,
            20 => Off,
            _ => Always,
        },
        own_single: if n <= 18 { Absent } else { Off },
        deployment_config: if n >= 22 { Off } else { Absent },
        release_support: if n >= 23 { Off } else { Absent },
        permissions: if n <= 18 { Absent } else { Off },
        crd_check: match n {
            0..=19 => CrdCheck::FirstGeneration,
            20 => CrdCheck::Crdify69e65223,
            21 => CrdCheck::Crdify050,
            22 => CrdCheck::Crdify54162f2e,
            _ => CrdCheck::CrdifyBb9957db,
        },
        resolver: match n {
            0..=21 => Resolver::V1_2,
            22 => Resolver::V1_8,
            _ => Resolver::V1_11,
        },
        masterminds: match n {
            0..=18 => (3, 0),
            19 => (3, 1),
            20..=22 => (4, 0),
            _ => (5, 0),
        },
        schema,
    }
}

/// Every release, oldest first within its distribution. The schema of an OpenShift release is that of the upstream release
/// that its fork was cut from.
static ROWS: [Row; 19] = [
    upstream(0),
    upstream(1),
    upstream(2),
    upstream(3),
    upstream(4),
    upstream(5),
    upstream(6),
    upstream(7),
    upstream(8),
    upstream(9),
    upstream(10),
    upstream(11),
    openshift(4, 18, 0),
    openshift(4, 19, 2),
    openshift(4, 20, 4),
    openshift(4, 21, 7),
    openshift(4, 22, 9),
    openshift(4, 23, 10),
    openshift(5, 0, 10),
];

/// A release of the controller, with the gates that it runs with.
#[derive(Debug, Clone)]
pub struct Target {
    row: &'static Row,
    preview: bool,
    gates: BTreeMap<Gate, bool>,
    certificates: Option<Option<CertificateProvider>>,
}

/// A target name that names no release.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown target {name:?}; the targets are {}", Target::names().join(", "))]
pub struct UnknownTarget {
    /// The name as given.
    pub name: String,
}

/// A feature gate that cannot be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GateError {
    /// No release has a gate of that name.
    #[error("unknown feature gate {name:?}; the gates are {}", Gate::ALL.map(Gate::name).join(", "))]
    Unknown {
        /// The name as given.
        name: String,
    },
    /// The text is not `Name=true` or `Name=false`.
    #[error("{text:?} is no feature gate setting; write Name=true or Name=false")]
    Malformed {
        /// The text as given.
        text: String,
    },
    /// The target does not know the gate.
    #[error("{target} has no feature gate {gate}{}", since.as_ref().map(|s| format!("; the first target that has it is {s}")).unwrap_or_default())]
    NotInTarget {
        /// The target's name.
        target: String,
        /// The gate's name.
        gate: &'static str,
        /// The first target that has it.
        since: Option<String>,
    },
}

impl Default for Target {
    /// The newest upstream release, with the gates that it starts with.
    fn default() -> Self {
        Self::of(&ROWS[11])
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&name_of(self.row))?;
        if self.preview { f.write_str("-preview") } else { Ok(()) }
    }
}

fn name_of(row: &Row) -> String {
    let prefix = match row.distribution {
        Distribution::Upstream => "olm",
        Distribution::OpenShift => "ocp",
    };
    format!("{prefix}-{}.{}", row.release.0, row.release.1)
}

impl Target {
    fn of(row: &'static Row) -> Self {
        Self { row, preview: false, gates: BTreeMap::new(), certificates: None }
    }

    /// The names of all targets, oldest first within their distribution.
    pub fn names() -> Vec<String> {
        ROWS.iter().map(name_of).collect()
    }

    /// The target of that name: `olm-1.11`, `ocp-4.20`; `ocp-4.20-preview` is OpenShift's TechPreviewNoUpgrade feature set.
    ///
    /// # Errors
    /// Where no release has that name.
    pub fn named(name: &str) -> Result<Self, UnknownTarget> {
        let (plain, preview) = match name.strip_suffix("-preview") {
            Some(plain) if plain.starts_with("ocp-") => (plain, true),
            _ => (name, false),
        };
        let row = ROWS.iter().find(|r| name_of(r) == plain).ok_or_else(|| UnknownTarget { name: name.to_owned() })?;
        Ok(Self { preview, ..Self::of(row) })
    }

    /// Sets gates from `Name=true,Name=false`.
    ///
    /// # Errors
    /// Where the text is malformed, or names a gate that this target does not have.
    pub fn set_gates(&mut self, text: &str) -> Result<(), GateError> {
        for part in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let malformed = || GateError::Malformed { text: part.to_owned() };
            let (name, value) = part.split_once('=').ok_or_else(malformed)?;
            let gate = Gate::named(name.trim()).ok_or_else(|| GateError::Unknown { name: name.trim().to_owned() })?;
            let on = match value.trim() {
                "true" => true,
                "false" => false,
                _ => return Err(malformed()),
            };
            self.set_gate(gate, on)?;
        }
        Ok(())
    }

    /// Sets one gate.
    ///
    /// # Errors
    /// Where this target does not have it. A gate that has become permanent may be set to `true`.
    pub fn set_gate(&mut self, gate: Gate, on: bool) -> Result<(), GateError> {
        match stand(self.row, gate) {
            Stand::Off | Stand::On => {
                self.gates.insert(gate, on);
                Ok(())
            }
            Stand::Always if on => Ok(()),
            Stand::Always | Stand::Absent => {
                Err(GateError::NotInTarget { target: self.to_string(), gate: gate.name(), since: self.first_with(gate) })
            }
        }
    }

    /// Makes webhook certificates come from `provider`, whatever the target's own would be; with `None`, bundles with webhooks
    /// are refused.
    pub fn set_certificate_provider(&mut self, provider: Option<CertificateProvider>) {
        self.certificates = Some(provider);
    }

    /// Whether what the gate stands for is done.
    pub fn has(&self, gate: Gate) -> bool {
        let preview = self.preview && gate != Gate::BundleReleaseSupport;
        match stand(self.row, gate) {
            Stand::Absent => false,
            Stand::Always => true,
            Stand::On => self.gates.get(&gate).copied().unwrap_or(true),
            Stand::Off => self.gates.get(&gate).copied().unwrap_or(preview),
        }
    }

    /// Whether this target knows the gate at all, on or off.
    pub fn knows(&self, gate: Gate) -> bool {
        stand(self.row, gate) != Stand::Absent
    }

    /// The first target of the same distribution that knows the gate.
    pub fn first_with(&self, gate: Gate) -> Option<String> {
        ROWS.iter().find(|r| r.distribution == self.row.distribution && stand(r, gate) != Stand::Absent).map(name_of)
    }

    /// Whose release it is.
    pub fn distribution(&self) -> Distribution {
        self.row.distribution
    }

    /// Whether an extension needs a service account.
    pub fn service_account(&self) -> ServiceAccount {
        self.row.service_account
    }

    /// Who makes webhook certificates; `None` where bundles with webhooks are refused.
    pub fn certificate_provider(&self) -> Option<CertificateProvider> {
        if let Some(provider) = self.certificates {
            return provider;
        }
        // operator-controller v1.6.0 cmd/operator-controller/main.go: cert-manager wins where both gates are on.
        let cert_manager = self.has(Gate::WebhookProviderCertManager);
        let service_ca = self.has(Gate::WebhookProviderOpenshiftServiceCA);
        match self.row.distribution {
            Distribution::OpenShift => service_ca.then_some(CertificateProvider::OpenShiftServiceCa),
            Distribution::Upstream if cert_manager => Some(CertificateProvider::CertManager),
            Distribution::Upstream => service_ca.then_some(CertificateProvider::OpenShiftServiceCa),
        }
    }

    /// Which code checks CRD upgrades.
    pub fn crd_check(&self) -> CrdCheck {
        self.row.crd_check
    }

    /// Which code resolves extensions.
    pub fn resolver(&self) -> Resolver {
        self.row.resolver
    }

    /// The minor and the patch of the release of Masterminds/semver 3 that reads version ranges.
    pub fn masterminds(&self) -> (u32, u32) {
        self.row.masterminds
    }

    /// Whether pods get the annotation `olm.operatorNamespace`: only operator-controller 1.11 sets it.
    pub fn annotates_operator_namespace(&self) -> bool {
        self.row.distribution == Distribution::Upstream && self.row.release >= (1, 11)
    }

    /// The minor of the upstream 1.x release whose CRDs the target serves.
    pub fn schema_minor(&self) -> u32 {
        self.row.schema
    }

    /// Whether the experimental set of the CRDs is served: where a gate is on that starts off, and whose fields only that set has.
    pub fn experimental_schema(&self) -> bool {
        let fields = [Gate::SingleOwnNamespaceInstallSupport, Gate::DeploymentConfig, Gate::BundleReleaseSupport];
        self.preview || fields.into_iter().any(|gate| stand(self.row, gate) == Stand::Off && self.has(gate))
    }
}

fn stand(row: &Row, gate: Gate) -> Stand {
    match (gate, row.distribution) {
        (Gate::SingleOwnNamespaceInstallSupport, _) => row.own_single,
        (Gate::DeploymentConfig, _) => row.deployment_config,
        (Gate::BundleReleaseSupport, _) => row.release_support,
        (Gate::PreflightPermissions, _) => row.permissions,
        // From 1.6 on, webhooks are on through cert-manager; the service CA stays a gate.
        (Gate::WebhookProviderCertManager, Distribution::Upstream) if row.webhooks == Stand::Always => Stand::On,
        (Gate::WebhookProviderCertManager, Distribution::Upstream) => row.webhooks,
        (Gate::WebhookProviderOpenshiftServiceCA, Distribution::Upstream) if row.webhooks == Stand::Always => Stand::Off,
        (Gate::WebhookProviderOpenshiftServiceCA, _) => row.webhooks,
        (Gate::WebhookProviderCertManager, Distribution::OpenShift) => Stand::Absent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_follow_the_release() {
        let target = Target::default();
        assert_eq!(target.to_string(), "olm-1.11");
        assert!(!target.has(Gate::DeploymentConfig));
        assert_eq!(target.certificate_provider(), Some(CertificateProvider::CertManager));
        let target = Target::named("olm-1.8").unwrap();
        assert!(target.has(Gate::SingleOwnNamespaceInstallSupport));
        let mut target = Target::named("olm-1.2").unwrap();
        let refused = target.set_gates("DeploymentConfig=true").unwrap_err();
        assert_eq!(refused.to_string(), "olm-1.2 has no feature gate DeploymentConfig; the first target that has it is olm-1.9");
        assert_eq!(target.certificate_provider(), None);
    }

    #[test]
    fn preview_turns_the_gates_on() {
        let target = Target::named("ocp-4.20").unwrap();
        assert_eq!(target.certificate_provider(), None);
        let target = Target::named("ocp-4.20-preview").unwrap();
        assert_eq!(target.certificate_provider(), Some(CertificateProvider::OpenShiftServiceCa));
        assert!(target.has(Gate::SingleOwnNamespaceInstallSupport));
        assert!(Target::named("olm-1.11-preview").is_err());
        assert!(Target::named("olm-2.0").is_err());
    }
}
