//! What a cluster looks at first in a document: its schema, package and name; and where it stores the document for them.

use super::json::{Json, fold_key};
use crate::go::quote;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The three fields that every document may have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Header {
    /// `schema`
    pub schema: String,
    /// `package`
    pub package: String,
    /// `name`
    pub name: String,
}

/// A value under a top-level key, as far as the header goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Field<'a> {
    /// A string.
    Text(Cow<'a, str>),
    /// Anything else, as Go prints it with `%t` and `%v`.
    Other(String),
}

impl Header {
    /// The header of an object, from its top-level entries in written order. `field` reads a value; it is asked for the three
    /// fields alone.
    ///
    /// Follows `extractUniqueMetaKeys` of operator-registry v1.73.0 alpha/declcfg/declcfg.go: keys match in any case, and no two
    /// keys of a document may differ in case alone.
    pub fn of_entries<'a, V>(entries: Vec<(Cow<'a, str>, V)>, field: impl Fn(V) -> Field<'a>) -> Result<Self, String> {
        let mut keys: Vec<(Cow<'_, str>, &str)> = entries.iter().map(|(key, _)| (fold_key(key), key.as_ref())).collect();
        keys.sort_unstable();
        keys.dedup();
        let twice: Vec<String> = keys
            .chunk_by(|a, b| a.0 == b.0)
            .filter_map(|same| match same {
                [(folded, _), _, ..] => {
                    let keys: Vec<&str> = same.iter().map(|(_, key)| *key).collect();
                    Some(format!("duplicate keys for key {}: [{}]", quote(folded), keys.join(" ")))
                }
                _ => None,
            })
            .collect();
        match twice.as_slice() {
            [] => {}
            [one] => return Err(one.clone()),
            many => return Err(format!("[{}]", many.join(", "))),
        }
        let mut header = Self::default();
        // Of equal keys the last one counts, whatever stood under the others.
        let (mut schema, mut package, mut name) = (None, None, None);
        for (key, value) in entries {
            let slot = match fold_key(&key).as_ref() {
                "schema" => &mut schema,
                "package" => &mut package,
                "name" => &mut name,
                _ => continue,
            };
            *slot = Some((key, value));
        }
        for (slot, into) in [(schema, &mut header.schema), (package, &mut header.package), (name, &mut header.name)] {
            let Some((key, value)) = slot else { continue };
            match field(value) {
                Field::Text(text) => *into = text.into_owned(),
                Field::Other(shown) => {
                    return Err(format!("expected value for key {} to be a string, got {shown}", quote(&key)));
                }
            }
        }
        Ok(header)
    }

    /// The header of an object that has been read.
    pub fn of_object(entries: &BTreeMap<String, Json>) -> Result<Self, String> {
        Self::of_entries(entries.iter().map(|(key, value)| (Cow::Borrowed(key.as_str()), value)).collect(), Json::field)
    }

    /// The path under which the cluster stores the document; `None` where it lies outside of the catalog's folder.
    ///
    /// Follows operator-controller df2c201d internal/operator-controller/catalogmetadata/cache/cache.go: a package is a folder of
    /// files `SCHEMA/NAME.json`, so that of two documents with equal names the last one is there, a name may hold slashes, and
    /// a document without a package may turn up in a package that is named as its schema.
    pub fn stored_path(&self) -> Option<String> {
        let package = if self.schema == "olm.package" { &self.name } else { &self.package };
        let name = if self.name.is_empty() { &self.schema } else { &self.name };
        let simple = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains('/');
        if simple(package) && simple(&self.schema) && simple(name) {
            return Some(format!("{package}/{}/{name}.json", self.schema));
        }
        let mut parts: Vec<&str> = Vec::new();
        let file = format!("{name}.json");
        for part in [package, &self.schema, &file].into_iter().flat_map(|p| p.split('/')) {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop()?;
                }
                part => parts.push(part),
            }
        }
        (!parts.is_empty()).then(|| parts.join("/"))
    }

    /// Whether the document says itself which package it belongs to.
    pub fn names_package(&self) -> bool {
        if self.schema == "olm.package" { !self.name.is_empty() } else { !self.package.is_empty() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(schema: &str, package: &str, name: &str) -> Option<String> {
        Header { schema: schema.into(), package: package.into(), name: name.into() }.stored_path()
    }

    #[test]
    fn documents_are_stored_by_name() {
        assert_eq!(stored("olm.package", "ignored", "foo").unwrap(), "foo/olm.package/foo.json");
        assert_eq!(stored("olm.bundle", "foo", "foo.v1").unwrap(), "foo/olm.bundle/foo.v1.json");
        assert_eq!(stored("olm.deprecations", "foo", "").unwrap(), "foo/olm.deprecations/olm.deprecations.json");
        assert_eq!(stored("custom", "", "").unwrap(), "custom/custom.json");
        assert_eq!(stored("", "", "").unwrap(), ".json");
        assert_eq!(stored("s", "a/./b//c", "../x").unwrap(), "a/b/c/x.json");
        assert_eq!(stored("s", "../../x", "n"), None);
        assert_eq!(stored("s", "../x/..", "y"), None);
        assert_eq!(stored("s", "p", "..").unwrap(), "p/s/...json");
    }
}
