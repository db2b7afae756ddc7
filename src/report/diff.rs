//! The change of an object, as a person reads a diff.

use super::printable::printable;
use crate::plan::{ObjectChange, ObjectKey};
use crate::yaml;
use similar::TextDiff;

/// A unified diff of the two YAML texts, under the object's name.
pub fn unified(change: &ObjectChange, context: usize) -> String {
    let text = |object: &Option<serde_json::Value>| object.as_ref().map(yaml::write).unwrap_or_default();
    let (before, after) = (text(&change.before), text(&change.after));
    let was = change.replaces.as_ref().unwrap_or(&change.key);
    let name =
        |there: bool, key: &ObjectKey| if there { printable(&key.to_string()).into_owned() } else { "/dev/null".to_owned() };
    let diff = TextDiff::from_lines(before.as_str(), after.as_str());
    let (from, to) = (name(change.before.is_some(), was), name(change.after.is_some(), &change.key));
    diff.unified_diff().context_radius(context).header(&from, &to).to_string()
}
