//! The package has a name.

use super::problem::Found;
use crate::bundle::Bundle;

/// The annotations name a package.
pub(super) fn named(bundle: &Bundle) -> Vec<Found> {
    let problem = || ("package name is empty".to_owned(), "metadata/annotations.yaml".to_owned());
    bundle.package_name.is_empty().then(problem).into_iter().collect()
}
