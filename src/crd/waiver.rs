//! Waivers: findings that somebody has looked at and accepts.
//!
//! A waiver changes what is reported here, never what the controller does: it refuses the upgrade all the same, until the extension says
//! `spec.install.preflight.crdUpgradeSafety.enforcement: None`.

use super::finding::Finding;
use crate::config::{Date, Waiver};

/// What waivers come to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Waived {
    /// For each finding the position of the first waiver that matches and has not expired.
    pub accepted: Vec<Option<usize>>,
    /// The positions of waivers that match no finding.
    pub unused: Vec<usize>,
    /// The positions of waivers whose last day is over, whether they match or not.
    pub expired: Vec<usize>,
}

/// Matches findings and waivers. What a waiver leaves out matches everything; `today` is `None` where the day is not to count.
pub fn apply_waivers<'a>(findings: impl IntoIterator<Item = &'a Finding>, waivers: &[Waiver], today: Option<Date>) -> Waived {
    let is_expired = |waiver: &Waiver| matches!((waiver.expires, today), (Some(last), Some(today)) if last < today);
    let mut used = vec![false; waivers.len()];
    let accepted = findings
        .into_iter()
        .map(|finding| {
            let mut accepted = None;
            for (n, (waiver, used)) in waivers.iter().zip(&mut used).enumerate() {
                if matches(waiver, finding) {
                    *used = true;
                    if accepted.is_none() && !is_expired(waiver) {
                        accepted = Some(n);
                    }
                }
            }
            accepted
        })
        .collect();
    let positions = |holds: &dyn Fn(usize, &Waiver) -> bool| {
        waivers.iter().enumerate().filter(|(n, w)| holds(*n, w)).map(|(n, _)| n).collect()
    };
    Waived {
        accepted,
        unused: positions(&|n, waiver| !used.get(n).copied().unwrap_or(false) && !is_expired(waiver)),
        expired: positions(&|_, waiver| is_expired(waiver)),
    }
}

fn matches(waiver: &Waiver, finding: &Finding) -> bool {
    let fits = |wanted: &Option<String>, found: &Option<String>| wanted.is_none() || wanted == found;
    waiver.crd == finding.crd
        && fits(&waiver.version, &finding.version)
        && fits(&waiver.property, &finding.property)
        && waiver.check.as_deref().is_none_or(|check| check == finding.check)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{crd, findings};
    use super::*;
    use crate::place::Span;
    use serde_json::json;

    fn waiver(property: Option<&str>, check: Option<&str>, expires: Option<Date>) -> Waiver {
        Waiver {
            crd: "widgets.example.com".into(),
            version: None,
            property: property.map(Into::into),
            check: check.map(Into::into),
            reason: "known".into(),
            expires,
            span: Span::default(),
        }
    }

    fn some_findings() -> Vec<Finding> {
        findings(&crd(json!({"type": "string", "nullable": true})), &crd(json!({"type": "integer"})))
    }

    const PAST: Date = Date { year: 2026, month: 1, day: 31 };
    const TODAY: Date = Date { year: 2026, month: 2, day: 1 };

    #[test]
    fn a_waiver_accepts_what_it_names() {
        let findings = some_findings();
        let waived = apply_waivers(&findings, &[waiver(Some("^"), Some("type"), Some(TODAY))], Some(TODAY));
        let of = |check: &str| waived.accepted[findings.iter().position(|f| f.check == check).unwrap()];
        assert_eq!((findings.len(), of("type"), of("nullable")), (2, Some(0), None));
        assert!(waived.unused.is_empty() && waived.expired.is_empty());
    }

    #[test]
    fn an_expired_waiver_accepts_nothing_and_is_told() {
        let waivers = [waiver(None, None, Some(PAST)), waiver(Some("^.gone"), None, None)];
        let waived = apply_waivers(&some_findings(), &waivers, Some(TODAY));
        assert_eq!(waived, Waived { accepted: vec![None, None], unused: vec![1], expired: vec![0] });
        assert_eq!(apply_waivers(&some_findings(), &waivers, None).accepted, [Some(0), Some(0)]);
    }
}
