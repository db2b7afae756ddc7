//! crdify's configuration file -> a [`Policy`].

use super::checks::{self, Settings};
use super::policy::{Allowance, Conversion, Enforcement, Policy};
use super::read::kind_of;
use crate::yaml;
use serde_json::{Map, Value};

/// A configuration file that crdify would refuse.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// It is no YAML.
    #[error("not YAML: {0}")]
    Yaml(#[from] yaml::Error),
    /// A field is not of the type that crdify has for it.
    #[error("{field}: {expected} expected, found {found}")]
    WrongType {
        /// The field.
        field: String,
        /// What crdify has there.
        expected: &'static str,
        /// What the file has there.
        found: &'static str,
    },
    /// Values that crdify does not take, one a line, in its words.
    #[error("{}", .0.join("\n"))]
    Invalid(Vec<String>),
}

impl Policy {
    /// Reads crdify's configuration file: `validations` (`name`, `enforcement`, `configuration`), `unhandledEnforcement`, `conversion`.
    /// What it does not name is as in [`Policy::strict`]. An unknown key is no error to crdify; see [`Policy::ignored_keys`].
    ///
    /// Follows crdify bb9957db pkg/config/config.go and pkg/validations/util.go: ConfigureValidations.
    ///
    /// # Errors
    /// Where crdify refuses the file: an unknown validation, a missing or unknown enforcement, an unknown policy, a wrong type.
    pub fn from_config(text: &str) -> Result<Self, ConfigError> {
        let mut ignored = Vec::new();
        let document = yaml::read(text)?;
        let mut fields = Fields::of(&document, "", &mut ignored)?;
        let validations = fields.list("validations")?;
        let unhandled = fields.text("unhandledEnforcement")?;
        let conversion = fields.text("conversion")?;
        fields.done();
        let mut entries = Vec::new();
        for (n, value) in validations.iter().enumerate() {
            entries.push(Entry::read(value, &format!("validations[{n}]"), &mut ignored)?);
        }
        let mut policy = Self::strict();
        let mut problems = Vec::new();
        for (n, entry) in entries.iter().enumerate() {
            if entry.name.is_empty() {
                problems.push(format!("validations[{n}] is invalid: name is required"));
            }
            if entry.enforcement.is_empty() {
                problems.push("enforcement is required".to_owned());
            } else if enforcement(&entry.enforcement).is_none() {
                problems.push(format!("unknown enforcement: {:?}", entry.enforcement));
            }
        }
        match (unhandled.as_str(), enforcement(&unhandled)) {
            ("", _) => {}
            (_, Some(enforcement)) => policy.unhandled = enforcement,
            (_, None) => problems.push(format!("unknown enforcement: {unhandled:?}")),
        }
        match conversion.as_str() {
            "" | "None" => {}
            "Ignore" => policy.conversion = Conversion::Ignore,
            _ => problems.push(format!("unknown conversion policy: {conversion:?}")),
        }
        if problems.is_empty() {
            for entry in &entries {
                if let Err(problem) = entry.configure(&mut policy, &mut ignored) {
                    problems.push(format!("configuring validation {:?}: {problem}", entry.name));
                }
            }
        }
        if !problems.is_empty() {
            return Err(ConfigError::Invalid(problems));
        }
        policy.ignored = ignored;
        Ok(policy)
    }
}

fn enforcement(text: &str) -> Option<Enforcement> {
    match text {
        "Error" => Some(Enforcement::Error),
        "Warn" => Some(Enforcement::Warn),
        "None" => Some(Enforcement::None),
        _ => None,
    }
}

/// A configured validation.
struct Entry {
    field: String,
    name: String,
    enforcement: String,
    configuration: Value,
}

impl Entry {
    fn read(value: &Value, field: &str, ignored: &mut Vec<String>) -> Result<Self, ConfigError> {
        let mut fields = Fields::of(value, field, ignored)?;
        let entry = Self {
            field: field.to_owned(),
            name: fields.text("name")?,
            enforcement: fields.text("enforcement")?,
            configuration: fields.take("configuration").cloned().unwrap_or(Value::Null),
        };
        fields.done();
        match &entry.configuration {
            Value::Null | Value::Object(_) => Ok(entry),
            other => Err(ConfigError::WrongType {
                field: format!("{field}.configuration"),
                expected: "a mapping",
                found: kind_of(other),
            }),
        }
    }

    fn configure(&self, policy: &mut Policy, ignored: &mut Vec<String>) -> Result<(), String> {
        let name =
            checks::names().find(|name| *name == self.name).ok_or_else(|| format!("unknown validation : {:?}", self.name))?;
        let configuration =
            Fields::of(&self.configuration, &format!("{}.configuration", self.field), ignored).map_err(|e| e.to_string())?;
        configure(name, &mut policy.settings, configuration)?;
        policy.enforcement.insert(name, enforcement(&self.enforcement).unwrap_or(Enforcement::Error));
        Ok(())
    }
}

/// Sets what can be set on one validation; what is not named is as by default again.
fn configure(name: &str, settings: &mut Settings, mut fields: Fields<'_, '_>) -> Result<(), String> {
    let valid = " (valid values: \"Allow\", \"Disallow\")";
    let allowance = |fields: &mut Fields<'_, '_>, key: &str, words: &str, hint: &str| {
        let text = fields.text(key).map_err(|e| format!("parsing config: {e}"))?;
        match text.as_str() {
            "" | "Disallow" => Ok(Allowance::Disallow),
            "Allow" => Ok(Allowance::Allow),
            _ => Err(format!("validating {name} config: unknown {words} policy : {text:?}{hint}")),
        }
    };
    let (addition, removal) = ("addition", "removal");
    match name {
        "enum" => settings.enum_addition = allowance(&mut fields, "additionPolicy", addition, "")?,
        "nullable" => {
            settings.nullable_addition = allowance(&mut fields, "additionPolicy", addition, valid)?;
            settings.nullable_removal = allowance(&mut fields, "removalPolicy", removal, valid)?;
        }
        "oneOf" => {
            settings.one_of_addition = allowance(&mut fields, "additionPolicy", addition, "")?;
            settings.one_of_removal = allowance(&mut fields, "removalPolicy", removal, "")?;
        }
        "pattern" => settings.pattern_removal = allowance(&mut fields, "removalPolicy", removal, valid)?,
        _ => {}
    }
    fields.done();
    Ok(())
}

/// The members of a mapping, found as encoding/json finds them: whatever the case, the last one counting.
struct Fields<'a, 'i> {
    field: String,
    left: Vec<(&'a String, &'a Value)>,
    ignored: &'i mut Vec<String>,
}

impl<'a, 'i> Fields<'a, 'i> {
    fn of(value: &'a Value, field: &str, ignored: &'i mut Vec<String>) -> Result<Self, ConfigError> {
        let empty: Option<&Map<String, Value>> = None;
        let map = match value {
            Value::Null => empty,
            Value::Object(map) => Some(map),
            other => {
                let field = if field.is_empty() { "the file" } else { field };
                return Err(ConfigError::WrongType { field: field.to_owned(), expected: "a mapping", found: kind_of(other) });
            }
        };
        let mut left: Vec<_> = map.into_iter().flatten().collect();
        left.sort_by_key(|(name, _)| *name);
        Ok(Self { field: field.to_owned(), left, ignored })
    }

    fn at(&self, name: &str) -> String {
        if self.field.is_empty() { name.to_owned() } else { format!("{}.{name}", self.field) }
    }

    fn take(&mut self, name: &str) -> Option<&'a Value> {
        let found = self
            .left
            .iter()
            .rev()
            .find(|(key, value)| key.eq_ignore_ascii_case(name) && !value.is_null())
            .map(|(_, value)| *value);
        self.left.retain(|(key, _)| !key.eq_ignore_ascii_case(name));
        found
    }

    fn text(&mut self, name: &str) -> Result<String, ConfigError> {
        match self.take(name) {
            None => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(other) => Err(ConfigError::WrongType { field: self.at(name), expected: "a string", found: kind_of(other) }),
        }
    }

    fn list(&mut self, name: &str) -> Result<&'a [Value], ConfigError> {
        match self.take(name) {
            None => Ok(&[]),
            Some(Value::Array(items)) => Ok(items),
            Some(other) => Err(ConfigError::WrongType { field: self.at(name), expected: "a list", found: kind_of(other) }),
        }
    }

    /// Notes what is left over.
    fn done(self) {
        let names: Vec<String> = self.left.iter().map(|(name, _)| self.at(name)).collect();
        self.ignored.extend(names);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_crdify_reads() {
        let policy = Policy::from_config(
            "conversion: Ignore\nunhandledEnforcement: Warn\nvalidations:\n- name: enum\n  enforcement: Error\n  configuration:\n    additionPolicy: Allow\n\
             - name: scope\n  enforcement: None\n",
        )
        .unwrap();
        assert_eq!(policy.enforcement("scope"), Enforcement::None);
        assert_eq!(policy.enforcement("unhandled"), Enforcement::Warn);
        assert_eq!(policy.enforcement("type"), Enforcement::Error);
        assert_eq!(policy.settings.enum_addition, Allowance::Allow);
        assert_eq!(policy.conversion, Conversion::Ignore);
        assert_eq!(Policy::from_config("").unwrap(), Policy::strict());
    }

    #[test]
    fn refuses_what_crdify_refuses() {
        let words = |text: &str| Policy::from_config(text).unwrap_err().to_string();
        assert_eq!(
            words("validations: [{name: nope, enforcement: Error}]"),
            "configuring validation \"nope\": unknown validation : \"nope\""
        );
        assert_eq!(words("validations: [{enforcement: Error}]"), "validations[0] is invalid: name is required");
        assert_eq!(words("validations: [{name: enum}]"), "enforcement is required");
        assert_eq!(words("unhandledEnforcement: no\nconversion: x").lines().count(), 1);
        assert_eq!(
            words("unhandledEnforcement: Never\nconversion: x"),
            "unknown enforcement: \"Never\"\nunknown conversion policy: \"x\""
        );
        assert_eq!(
            words("validations: [{name: pattern, enforcement: Warn, configuration: {removalPolicy: Maybe}}]"),
            "configuring validation \"pattern\": validating pattern config: unknown removal policy : \"Maybe\" (valid values: \"Allow\", \"Disallow\")"
        );
        assert!(matches!(Policy::from_config("validations: 1"), Err(ConfigError::WrongType { .. })));
        assert!(matches!(Policy::from_config("a: ["), Err(ConfigError::Yaml(_))));
    }

    #[test]
    fn notes_what_has_no_meaning() {
        let text = "Validations:\n- name: enum\n  enforcement: Error\n  enforcment: x\n  configuration: {removalPolicy: Allow}\nconversions: None\n";
        let policy = Policy::from_config(text).unwrap();
        assert_eq!(
            policy.ignored_keys(),
            ["conversions", "validations[0].enforcment", "validations[0].configuration.removalPolicy"]
        );
    }
}
