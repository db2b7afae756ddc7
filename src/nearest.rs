//! The nearest known name to a misspelt one.

/// The candidate that `name` was most likely meant to be; `None` where nothing is near. Ties go to the first in order.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = name.to_lowercase();
    let limit = (name.chars().count() / 3).clamp(1, 4);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = strsim::damerau_levenshtein(&folded, &candidate.to_lowercase());
        let better = best.is_none_or(|(d, c)| (distance, candidate) < (d, c));
        if candidate != name && distance <= limit && better {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_is_near_and_another_word_is_not() {
        assert_eq!(nearest("tagret", ["fail-on", "target"]), Some("target"));
        assert_eq!(nearest("Target", ["fail-on", "target"]), Some("target"));
        assert_eq!(nearest("colour", ["fail-on", "target"]), None);
        assert_eq!(nearest("target", ["target"]), None);
    }
}
