//! Two values side by side -> a report of what differs and what stands beside it.

use super::super::schema::Schemas;
use super::dump::Addresses;
use super::node::{Budget, Key, Node};
use super::print::map_key;
use super::text::{Mode, Record, Stats, Text, leave_out};
use super::value::{Kind, Type, Value};

/// Whether types are written before values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TypeMode {
    Emit,
    Elide,
    /// Before structs, lists and maps.
    Auto,
}

/// How something is to be written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Options {
    pub(super) mode: Mode,
    pub(super) type_mode: TypeMode,
    pub(super) avoid_stringer: bool,
    pub(super) verbosity: i32,
    /// Whether verbosity limits anything.
    pub(super) limited: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { mode: Mode::Unknown, type_mode: TypeMode::Emit, avoid_stringer: false, verbosity: 0, limited: false }
    }
}

/// What every step needs.
pub(super) struct Context<'a, 'c> {
    pub(super) schemas: &'a Schemas,
    pub(super) budget: &'c Budget,
    pub(super) addresses: &'c Addresses,
}

/// How often the report gets more verbose to tell two values apart.
const PRESETS: i32 = 6;
/// How many equal records are shown beside a different one.
const BESIDE: usize = 2;

impl Options {
    pub(super) fn with_mode(self, mode: Mode) -> Self {
        Self { mode, ..self }
    }

    pub(super) fn with_type(self, type_mode: TypeMode) -> Self {
        Self { type_mode, ..self }
    }

    fn with_verbosity(self, verbosity: i32) -> Self {
        Self { verbosity, limited: true, ..self }
    }

    pub(super) fn level(self) -> u32 {
        u32::try_from(self.verbosity.clamp(0, 16)).unwrap_or(0)
    }

    fn preset(self, n: i32) -> Self {
        let level = i32::try_from(self.level()).unwrap_or(0);
        Self { verbosity: level + 2 * n, avoid_stringer: self.avoid_stringer || n > 0, ..self }
    }

    /// The report on a node.
    pub(super) fn diff<'a>(self, node: &Node<'a>, context: &Context<'a, '_>) -> Text {
        let options = if self.mode == Mode::Identical {
            self.with_verbosity(1)
        } else if self.level() < 3 {
            self.with_verbosity(3)
        } else {
            self
        };
        if options.diffs_as_slice(node, context) {
            return options.diff_slice(node);
        }
        let equal_bytes = *node.of == Type::Slice(&Type::Byte) && !node.different;
        let children = if equal_bytes { None } else { node.children(context.schemas, context.budget).filter(|c| !c.is_empty()) };
        let Some(children) = children else { return options.leaf(node, context) };
        match node.of.kind() {
            Kind::Pointer => match children.as_slice() {
                [(_, child)] => Text::wrap("&", options.diff(child, context), ""),
                _ => Text::nil(),
            },
            kind => {
                let list = options.records(&children, kind, context);
                options.typed(node.of, list)
            }
        }
    }

    /// A node without anything within.
    fn leaf<'a>(self, node: &Node<'a>, context: &Context<'a, '_>) -> Text {
        let show = |options: Self, value: &Option<Value<'a>>| {
            value.as_ref().map(|value| options.value(node.of, value, node.parent, context))
        };
        match self.mode {
            Mode::Removed => show(self, &node.before).unwrap_or_else(Text::nil),
            Mode::Inserted => show(self, &node.after).unwrap_or_else(Text::nil),
            Mode::Unknown | Mode::Identical if !node.different => {
                let (before, after) =
                    (show(self, &node.before).unwrap_or_else(Text::nil), show(self, &node.after).unwrap_or_else(Text::nil));
                if before.len() < after.len() { before } else { after }
            }
            Mode::Unknown | Mode::Identical => {
                let plain = self.with_type(TypeMode::Elide);
                let (mut before, mut after) = (show(plain, &node.before), show(plain, &node.after));
                for n in 0..=PRESETS {
                    if before.is_none() || before != after {
                        break;
                    }
                    let louder = self.preset(n).with_type(TypeMode::Elide);
                    (before, after) = (show(louder, &node.before), show(louder, &node.after));
                }
                let mut records = Vec::new();
                records.extend(before.map(|text| Record::new(Mode::Removed, "", text)));
                records.extend(after.map(|text| Record::new(Mode::Inserted, "", text)));
                self.with_type(TypeMode::Emit).typed(node.of, Text::List(records))
            }
        }
    }

    /// The fields of a struct, the elements of a list, the entries of a map.
    fn records<'a>(mut self, children: &[(Key<'a>, Node<'a>)], kind: Kind, context: &Context<'a, '_>) -> Text {
        let name = match kind {
            Kind::Struct => "field",
            Kind::Map => "entry",
            _ => "element",
        };
        self = self.with_type(if kind == Kind::Struct { TypeMode::Auto } else { TypeMode::Elide });
        let mut most = usize::MAX;
        if self.limited {
            most = if self.mode == Mode::Identical { ((1 << self.level()) >> 1) << 2 } else { (1 << self.level()) << 1 };
            self.verbosity -= 1;
        }
        if self.mode == Mode::Unknown {
            self.differing(children, name, most, context)
        } else {
            self.uniform(children, kind, most, context)
        }
    }

    /// Records that all stand the same way to the two sides.
    fn uniform<'a>(self, children: &[(Key<'a>, Node<'a>)], kind: Kind, most: usize, context: &Context<'a, '_>) -> Text {
        let mut records = Vec::new();
        for (key, node) in children {
            if records.len() == most {
                leave_out(&mut records, None);
                break;
            }
            let zero = |value: &Option<Value<'a>>| value.as_ref().is_none_or(Value::is_zero);
            let left_out = kind == Kind::Struct
                && match self.mode {
                    Mode::Removed => zero(&node.before),
                    Mode::Inserted => zero(&node.after),
                    _ => zero(&node.before) || zero(&node.after),
                };
            // A list's element that is on the other side only has no text.
            let missing = match self.mode {
                Mode::Removed => node.before.is_none(),
                Mode::Inserted => node.after.is_none(),
                _ => false,
            };
            if !left_out && !missing {
                records.push(Record::new(Mode::Unknown, key_text(key), self.diff(node, context)));
            }
        }
        Text::braces(records)
    }

    /// Records of which some differ: those, and the ones beside them.
    fn differing<'a>(self, children: &[(Key<'a>, Node<'a>)], name: &'static str, most: usize, context: &Context<'a, '_>) -> Text {
        let mut records = Vec::new();
        let mut rest = children;
        let mut shown = 0;
        let mut beyond = Stats::of(name);
        let groups = groups(children, name);
        let last = groups.len().saturating_sub(1);
        for (n, group) in groups.iter().enumerate() {
            if shown >= most {
                beyond = beyond.plus(group);
                continue;
            }
            let equal = group.identical;
            if group.different() == 0 {
                let (low, high) = beside(equal, n > 0, n < last, BESIDE);
                let high = if equal - (low + high) == 1 { high + 1 } else { high };
                let identical = |record: &(Key<'a>, Node<'a>)| {
                    Record::new(Mode::Unknown, key_text(&record.0), self.with_mode(Mode::Identical).diff(&record.1, context))
                };
                records.extend(rest.iter().take(low).map(identical));
                if equal > low + high {
                    leave_out(&mut records, Some(Stats { identical: equal - (low + high), ..*group }));
                }
                records.extend(rest.iter().take(equal).skip(equal - high).map(identical));
                rest = rest.get(equal..).unwrap_or_default();
                continue;
            }
            for (key, node) in rest.iter().take(group.different()) {
                self.different(key, node, &mut records, context);
            }
            rest = rest.get(group.different()..).unwrap_or_default();
            shown += group.different();
        }
        if !beyond.is_zero() {
            leave_out(&mut records, Some(beyond));
        }
        Text::braces(records)
    }

    fn different<'a>(self, key: &Key<'a>, node: &Node<'a>, records: &mut Vec<Record>, context: &Context<'a, '_>) {
        if self.diffs_as_slice(node, context) {
            records.push(Record::new(Mode::Unknown, key_text(key), self.diff_slice(node)));
        } else if node.is_chain(context.schemas, context.budget) {
            let side = |options: Self, mode, there: bool| there.then(|| options.with_mode(mode).diff(node, context));
            let both = |options: Self| {
                (side(options, Mode::Removed, node.before.is_some()), side(options, Mode::Inserted, node.after.is_some()))
            };
            let (mut before, mut after) = both(self);
            for n in 0..=PRESETS {
                if before.is_none() || before != after {
                    break;
                }
                (before, after) = both(self.preset(n));
            }
            records.extend(before.map(|text| Record::new(Mode::Removed, key_text(key), text)));
            records.extend(after.map(|text| Record::new(Mode::Inserted, key_text(key), text)));
        } else {
            records.push(Record::new(Mode::Unknown, key_text(key), self.diff(node, context)));
        }
    }
}

/// How many of some equal records are shown at each end: next to a difference only.
pub(super) fn beside(equal: usize, before: bool, after: bool, most: usize) -> (usize, usize) {
    let low = if before { most.min(equal) } else { 0 };
    let high = if after { most.min(equal - low) } else { 0 };
    (low, high)
}

fn key_text(key: &Key<'_>) -> String {
    match key {
        Key::Field(name) => (*name).to_owned(),
        Key::Entry(name) => map_key(name),
        Key::Element => String::new(),
    }
}

/// Runs of equal and of different records.
fn groups(children: &[(Key<'_>, Node<'_>)], name: &'static str) -> Vec<Stats> {
    let mut groups: Vec<Stats> = Vec::new();
    for (_, node) in children {
        if groups.last().is_none_or(|group| (group.different() > 0) != node.different) {
            groups.push(Stats::of(name));
        }
        if let Some(group) = groups.last_mut() {
            match (&node.before, &node.after) {
                _ if !node.different => group.identical += 1,
                (_, None) => group.removed += 1,
                (None, _) => group.inserted += 1,
                _ => group.modified += 1,
            }
        }
    }
    groups
}
