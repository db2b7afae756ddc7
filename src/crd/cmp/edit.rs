//! A list that became another -> the edits that tell how, as go-cmp finds them: decent, not shortest.

/// How much two elements have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Likeness {
    pub(super) same: u64,
    pub(super) different: u64,
}

impl Likeness {
    /// Of values that are either equal or nothing alike.
    pub(super) fn of(equal: bool) -> Self {
        if equal { Self { same: 1, different: 0 } } else { Self { same: 0, different: 2 } }
    }

    fn equal(self) -> bool {
        self.different == 0
    }

    fn similar(self) -> bool {
        self.same + 1 >= self.different
    }
}

/// One step of an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edit {
    Same,
    Removed,
    Inserted,
    Modified,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

/// A way through the grid of both lists, from one of its corners.
struct Way {
    direction: Direction,
    x: i64,
    y: i64,
    edits: Vec<Edit>,
}

impl Way {
    fn step(&mut self, edit: Edit) {
        let by = if self.direction == Direction::Forward { 1 } else { -1 };
        if edit != Edit::Inserted {
            self.x += by;
        }
        if edit != Edit::Removed {
            self.y += by;
        }
        self.edits.push(edit);
    }

    /// The likeness of the next two elements.
    fn next(&self, like: &mut dyn FnMut(i64, i64) -> Likeness) -> Likeness {
        match self.direction {
            Direction::Forward => like(self.x, self.y),
            Direction::Backward => like(self.x - 1, self.y - 1),
        }
    }

    fn connect(&mut self, x: i64, y: i64, like: &mut dyn FnMut(i64, i64) -> Likeness) {
        loop {
            let (left_x, left_y) = ((x - self.x).abs(), (y - self.y).abs());
            let edit = match (left_x, left_y) {
                (0, 0) => return,
                (_, 0) => Edit::Removed,
                (0, _) => Edit::Inserted,
                _ => {
                    let likeness = self.next(like);
                    let removed = match self.direction {
                        Direction::Forward => left_x >= left_y,
                        Direction::Backward => left_y < left_x,
                    };
                    if likeness.equal() {
                        Edit::Same
                    } else if likeness.similar() {
                        Edit::Modified
                    } else if removed {
                        Edit::Removed
                    } else {
                        Edit::Inserted
                    }
                }
            };
            self.step(edit);
        }
    }
}

/// The edits between two lists of the given lengths.
///
/// Follows go-cmp v0.7.0 cmp/internal/diff/diff.go: Difference, searching forward first.
pub(super) fn edits(before: usize, after: usize, mut like: impl FnMut(usize, usize) -> Likeness) -> Vec<Edit> {
    let length = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let (nx, ny) = (length(before), length(after));
    let index = |n: i64| usize::try_from(n).unwrap_or(usize::MAX);
    let like: &mut dyn FnMut(i64, i64) -> Likeness = &mut |x, y| like(index(x), index(y));
    let mut forward = Way { direction: Direction::Forward, x: 0, y: 0, edits: Vec::new() };
    let mut backward = Way { direction: Direction::Backward, x: nx, y: ny, edits: Vec::new() };
    let (mut front, mut back) = ((0, 0), (nx, ny));
    let mut budget = 4 * (nx + ny);
    let mut direction = Direction::Forward;
    while front.0 < back.0 && front.1 < back.1 && budget > 0 {
        let (way, other, frontier) = match direction {
            Direction::Forward => (&mut forward, &backward, &mut front),
            Direction::Backward => (&mut backward, &forward, &mut back),
        };
        search(way, other, frontier, &mut budget, like);
        // The frontier moves towards the other way's end.
        match direction {
            Direction::Forward => {
                if backward.x - front.0 >= backward.y - front.1 {
                    front.0 += 1;
                } else {
                    front.1 += 1;
                }
                direction = Direction::Backward;
            }
            Direction::Backward => {
                if back.0 - forward.x >= back.1 - forward.y {
                    back.0 -= 1;
                } else {
                    back.1 -= 1;
                }
                direction = Direction::Forward;
            }
        }
    }
    forward.connect(backward.x, backward.y, like);
    forward.edits.extend(backward.edits.into_iter().rev());
    forward.edits
}

/// Looks along the diagonal through the frontier for two equal elements, and follows those after them.
fn search(way: &mut Way, other: &Way, frontier: &mut (i64, i64), budget: &mut i64, like: &mut dyn FnMut(i64, i64) -> Likeness) {
    let (mut one_end, mut other_end) = (false, false);
    let mut n = 0i64;
    while !(one_end && other_end) && *budget > 0 {
        // 0, -1, +1, -2, +2 ...
        let offset = if n % 2 == 0 { n / 2 } else { -(n + 1) / 2 };
        n += 1;
        let (x, y, beyond_one, beyond_other) = match way.direction {
            Direction::Forward => {
                let (x, y) = (frontier.0 + offset, frontier.1 - offset);
                (x, y, x >= other.x || y < way.y, y >= other.y || x < way.x)
            }
            Direction::Backward => {
                let (x, y) = (frontier.0 - offset, frontier.1 + offset);
                (x, y, other.x >= x || way.y < y, other.y >= y || way.x < x)
            }
        };
        if beyond_one {
            one_end = true;
        } else if beyond_other {
            other_end = true;
        } else {
            let (at_x, at_y) = if way.direction == Direction::Forward { (x, y) } else { (x - 1, y - 1) };
            if !like(at_x, at_y).equal() {
                *budget -= 1;
                continue;
            }
            way.connect(x, y, like);
            way.step(Edit::Same);
            let more = |way: &Way| match way.direction {
                Direction::Forward => way.x < other.x && way.y < other.y,
                Direction::Backward => other.x < way.x && other.y < way.y,
            };
            while more(way) && way.next(like).equal() {
                way.step(Edit::Same);
            }
            *frontier = (way.x, way.y);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(before: &str, after: &str) -> String {
        let (x, y) = (before.as_bytes(), after.as_bytes());
        let letter = |edit: &Edit| match edit {
            Edit::Same => '.',
            Edit::Removed => 'X',
            Edit::Inserted => 'Y',
            Edit::Modified => 'M',
        };
        edits(x.len(), y.len(), |a, b| Likeness::of(x[a] == y[b])).iter().map(letter).collect()
    }

    #[test]
    fn finds_edits() {
        assert_eq!(of("abc", "abc"), "...");
        assert_eq!(of("abc", "ac"), ".X.");
        assert_eq!(of("", "ab"), "YY");
        assert_eq!(of("ab", ""), "XX");
    }

    proptest! {
        #[test]
        fn edits_lead_from_one_to_the_other(before in "[abc]{0,12}", after in "[abc]{0,12}") {
            let (x, y) = (before.as_bytes(), after.as_bytes());
            let (mut a, mut b) = (0, 0);
            for edit in edits(x.len(), y.len(), |a, b| Likeness::of(x[a] == y[b])) {
                match edit {
                    Edit::Same => {
                        prop_assert_eq!(x[a], y[b]);
                        a += 1;
                        b += 1;
                    }
                    Edit::Removed => a += 1,
                    Edit::Inserted => b += 1,
                    Edit::Modified => prop_assert!(false, "nothing is similar here"),
                }
            }
            prop_assert_eq!((a, b), (x.len(), y.len()));
        }
    }
}
