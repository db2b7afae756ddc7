//! What the releases do differently: [`Release`].
//!
//! Read off the release tags v1.0.0 to v1.11.0 of operator-controller, and off the branches of OpenShift's fork. A release of
//! OpenShift does as the upstream release that its fork was cut from, but for 4.18 and 4.19, which took more over later.

use crate::bundle::Check;
use crate::target::{Distribution, Target};

/// The minor of an upstream 1.x release, and whose branch of it it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Release(u32, Distribution);

/// What a release reads to know which namespace to watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WatchNamespace {
    /// Nothing: it watches all.
    Nothing,
    /// An annotation of the extension.
    Annotation,
    /// `spec.config.inline`, or else the annotation.
    ConfigOrAnnotation,
    /// `spec.config.inline`.
    Config,
}

impl Release {
    /// The release that a target does as.
    pub fn of(target: &Target) -> Self {
        Self(target.schema_minor(), target.distribution())
    }

    /// Up to 1.2, bundles were converted by code that came before the renderer: it checks less, in another order.
    pub fn converts(self) -> bool {
        self.0 <= 2
    }

    /// From 1.3 to 1.5, what the renderer refuses is said to be an error rendering the bundle.
    pub fn wraps_refusals(self) -> bool {
        (3..=5).contains(&self.0)
    }

    /// Up to 1.2, objects are templates of a Helm chart; OpenShift's branches of these have them included by one instead.
    pub fn runs_objects_as_templates(self) -> bool {
        self.0 <= 2 && self.1 == Distribution::Upstream
    }

    /// OpenShift 4.19, cut from before 1.3, took some of what 1.3 brought.
    fn is_on_the_way_to_the_renderer(self) -> bool {
        self.0 == 2 && self.1 == Distribution::OpenShift
    }

    /// Up to 1.7, the controller falls over a CSV without annotations where there are properties to put into them.
    pub fn needs_annotations_for_properties(self) -> bool {
        self.0 <= 7
    }

    /// What says which namespace to watch.
    pub fn watch_namespace(self) -> WatchNamespace {
        match self.0 {
            0 | 1 => WatchNamespace::Nothing,
            2..=4 => WatchNamespace::Annotation,
            5 => WatchNamespace::ConfigOrAnnotation,
            _ => WatchNamespace::Config,
        }
    }

    /// 1.6 reads the configuration into a struct; later releases hold it to a schema.
    pub fn has_config_schema(self) -> bool {
        self.0 >= 7
    }

    /// From 1.8 on, the form of a watched namespace is checked, and a wrong configuration is a terminal error.
    pub fn checks_namespace_form(self) -> bool {
        self.0 >= 8
    }

    /// 1.8 takes `deploymentConfig` without a gate of its own, and merges it in a simpler way.
    pub fn always_takes_deployment_config(self) -> bool {
        self.0 == 8
    }

    /// From 1.9 on, a configuration is checked wherever there is one, whatever the gates.
    pub fn always_checks_config(self) -> bool {
        self.0 >= 9
    }

    /// Up to 1.4, a namespace that is watched alone may be the one that the bundle is installed in though only SingleNamespace is
    /// supported.
    pub fn lets_single_be_own(self) -> bool {
        self.0 <= 4
    }

    /// Up to 1.2, a promoted permission was meant to get the rule to see namespaces, and did not.
    pub fn lets_promoted_see_namespaces(self) -> bool {
        self.0 >= 3 || self.is_on_the_way_to_the_renderer()
    }

    /// Up to 1.2, deployments name service accounts too.
    pub fn takes_accounts_of_deployments(self) -> bool {
        self.0 <= 2
    }

    /// From 1.3 on, deployments keep one revision.
    pub fn limits_revisions(self) -> bool {
        self.0 >= 3 || self.is_on_the_way_to_the_renderer()
    }

    /// From 1.4 on, volumes are replaced by the path that they are mounted at too, webhooks select the watched namespaces, and
    /// certificates are renewed a day before they expire.
    pub fn is_thorough_with_webhooks(self) -> bool {
        self.0 >= 4
    }

    /// Whether a release runs a check of the bundle.
    pub fn runs(self, check: Check) -> bool {
        match check {
            Check::ConversionsWatchAllNamespaces | Check::WebhookRulesAllowed => self.0 >= 6,
            Check::ObjectsSupported => self.0 >= 9,
            Check::DeploymentsUnique | Check::CrdsUnique | Check::OwnedCrdsExist | Check::PackageNamed => {
                self.0 >= 3 || self.is_on_the_way_to_the_renderer()
            }
            _ => self.0 >= 3,
        }
    }
}
