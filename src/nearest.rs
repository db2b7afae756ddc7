//! The nearest known name to a misspelt one.

/// How much of a name is looked at, so that a long one costs little.
const MAX_CHARS: usize = 128;

/// The candidate that `name` was most likely meant to be: the same but for case, a few slips of the keyboard away, or one the
/// beginning of the other; `None` where none is near. Of several as near, the first in the order of the alphabet.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = folded(name);
    let limit = (wanted.chars().count() / 3).clamp(1, 4);
    let rate = |candidate: &str| {
        let candidate = folded(candidate);
        let slips = strsim::damerau_levenshtein(&wanted, &candidate);
        let begins = wanted.len().min(candidate.len()) >= 3 && (candidate.starts_with(&wanted) || wanted.starts_with(&candidate));
        match slips {
            _ if slips <= limit => Some(slips),
            _ if begins => Some(slips + limit),
            _ => None,
        }
    };
    let others = candidates.into_iter().filter(|candidate| *candidate != name);
    others.filter_map(|candidate| Some((rate(candidate)?, candidate))).min().map(|(_, candidate)| candidate)
}

fn folded(name: &str) -> String {
    name.chars().take(MAX_CHARS).flat_map(char::to_lowercase).collect()
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

    #[test]
    fn a_beginning_is_near_and_a_slip_is_nearer() {
        let fields = ["catalog", "channels", "packageName", "selector", "version"];
        assert_eq!(nearest("channel", fields), Some("channels"));
        assert_eq!(nearest("package", fields), Some("packageName"));
        assert_eq!(nearest("PackageName", fields), Some("packageName"));
        assert_eq!(nearest("versions-of-it", fields), Some("version"));
        assert_eq!(nearest("argo", ["argocd-operator", "arg0"]), Some("arg0"));
        assert_eq!(nearest("image", fields), None);
        assert_eq!(nearest("", fields), None);
    }

    #[test]
    fn long_names_cost_little() {
        let long = "x".repeat(1 << 20);
        assert_eq!(nearest(&long, [long.as_str(), "xx"]), None);
    }
}
