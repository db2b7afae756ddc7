//! The API server would refuse the object.

use crate::api::schema::{ErrorKind, SchemaError, named};
use crate::api::{GROUP, Kind, VERSION};
use crate::finding::{Finding, Level};
use crate::lint::input::{Checked, locate};
use crate::lint::{Doc, Input, Rule};
use crate::nearest::nearest;
use crate::place::Step;

pub(super) static RULE: Rule = Rule {
    name: "invalid-object",
    level: Level::Error,
    doc: Doc {
        finds: "A ClusterExtension or ClusterCatalog that the API server of the target refuses: a required field is missing, a value \
                is of the wrong type, is none of those allowed, or breaks a rule of the CRD.",
        why: "The cluster answers the change with an error. Argo CD or Flux then report the sync as failed, and what was installed \
              before stays as it was.",
        bad: "\
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: argocd
spec:
  namespace: argocd
  source:
    sourceType: Catalog
    catalog:
      packageName: argocd-operator
      version: 0.6
",
        fix: "Correct the field that the finding names. The message is the API server's own. While a field is missing, too long or of \
              the wrong type, the API server does not look at the rules of the others, so that more findings may follow.",
        good: "\
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: argocd
spec:
  namespace: argocd
  source:
    sourceType: Catalog
    catalog:
      packageName: argocd-operator
      version: \"0.6\"
",
    },
    check,
};

fn check(rule: &Rule, input: &Input<'_>) -> Vec<Finding> {
    let finding = |checked: &Checked<'_>, error: &SchemaError| {
        let message = match error.kind {
            ErrorKind::Malformed => format!("the API server cannot read this {}: {}", checked.kind, error.message),
            _ => format!("the API server refuses {}: {}", error.field, error.message),
        };
        let finding = Finding { help: help(checked, error), ..rule.finding(message) };
        Finding { field: Some(checked.manifest.field(&named(&error.field))), ..locate(finding, checked.manifest, &error.path) }
    };
    input.checked().iter().flat_map(|checked| checked.verdict.errors.iter().map(move |e| finding(checked, e))).collect()
}

fn help(checked: &Checked<'_>, error: &SchemaError) -> Option<String> {
    let schema = checked.schema;
    let written = error.path.0.iter().try_fold(checked.manifest.object(), |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.get(index),
    });
    match (error.field.as_str(), error.kind) {
        ("apiVersion", _) => Some(api_version_help(checked)),
        (_, ErrorKind::Required) => Some(format!("add `{}`", error.field)),
        (_, ErrorKind::NotSupported) => {
            let allowed = schema.allowed(&error.path);
            let meant = nearest(written?.as_str()?, allowed.iter().map(String::as_str));
            Some(match meant {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("write {}", list(allowed)),
            })
        }
        (_, ErrorKind::TypeInvalid | ErrorKind::Malformed) => {
            let bare = written.filter(|value| value.is_number() || value.is_boolean())?;
            let is_text = schema.is_text(&error.path) || error.kind == ErrorKind::Malformed;
            is_text.then(|| format!("put the value in quotes: \"{bare}\""))
        }
        (_, ErrorKind::Forbidden) => Some(format!("remove `{}`", error.field)),
        ("spec.source.catalog.version", ErrorKind::Invalid) => {
            Some("write a version or a range: `1.2.3`, `1.2.x`, `>=1.0.0 <2.0.0`, `^1.2 || ^2.0`".to_owned())
        }
        ("spec.source.image.ref", ErrorKind::Invalid) => Some(
            "write a reference with a registry, a repository and a tag or a digest: `quay.io/operatorhubio/catalog:latest`"
                .to_owned(),
        ),
        ("spec.source.image", ErrorKind::Invalid) => {
            Some("remove `pollIntervalMinutes`: what a digest names never changes".to_owned())
        }
        _ => None,
    }
}

/// How a manifest of an earlier version comes to be one of the version that is served.
fn api_version_help(checked: &Checked<'_>) -> String {
    let moved = match (checked.manifest.api_version().ends_with("/v1alpha1"), checked.kind) {
        (false, _) => "",
        (true, Kind::ClusterExtension) => {
            "; `spec.install.namespace` and `spec.install.serviceAccount` of v1alpha1 are `spec.namespace` and `spec.serviceAccount`, \
             the upgrade policies `Enforce` and `Ignore` are `CatalogProvided` and `SelfCertified`"
        }
        (true, Kind::ClusterCatalog) => {
            "; the source type `image` of v1alpha1 is `Image`, and `pollInterval` is `pollIntervalMinutes`, a number"
        }
    };
    format!("write `apiVersion: {GROUP}/{VERSION}`{moved}")
}

fn list(values: &[String]) -> String {
    values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(" or ")
}
