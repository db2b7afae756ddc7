//! What Kubernetes takes for a name, a label key, a label value; each function gives the complaints, in Kubernetes' words.
//!
//! Follows apimachinery v0.36.2 `pkg/api/validate/content` (dns.go, kube.go, errors.go).

const SUBDOMAIN: &str = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const KEY: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

/// The name of most objects: a lowercase RFC 1123 subdomain.
///
/// Follows apimachinery v0.36.2 `pkg/util/validation/validation.go` (`IsDNS1123Subdomain`), which counts bytes and speaks of characters.
pub(super) fn object_name(text: &str) -> Vec<String> {
    subdomain(text, "characters")
}

fn subdomain(text: &str, counted: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    if text.len() > 253 {
        complaints.push(format!("must be no more than 253 {counted}"));
    }
    let label = |l: &str| {
        let inner = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        !l.is_empty() && l.bytes().all(inner) && !l.starts_with('-') && !l.ends_with('-')
    };
    if !text.split('.').all(label) {
        complaints.push(format!(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with \
             an alphanumeric character (e.g. 'example.com', regex used for validation is '{SUBDOMAIN}')"
        ));
    }
    complaints
}

/// The key of a label, or, in lower case, of an annotation.
pub(super) fn label_key(text: &str) -> Vec<String> {
    const WORDS: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  \
         or 'my.name',  or '123-abc', regex used for validation is ";
    let mut complaints = Vec::new();
    let mut parts = text.split('/');
    let (first, second, more) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    if more.is_some() {
        return vec![format!(
            "a valid label key {WORDS}'{KEY}') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
        )];
    }
    let name = match second {
        None => first,
        Some(name) => {
            if first.is_empty() {
                complaints.push("prefix part must be non-empty".to_owned());
            } else {
                complaints.extend(subdomain(first, "bytes").into_iter().map(|c| format!("prefix part {c}")));
            }
            name
        }
    };
    if name.is_empty() {
        complaints.push("name part must be non-empty".to_owned());
    } else if name.len() > 63 {
        complaints.push("name part must be no more than 63 bytes".to_owned());
    }
    if !is_key(name) {
        complaints.push(format!("name part {WORDS}'{KEY}')"));
    }
    complaints
}

/// The value of a label.
pub(super) fn label_value(text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    if text.len() > 63 {
        complaints.push("must be no more than 63 bytes".to_owned());
    }
    if !text.is_empty() && !is_key(text) {
        complaints.push(format!(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an \
             alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '({KEY})?')"
        ));
    }
    complaints
}

fn is_key(text: &str) -> bool {
    let outer = |b: Option<&u8>| b.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = text.as_bytes();
    outer(bytes.first()) && outer(bytes.last()) && bytes.iter().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_what_kubernetes_takes() {
        for good in ["a", "a-b.c", "0", &"a".repeat(253)] {
            assert!(object_name(good).is_empty(), "{good}");
        }
        for bad in ["", "A", "a_b", "-a", "a-", "a..b", ".a", &"a".repeat(254), "ä"] {
            assert!(!object_name(bad).is_empty(), "{bad}");
        }
        for good in ["a", "A.b_c-d", "example.com/MyName"] {
            assert!(label_key(good).is_empty(), "{good}");
        }
        for bad in ["", "a/", "/a", "a/b/c", "A/b", "a b", "-a", &"a".repeat(64)] {
            assert!(!label_key(bad).is_empty(), "{bad}");
        }
        assert!(label_value("").is_empty() && label_value("a.b_C").is_empty());
        assert!(!label_value("a b").is_empty() && !label_value(&"a".repeat(64)).is_empty());
    }

    #[test]
    fn speaks_as_kubernetes_does() {
        assert_eq!(
            object_name("A"),
            [
                "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end \
              with an alphanumeric character (e.g. 'example.com', regex used for validation is \
              '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
            ]
        );
        assert_eq!(object_name(&"a".repeat(254)), ["must be no more than 253 characters"]);
        assert_eq!(label_key(&format!("{}/a", "a".repeat(254))), ["prefix part must be no more than 253 bytes"]);
        assert_eq!(
            label_key("bad key!"),
            ["name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric \
              character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
              '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"]
        );
    }
}
