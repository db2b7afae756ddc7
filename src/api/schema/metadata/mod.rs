//! `metadata`: what it holds ([`Metadata`]), how it is [decoded](mod@decode), and what is [checked](mod@check).

mod check;
mod decode;
mod model;
mod names;
mod reader;

pub(super) use check::check;
pub(super) use decode::decode;
pub(super) use model::FIELDS;
use model::{ManagedFields, Metadata, OwnerReference};
