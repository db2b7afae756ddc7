//! A reference -> image content, from a plain folder, an OCI layout, an archive (OCI or Docker) or a registry.
//!
//! Promised: every byte that came under a digest was checked against it before anything was kept; nothing is read or written outside
//! the store and the paths that the settings name; memory does not grow with the image; what a cluster's unpacking keeps is what
//! [`Content`] shows, and a file that a cluster could not read is an [`Entry`] that says why.
//!
//! The store holds one *pack* per image and [`Kind`]: the wanted files' bytes one after the other, and an index. Opening a stored
//! image reads the index and nothing else.
//!
//! Left to others: what the files mean (`catalog`, `bundle`), where the settings come from (`cli`).
#![expect(clippy::disallowed_methods, reason = "this module owns the store and reads the files that references are mapped to")]

mod archive;
mod auth;
mod content;
mod decompress;
mod digest;
mod error;
mod folder;
#[cfg(fuzzing)]
pub mod fuzzing;
mod images;
mod layer;
mod layout;
mod manifest;
mod network;
mod pack;
mod path;
mod platform;
mod reference;
mod registry;
mod session;
mod settings;
mod source;
mod store;
mod tree;
mod unpack;

pub use content::{Content, Entry, EntryKind};
pub use digest::{Digest, DigestError};
pub use error::{Error, ErrorKind};
pub use images::{Images, Resolved};
pub use manifest::CATALOG_LABEL;
pub use platform::{Platform, PlatformError};
pub use reference::{Reference, ReferenceError};
pub use settings::{Kind, Limits, Mapping, Mirror, MirrorScope, Reach, Settings, SourcePolicy};
