//! The schema of `watchNamespace`, as the bundle's install modes narrow it.

use super::schema::{Form, Kind, Namespace, Relation, Schema};
use crate::bundle::{Csv, InstallMode};

/// Whether the field must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Required,
    Optional,
}

/// The schema of the field; `None` where a bundle that watches everything, or nothing that can be chosen, has no such field.
///
/// Follows operator-controller `internal/operator-controller/rukpak/bundle/registryv1.go` (v1.11.0).
pub(super) fn schema(csv: &Csv, form: Form) -> Option<(Schema, Presence)> {
    let relation = match (csv.supports(InstallMode::OwnNamespace), csv.supports(InstallMode::SingleNamespace)) {
        (false, false) => return None,
        (true, false) => Relation::Own,
        (false, true) => Relation::Other,
        (true, true) => Relation::Any,
    };
    let namespace = Some(Namespace { relation, form });
    let text = Schema { kind: Some(Kind::String), namespace, ..Schema::default() };
    if !csv.supports(InstallMode::AllNamespaces) {
        return Some((text, Presence::Required));
    }
    let null = Schema { kind: Some(Kind::Null), ..Schema::default() };
    Some((Schema { any_of: vec![null, text], ..Schema::default() }, Presence::Optional))
}
