//! The known name that a misspelled one most likely means.

/// The candidate nearest to `name`: the same but for case, a few slips of the keyboard away, or one the beginning of the other;
/// `None` where none is near. Of several as near, the first.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    let allowed = (wanted.chars().count() / 3).max(1);
    let rate = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        let slips = distance(&wanted, &candidate);
        let begins = wanted.len() >= 3 && candidate.len() >= 3;
        match slips {
            _ if slips <= allowed => Some(slips),
            _ if begins && (candidate.starts_with(&wanted) || wanted.starts_with(&candidate)) => Some(slips + allowed),
            _ => None,
        }
    };
    let rated = candidates.into_iter().filter_map(|candidate| rate(candidate).map(|rating| (rating, candidate)));
    rated.min_by_key(|(rating, _)| *rating).map(|(_, candidate)| candidate)
}

/// How many characters to add, drop, change, or swap with their neighbour. Names longer than any of ours are far from all.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(128).collect(), b.chars().take(128).collect());
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let get = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX - 1);
            let mut best = (get(&above, j) + usize::from(x != y)).min(get(&above, j + 1) + 1).min(get(&row, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if swapped {
                best = best.min(get(&before, j - 1) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("abcd", "acbd"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn finds_what_was_meant() {
        let fields = ["catalog", "channels", "packageName", "selector", "version"];
        assert_eq!(nearest("channel", fields), Some("channels"));
        assert_eq!(nearest("package", fields), Some("packageName"));
        assert_eq!(nearest("PackageName", fields), Some("packageName"));
        assert_eq!(nearest("selcetor", fields), Some("selector"));
        assert_eq!(nearest("image", fields), None);
        assert_eq!(nearest("", fields), None);
    }
}
