//! The words about a document that is no object, which show the document.

use super::tree::Json;

/// A longer document is not shown: indented, it could be a thousand times as long.
const MAX_SHOWN: usize = 4096;

impl Json {
    /// What the cluster says of a document that is no object: the value, indented, with a mark where reading stopped.
    ///
    /// Follows operator-registry v1.73.0 pkg/prettyunmarshaler/prettyunmarshaler.go.
    pub fn no_object(&self) -> String {
        let kind = self.kind();
        let mut shown = self.write();
        if shown.len() > MAX_SHOWN {
            return format!("json: cannot unmarshal {kind} into Go value of type map[string]interface {{}}");
        }
        shown.clear();
        self.indent(0, &mut shown);
        // A list is given up at its bracket, anything else when it has been read.
        let (offset, shown) = match shown.strip_prefix('[') {
            Some(rest) => (1, format!("[ <== {rest}")),
            None => (shown.len(), format!("{shown} <==")),
        };
        format!(
            "json: cannot unmarshal {kind} into Go value of type map[string]interface {{}} at offset {offset} (indicated by <==)\n{shown}"
        )
    }

    fn indent(&self, depth: usize, out: &mut String) {
        let line = |depth: usize, out: &mut String| {
            out.push('\n');
            out.extend(std::iter::repeat_n("    ", depth));
        };
        match self {
            Self::Array(elements) if !elements.is_empty() => {
                out.push('[');
                for (n, element) in elements.iter().enumerate() {
                    out.push_str(if n > 0 { "," } else { "" });
                    line(depth + 1, out);
                    element.indent(depth + 1, out);
                }
                line(depth, out);
                out.push(']');
            }
            Self::Object(entries) if !entries.is_empty() => {
                out.push('{');
                for (n, (key, value)) in entries.iter().enumerate() {
                    out.push_str(if n > 0 { "," } else { "" });
                    line(depth + 1, out);
                    out.push_str(&Self::String(key.clone()).write());
                    out.push_str(": ");
                    value.indent(depth + 1, out);
                }
                line(depth, out);
                out.push('}');
            }
            other => out.push_str(&other.write()),
        }
    }
}
