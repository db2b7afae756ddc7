//! A registry+v1 bundle, read from image content and validated: the flow's step between an image and its manifests.
//!
//! [`read()`] does what the controller does when it loads a bundle from a filesystem, and refuses what it refuses in its
//! words; [`validate`] runs its checks. No disk, no network: the files come from whoever implements [`BundleFiles`].

mod csv;
mod documents;
mod error;
mod files;
pub mod go;
mod model;
mod properties;
mod read;
mod supported;
mod validators;
mod yaml_text;

pub use csv::{Csv, Deployment, InstallMode, Permission, Webhook, WebhookKind};
pub use error::BundleError;
pub use files::BundleFiles;
pub use model::{Bundle, Manifest};
pub use read::read;
pub use supported::{Scope, scope_of};
pub use validators::{Check, Problem, subdomain_errors, validate};
