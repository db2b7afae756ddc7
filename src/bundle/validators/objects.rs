//! Objects of a kind that bundles may hold.

use super::problem::Found;
use crate::bundle::{Bundle, Manifest, scope_of};
use crate::go::quote;

/// Each object besides the CSV and the CRDs is of a kind that bundles may hold.
pub(super) fn supported(bundle: &Bundle) -> Vec<Found> {
    let say = |manifest: &Manifest| {
        (format!("unsupported resource {} with kind {}", quote(manifest.name()), quote(manifest.kind())), manifest.file.clone())
    };
    bundle.others.iter().filter(|manifest| scope_of(manifest.kind()).is_none()).map(say).collect()
}

#[cfg(test)]
mod tests {
    use super::super::problem::testing::{bundle, said};
    use serde_json::json;

    #[test]
    fn foreign_kinds_are_found() {
        let others = [json!({"kind": "Secret", "metadata": {"name": "s"}}), json!({"kind": "Issuer", "metadata": {"name": "i"}})];
        assert_eq!(said(&bundle(json!({}), &[], &others)), ["unsupported resource \"i\" with kind \"Issuer\""]);
    }
}
