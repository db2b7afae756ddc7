//! The deprecation conditions that a cluster sets on an extension.

use crate::catalog::{DeprecatedReference, Deprecation, Deprecations};
use serde::Serialize;
use serde_json::{Value, json};

/// The four deprecation conditions of a ClusterExtension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeprecationConditions {
    /// `Deprecated`: any of the others.
    pub deprecated: Condition,
    /// `PackageDeprecated`.
    pub package: Condition,
    /// `ChannelDeprecated`.
    pub channel: Condition,
    /// `BundleDeprecated`: of what is installed.
    pub bundle: Condition,
}

/// A condition of an object's status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Condition {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Whether it holds.
    pub status: ConditionStatus,
    /// Why, in a word.
    pub reason: &'static str,
    /// Why, for people: the authors' messages, a line each.
    pub message: String,
}

/// Whether a condition holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum ConditionStatus {
    /// It does.
    True,
    /// It does not.
    False,
    /// Nobody can tell.
    Unknown,
}

/// The conditions that a cluster sets: `channels` as the extension names them, `installed` the name of the bundle that is
/// installed, `deprecations` what the catalog says; `None` where resolution failed.
///
/// Follows `SetDeprecationStatus` of operator-controller df2c201d
/// internal/operator-controller/controllers/clusterextension_controller.go.
pub fn deprecation_conditions(
    channels: &[String],
    installed: Option<&str>,
    deprecations: Option<&[Deprecation]>,
) -> DeprecationConditions {
    let installed = installed.filter(|name| !name.is_empty());
    let Some(deprecations) = deprecations else { return unknown(installed.is_some()) };
    let messages = |is_meant: &dyn Fn(&DeprecatedReference) -> bool| -> Vec<&str> {
        let meant = deprecations.iter().filter(|d| is_meant(&d.reference));
        meant.map(|d| d.message.as_str()).filter(|message| !message.is_empty()).collect()
    };
    let package = messages(&|reference| matches!(reference, DeprecatedReference::Package(_)));
    let channel = messages(&|reference| match reference {
        DeprecatedReference::Channel(name) => channels.is_empty() || channels.contains(name),
        _ => false,
    });
    let bundle = messages(&|reference| match reference {
        DeprecatedReference::Bundle(name) => installed == Some(name.as_str()),
        _ => false,
    });
    let all = [package.as_slice(), channel.as_slice(), bundle.as_slice()].concat();
    DeprecationConditions {
        deprecated: condition("Deprecated", &all, "not deprecated"),
        package: condition("PackageDeprecated", &package, "package not deprecated"),
        channel: condition("ChannelDeprecated", &channel, "channel not deprecated"),
        bundle: match installed {
            Some(_) => condition("BundleDeprecated", &bundle, "bundle not deprecated"),
            None => absent(),
        },
    }
}

impl DeprecationConditions {
    /// The conditions, in the order in which the cluster sets them.
    pub fn all(&self) -> [&Condition; 4] {
        [&self.deprecated, &self.package, &self.channel, &self.bundle]
    }
}

/// The `olm.deprecations` document that a catalog has of a package, as operator-registry writes it.
pub fn deprecation_document(package: &str, deprecations: &Deprecations) -> Value {
    let entry = |deprecation: &Deprecation| {
        let reference = match (deprecation.reference.schema(), deprecation.reference.name()) {
            (schema, "") => json!({"schema": schema}),
            (schema, name) => json!({"schema": schema, "name": name}),
        };
        json!({"reference": reference, "message": deprecation.message})
    };
    let entries = deprecations.entries.as_ref().map(|entries| entries.iter().map(entry).collect::<Vec<Value>>());
    json!({"schema": "olm.deprecations", "package": package, "entries": entries})
}

fn condition(kind: &'static str, messages: &[&str], otherwise: &str) -> Condition {
    match messages {
        [] => Condition { kind, status: ConditionStatus::False, reason: "NotDeprecated", message: otherwise.to_owned() },
        _ => Condition { kind, status: ConditionStatus::True, reason: "Deprecated", message: messages.join("\n") },
    }
}

fn absent() -> Condition {
    let message = "no bundle installed yet".to_owned();
    Condition { kind: "BundleDeprecated", status: ConditionStatus::Unknown, reason: "Absent", message }
}

fn unknown(is_installed: bool) -> DeprecationConditions {
    let unknown = |kind| Condition {
        kind,
        status: ConditionStatus::Unknown,
        reason: "DeprecationStatusUnknown",
        message: "deprecation status unknown: catalog data unavailable".to_owned(),
    };
    DeprecationConditions {
        deprecated: unknown("Deprecated"),
        package: unknown("PackageDeprecated"),
        channel: unknown("ChannelDeprecated"),
        bundle: if is_installed { unknown("BundleDeprecated") } else { absent() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(reference: DeprecatedReference, message: &str) -> Deprecation {
        Deprecation { reference, message: message.to_owned() }
    }

    fn shown(conditions: &DeprecationConditions) -> Vec<String> {
        conditions.all().map(|c| format!("{} {:?} {} {:?}", c.kind, c.status, c.reason, c.message)).to_vec()
    }

    #[test]
    fn each_reference_has_its_condition() {
        let deprecations = [
            entry(DeprecatedReference::Bundle("p.v1".to_owned()), "old"),
            entry(DeprecatedReference::Channel("a".to_owned()), "use b"),
            entry(DeprecatedReference::Channel("c".to_owned()), "use d"),
            entry(DeprecatedReference::Package(String::new()), "gone"),
            entry(DeprecatedReference::Package(String::new()), ""),
            entry(DeprecatedReference::new("olm.foo", "p.v1".to_owned()), "of no consequence"),
        ];
        assert_eq!(
            shown(&deprecation_conditions(&["a".to_owned()], Some("p.v1"), Some(&deprecations))),
            [
                "Deprecated True Deprecated \"gone\\nuse b\\nold\"",
                "PackageDeprecated True Deprecated \"gone\"",
                "ChannelDeprecated True Deprecated \"use b\"",
                "BundleDeprecated True Deprecated \"old\"",
            ]
        );
        let conditions = deprecation_conditions(&[], None, Some(&deprecations));
        assert_eq!(conditions.channel.message, "use b\nuse d");
        assert_eq!((conditions.bundle.status, conditions.bundle.reason), (ConditionStatus::Unknown, "Absent"));
    }

    #[test]
    fn nothing_known_and_nothing_deprecated() {
        let conditions = deprecation_conditions(&[], Some("p.v1"), None);
        assert!(conditions.all().iter().all(|c| c.reason == "DeprecationStatusUnknown"));
        let conditions = deprecation_conditions(&[], Some("p.v1"), Some(&[]));
        assert!(conditions.all().iter().all(|c| c.reason == "NotDeprecated"));
    }
}
