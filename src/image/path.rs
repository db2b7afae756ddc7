//! Paths inside an image: relative, `/` between the parts, nothing to resolve left in them.

use std::cmp::Ordering;

/// Compares paths part by part, which is the order in which a cluster walks a tree.
pub(super) fn compare(left: &str, right: &str) -> Ordering {
    left.split('/').cmp(right.split('/'))
}

/// A path as Go's `path.Clean` leaves it, without its root.
///
/// `.` and empty parts go, `..` takes the part before it; one that has nothing before it stays (`outside`) for a relative path.
pub(super) struct Cleaned {
    /// The parts that remain, without leading `..`.
    pub(super) parts: Vec<String>,
    /// Whether the path leaves the folder that it starts in.
    pub(super) outside: bool,
}

impl Cleaned {
    pub(super) fn new(text: &str) -> Self {
        let mut parts: Vec<String> = Vec::new();
        let mut outside = false;
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => outside |= parts.pop().is_none() && !text.starts_with('/'),
                part => parts.push(part.to_owned()),
            }
        }
        Self { parts, outside }
    }

    pub(super) fn joined(&self) -> String {
        self.parts.join("/")
    }
}

/// Whether `path` is `folder` or below it; the empty folder holds everything.
pub(super) fn is_within(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a path that came from the outside is one of ours: relative, clean, not empty.
pub(super) fn is_clean(path: &str) -> bool {
    !path.is_empty() && path.split('/').all(|part| !matches!(part, "" | "." | "..") && !part.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleans() {
        for (text, joined, outside) in [
            ("./a//b/../c/", "a/c", false),
            ("/a", "a", false),
            ("../a", "a", true),
            ("/../a", "a", false),
            ("a/../../b", "b", true),
            (".", "", false),
        ] {
            let cleaned = Cleaned::new(text);
            assert_eq!((cleaned.joined().as_str(), cleaned.outside), (joined, outside), "{text}");
        }
    }

    #[test]
    fn orders_as_a_walk() {
        let mut paths = ["a-b/x", "a/x", "a", "b"];
        paths.sort_by(|left, right| compare(left, right));
        assert_eq!(paths, ["a", "a/x", "a-b/x", "b"]);
    }

    #[test]
    fn knows_what_is_within() {
        assert!(is_within("configs/a", "configs") && is_within("configs", "configs") && is_within("x", ""));
        assert!(!is_within("configs-old/a", "configs") && !is_within("conf", "configs"));
        assert!(is_clean("a/b") && !is_clean("a//b") && !is_clean("../a") && !is_clean("/a") && !is_clean(""));
    }
}
