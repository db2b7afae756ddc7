//! A report -> the one line of it that operator-controller shows.

/// What the controller says of changes that no check understands.
const PREFIX: &str = "unhandled changes found";

/// One field of the report, on both sides: as shown, and as it stood.
struct Entry<'a> {
    field: &'a str,
    before: Option<(String, &'a str)>,
    after: Option<(String, &'a str)>,
}

/// The controller's words for a report.
///
/// Follows operator-controller df2c201d crdupgradesafety.go: conciseUnhandledMessage.
pub(crate) fn digest(report: &str) -> String {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for line in report.split('\n').map(str::trim) {
        let Some((sign @ ("-" | "+"), rest)) = line.split_at_checked(1).filter(|(_, rest)| !rest.is_empty()) else { continue };
        let rest = rest.trim();
        let Some((field, raw)) = rest.strip_suffix(',').unwrap_or(rest).split_once(':') else { continue };
        let (field, raw) = (field.trim(), raw.trim());
        if field.is_empty() {
            continue;
        }
        let at = entries.iter().position(|entry| entry.field == field).unwrap_or_else(|| {
            entries.push(Entry { field, before: None, after: None });
            entries.len() - 1
        });
        if let Some(entry) = entries.get_mut(at) {
            let value = Some((shown(raw), raw));
            if sign == "-" { entry.before = value } else { entry.after = value }
        }
    }
    let details: Vec<String> = entries.iter().filter_map(detail).collect();
    if details.is_empty() { PREFIX.to_owned() } else { format!("{PREFIX} ({})", details.join("; ")) }
}

fn shown(raw: &str) -> String {
    let raw = raw.strip_suffix(',').unwrap_or(raw).trim();
    if raw.is_empty() {
        return "<empty>".to_owned();
    }
    let value = raw.replace("v1.", "");
    if value.contains("JSONSchemaProps") { "<complex value>".to_owned() } else { value }
}

fn detail(entry: &Entry<'_>) -> Option<String> {
    let text = |side: &Option<(String, &str)>| side.as_ref().map(|(shown, _)| shown.clone());
    let raw = |side: &Option<(String, &str)>| side.as_ref().map_or(String::new(), |(_, raw)| (*raw).to_owned());
    let (before, after) = (text(&entry.before), text(&entry.after));
    let same_raw = raw(&entry.before) == raw(&entry.after);
    if before == after && same_raw {
        return None;
    }
    let changed = if before == after { " (changed)" } else { "" };
    let word = |side: Option<String>| side.unwrap_or_else(|| "<empty>".to_owned());
    Some(format!("{} {} -> {}{changed}", entry.field, word(before), word(after)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fields_and_both_values() {
        let one = "unhandled changes found :\n- Format: \"\"\n+ Format: \"email\"\n";
        assert_eq!(digest(one), "unhandled changes found (Format \"\" -> \"email\")");
        let complex = "- Not: &v1.JSONSchemaProps{}\n+ Not: &v1.JSONSchemaProps{Type: \"string\"}\n";
        assert_eq!(digest(complex), "unhandled changes found (Not <complex value> -> <complex value> (changed))");
        assert_eq!(digest("nothing"), "unhandled changes found");
        assert_eq!(digest("+ Title: \"t\",\n"), "unhandled changes found (Title <empty> -> \"t\")");
    }
}
