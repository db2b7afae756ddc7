//! Why a comparison cannot be made.

/// A comparison that cannot be made: one of the documents is not what the controller could compare either, or it is beyond bounds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The document is no CustomResourceDefinition of apiextensions.k8s.io/v1.
    #[error("{found} is no CustomResourceDefinition of apiextensions.k8s.io/v1")]
    NotACrd {
        /// What it says it is.
        found: String,
    },
    /// A field is not of the type that the API has for it.
    #[error("{crd}: {field}: {expected} expected, found {found}")]
    WrongType {
        /// The CRD's name.
        crd: String,
        /// The field.
        field: String,
        /// What the API has there.
        expected: &'static str,
        /// What the document has there.
        found: &'static str,
    },
    /// A field that the check does not read is not what the API has there, so that the controller cannot decode the CRD.
    #[error("{crd}: {field}: {reason}")]
    Refused {
        /// The CRD's name.
        crd: String,
        /// The field.
        field: String,
        /// The decoder's words.
        reason: String,
    },
    /// A version that has to be compared has no schema; operator-controller crashes on it.
    #[error("{crd}: version {version} has no schema to compare")]
    NoSchema {
        /// The CRD's name.
        crd: String,
        /// The version's name.
        version: String,
    },
    /// No version is served; operator-controller of the target crashes on it.
    #[error("{crd}: no version is served, which the controller of this target cannot compare")]
    NoneServed {
        /// The CRD's name.
        crd: String,
    },
    /// The schema is nested more deeply than anything real.
    #[error("{crd}: {field}: schemas are nested more than {limit} levels deep")]
    TooDeep {
        /// The CRD's name.
        crd: String,
        /// The field that is too deep, shortened.
        field: String,
        /// How deep is deep enough.
        limit: usize,
    },
    /// The comparison is larger than anything real.
    #[error("too many {what} to compare")]
    TooLarge {
        /// Of what there is too much.
        what: &'static str,
    },
}
