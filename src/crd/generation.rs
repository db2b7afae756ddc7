//! What earlier generations of the check do otherwise than the newest.

use crate::target::{CrdCheck, Distribution, Target};

/// How the properties of a version are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Naming {
    /// `[*]` for items and additional properties, and no name of their own for what `allOf`, `anyOf`, `oneOf`, `not` and the like hold:
    /// the last of them stands for the property.
    Starred,
    /// Each schema by its keyword.
    Keywords,
}

/// What becomes of the schema of a list's items when the list itself is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Items {
    /// It is compared too, so that a change within is one of the list as well.
    Compared,
    /// It is left to itself.
    Left,
}

/// What becomes of what versions served together had against each other before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Known {
    /// It counts.
    Counts,
    /// It is dropped.
    Dropped,
}

/// What a release's check does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Generation {
    pub(crate) check: CrdCheck,
    pub(crate) naming: Naming,
    pub(crate) items: Items,
    pub(crate) known: Known,
    /// Whether a change of a description alone is understood.
    pub(crate) understands_descriptions: bool,
    /// In what some updates of the release do otherwise.
    pub(crate) updates: Option<&'static str>,
}

impl Generation {
    /// The newest.
    pub(crate) fn newest() -> Self {
        Self::of(CrdCheck::CrdifyBb9957db)
    }

    /// Follows kubernetes-sigs/crdify at each of the commits: pkg/validations/util.go, pkg/validators/version/served/served.go.
    fn of(check: CrdCheck) -> Self {
        Self {
            check,
            naming: if check >= CrdCheck::Crdify54162f2e { Naming::Keywords } else { Naming::Starred },
            items: if check >= CrdCheck::Crdify69e65223 { Items::Left } else { Items::Compared },
            known: if check >= CrdCheck::Crdify69e65223 { Known::Dropped } else { Known::Counts },
            understands_descriptions: check > CrdCheck::FirstGeneration,
            updates: None,
        }
    }

    /// The generation of a target. The first one changed on its way: operator-controller v1.3.0 leaves the items of lists to
    /// themselves, and so does OpenShift since 4.18's update of April 2025; OpenShift 4.19 also got the understanding of descriptions.
    pub(crate) fn of_target(target: &Target) -> Self {
        let mut generation = Self::of(target.crd_check());
        if generation.check == CrdCheck::FirstGeneration {
            let openshift = target.distribution() == Distribution::OpenShift;
            generation.understands_descriptions = openshift && target.schema_minor() >= 2;
            if openshift || target.schema_minor() >= 3 {
                generation.items = Items::Left;
            }
            generation.updates = match (openshift, generation.understands_descriptions) {
                (false, _) => None,
                (true, false) => Some("updates before April 2025 also object to a list where only its items change"),
                (true, true) => Some("updates since November 2025 check CRDs as ocp-4.20 does"),
            };
        }
        generation
    }
}
