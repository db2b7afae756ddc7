//! The package has a name.

use super::problem::Problem;
use crate::bundle::Bundle;

/// The annotations name a package.
pub(super) fn named(bundle: &Bundle) -> Vec<Problem> {
    let problem = || Problem { message: "package name is empty".to_owned(), file: "metadata/annotations.yaml".to_owned() };
    bundle.package_name.is_empty().then(problem).into_iter().collect()
}
