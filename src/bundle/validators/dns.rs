//! Names that must be DNS subdomains.

/// What is wrong with a name that should be a DNS-1123 subdomain, in Kubernetes' words, sorted.
///
/// Follows apimachinery `pkg/util/validation/validation.go` (v0.36) `IsDNS1123Subdomain`.
pub fn subdomain(name: &str) -> Vec<String> {
    let mut errors = Vec::new();
    let well_formed = name.split('.').all(|label| {
        let letters = label.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        letters && !label.is_empty() && !label.starts_with('-') && !label.ends_with('-')
    });
    if !well_formed {
        errors.push(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and \
             end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
             '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
                .to_owned(),
        );
    }
    if name.len() > 253 {
        errors.push("must be no more than 253 characters".to_owned());
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subdomains_are_told_from_others() {
        for good in ["a", "a.b-c", "0"] {
            assert!(subdomain(good).is_empty(), "{good}");
        }
        for bad in ["", "A", "-a", "a-", "a..b", "a_b", "é"] {
            assert_eq!(subdomain(bad).len(), 1, "{bad}");
        }
        assert_eq!(subdomain(&"-".repeat(254)).len(), 2);
    }
}
