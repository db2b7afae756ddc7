//! [`check`]: two sides of a CRD -> findings.

use super::checks::{self, CRD_CHECKS, Comparison, CrdComparison, Objection, PROPERTY_CHECKS, PropertyCheck};
use super::cmp::Work;
use super::document::{Crd, Side, Version, is_crd, name_of};
use super::error::Error;
use super::finding::{Finding, Pointer};
use super::first_generation;
use super::flatten::{Flat, Property};
use super::generation::{Items, Known};
use super::keyword::Keyword;
use super::policy::{Conversion, Enforcement, Policy};
use super::schema::{Schema, Schemas};
use super::served;
use super::trail::Trail;
use crate::finding::Level;
use crate::place::{FieldPath, Step};
use crate::target::CrdCheck;
use serde_json::Value;
use std::collections::BTreeMap;

/// How many pairs of properties one comparison may look at, over all pairs of versions.
const WORK_LIMIT: usize = 50_000_000;
/// How many findings one CRD may have.
const FINDINGS_LIMIT: usize = 200_000;

/// Checks the change of one CRD.
///
/// Follows crdify bb9957db pkg/runner/runner.go: Run.
///
/// # Errors
/// Where one of the documents is no CRD that the controller could compare, or the comparison is beyond bounds.
pub fn check(before: &Value, after: &Value, policy: &Policy) -> Result<Vec<Finding>, Error> {
    let mut schemas = Schemas::new();
    let before = Crd::read(before, Side::Before, &mut schemas)?;
    let after = Crd::read(after, Side::After, &mut schemas)?;
    let flatten = |crd: &Crd| {
        crd.versions
            .iter()
            .enumerate()
            .map(|(n, v)| v.schema.map(|root| Flat::new(root, n, &schemas, policy.generation.naming)).transpose())
            .collect::<Result<Vec<_>, _>>()
    };
    let (before_flat, after_flat) = (flatten(&before)?, flatten(&after)?);
    let mut run = Run {
        policy,
        schemas: &schemas,
        checks: PROPERTY_CHECKS
            .iter()
            .filter(|check| {
                policy.generation.check >= check.since
                    && (check.keyword != Keyword::Description || policy.generation.understands_descriptions)
            })
            .collect(),
        before: Sided { side: Side::Before, crd: &before, flat: &before_flat },
        after: Sided { side: Side::After, crd: &after, flat: &after_flat },
        reports: Work::new(),
        work: 0,
        findings: Vec::new(),
    };
    run.same_versions()?;
    run.served_versions()?;
    run.whole();
    let mut findings = run.findings;
    Finding::sort(&mut findings);
    Ok(findings)
}

/// Checks the CRDs of a release against those that are there, matched by name.
///
/// As the controller's preflight does it (operator-controller df2c201d, crdupgradesafety.go: runPreflight): documents of the after
/// side that are no CRDs of apiextensions.k8s.io/v1 are passed over, a CRD that is not there yet is safe, and one that is not in the
/// release any more is not looked at.
///
/// # Errors
/// As [`check`].
pub fn check_all<'a>(
    before: impl IntoIterator<Item = &'a Value>,
    after: impl IntoIterator<Item = &'a Value>,
    policy: &Policy,
) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    for (before, after) in by_name(before, after) {
        match before {
            Some(before) => findings.extend(check(before, after, policy)?),
            // The controller decodes it before it asks whether it is there.
            None => drop(Crd::read(after, Side::After, &mut Schemas::new())?),
        }
    }
    Finding::sort(&mut findings);
    Ok(findings)
}

/// The CRDs of the after side, with what is there of that name before; of two before, the last.
pub(super) fn by_name<'a>(
    before: impl IntoIterator<Item = &'a Value>,
    after: impl IntoIterator<Item = &'a Value>,
) -> Vec<(Option<&'a Value>, &'a Value)> {
    let crds = before.into_iter().filter(|document| is_crd(document));
    let there: BTreeMap<&str, &Value> = crds.map(|document| (name_of(document), document)).collect();
    let after = after.into_iter().filter(|document| is_crd(document));
    after.map(|document| (there.get(name_of(document)).copied(), document)).collect()
}

/// A CRD of one side, with the properties of each version.
#[derive(Clone, Copy)]
struct Sided<'a> {
    side: Side,
    crd: &'a Crd,
    flat: &'a [Option<Flat>],
}

impl<'a> Sided<'a> {
    fn version(&self, at: usize) -> Result<(&'a Version, &'a Flat), Error> {
        let missing = |name: &str| Error::NoSchema { crd: self.crd.name.clone(), version: name.to_owned() };
        let version = self.crd.versions.get(at).ok_or_else(|| missing(""))?;
        let flat = self.flat.get(at).and_then(Option::as_ref).ok_or_else(|| missing(&version.name))?;
        Ok((version, flat))
    }
}

/// An objection to a property, not yet a finding.
pub(super) struct Found<'a> {
    pub(super) path: &'a str,
    before: &'a Property,
    after: Option<&'a Property>,
    pub(super) check: &'static str,
    help: &'static str,
    keyword: Option<Keyword>,
    pub(super) objection: Objection,
}

struct Run<'a> {
    policy: &'a Policy,
    schemas: &'a Schemas,
    checks: Vec<&'static PropertyCheck>,
    before: Sided<'a>,
    after: Sided<'a>,
    reports: Work,
    work: usize,
    findings: Vec<Finding>,
}

impl<'a> Run<'a> {
    /// Follows crdify bb9957db pkg/validators/crd/crd.go. Runs after the comparison of the same versions, which tells of a missing schema.
    fn whole(&mut self) {
        let crds = CrdComparison {
            before: self.before.crd,
            after: self.after.crd,
            before_flat: self.before.flat,
            after_flat: self.after.flat,
        };
        for check in CRD_CHECKS {
            let Some(level) = level(self.policy.enforcement(check.name)) else { continue };
            for found in (check.compare)(&crds) {
                let pointer = |ours: &Sided<'_>, theirs: &Sided<'_>| Pointer {
                    side: ours.side,
                    trail: found
                        .property
                        .as_ref()
                        .and_then(|(version, path)| nearest(ours, theirs, version, path))
                        .unwrap_or_else(|| Trail::of(FieldPath::of(check.field))),
                };
                let (before_field, after_field) = (pointer(&self.before, &self.after), pointer(&self.after, &self.before));
                let words = |message: String| {
                    if self.first_generation() {
                        first_generation::whole_message(check.name, &crds, found.property.as_ref())
                    } else {
                        message
                    }
                };
                self.findings.push(Finding {
                    crd: self.after.crd.name.clone(),
                    version: None,
                    property: None,
                    check: check.name,
                    level,
                    message: words(found.objection.message),
                    plain: found.objection.plain,
                    before: found.objection.before,
                    after: found.objection.after,
                    help: check.help,
                    before_field,
                    after_field,
                });
            }
        }
    }

    /// Follows crdify bb9957db pkg/validators/version/same/same.go.
    fn same_versions(&mut self) -> Result<(), Error> {
        let (before, after) = (self.before, self.after);
        for (m, version) in before.crd.versions.iter().enumerate() {
            let Some((n, _)) = after.crd.version(&version.name) else { continue };
            let found = self.compare((before, m), (after, n))?;
            self.report(&version.name, found, (before, m), (after, n))?;
        }
        Ok(())
    }

    /// Follows crdify bb9957db pkg/validators/version/served/served.go.
    fn served_versions(&mut self) -> Result<(), Error> {
        let (before, after) = (self.before, self.after);
        if self.policy.conversion == Conversion::Ignore && after.crd.conversion == "Webhook" {
            return Ok(());
        }
        let arrow = if self.policy.generation.check == CrdCheck::Crdify398e4483 { "<->" } else { "->" };
        let known = match self.policy.generation.known {
            Known::Dropped => served::pairs(before.crd, arrow),
            Known::Counts if after.crd.versions.iter().any(|version| version.served) => BTreeMap::new(),
            Known::Counts => return Err(Error::NoneServed { crd: after.crd.name.clone() }),
        };
        // Every pair of the before side is compared there, whether the after side has it or not.
        for (m, n) in known.values() {
            before.version(*m).and_then(|_| before.version(*n))?;
        }
        self.reports.decide();
        for (name, (m, n)) in served::pairs(after.crd, arrow) {
            let mut found = self.compare((after, m), (after, n))?;
            if let Some((m, n)) = known.get(&name) {
                let known = self.compare((before, *m), (before, *n))?;
                served::drop_known(&mut found, &known);
            }
            self.report(&name, found, (after, m), (after, n))?;
        }
        Ok(())
    }

    /// Follows crdify bb9957db pkg/validations/compare.go: CompareVersions.
    fn compare(&mut self, before: (Sided<'a>, usize), after: (Sided<'a>, usize)) -> Result<Vec<Found<'a>>, Error> {
        let ((before_version, before_flat), (after_version, after_flat)) =
            (before.0.version(before.1)?, after.0.version(after.1)?);
        if before_version.schema == after_version.schema {
            return Ok(Vec::new());
        }
        self.work += before_flat.len();
        if self.work > WORK_LIMIT {
            return Err(Error::TooLarge { what: "pairs of properties" });
        }
        let mut found = Vec::new();
        if self.first_generation()
            && let Some((property, after)) = before_flat.beside(after_flat).find(|(_, after)| after.is_none())
        {
            found.push(Found {
                path: &property.path,
                before: property,
                after,
                check: checks::REMOVED_FIELDS,
                help: checks::REMOVED_FIELDS_HELP,
                keyword: None,
                objection: first_generation::gone(&before_version.name, &after_version.name, &property.path),
            });
            return Ok(found);
        }
        for (property, other) in before_flat.beside(after_flat) {
            let before = self.schemas.get(property.schema);
            let after = other.map_or(self.schemas.empty(), |other| self.schemas.get(other.schema));
            // A property that is gone is compared even where it is empty, to no effect.
            if other.is_some_and(|other| other.schema == property.schema) || before.same_without(after, self.dropped()) {
                continue;
            }
            self.property((property, before), (other, after), &mut found);
        }
        Ok(found)
    }

    fn first_generation(&self) -> bool {
        self.policy.generation.check == CrdCheck::FirstGeneration
    }

    /// What is left out when a schema is compared, since it is compared as a property of its own.
    fn dropped(&self) -> &'static [Keyword] {
        match self.policy.generation.items {
            Items::Left => &[Keyword::Properties, Keyword::Items],
            Items::Compared => &[Keyword::Properties],
        }
    }

    /// Follows crdify bb9957db pkg/validations/compare.go: CompareProperties.
    fn property(
        &self,
        (property, before): (&'a Property, &Schema),
        (counterpart, after): (Option<&'a Property>, &Schema),
        found: &mut Vec<Found<'a>>,
    ) {
        let pair = Comparison { before, after, schemas: self.schemas, settings: self.policy.settings, work: &self.reports };
        let mut handled = self.dropped().to_vec();
        let first_generation = self.first_generation();
        let mut add = |check: &'static str, help, keyword, objection: Option<Objection>| {
            if let Some(mut objection) = objection {
                if first_generation {
                    objection.message = match keyword {
                        Some(keyword) => first_generation::message(keyword, before, after).unwrap_or(objection.message),
                        None => first_generation::UNKNOWN.to_owned(),
                    };
                }
                if counterpart.is_none() {
                    objection.plain = format!("the field is gone, and with it: {}", objection.plain);
                    objection.after = None;
                }
                let (path, before, after) = (property.path.as_str(), property, counterpart);
                found.push(Found { path, before, after, check, help, keyword, objection });
            }
        };
        for check in &self.checks {
            handled.push(check.keyword);
            if self.policy.enforcement(check.name) != Enforcement::None {
                add(check.name, check.help, Some(check.keyword), (check.compare)(&pair));
            }
        }
        if self.policy.unhandled != Enforcement::None {
            add(checks::UNHANDLED, checks::UNHANDLED_HELP, None, checks::compare_unhandled(&pair, &handled));
        }
    }

    fn report(
        &mut self,
        version: &str,
        found: Vec<Found<'a>>,
        before: (Sided<'a>, usize),
        after: (Sided<'a>, usize),
    ) -> Result<(), Error> {
        if self.findings.len() + found.len() > FINDINGS_LIMIT {
            return Err(Error::TooLarge { what: "findings" });
        }
        for found in found {
            let Some(level) = level(self.policy.enforcement(found.check)) else { continue };
            let (before_field, after_field) = self.pointers(before, after, &found)?;
            self.findings.push(Finding {
                crd: self.after.crd.name.clone(),
                version: Some(version.to_owned()),
                property: Some(found.path.to_owned()),
                check: found.check,
                level,
                message: found.objection.message,
                plain: found.objection.plain,
                before: found.objection.before,
                after: found.objection.after,
                help: found.help,
                before_field,
                after_field,
            });
        }
        Ok(())
    }

    /// The fields that a finding is about on each side: the keyword, or what there is nearest to it.
    fn pointers(
        &self,
        before: (Sided<'a>, usize),
        after: (Sided<'a>, usize),
        found: &Found<'_>,
    ) -> Result<(Pointer, Pointer), Error> {
        let of = |property: &Property| match found.keyword {
            Some(keyword) if self.schemas.get(property.schema).get(keyword).is_some() => {
                property.trail.then(vec![Step::Key(keyword.name().to_owned())])
            }
            _ => property.trail.clone(),
        };
        let trail = match found.after {
            Some(property) => of(property),
            None => {
                let ((_, before_flat), (_, after_flat)) = (before.0.version(before.1)?, after.0.version(after.1)?);
                after_flat.above(before_flat, found.before)
            }
        };
        Ok((Pointer { side: before.0.side, trail: of(found.before) }, Pointer { side: after.0.side, trail }))
    }
}

/// Where a property of a version is on one side, or what there is nearest to it.
fn nearest(ours: &Sided<'_>, theirs: &Sided<'_>, version: &str, path: &str) -> Option<Trail> {
    let (n, _) = ours.crd.version(version)?;
    let (m, _) = theirs.crd.version(version)?;
    Some(ours.flat.get(n)?.as_ref()?.nearest(theirs.flat.get(m)?.as_ref()?, path))
}

fn level(enforcement: Enforcement) -> Option<Level> {
    match enforcement {
        Enforcement::Error => Some(Level::Error),
        Enforcement::Warn => Some(Level::Warning),
        Enforcement::None => None,
    }
}

#[cfg(test)]
mod tests;
