//! Label selectors: `metav1.LabelSelector`, what Kubernetes refuses of one, and what it selects.

use crate::go::quote;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A `metav1.LabelSelector` as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LabelSelector {
    /// Labels that must be there with that value.
    pub match_labels: BTreeMap<String, String>,
    /// Further requirements.
    pub match_expressions: Vec<SelectorRequirement>,
}

/// One entry of `matchExpressions`, as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SelectorRequirement {
    /// The label's key.
    pub key: String,
    /// `In`, `NotIn`, `Exists` or `DoesNotExist`, if it is valid.
    pub operator: String,
    /// The values that the operator speaks of.
    pub values: Vec<String>,
}

/// A value that does not have the shape of a label selector; the API server refuses it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: must be {want}")]
pub struct MalformedSelector {
    /// The field, from the selector on.
    pub field: String,
    /// What belongs there.
    pub want: &'static str,
}

/// A selector that Kubernetes refuses, in its words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SelectorError(String);

/// A selector that is ready to match: requirements that must all hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selector {
    requirements: Vec<Requirement>,
}

/// A requirement of one label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// The label's key.
    pub key: String,
    /// What is asked of it.
    pub operator: SelectorOperator,
    /// The values that the operator speaks of.
    pub values: Vec<String>,
}

/// What a requirement asks of a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SelectorOperator {
    /// The label is there, with that value.
    Equals,
    /// The label is there, with one of the values.
    In,
    /// The label is not there, or has none of the values.
    NotIn,
    /// The label is there.
    Exists,
    /// The label is not there.
    DoesNotExist,
}

impl LabelSelector {
    /// Reads `matchLabels` and `matchExpressions`; `null` is an empty selector, and so are a missing map and list.
    ///
    /// # Errors
    /// Where a field is not of its type.
    pub fn from_value(value: &Value) -> Result<Self, MalformedSelector> {
        let malformed = |field: &str, want| MalformedSelector { field: field.to_owned(), want };
        let object = match value {
            Value::Null => return Ok(Self::default()),
            Value::Object(object) => object,
            _ => return Err(malformed("selector", "an object")),
        };
        let mut selector = Self::default();
        match object.get("matchLabels") {
            None | Some(Value::Null) => {}
            Some(Value::Object(labels)) => {
                for (key, value) in labels {
                    let value = value.as_str().ok_or_else(|| malformed(&format!("matchLabels[{key}]"), "a string"))?;
                    selector.match_labels.insert(key.clone(), value.to_owned());
                }
            }
            Some(_) => return Err(malformed("matchLabels", "an object")),
        }
        match object.get("matchExpressions") {
            None | Some(Value::Null) => {}
            Some(Value::Array(expressions)) => {
                for (n, expression) in expressions.iter().enumerate() {
                    selector.match_expressions.push(SelectorRequirement::from_value(expression, n)?);
                }
            }
            Some(_) => return Err(malformed("matchExpressions", "a list")),
        }
        Ok(selector)
    }

    /// The selector, ready to match. One without requirements selects everything.
    ///
    /// Follows `LabelSelectorAsSelector` of apimachinery v0.36.3 pkg/apis/meta/v1/helpers.go; `matchLabels` are looked at in
    /// the order of their keys, which there is random.
    ///
    /// # Errors
    /// Where a key, a value or an operator is invalid, with Kubernetes' words for the first requirement that is.
    pub fn selector(&self) -> Result<Selector, SelectorError> {
        let mut requirements = Vec::new();
        for (key, value) in &self.match_labels {
            requirements.push(Requirement::new(key, SelectorOperator::Equals, std::slice::from_ref(value))?);
        }
        for expression in &self.match_expressions {
            let operator = match expression.operator.as_str() {
                "In" => SelectorOperator::In,
                "NotIn" => SelectorOperator::NotIn,
                "Exists" => SelectorOperator::Exists,
                "DoesNotExist" => SelectorOperator::DoesNotExist,
                other => return Err(SelectorError(format!("{} is not a valid label selector operator", quote(other)))),
            };
            requirements.push(Requirement::new(&expression.key, operator, &expression.values)?);
        }
        requirements.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(Selector { requirements })
    }
}

impl SelectorRequirement {
    fn from_value(value: &Value, index: usize) -> Result<Self, MalformedSelector> {
        let at = |field: &str| format!("matchExpressions[{index}]{field}");
        let malformed = |field: &str, want| MalformedSelector { field: at(field), want };
        let object = value.as_object().ok_or_else(|| malformed("", "an object"))?;
        let text = |name: &str| match object.get(name) {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(_) => Err(malformed(&format!(".{name}"), "a string")),
        };
        let values = match object.get("values") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(values)) => values
                .iter()
                .map(|v| v.as_str().map(str::to_owned).ok_or_else(|| malformed(".values", "a list of strings")))
                .collect::<Result<_, _>>()?,
            Some(_) => return Err(malformed(".values", "a list of strings")),
        };
        Ok(Self { key: text("key")?, operator: text("operator")?, values })
    }
}

impl Selector {
    /// Whether these labels are selected.
    pub fn matches(&self, labels: &BTreeMap<String, String>) -> bool {
        self.first_unmet(labels).is_none()
    }

    /// The first requirement, by key, that these labels do not meet; `None` where they are selected.
    pub fn first_unmet(&self, labels: &BTreeMap<String, String>) -> Option<&Requirement> {
        self.requirements.iter().find(|requirement| !requirement.holds(labels.get(&requirement.key)))
    }
}

impl Requirement {
    /// Follows `NewRequirement` of apimachinery v0.36.3 pkg/labels/selector.go.
    fn new(key: &str, operator: SelectorOperator, values: &[String]) -> Result<Self, SelectorError> {
        let mut faults = Vec::new();
        let mut fault = |text: String| {
            if !faults.contains(&text) {
                faults.push(text);
            }
        };
        let key_faults = label_key_faults(key);
        if !key_faults.is_empty() {
            fault(format!("key: Invalid value: {}: {}", quote(key), key_faults.join("; ")));
        }
        match operator {
            SelectorOperator::In | SelectorOperator::NotIn if values.is_empty() => {
                fault("values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty".to_owned());
            }
            SelectorOperator::Exists | SelectorOperator::DoesNotExist if !values.is_empty() => {
                let why = "values set must be empty for exists and does not exist";
                fault(format!("values: Invalid value: {}: {why}", go_json(values)));
            }
            _ => {}
        }
        for (n, value) in values.iter().enumerate() {
            let value_faults = label_value_faults(value);
            if !value_faults.is_empty() {
                fault(format!("values[{n}][{key}]: Invalid value: {}: {}", quote(value), value_faults.join("; ")));
            }
        }
        match faults.as_slice() {
            [] => Ok(Self { key: key.to_owned(), operator, values: values.to_vec() }),
            [only] => Err(SelectorError(only.clone())),
            _ => Err(SelectorError(format!("[{}]", faults.join(", ")))),
        }
    }

    fn holds(&self, label: Option<&String>) -> bool {
        match self.operator {
            SelectorOperator::Equals | SelectorOperator::In => label.is_some_and(|value| self.values.contains(value)),
            SelectorOperator::NotIn => label.is_none_or(|value| !self.values.contains(value)),
            SelectorOperator::Exists => label.is_some(),
            SelectorOperator::DoesNotExist => label.is_none(),
        }
    }
}

impl fmt::Display for Requirement {
    /// As `kubectl --selector` takes it: `tier=gold`, `tier in (gold,silver)`, `!tier`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: BTreeSet<&str> = self.values.iter().map(String::as_str).collect();
        let values = values.into_iter().collect::<Vec<_>>().join(",");
        match self.operator {
            SelectorOperator::Equals => write!(f, "{}={values}", self.key),
            SelectorOperator::In => write!(f, "{} in ({values})", self.key),
            SelectorOperator::NotIn => write!(f, "{} notin ({values})", self.key),
            SelectorOperator::Exists => f.write_str(&self.key),
            SelectorOperator::DoesNotExist => write!(f, "!{}", self.key),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, requirement) in self.requirements.iter().enumerate() {
            write!(f, "{}{requirement}", if n > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

/// A list of strings as Go's `encoding/json` writes it.
fn go_json(values: &[String]) -> String {
    let json = serde_json::to_string(values).unwrap_or_default();
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => out.push(c),
        }
    }
    out
}

const NAME_RULE: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric \
     character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE_RULE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must \
     start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is \
     '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const SUBDOMAIN_RULE: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and \
     must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
     '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/// Follows `IsLabelKey` of apimachinery v0.36.3 pkg/api/validate/content/kube.go.
fn label_key_faults(key: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut parts = key.split('/');
    let name = match (parts.next(), parts.next(), parts.next()) {
        (Some(name), None, _) => name,
        (Some(prefix), Some(name), None) => {
            if prefix.is_empty() {
                faults.push("prefix part must be non-empty".to_owned());
            } else {
                if prefix.len() > 253 {
                    faults.push("prefix part must be no more than 253 bytes".to_owned());
                }
                if !prefix.split('.').all(is_dns_label) {
                    faults.push(format!("prefix part {SUBDOMAIN_RULE}"));
                }
            }
            name
        }
        _ => {
            let example = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
            return vec![format!("a valid label key {NAME_RULE} {example}")];
        }
    };
    if name.is_empty() {
        faults.push("name part must be non-empty".to_owned());
    } else if name.len() > 63 {
        faults.push("name part must be no more than 63 bytes".to_owned());
    }
    if !is_label_name(name) {
        faults.push(format!("name part {NAME_RULE}"));
    }
    faults
}

fn label_value_faults(value: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if value.len() > 63 {
        faults.push("must be no more than 63 bytes".to_owned());
    }
    if !value.is_empty() && !is_label_name(value) {
        faults.push(VALUE_RULE.to_owned());
    }
    faults
}

fn is_label_name(text: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.ends_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(inner)
}

fn is_dns_label(text: &str) -> bool {
    let outer = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.starts_with(outer) && text.ends_with(outer) && text.chars().all(|c| outer(c) || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn selector(value: Value) -> Result<Selector, SelectorError> {
        LabelSelector::from_value(&value).unwrap().selector()
    }

    fn refusal(value: Value) -> String {
        selector(value).unwrap_err().to_string()
    }

    fn labels(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    #[test]
    fn selects() {
        let gold = labels(&[("tier", "gold")]);
        let none = labels(&[]);
        let cases = [
            (json!({"matchLabels": {"tier": "gold"}}), "tier=gold", true, false),
            (
                json!({"matchExpressions": [{"key": "tier", "operator": "In", "values": ["silver", "gold"]}]}),
                "tier in (gold,silver)",
                true,
                false,
            ),
            (
                json!({"matchExpressions": [{"key": "tier", "operator": "NotIn", "values": ["gold"]}]}),
                "tier notin (gold)",
                false,
                true,
            ),
            (json!({"matchExpressions": [{"key": "tier", "operator": "Exists"}]}), "tier", true, false),
            (json!({"matchExpressions": [{"key": "tier", "operator": "DoesNotExist"}]}), "!tier", false, true),
            (json!(null), "", true, true),
            (json!({"matchLabels": {"tier": "gold", "a": "b"}}), "a=b,tier=gold", false, false),
        ];
        for (value, text, with_gold, with_none) in cases {
            let selector = selector(value).unwrap();
            assert_eq!(selector.to_string(), text);
            assert_eq!((selector.matches(&gold), selector.matches(&none)), (with_gold, with_none), "{text}");
        }
    }

    #[test]
    fn refuses_in_the_words_of_kubernetes() {
        assert_eq!(
            refusal(json!({"matchExpressions": [{"key": "a", "operator": "in", "values": []}]})),
            "\"in\" is not a valid label selector operator"
        );
        assert_eq!(
            refusal(json!({"matchExpressions": [{"key": "a", "operator": "Exists", "values": ["<x"]}]})),
            "[values: Invalid value: [\"\\u003cx\"]: values set must be empty for exists and does not exist, \
             values[0][a]: Invalid value: \"<x\": a valid label must be an empty string or consist of alphanumeric characters, \
             '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or \
             '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')]"
        );
        assert!(
            refusal(json!({"matchLabels": {"/a": "b"}})).starts_with("key: Invalid value: \"/a\": prefix part must be non-empty")
        );
        assert!(refusal(json!({"matchLabels": {"A.b/a": "b"}})).contains("prefix part a lowercase RFC 1123 subdomain"));
        assert!(refusal(json!({"matchLabels": {"": "b"}})).contains("name part must be non-empty; name part must consist of"));
        assert!(refusal(json!({"matchLabels": {"a/b/c": "b"}})).ends_with("(e.g. 'example.com/MyName')"));
    }

    #[test]
    fn malformed_selectors_name_the_field() {
        let malformed = |value| LabelSelector::from_value(&value).unwrap_err().to_string();
        assert_eq!(malformed(json!({"matchLabels": {"a": 1}})), "matchLabels[a]: must be a string");
        assert_eq!(
            malformed(json!({"matchExpressions": [{"key": "a", "values": [1]}]})),
            "matchExpressions[0].values: must be a list of strings"
        );
    }
}
