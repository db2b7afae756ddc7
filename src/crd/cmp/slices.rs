//! Two long strings, or two lists of bytes -> a report by lines or by stretches.

use super::edit::{Edit, Likeness, edits};
use super::node::Node;
use super::print::{ends_with, quoted, quoted_bytes, without_returns};
use super::report::{Context, Options, TypeMode, beside};
use super::text::{Comment, ELLIPSIS, Mode, Record, Stats, Text, leave_out};
use super::value::{Kind, Type, Value};
use crate::go::{is_print, is_space, quote};
use std::collections::HashSet;

/// From which length on strings are compared by stretches.
const LONG: usize = 32;
/// How long strings may be to be compared so; longer ones are shown apart.
const LONGEST: usize = 1 << 16;

/// Two sequences of which stretches are shown.
struct Sequences<'t> {
    /// What one item is called.
    name: &'static str,
    /// How many items a line.
    stretch: usize,
    lengths: (usize, usize),
    same: &'t dyn Fn(usize, usize) -> bool,
    /// A stretch, of the before side or the after side, as a line.
    line: &'t dyn Fn(bool, usize, usize, Mode) -> Record,
}

fn text_of<'v>(value: &Option<Value<'v>>) -> Option<&'v [u8]> {
    match value {
        Some(Value::Text(text)) => Some(text.as_bytes()),
        Some(Value::Bytes(bytes)) => Some(bytes),
        _ => None,
    }
}

impl Options {
    /// Whether the node is compared by stretches.
    pub(super) fn diffs_as_slice<'a>(self, node: &Node<'a>, context: &Context<'a, '_>) -> bool {
        if self.mode != Mode::Unknown || !node.different {
            return false;
        }
        let (Some(before), Some(after)) = (text_of(&node.before), text_of(&node.after)) else { return false };
        if before.len() > LONGEST || after.len() > LONGEST {
            context.budget.exhaust();
            return false;
        }
        if node.of.kind() == Kind::Slice {
            if before.is_empty() || after.is_empty() {
                return false;
            }
            let likeness = node.likeness(context.schemas, context.budget);
            if likeness.different > likeness.same {
                return true;
            }
        }
        before.len() >= LONG && after.len() >= LONG
    }

    /// The report on such a node.
    pub(super) fn diff_slice(self, node: &Node<'_>) -> Text {
        let (before, after) = (text_of(&node.before).unwrap_or_default(), text_of(&node.after).unwrap_or_default());
        let named = !matches!(node.of, Type::String | Type::Slice(_));
        let traits = Traits::of(before, after);
        if traits.lined {
            let lines = |bytes: &'_ [u8]| String::from_utf8_lossy(bytes).split('\n').map(str::to_owned).collect::<Vec<String>>();
            let (before_lines, after_lines) = (lines(before), lines(after));
            let records = self.sequence(&Sequences {
                name: "line",
                stretch: 1,
                lengths: (before_lines.len(), after_lines.len()),
                same: &|x, y| before_lines.get(x) == after_lines.get(y),
                line: &|is_before, from, _, mode| {
                    let lines = if is_before { &before_lines } else { &after_lines };
                    Record::new(mode, "", Text::line(lines.get(from).map(String::as_str).unwrap_or_default()))
                },
            });
            if let Some(text) = triple_quoted(&records) {
                return match node.of.kind() {
                    Kind::Slice => self.with_type(TypeMode::Emit).typed(node.of, text),
                    _ if named => self.typed(node.of, text),
                    _ => text,
                };
            }
            let quoted_records = records.into_iter().map(|record| match &record.value {
                Text::Line(line) if record.comma => Record { value: Text::line(quoted(line)), ..record },
                _ => record,
            });
            return self.joined(node.of, named, Text::braces(quoted_records.collect()), "\n");
        }
        let slice =
            |is_before: bool, from: usize, to: usize| if is_before { before } else { after }.get(from..to).unwrap_or_default();
        let same = |x: usize, y: usize| before.get(x) == after.get(y);
        let lengths = (before.len(), after.len());
        if traits.mostly_text {
            let records = self.sequence(&Sequences {
                name: "byte",
                stretch: 64,
                lengths,
                same: &same,
                line: &|is_before, from, to, mode| Record::new(mode, "", Text::line(quoted_bytes(slice(is_before, from, to)))),
            });
            return self.joined(node.of, named, Text::braces(records), "");
        }
        let records = self.sequence(&Sequences {
            name: "byte",
            stretch: 16,
            lengths,
            same: &same,
            line: &|is_before, from, to, mode| {
                let bytes = slice(is_before, from, to);
                let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:#04x}")).collect();
                let shown: String =
                    bytes.iter().map(|byte| if (b' '..=b'~').contains(byte) { char::from(*byte) } else { '.' }).collect();
                let sign = match mode {
                    Mode::Removed => '-',
                    Mode::Inserted => '+',
                    _ => ' ',
                };
                Record {
                    comment: Comment::Words(format!("{sign}|{shown}|")),
                    ..Record::new(mode, "", Text::line(hex.join(", ")))
                }
            },
        });
        let options = if node.of.kind() == Kind::String { self.with_type(TypeMode::Emit) } else { self };
        options.typed(node.of, Text::braces(records))
    }

    fn joined(self, of: &Type, named: bool, list: Text, between: &str) -> Text {
        let package = if of.kind() == Kind::Slice { "bytes" } else { "strings" };
        let text = Text::wrap(format!("{package}.Join("), list, format!(", {})", quote(between)));
        if named { self.typed(of, text) } else { text }
    }

    /// The stretches of two sequences that differ, and those beside them.
    fn sequence(mut self, of: &Sequences<'_>) -> Vec<Record> {
        let script = edits(of.lengths.0, of.lengths.1, |x, y| Likeness::of((of.same)(x, y)));
        let mut most = usize::MAX;
        if self.limited {
            most = (1 << self.level()) << 2;
            self.verbosity -= 1;
        }
        let mut groups = runs(&script, of.name);
        merge_close(&mut groups, of.stretch / 4);
        let groups = trim_equal(groups, of.same);
        let mut records = Vec::new();
        let (mut x, mut y, mut shown) = (0, 0, 0);
        let mut beyond = Stats::of(of.name);
        let last = groups.len().saturating_sub(1);
        for (n, group) in groups.iter().enumerate() {
            if shown >= most {
                beyond = beyond.plus(group);
                continue;
            }
            if group.different() == 0 {
                let equal = group.identical;
                let (low, high) = beside(equal, n > 0, n < last, of.stretch * 2);
                let high = if equal - (low + high) <= of.stretch { equal - low } else { high };
                stretches(of, true, x, x + low, Mode::Identical, &mut records);
                if equal > low + high {
                    leave_out(&mut records, Some(Stats { identical: equal - (low + high), ..*group }));
                }
                stretches(of, true, x + equal - high, x + equal, Mode::Identical, &mut records);
                x += equal;
                y += equal;
                continue;
            }
            let start = records.len();
            let (removed, inserted) =
                (group.identical + group.removed + group.modified, group.identical + group.inserted + group.modified);
            stretches(of, true, x, x + removed, Mode::Removed, &mut records);
            stretches(of, false, y, y + inserted, Mode::Inserted, &mut records);
            x += removed;
            y += inserted;
            shown += records.len() - start;
        }
        if !beyond.is_zero() {
            leave_out(&mut records, Some(beyond));
        }
        records
    }
}

fn stretches(of: &Sequences<'_>, before: bool, from: usize, to: usize, mode: Mode, records: &mut Vec<Record>) {
    let mut at = from;
    while at < to {
        let end = (at + of.stretch).min(to);
        records.push((of.line)(before, at, end, mode));
        at = end;
    }
}

/// Runs of equal and of different items.
fn runs(script: &[Edit], name: &'static str) -> Vec<Stats> {
    let mut groups: Vec<Stats> = Vec::new();
    for edit in script {
        let equal = *edit == Edit::Same;
        if groups.last().is_none_or(|group| (group.different() == 0) != equal) {
            groups.push(Stats::of(name));
        }
        if let Some(group) = groups.last_mut() {
            match edit {
                Edit::Same => group.identical += 1,
                Edit::Removed => group.removed += 1,
                Edit::Inserted => group.inserted += 1,
                Edit::Modified => group.modified += 1,
            }
        }
    }
    groups
}

/// Takes short runs of equal items into the differences around them.
fn merge_close(groups: &mut Vec<Stats>, window: usize) {
    let all = std::mem::take(groups);
    for group in all {
        if group.different() > 0
            && groups.len() >= 2
            && let [.., earlier, between] = groups.as_mut_slice()
        {
            let removed = earlier.removed > 0 || group.removed > 0;
            let inserted = earlier.inserted > 0 || group.inserted > 0;
            if removed && inserted && between.identical <= window {
                *earlier = earlier.plus(between).plus(&group);
                groups.pop();
                continue;
            }
        }
        groups.push(group);
    }
}

/// Gives equal items at the ends of a difference to the runs of equal items around it.
fn trim_equal(mut groups: Vec<Stats>, same: &dyn Fn(usize, usize) -> bool) -> Vec<Stats> {
    let (mut x, mut y) = (0, 0);
    let (mut first, mut last) = (0, 0);
    let name = groups.first().map_or("", |group| group.name);
    for n in 0..groups.len() {
        let Some(group) = groups.get(n).copied() else { break };
        if group.different() == 0 {
            x += group.identical;
            y += group.identical;
            continue;
        }
        let mut removed = group.identical + group.removed + group.modified;
        let mut inserted = group.identical + group.inserted + group.modified;
        let shorter = removed.min(inserted);
        let leading = (0..shorter).take_while(|i| same(x + i, y + i)).count();
        let trailing = (0..shorter).take_while(|i| same(x + removed - 1 - i, y + inserted - 1 - i)).count();
        if leading + trailing > 0 {
            if leading > 0 {
                match n.checked_sub(1).and_then(|before| groups.get_mut(before)) {
                    Some(before) => before.identical += leading,
                    None => first = leading,
                }
                x += leading;
                y += leading;
            }
            if trailing > 0 {
                match groups.get_mut(n + 1) {
                    Some(after) => after.identical += trailing,
                    None => last = trailing,
                }
            }
            removed = removed.saturating_sub(leading + trailing);
            inserted = inserted.saturating_sub(leading + trailing);
            if let Some(group) = groups.get_mut(n) {
                *group = Stats { removed, inserted, ..Stats::of(name) };
            }
        }
        x += removed;
        y += inserted;
    }
    if first > 0 {
        groups.insert(0, Stats { identical: first, ..Stats::of(name) });
    }
    if last > 0 {
        groups.push(Stats { identical: last, ..Stats::of(name) });
    }
    groups
}

/// What two texts are like.
struct Traits {
    mostly_text: bool,
    lined: bool,
}

impl Traits {
    fn of(before: &[u8], after: &[u8]) -> Self {
        let all = [before, after].concat();
        let (mut total, mut valid, mut lines, mut line_start, mut longest) = (0usize, 0usize, 0usize, 0usize, 0usize);
        let mut at = 0usize;
        for chunk in all.utf8_chunks() {
            for c in chunk.valid().chars() {
                total += 1;
                valid += usize::from((is_print(c) || is_space(c)) && c != char::REPLACEMENT_CHARACTER);
                if c == '\n' {
                    longest = longest.max(at.saturating_sub(line_start));
                    line_start = at + 1;
                    lines += 1;
                }
                at += c.len_utf8();
            }
            total += chunk.invalid().len();
            at += chunk.invalid().len();
        }
        let mostly_text = valid > total * 9 / 10;
        let mut lined = valid == total && lines >= 4 && longest <= 1024;
        if lined {
            lined = by_lines(before, after, &all);
        }
        Self { mostly_text, lined }
    }
}

/// Whether edits by line are not much worse than edits by byte.
fn by_lines(before: &[u8], after: &[u8], all: &[u8]) -> bool {
    fn share(script: &[Edit]) -> f64 {
        let different = script.iter().filter(|edit| **edit != Edit::Same).count();
        count(different) / count(script.len())
    }
    fn count(n: usize) -> f64 {
        f64::from(u32::try_from(n).unwrap_or(u32::MAX))
    }
    let split = |bytes: &'_ [u8]| bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let (before_lines, after_lines) = (split(before), split(after));
    let lines = edits(before_lines.len(), after_lines.len(), |x, y| Likeness::of(before_lines.get(x) == after_lines.get(y)));
    let bytes = edits(before.len(), after.len(), |x, y| Likeness::of(before.get(x) == after.get(y)));
    let expansion = count(quote(&String::from_utf8_lossy(all)).len()) / count(all.len());
    share(&lines) < 4.0 * share(&bytes) || expansion > 1.1
}

/// Lines between triple quotes, where nothing gets lost by that.
fn triple_quoted(records: &[Record]) -> Option<Text> {
    let fence = || Record::line(Mode::Unknown, "\"\"\"");
    let mut lines = vec![fence()];
    let (mut removed, mut inserted) = (HashSet::new(), HashSet::new());
    for record in records {
        let Text::Line(text) = &record.value else { return None };
        let mut record = record.clone();
        if text != ELLIPSIS || record.comment == Comment::None {
            let line = without_returns(text);
            let bare: String = line.chars().filter(|c| !is_space(*c)).collect();
            let mut fits =
                !line.starts_with("\"\"\"") && !line.starts_with(ELLIPSIS) && ends_with(line, |c| is_print(c) || c == '\t');
            match record.mode {
                Mode::Removed => {
                    fits &= !inserted.contains(&bare);
                    removed.insert(bare);
                }
                Mode::Inserted => {
                    fits &= !removed.contains(&bare);
                    inserted.insert(bare);
                }
                _ => {}
            }
            if !fits {
                return None;
            }
            record.value = Text::line(line);
            record.comma = false;
        }
        if !matches!(record.mode, Mode::Removed | Mode::Inserted) {
            removed.clear();
            inserted.clear();
        }
        lines.push(record);
    }
    if lines.last().is_some_and(|last| last.mode == Mode::Identical && last.value == Text::line("")) {
        lines.pop();
    }
    lines.push(fence());
    Some(Text::wrap("(", Text::List(lines), ")"))
}
