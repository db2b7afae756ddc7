//! Files -> the texts that could hold a manifest that concerns us.

use super::{Error, Source, SourceFile};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a file must hold for us to read it.
const MARKS: [&[u8]; 3] = [b"olm.operatorframework.io", b"ClusterExtension", b"ClusterCatalog"];

/// A text that could hold a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The file, as findings name it.
    pub path: String,
    /// Its text; bytes that are no UTF-8 are U+FFFD.
    pub text: Arc<str>,
    /// The first byte that is no UTF-8: Kubernetes does not read such a file.
    pub invalid: Option<usize>,
}

/// The texts of a source that could hold a manifest that concerns us, by path.
///
/// Passed over: files that are not called `.yaml`, `.yml` or `.json` (unless they were named outright), files that do not speak
/// of the API, and the templates of Helm charts, which are no YAML before Helm has run.
///
/// # Errors
/// Where the source cannot be read.
pub fn texts(source: &Source) -> Result<Vec<Text>, Error> {
    let files = source.files(&is_manifest_name)?;
    let charts: BTreeSet<String> = files.iter().filter_map(|f| chart_templates(&f.path)).collect();
    let in_chart = |path: &str| charts.iter().any(|templates| path.starts_with(templates.as_str()));
    let text = |file: SourceFile| {
        let speaks = MARKS.iter().any(|mark| memchr::memmem::find(&file.bytes, mark).is_some());
        (speaks && !in_chart(&file.path)).then(|| {
            let (text, invalid) = into_text(file.bytes);
            Text { path: file.path, text: text.into(), invalid }
        })
    };
    Ok(files.into_iter().filter_map(text).collect())
}

fn into_text(bytes: Vec<u8>) -> (String, Option<usize>) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(e) => (String::from_utf8_lossy(e.as_bytes()).into_owned(), Some(e.utf8_error().valid_up_to())),
    }
}

fn is_manifest_name(path: &str) -> bool {
    let extension = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, e)| e.to_ascii_lowercase());
    matches!(extension.as_deref(), Some("yaml" | "yml" | "json"))
}

/// The folder of templates beside a `Chart.yaml`.
fn chart_templates(path: &str) -> Option<String> {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let templates = if folder.is_empty() { "templates/".to_owned() } else { format!("{folder}/templates/") };
    (name == "Chart.yaml").then_some(templates)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| SourceFile { path: (*path).to_owned(), bytes: text.as_bytes().to_vec() };
        let source = Source::Memory(files.iter().map(file).collect());
        texts(&source).unwrap().into_iter().map(|t| t.path).collect()
    }

    #[test]
    fn what_cannot_concern_us_is_passed_over() {
        let ours = "apiVersion: olm.operatorframework.io/v1";
        let found = paths(&[
            ("b.yaml", ours),
            ("a.JSON", ours),
            ("c.yml", "kind: Service"),
            ("d.txt", ours),
            ("chart/Chart.yaml", "name: c"),
            ("chart/templates/x/e.yaml", ours),
            ("chart/values.yaml", "ClusterExtension: {}"),
            ("templates/f.yaml", ours),
        ]);
        assert_eq!(found, ["a.JSON", "b.yaml", "chart/values.yaml", "templates/f.yaml"]);
    }
}
