//! The checks, one a file, behind one table.

mod bound;
mod default_value;
mod description;
mod enum_values;
mod maximum;
mod minimum;
mod nullable;
mod one_of;
mod pattern;
mod registry;
mod removed_fields;
mod required;
mod scope;
mod stored_versions;
mod type_name;
mod unhandled;

pub(crate) use description::NAME as DESCRIPTION;
pub(crate) use registry::{CRD_CHECKS, Comparison, CrdComparison, Objection, PROPERTY_CHECKS, PropertyCheck, Settings, names};
pub(crate) use removed_fields::{HELP as REMOVED_FIELDS_HELP, NAME as REMOVED_FIELDS};
pub(crate) use scope::NAME as SCOPE;
pub(crate) use stored_versions::NAME as STORED_VERSIONS;
pub(crate) use unhandled::{HELP as UNHANDLED_HELP, NAME as UNHANDLED, compare as compare_unhandled};
