//! Loading a bundle from its files: [`read`].

use super::csv::Csv;
use super::documents::{self, Objects};
use super::error::BundleError;
use super::files::BundleFiles;
use super::go::{self, Decoder, Mismatch};
use super::model::{Bundle, Manifest};
use super::{properties, yaml_text};
use crate::go::number::tidy;
use crate::place::FieldPath;
use serde_json::Value;
use std::borrow::Cow;

/// Loads a registry+v1 bundle: `metadata/annotations.yaml`, the objects of `manifests/`, and `metadata/properties.yaml`
/// merged into the CSV's `olm.properties`.
///
/// Follows operator-controller `internal/operator-controller/rukpak/bundle/source/source.go` (v1.11.0).
///
/// # Errors
/// Where the controller refuses to load it, in its words.
pub fn read(files: &dyn BundleFiles) -> Result<Bundle, BundleError> {
    let annotations = file(files, "metadata/annotations.yaml")?;
    let package_name = properties::package_name(&annotations)?;
    let mut loading = Loading { csv: None, crds: Vec::new(), others: Vec::new() };
    for entry in manifest_entries(files)? {
        if entry.ends_with('/') {
            return Err(BundleError::Subdirectory { path: entry.trim_end_matches('/').to_owned() });
        }
        let content = file(files, &entry)?;
        loading.file(&entry, &content)?;
    }
    let mut csv = loading.csv.ok_or(BundleError::NoCsv)?;
    properties::merge(&mut csv, files)?;
    Ok(Bundle { package_name, csv, crds: loading.crds, others: loading.others })
}

/// A file that must be there.
fn file<'a>(files: &'a dyn BundleFiles, path: &str) -> Result<Cow<'a, [u8]>, BundleError> {
    let message = match files.read(path) {
        Ok(Some(content)) => return Ok(content),
        Ok(None) => format!("open {path}: no such file or directory"),
        Err(message) => message,
    };
    Err(BundleError::File { path: path.to_owned(), message })
}

/// What stands in `manifests/`, sorted; folders have a `/` at the end.
fn manifest_entries(files: &dyn BundleFiles) -> Result<Vec<String>, BundleError> {
    const FOLDER: &str = "manifests/";
    let mut found = false;
    let mut entries = Vec::new();
    for path in files.paths() {
        let Some(rest) = path.strip_prefix(FOLDER) else { continue };
        found = true;
        match rest.split_once('/') {
            Some((folder, _)) => entries.push(format!("{FOLDER}{folder}/")),
            None if rest.is_empty() => {}
            None => entries.push(path),
        }
    }
    if !found {
        let message = "stat manifests: no such file or directory".to_owned();
        return Err(BundleError::File { path: "manifests".to_owned(), message });
    }
    entries.sort_unstable_by(|a, b| a.trim_end_matches('/').cmp(b.trim_end_matches('/')));
    entries.dedup();
    Ok(entries)
}

struct Loading {
    csv: Option<Csv>,
    crds: Vec<Manifest>,
    others: Vec<Manifest>,
}

impl Loading {
    fn file(&mut self, path: &str, content: &[u8]) -> Result<(), BundleError> {
        let (documents, broken) = yaml_text::documents(content);
        let count = documents.len();
        let refused = |document: usize, field: FieldPath, message: String| BundleError::Manifest {
            path: path.to_owned(),
            document,
            field,
            message,
        };
        for (number, document) in documents.into_iter().enumerate() {
            let objects = documents::objects(path, document, || yaml_text::written_json(content, number))
                .map_err(|mismatch| refused(number, mismatch.path(), mismatch.to_string()))?;
            match objects {
                Objects::None => {}
                Objects::One(object) => self
                    .object(path, number, object)
                    .map_err(|mismatch| refused(number, mismatch.path(), mismatch.to_string()))?,
                Objects::List(items) => {
                    let errors = items.into_iter().filter_map(|item| match item {
                        Ok(object) => self.object(path, number, object).err().map(|mismatch| mismatch.to_string()),
                        Err(error) => Some(error),
                    });
                    if let Some(message) = documents::aggregate(errors.collect()) {
                        return Err(refused(number, FieldPath::root(), message));
                    }
                }
            }
        }
        match broken {
            Some(error) => Err(refused(count, FieldPath::root(), format!("error parsing {path}: {error}"))),
            None => Ok(()),
        }
    }

    fn object(&mut self, path: &str, document: usize, mut object: Value) -> Result<(), Mismatch> {
        let file = path.to_owned();
        match documents::effective_kind(&object) {
            "ClusterServiceVersion" => {
                // Go leaves an empty map out where it writes one.
                let annotations = object.get("metadata").and_then(|metadata| metadata.get("annotations"));
                let without_annotations = annotations.is_none_or(Value::is_null);
                go::normalize(&mut object, &go::named("operators/v1alpha1.ClusterServiceVersion"), Decoder::Converter)?;
                self.csv = Some(Csv { file, object, without_annotations });
            }
            "CustomResourceDefinition" => {
                go::normalize(&mut object, &go::named("apiextensions/v1.CustomResourceDefinition"), Decoder::Converter)?;
                self.crds.push(Manifest { file, document, object });
            }
            _ => {
                tidy(&mut object);
                self.others.push(Manifest { file, document, object });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn files(list: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
        list.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect()
    }

    const ANNOTATIONS: (&str, &str) =
        ("metadata/annotations.yaml", "annotations: {operators.operatorframework.io.bundle.package.v1: p}");
    const CSV: &str = "{apiVersion: operators.coreos.com/v1alpha1, kind: ClusterServiceVersion, metadata: {name: c}}";

    fn refusal(list: &[(&str, &str)]) -> String {
        read(&files(list)).unwrap_err().to_string()
    }

    #[test]
    fn what_is_missing_is_said() {
        assert_eq!(refusal(&[]), "open metadata/annotations.yaml: no such file or directory");
        assert_eq!(refusal(&[ANNOTATIONS]), "stat manifests: no such file or directory");
        assert_eq!(refusal(&[ANNOTATIONS, ("manifests/a.yaml", "")]), "no ClusterServiceVersion found in \"manifests\"");
        assert_eq!(
            refusal(&[ANNOTATIONS, ("manifests/a/b.yaml", CSV), ("manifests/z.yaml", "[")]),
            "subdirectories are not allowed within the \"manifests\" directory of the bundle image filesystem: found \"manifests/a\""
        );
    }

    #[test]
    fn objects_know_their_file() {
        let other =
            "---\n# nothing\n---\nkind: Secret\nmetadata: {name: s, namespace: ''}\n---\nkind: Role\nmetadata: {name: r}\n";
        let bundle = read(&files(&[ANNOTATIONS, ("manifests/csv.yaml", CSV), ("manifests/o.yaml", other)])).unwrap();
        assert_eq!(bundle.package_name, "p");
        assert_eq!(bundle.csv.name(), "c");
        assert_eq!(bundle.csv.file, "manifests/csv.yaml");
        let others: Vec<_> = bundle.others.iter().map(|m| (m.file.as_str(), m.document, m.kind(), m.name())).collect();
        assert_eq!(others, [("manifests/o.yaml", 1, "Secret", "s"), ("manifests/o.yaml", 2, "Role", "r")]);
        assert_eq!(bundle.others[0].object.to_string(), r#"{"kind":"Secret","metadata":{"name":"s"}}"#);
    }

    #[test]
    fn json_without_a_kind_is_shown_as_it_is_written() {
        let text = "{\"kind\": \"Secret\", \"metadata\": {}}\n{ \"b\" : 1, \"a\": 2 }";
        assert_eq!(
            refusal(&[ANNOTATIONS, ("manifests/a.json", text)]),
            "error parsing objects in \"manifests/a.json\": unable to decode \"manifests/a.json\": Object 'Kind' is missing in \
             '{ \"b\" : 1, \"a\": 2 }'"
        );
    }

    #[test]
    fn a_wrong_type_is_refused_at_its_field() {
        let csv = "{kind: ClusterServiceVersion, spec: {install: {spec: {deployments: [{name: d, spec: {replicas: x}}]}}}}";
        let error = read(&files(&[ANNOTATIONS, ("manifests/csv.yaml", csv)])).unwrap_err();
        assert_eq!(error.to_string(), "error parsing objects in \"manifests/csv.yaml\": unrecognized type: int32");
        let BundleError::Manifest { field, .. } = error else { panic!("another error") };
        assert_eq!(field.to_string(), "spec.install.spec.deployments[0].spec.replicas");
    }
}
