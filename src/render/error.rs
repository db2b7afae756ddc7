//! Why a bundle is not rendered: [`RenderError`].

use super::config::ConfigProblem;
use crate::bundle::Problem;
use crate::place::FieldPath;
use crate::target::{Gate, Target};

/// A bundle or a configuration that the controller refuses, in its words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// The target does not install bundles of that kind.
    #[error("{message}")]
    Unsupported {
        /// What the bundle has, or lacks.
        message: String,
        /// What the target would have to have.
        missing: Option<Missing>,
    },
    /// `spec.config` does not fit the bundle.
    #[error("{prefix}{}", super::config::words(problems))]
    Config {
        /// How the release begins.
        prefix: &'static str,
        /// What is wrong, each at its field.
        problems: Vec<ConfigProblem>,
        /// What the target would have to have.
        missing: Option<Missing>,
    },
    /// `spec.config.inline.deploymentConfig` fits the schema, and Go cannot read it.
    #[error("terminal error: invalid deploymentConfig: failed to unmarshal deploymentConfig: {message}")]
    DeploymentConfig {
        /// Go's words.
        message: String,
        /// The field.
        field: FieldPath,
    },
    /// The annotation that names the namespace to watch does not name one.
    #[error("{message}")]
    WatchNamespaceAnnotation {
        /// What is wrong.
        message: String,
    },
    /// The bundle fails the controller's checks.
    #[error("{}", lines(problems))]
    Invalid {
        /// What is wrong, in the controller's order.
        problems: Vec<Problem>,
    },
    /// The namespaces to watch do not fit the bundle's install modes.
    #[error("{message}")]
    TargetNamespaces {
        /// What is wrong.
        message: String,
        /// What the target would have to have.
        missing: Option<Missing>,
    },
    /// A generator refuses the bundle.
    #[error("{message}")]
    Generate {
        /// What is wrong.
        message: String,
    },
    /// What the renderer of releases 1.3 to 1.5 refuses.
    #[error("error rendering bundle: {0}")]
    Rendering(Box<RenderError>),
}

/// A gate that a target does not have, or has turned off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The gate.
    pub gate: Gate,
    /// The first target of the same distribution that knows it; `None` where none does.
    pub since: Option<String>,
}

impl Missing {
    pub(super) fn new(target: &Target, gate: Gate) -> Self {
        Self { gate, since: target.first_with(gate) }
    }
}

impl RenderError {
    /// The gate whose being off or unknown is the reason, where it is.
    pub fn missing(&self) -> Option<&Missing> {
        match self {
            Self::Unsupported { missing, .. } | Self::Config { missing, .. } | Self::TargetNamespaces { missing, .. } => {
                missing.as_ref()
            }
            Self::Rendering(inner) => inner.missing(),
            Self::DeploymentConfig { .. }
            | Self::WatchNamespaceAnnotation { .. }
            | Self::Invalid { .. }
            | Self::Generate { .. } => None,
        }
    }
}

fn lines(problems: &[Problem]) -> String {
    problems.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>().join("\n")
}
