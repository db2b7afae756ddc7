//! A [`Rule`], and running those of a schema.

use super::super::gotext;
use super::super::node::Node;
use super::super::verdict::{At, ErrorKind, SchemaError};
use super::expression::Expression;
use super::{eval, parse};
use serde_json::Value;

/// One rule.
#[derive(Debug)]
pub(in super::super) struct Rule {
    source: String,
    message: Option<String>,
    expression: Expression,
    /// Whether it compares an update with the object before.
    transition: bool,
}

impl Rule {
    pub(in super::super) fn read(json: &Value) -> Result<Self, String> {
        let map = json.as_object().ok_or("a rule must be an object")?;
        if let Some(unknown) = map.keys().find(|key| !matches!(key.as_str(), "rule" | "message")) {
            return Err(format!("unknown rule keyword {unknown}"));
        }
        let source = map.get("rule").and_then(Value::as_str).ok_or("a rule without text")?.to_owned();
        let expression = parse::expression(&source).map_err(|e| format!("{e} in rule {source}"))?;
        let message = map.get("message").and_then(Value::as_str).map(|text| text.trim().to_owned());
        Ok(Self { source, message, transition: expression.reads_old_self(), expression })
    }

    fn words(&self) -> &str {
        self.message.as_deref().unwrap_or(self.source.trim())
    }

    /// Why the rule does not hold. A transition rule is for what was there before, any other for what is there now.
    fn fails(&self, value: &Value, old: Option<&Value>) -> Option<String> {
        if self.transition != old.is_some() {
            return None;
        }
        match eval::holds(&self.expression, eval::Bound { this: value, old }) {
            Ok(true) => None,
            Ok(false) => Some(self.message.clone().unwrap_or_else(|| format!("failed rule: {}", self.words()))),
            Err(error) => Some(format!("{error} evaluating rule: {}", self.words())),
        }
    }
}

/// Runs the rules of a schema on an object that is otherwise valid: those that look at it alone, or, with the object that was
/// there before, those that compare. What was not there before has nothing to be compared with; neither have items of lists.
///
/// Follows apiextensions-apiserver v0.36.2 `pkg/apiserver/schema/cel/validation.go` (`validate`, `validateExpressions`).
pub(in super::super) fn check(node: &Node, value: &Value, old: Option<&Value>, at: &At<'_>, errors: &mut Vec<SchemaError>) {
    if value.is_null() {
        return;
    }
    for detail in node.rules.iter().filter_map(|rule| rule.fails(value, old)) {
        let message = match value {
            Value::Object(_) | Value::Array(_) => format!("Invalid value: {detail}"),
            _ => format!("Invalid value: {}: {detail}", gotext::shown(value)),
        };
        errors.push(SchemaError::at(at, ErrorKind::Invalid, message));
    }
    match value {
        Value::Array(list) => {
            if let Some(items) = &node.items
                && old.is_none()
            {
                list.iter().enumerate().for_each(|(index, value)| check(items, value, None, &at.index(index), errors));
            }
        }
        Value::Object(map) => {
            for (key, property) in &node.properties {
                let was = old.map(|old| old.get(key).filter(|was| !was.is_null()));
                match (map.get(key), was) {
                    (Some(value), None) => check(property, value, None, &at.key(key), errors),
                    (Some(value), Some(Some(was))) => check(property, value, Some(was), &at.key(key), errors),
                    (None, _) | (_, Some(None)) => {}
                }
            }
        }
        _ => {}
    }
}

/// The rules below a node whose patterns do not compile.
#[cfg(test)]
pub(in super::super) fn broken(node: &Node) -> Vec<String> {
    let mut out: Vec<String> = node.rules.iter().filter_map(|rule| rule.expression.broken_pattern()).collect();
    let children = node.properties.values().chain(node.items.as_deref()).chain(node.additional.as_deref());
    children.for_each(|child| out.extend(broken(child)));
    out
}
