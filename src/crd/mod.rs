//! CRD before, CRD after -> upgrade-safety findings, as operator-controller's preflight check has them.
//!
//! The check looks at the CRD as a whole (scope, stored versions, removed fields), at each version before and after, and at pairs of
//! versions that are served together, less what was already so. What changes and no check understands is `unhandled`.
//!
//! Pure: values in, values out. Two runs give the same findings. crdify, which the controller uses, walks maps in random order:
//! where several fields of one object become required its message lists them in random order, and since it tells what was already
//! so by the message, the verdict on served versions can change from run to run. Here sets are compared: what was already so is
//! known whatever its order. What the reference leaves to chance otherwise is said where it happens.
//!
//! Quirks of the reference are kept where they decide a verdict: a change of served versions is known where go-cmp's report of it reads
//! the same (`cmp`), and a schema in a `oneOf` that holds a number below `properties` is never the same as another, not even itself.

mod changes;
mod checks;
mod cmp;
mod compare;
mod difference;
mod document;
mod error;
mod files;
mod finding;
mod first_generation;
mod flatten;
mod generation;
mod keyword;
mod policy;
mod policy_config;
mod read;
mod render;
mod schema;
mod served;
#[cfg(test)]
mod testing;
mod trail;
mod waiver;

pub use crate::config::{Date, Waiver};
pub use changes::{Change, ChangeKind, changes, changes_all};
pub use compare::{check, check_all};
pub use document::Side;
pub use error::Error;
pub use files::{CrdFile, CrdFiles};
pub use finding::{Finding, Pointer};
pub use keyword::Keyword;
pub use policy::{Allowance, Conversion, Enforcement, Policy};
pub use policy_config::ConfigError;
pub use waiver::{Waived, apply_waivers};
