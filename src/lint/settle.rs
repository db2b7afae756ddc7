//! What the configuration says of findings: their levels, and which to leave out.

use super::config_rules::{EXPIRED_IGNORE, EXPIRED_WAIVER, UNKNOWN_RULE, UNUSED_IGNORE, UNUSED_WAIVER};
use crate::config::{Config, Date, Ignore, RuleLevel};
use crate::finding::Finding;
use crate::nearest::nearest;
use crate::place::Span;
use crate::plan::Plan;

/// Findings after the configuration has had its say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settled {
    /// What is reported.
    pub findings: Vec<Finding>,
    /// What is left out, with the reason.
    pub ignored: Vec<(Finding, String)>,
    /// What is to be said of the configuration itself: the finding, and where in its text.
    pub about_config: Vec<(Finding, Option<Span>)>,
}

/// How far a run looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// At the manifests alone: that an `[[ignore]]` leaves nothing out means nothing.
    Manifests,
    /// At everything.
    Plan,
}

/// Applies the configuration. `from_home` gives a finding's path relative to the configuration's folder.
pub fn settle(findings: Vec<Finding>, config: &Config, today: Date, reach: Reach, from_home: &dyn Fn(&str) -> String) -> Settled {
    let mut settled = Settled::default();
    let (live, expired): (Vec<&Ignore>, Vec<&Ignore>) =
        config.ignores.iter().partition(|i| i.expires.is_none_or(|day| today <= day));
    let mut used = vec![false; live.len()];
    for mut finding in findings {
        match config.rules.get(finding.rule) {
            Some(RuleLevel::Off) => {
                settled.ignored.push((finding, "switched off in [rules]".to_owned()));
                continue;
            }
            Some(RuleLevel::At(level)) => finding.level = *level,
            None => {}
        }
        match live.iter().position(|ignore| matches(ignore, &finding, from_home)) {
            Some(at) => {
                if let Some(used) = used.get_mut(at) {
                    *used = true;
                }
                let reason = live.get(at).map(|i| i.reason.clone()).unwrap_or_default();
                settled.ignored.push((finding, reason));
            }
            None => settled.findings.push(finding),
        }
    }
    for ignore in expired {
        let day = ignore.expires.map(|d| d.to_string()).unwrap_or_default();
        let finding = EXPIRED_IGNORE.finding(format!("this [[ignore]] expired on {day}: {}", ignore.reason));
        settled.about_config.push((finding, Some(ignore.span)));
    }
    for (ignore, used) in live.iter().zip(used) {
        if !used && reach == Reach::Plan {
            settled.about_config.push((UNUSED_IGNORE.finding("this [[ignore]] leaves nothing out"), Some(ignore.span)));
        }
    }
    settled.about_config.extend(unknown(config));
    settled
}

/// What is to be said of the waivers of a plan: the finding, and where in the configuration's text.
pub fn about_waivers(plan: &Plan) -> Vec<(Finding, Option<Span>)> {
    let at = |positions: &[usize]| positions.iter().filter_map(|n| plan.waivers.get(*n)).cloned().collect::<Vec<_>>();
    let expired = at(&plan.expired_waivers).into_iter().map(|w| {
        let day = w.expires.map(|d| d.to_string()).unwrap_or_default();
        (EXPIRED_WAIVER.finding(format!("this [[waiver]] of {} expired on {day}: {}", w.crd, w.reason)), Some(w.span))
    });
    let unused = at(&plan.unused_waivers)
        .into_iter()
        .map(|w| (UNUSED_WAIVER.finding(format!("no finding matches this [[waiver]] of {}", w.crd)), Some(w.span)));
    expired.chain(unused).collect()
}

fn matches(ignore: &Ignore, finding: &Finding, from_home: &dyn Fn(&str) -> String) -> bool {
    let path = |path: &String| {
        let folder = path.trim_start_matches("./").trim_end_matches('/');
        let below = |p: String| p == folder || p.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        finding.path.as_ref().is_some_and(|p| below(from_home(p)))
    };
    ignore.rule.as_ref().is_none_or(|rule| rule == finding.rule)
        && ignore.extension.as_ref().is_none_or(|e| finding.extension.as_ref() == Some(e))
        && ignore.path.as_ref().is_none_or(path)
}

fn unknown(config: &Config) -> Vec<(Finding, Option<Span>)> {
    let names: Vec<&str> = super::all().into_iter().map(|r| r.name).collect();
    let in_rules = config.rules.keys().map(|name| (name, None));
    let in_ignores = config.ignores.iter().filter_map(|i| Some((i.rule.as_ref()?, Some(i.span))));
    let finding = |(name, span): (&String, Option<Span>)| {
        if names.contains(&name.as_str()) {
            return None;
        }
        let mut finding = UNKNOWN_RULE.finding(format!("there is no rule {name:?}"));
        finding.help = Some(match nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean {near:?}?"),
            None => "`olmplan rules` lists them".to_owned(),
        });
        Some((finding, span))
    };
    in_rules.chain(in_ignores).filter_map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::parse;
    use crate::finding::Level;

    fn finding(rule: &'static str, path: &str) -> Finding {
        let mut finding = Finding::new(rule, Level::Warning, "m");
        finding.path = Some(path.to_owned());
        finding
    }

    #[test]
    fn levels_and_ignores_have_their_say() {
        let config = parse(
            r#"
            [rules]
            dropped-field = "error"
            duplicate-key = "off"
            [[ignore]]
            rule = "unknown-kind"
            path = "legacy/"
            reason = "is being replaced"
            [[ignore]]
            rule = "unknown-kind"
            path = "old"
            reason = "was being replaced"
            expires = 2026-01-31
            [[ignore]]
            rule = "unknwon-kind"
            reason = "never looked at"
            "#,
        )
        .unwrap();
        let today = Date { year: 2026, month: 2, day: 1 };
        let found = vec![
            finding("dropped-field", "a.yaml"),
            finding("duplicate-key", "a.yaml"),
            finding("unknown-kind", "legacy/a.yaml"),
            finding("unknown-kind", "legacy.yaml"),
            finding("unknown-kind", "old/a.yaml"),
        ];
        let settled = settle(found, &config, today, Reach::Plan, &str::to_owned);
        let kept: Vec<_> = settled.findings.iter().map(|f| (f.rule, f.level, f.path.as_deref().unwrap())).collect();
        assert_eq!(
            kept,
            [
                ("dropped-field", Level::Error, "a.yaml"),
                ("unknown-kind", Level::Warning, "legacy.yaml"),
                ("unknown-kind", Level::Warning, "old/a.yaml")
            ]
        );
        assert_eq!(settled.ignored.len(), 2);
        let about: Vec<_> = settled.about_config.iter().map(|(f, _)| f.rule).collect();
        assert_eq!(about, ["expired-ignore", "unused-ignore", "unknown-rule"]);
        assert_eq!(settled.about_config[2].0.help.as_deref(), Some("did you mean \"unknown-kind\"?"));
    }
}
