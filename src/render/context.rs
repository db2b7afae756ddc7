//! What every generator reads: [`Context`].

use super::release::Release;
use crate::bundle::{Bundle, Csv};
use crate::target::{CertificateProvider, Target};
use serde_json::{Map, Value};

/// A validated bundle with the options settled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    pub bundle: &'a Bundle,
    pub install_namespace: &'a str,
    /// The namespaces that are watched; `[""]` stands for all.
    pub target_namespaces: &'a [String],
    pub certificates: Option<CertificateProvider>,
    /// `deploymentConfig`, as Go's struct holds it.
    pub deployment_config: Option<&'a Map<String, Value>>,
    pub target: &'a Target,
    pub release: Release,
}

impl<'a> Context<'a> {
    /// The bundle's CSV.
    pub fn csv(&self) -> &'a Csv {
        &self.bundle.csv
    }

    /// Whether the whole cluster is watched.
    pub fn all_namespaces(&self) -> bool {
        matches!(self.target_namespaces, [only] if only.is_empty())
    }
}
