//! Why nothing was resolved, in the controller's words.

use super::BundleVersionError;
use crate::api::SelectorError;
use crate::go::quote;
use crate::version::MastermindsRangeError;
use std::fmt;

/// Why nothing was resolved. It shows as the controller says it.
///
/// Follows operator-controller df2c201d internal/operator-controller/resolve/catalog.go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The catalog selector is invalid.
    Selector(SelectorError),
    /// The version range is none.
    Range {
        /// The range as written.
        range: String,
        /// What is wrong with it.
        error: MastermindsRangeError,
    },
    /// A selected catalog cannot be read.
    Catalog {
        /// The package that was asked for.
        package: String,
        /// The catalog's name.
        catalog: String,
        /// What is wrong with it.
        error: String,
    },
    /// The version of what is installed is none; why.
    InstalledVersion(String),
    /// No bundle is left.
    NotFound(Sought),
    /// More than one catalog has a bundle to offer, and no priority tells which counts.
    Ambiguous {
        /// What was looked for.
        sought: Sought,
        /// The catalogs that offer a bundle, by name, those of lower priority included.
        catalogs: Vec<String>,
    },
    /// The bundle's version cannot be told.
    Version {
        /// The bundle's name.
        bundle: String,
        /// What is wrong with it.
        error: BundleVersionError,
    },
    /// The bundle has a dependency, which OLM v1 does not support.
    Dependency {
        /// The bundle's name.
        bundle: String,
        /// The property that declares it.
        property: String,
    },
}

/// What was looked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sought {
    /// The package.
    pub package: String,
    /// The version range; empty where there is none.
    pub range: String,
    /// The channels; empty where any will do.
    pub channels: Vec<String>,
    /// The version of what is installed.
    pub installed: Option<String>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Selector(error) => write!(f, "desired catalog selector is invalid: {error}"),
            Self::Range { range, error } => write!(f, "desired version range {} is invalid: {error}", quote(range)),
            Self::Catalog { package, catalog, error } => {
                let (package, catalog) = (quote(package), quote(catalog));
                write!(f, "error walking catalogs: error getting package {package} from catalog {catalog}: {error}")
            }
            Self::InstalledVersion(why) => write!(f, "error walking catalogs: error finding upgrade edges: {why}"),
            Self::NotFound(sought) => f.write_str(sought.words(&[]).trim()),
            Self::Ambiguous { sought, catalogs } => f.write_str(sought.words(catalogs).trim()),
            Self::Version { bundle, error } => {
                write!(f, "error getting resolved bundle version for bundle {}: {error}", quote(bundle))
            }
            Self::Dependency { bundle, property } => {
                let (bundle, property) = (quote(bundle), quote(property));
                write!(f, "validating bundle {bundle}: bundle {bundle} has a dependency declared via property {property} ")?;
                f.write_str("which is currently not supported")
            }
        }
    }
}

impl std::error::Error for Failure {}

impl Sought {
    fn words(&self, catalogs: &[String]) -> String {
        let mut words = String::new();
        if let Some(version) = &self.installed {
            words.push_str(&format!("error upgrading from currently installed version {}: ", quote(version)));
        }
        let found = if catalogs.len() > 1 { "found bundles for" } else { "no bundles found for" };
        words.push_str(&format!("{found} package {} ", quote(&self.package)));
        if !self.range.is_empty() {
            words.push_str(&format!("matching version {} ", quote(&self.range)));
        }
        if !self.channels.is_empty() {
            words.push_str(&format!("in channels [{}] ", self.channels.join(" ")));
        }
        if catalogs.len() > 1 {
            words.push_str(&format!("in multiple catalogs with the same priority [{}] ", catalogs.join(" ")));
        }
        words
    }
}
