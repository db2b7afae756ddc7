//! The change of an object, as a person reads a diff.

use crate::plan::ObjectChange;
use crate::yaml;
use similar::TextDiff;

/// A unified diff of the two YAML texts, under the object's name.
pub fn unified(change: &ObjectChange, context: usize) -> String {
    let text = |object: &Option<serde_json::Value>| object.as_ref().map(yaml::write).unwrap_or_default();
    let (before, after) = (text(&change.before), text(&change.after));
    let name = |there: bool| if there { change.key.to_string() } else { "/dev/null".to_owned() };
    let diff = TextDiff::from_lines(before.as_str(), after.as_str());
    let (from, to) = (name(change.before.is_some()), name(change.after.is_some()));
    diff.unified_diff().context_radius(context).header(&from, &to).to_string()
}
