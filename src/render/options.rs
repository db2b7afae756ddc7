//! What a rendering depends on besides the bundle: [`RenderOptions`].

use crate::target::Target;
use serde_json::Value;

/// Whether objects get the labels that say whose they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnerLabels {
    /// As the controller applies them.
    Add,
    /// As the bundle gives them.
    LeaveOut,
}

/// What a rendering depends on besides the bundle.
#[derive(Debug, Clone, Copy)]
pub struct RenderOptions<'a> {
    /// The ClusterExtension's name.
    pub extension: &'a str,
    /// `spec.namespace`: where the bundle is installed.
    pub install_namespace: &'a str,
    /// The value of `spec.config`; `None` where the extension has none.
    pub config: Option<&'a Value>,
    /// The value of the annotation `olm.operatorframework.io/watch-namespace`, which releases 1.2 to 1.5 read and all others
    /// ignore.
    pub watch_namespace_annotation: Option<&'a str>,
    /// The release and its gates.
    pub target: &'a Target,
    /// Whether to add the labels that say whose the objects are.
    pub owner_labels: OwnerLabels,
}
