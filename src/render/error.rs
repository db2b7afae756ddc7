//! Why a bundle is not rendered: [`RenderError`].

use super::config::{self, ConfigProblem};
use crate::bundle::Problem;
use crate::place::FieldPath;
use crate::target::Gate;

/// A bundle or a configuration that the controller refuses, in its words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// The target does not install bundles of that kind.
    #[error("unsupported bundle: {message}")]
    Unsupported {
        /// What the bundle has, or lacks.
        message: String,
        /// The gate that stands for it, where there is one.
        gate: Option<Gate>,
        /// The first target that knows the gate.
        since: Option<String>,
    },
    /// `spec.config` does not fit the bundle.
    #[error("{}", config::words(*terminal, problems))]
    Config {
        /// What is wrong, each at its field.
        problems: Vec<ConfigProblem>,
        /// The gate whose being off is the reason, where it is.
        gate: Option<Gate>,
        /// The first target that knows the gate.
        since: Option<String>,
        /// Whether the release marks the error as one that trying again does not mend.
        terminal: config::Marking,
    },
    /// `spec.config.inline.deploymentConfig` fits the schema, and Go cannot read it.
    #[error("terminal error: invalid deploymentConfig: failed to unmarshal deploymentConfig: {message}")]
    DeploymentConfig {
        /// Go's words.
        message: String,
        /// The field.
        field: FieldPath,
    },
    /// The bundle fails the controller's checks.
    #[error("{}", lines(problems))]
    Invalid {
        /// What is wrong, in the controller's order.
        problems: Vec<Problem>,
    },
    /// The namespaces to watch do not fit the bundle's install modes.
    #[error("invalid option(s): {message}")]
    TargetNamespaces {
        /// What is wrong.
        message: String,
    },
    /// A generator refuses the bundle.
    #[error("{message}")]
    Generate {
        /// What is wrong.
        message: String,
    },
}

fn lines(problems: &[Problem]) -> String {
    problems.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>().join("\n")
}
