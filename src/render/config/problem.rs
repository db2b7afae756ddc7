//! What is wrong with a configuration: [`ConfigProblem`].

use crate::place::FieldPath;

/// One thing that is wrong with `spec.config`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigProblem {
    /// The controller's words.
    pub message: String,
    /// The field in the ClusterExtension: `spec.config.inline.watchNamespace`. Where a field is missing, the one that lacks it.
    pub field: FieldPath,
}

/// The controller's words for everything that is wrong.
pub(in crate::render) fn words(problems: &[ConfigProblem]) -> String {
    match problems {
        [only] => only.message.clone(),
        several => {
            let lines: Vec<&str> = several.iter().map(|problem| problem.message.as_str()).collect();
            format!("multiple errors found:\n  - {}", lines.join("\n  - "))
        }
    }
}
