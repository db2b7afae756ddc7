//! The name that was meant, where one is misspelt.

/// The name nearest to `given`: at most a third of it is wrong. Of equally near ones, the first by name.
pub(super) fn nearest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given: Vec<char> = given.chars().collect();
    let limit = (given.len() / 3).clamp(1, 5);
    let near = names.into_iter().filter_map(|name| Some((distance(&given, name, limit)?, name)));
    near.min().map(|(_, name)| name)
}

/// How many characters have to be put in, left out, changed or swapped with their neighbour; `None` past the limit.
fn distance(given: &[char], name: &str, limit: usize) -> Option<usize> {
    // Bytes are no fewer than characters, so this is safe to ask before anything is counted.
    if name.len() > (given.len() + limit) * 4 {
        return None;
    }
    let name: Vec<char> = name.chars().collect();
    if given.len().abs_diff(name.len()) > limit {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=name.len()).collect();
    let mut last = None;
    for (i, a) in given.iter().enumerate() {
        let mut next = vec![i + 1];
        let mut last_name: Option<char> = None;
        let mut swapped = before.iter();
        for ((j, b), pair) in name.iter().enumerate().zip(row.windows(2)) {
            let (diagonal, above) = match pair {
                [diagonal, above] => (*diagonal, *above),
                _ => continue,
            };
            let left = next.last().copied().unwrap_or(i + 1);
            let mut cost = (diagonal + usize::from(a != b)).min(above + 1).min(left + 1);
            let swap = if j > 0 { swapped.next() } else { None };
            if last == Some(*b) && last_name == Some(*a) {
                cost = swap.map_or(cost, |swap| cost.min(swap + 1));
            }
            last_name = Some(*b);
            next.push(cost);
        }
        last = Some(*a);
        before = std::mem::replace(&mut row, next);
        if row.iter().all(|cost| *cost > limit) && before.iter().all(|cost| *cost > limit) {
            return None;
        }
    }
    row.last().copied().filter(|cost| *cost <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(a: &str, b: &str) -> Option<usize> {
        distance(&a.chars().collect::<Vec<_>>(), b, 5)
    }

    #[test]
    fn counts_slips() {
        assert_eq!(count("stable", "stable"), Some(0));
        assert_eq!(count("stable", "stabel"), Some(1));
        assert_eq!(count("stable", "table"), Some(1));
        assert_eq!(count("ab", "ba"), Some(1));
        assert_eq!(count("kitten", "sitting"), Some(3));
        assert_eq!(count("", "abc"), Some(3));
        assert_eq!(count("abc", "abcdefghij"), None);
    }

    #[test]
    fn finds_the_nearest() {
        assert_eq!(nearest("argcd-operator", ["argocd-operator", "cert-manager"]), Some("argocd-operator"));
        assert_eq!(nearest("b", ["a", "c"]), Some("a"));
        assert_eq!(nearest("stable", ["alpha", "beta"]), None);
    }
}
