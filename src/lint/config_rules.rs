//! Rules about `olmplan.toml` itself: their names, levels and documentation. What they find, [`super::settle()`] finds.

use super::rule::{Doc, Rule, no_manifests};
use crate::finding::Level;

/// Every such rule, by name.
pub(super) static ALL: [&Rule; 5] = [&EXPIRED_IGNORE, &EXPIRED_WAIVER, &UNKNOWN_RULE, &UNUSED_IGNORE, &UNUSED_WAIVER];

pub(super) static EXPIRED_IGNORE: Rule = Rule {
    name: "expired-ignore",
    level: Level::Warning,
    doc: Doc {
        finds: "An `[[ignore]]` of `olmplan.toml` whose day has passed. What it left out is reported again.",
        why: "Somebody promised to look again by that day.",
        bad: "\
# olmplan.toml, in 2027
[[ignore]]
rule = \"deprecated-choice\"
extension = \"lantern\"
reason = \"we move to oil lamps in winter\"
expires = 2026-12-31
",
        fix: "Put right what it hides, or give it a new day and say why.",
        good: "\
# olmplan.toml, in 2027
[[ignore]]
rule = \"deprecated-choice\"
extension = \"lantern\"
reason = \"the lamps came late, we move in spring\"
expires = 2027-06-30
",
    },
    check: no_manifests,
};

pub(super) static EXPIRED_WAIVER: Rule = Rule {
    name: "expired-waiver",
    level: Level::Warning,
    doc: Doc {
        finds: "A `[[waiver]]` of `olmplan.toml` whose day has passed. What it accepted is reported again.",
        why: "Somebody promised to look again by that day.",
        bad: "\
# olmplan.toml, in 2027
[[waiver]]
crd = \"weirs.water.example\"
check = \"enum\"
reason = \"no object uses the value\"
expires = 2026-12-31
",
        fix: "Take it out, or give it a new day and say why.",
        good: "\
# olmplan.toml, in 2027
[[waiver]]
crd = \"weirs.water.example\"
check = \"enum\"
reason = \"no object uses the value, looked at in January\"
expires = 2027-06-30
",
    },
    check: no_manifests,
};

pub(super) static UNKNOWN_RULE: Rule = Rule {
    name: "unknown-rule",
    level: Level::Warning,
    doc: Doc {
        finds: "A rule in `[rules]` or `[[ignore]]` of `olmplan.toml` that there is not.",
        why: "It does nothing.",
        bad: "\
# olmplan.toml
[rules]
droped-field = \"off\"
",
        fix: "Write it as `olmplan rules` lists it.",
        good: "\
# olmplan.toml
[rules]
dropped-field = \"off\"
",
    },
    check: no_manifests,
};

pub(super) static UNUSED_IGNORE: Rule = Rule {
    name: "unused-ignore",
    level: Level::Note,
    doc: Doc {
        finds: "An `[[ignore]]` of `olmplan.toml` that leaves nothing out.",
        why: "It will hide something else one day.",
        bad: "\
# olmplan.toml, and no field is dropped any more
[[ignore]]
rule = \"dropped-field\"
reason = \"the field comes with the next release\"
",
        fix: "Take it out.",
        good: "\
# olmplan.toml without it
",
    },
    check: no_manifests,
};

pub(super) static UNUSED_WAIVER: Rule = Rule {
    name: "unused-waiver",
    level: Level::Warning,
    doc: Doc {
        finds: "A `[[waiver]]` of `olmplan.toml` that no CRD finding matches.",
        why: "It will accept something else one day, or it has a slip and accepts nothing.",
        bad: "\
# olmplan.toml, and the CRD is called weirs.water.example
[[waiver]]
crd = \"weir.water.example\"
reason = \"no object uses the value\"
",
        fix: "Put it right as the finding is written, or take it out.",
        good: "\
# olmplan.toml
[[waiver]]
crd = \"weirs.water.example\"
reason = \"no object uses the value\"
",
    },
    check: no_manifests,
};
