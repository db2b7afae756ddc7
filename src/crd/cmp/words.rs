//! The way in: schemas -> words.

use super::super::schema::{Schema, Schemas};
use super::dump::{Addresses, LONGEST, dump};
use super::node::{Budget, Node};
use super::report::{Context, Options};
use super::value::{Struct, Type, Value};
use std::cell::RefCell;
use std::collections::HashMap;

/// How many values may be looked at for one difference.
const ONE: u64 = 3_000_000;
/// The same for all differences of a comparison, where only the words depend on them.
const WORDS: u64 = 2_000_000;
/// The same where the verdict does.
const VERDICTS: u64 = 10_000_000;

/// How many reports are kept, and how long one of them may be.
const KEPT: usize = 1024;
const KEPT_LENGTH: usize = 1 << 14;

/// What the differences of one comparison have in common.
pub(crate) struct Work {
    addresses: Addresses,
    budget: Budget,
    /// Reports by the two schemas: large CRDs hold the same types many times over, and change alike in all of those places.
    reports: RefCell<HashMap<(Schema, Schema), String>>,
}

impl Work {
    pub(crate) fn new() -> Self {
        Self { addresses: Addresses::default(), budget: Budget::new(WORDS), reports: RefCell::default() }
    }

    /// From now on the words decide what was known before.
    pub(crate) fn decide(&mut self) {
        self.budget = Budget::new(VERDICTS);
    }
}

/// A schema as Go's `String` writes it.
pub(crate) fn dumped(schema: &Schema, schemas: &Schemas, work: &Work) -> String {
    dump(&Struct::Schema(schema), schemas, &work.addresses)
}

/// Whether a dump was too long to be written in full.
pub(crate) fn is_cut(text: &str) -> bool {
    text.len() > LONGEST
}

/// The text of the difference; `None` where there is too much to look at.
pub(crate) fn diff(before: &Schema, after: &Schema, schemas: &Schemas, work: &Work) -> Option<String> {
    let pair = (before.clone(), after.clone());
    if let Some(report) = work.reports.borrow().get(&pair) {
        return Some(report.clone());
    }
    let budget = work.budget.part(ONE);
    let addresses = work.addresses.given();
    let pointer = |schema| Value::Pointer(Some(Box::new(Value::schema(schema))));
    let node = Node::new(&Type::Pointer(&Type::Schema), Some(pointer(before)), Some(pointer(after)), None);
    let context = Context { schemas, budget: &budget, addresses: &work.addresses };
    let text = Options::default().diff(&node, &context);
    work.budget.settle(ONE, &budget);
    let report = budget.left().then(|| text.into_string())?;
    let mut reports = work.reports.borrow_mut();
    // What names an address is never the same again.
    if addresses == work.addresses.given() && reports.len() < KEPT && report.len() < KEPT_LENGTH {
        reports.insert(pair, report.clone());
    }
    Some(report)
}

#[cfg(test)]
mod tests {
    use super::super::super::read::Reader;
    use super::super::digest;
    use super::*;
    use serde_json::{Value as Json, json};

    fn words(before: &Json, after: &Json) -> String {
        let mut schemas = Schemas::new();
        let before = Reader::new(&mut schemas, "", "").schema(before).unwrap();
        let after = Reader::new(&mut schemas, "", "").schema(after).unwrap();
        diff(schemas.get(before), schemas.get(after), &schemas, &Work::new()).unwrap()
    }

    #[test]
    fn names_what_differs_and_what_stands_beside_it() {
        let text = words(&json!({"title": "t"}), &json!({"title": "t", "format": "email"}));
        let lines: Vec<String> = text.lines().map(|line| line.trim().replace('\t', "")).collect();
        assert_eq!(
            lines,
            [
                "&v1.JSONSchemaProps{",
                "... // 3 identical fields",
                "Description: \"\",",
                "Type: \"\",",
                "- Format: \"\",",
                "+ Format: \"email\",",
                "Title: \"t\",",
                "Default: nil,",
                "... // 36 identical fields",
                "}"
            ]
        );
    }

    #[test]
    fn tells_the_same_difference_once() {
        let mut schemas = Schemas::new();
        let mut id = |schema: Json| Reader::new(&mut schemas, "", "").schema(&schema).unwrap();
        let (a, b) = (id(json!({"format": "a"})), id(json!({"format": "b"})));
        let work = Work::new();
        let told = |before, after| diff(schemas.get(before), schemas.get(after), &schemas, &work).unwrap();
        assert_eq!(told(a, b), told(a, b));
        assert_ne!(told(a, b), told(b, a));
        assert_eq!(work.reports.borrow().len(), 2);
    }

    #[test]
    fn leaves_out_what_is_far_away() {
        let near = words(&json!({}), &json!({"format": "email"}));
        let far = json!({"x-kubernetes-map-type": "atomic"});
        let far_after = json!({"x-kubernetes-map-type": "atomic", "format": "email"});
        assert_eq!(words(&far, &far_after), near);
    }

    #[test]
    fn cuts_long_schemas_short() {
        let text = words(&json!({}), &json!({"additionalProperties": {"type": "string", "description": "x".repeat(1000)}}));
        let line = text.lines().find(|line| line.starts_with('+')).unwrap();
        assert!(
            line.contains("AdditionalProperties: s\"&JSONSchemaPropsOrBool{Allows:true,Schema:&JSONSchemaProps{ID:,"),
            "{line}"
        );
        assert!(line.ends_with("...,"), "{line}");
        assert_eq!(digest(&text), "unhandled changes found (AdditionalProperties nil -> <complex value>)");
    }

    #[test]
    fn diffs_lists_element_by_element() {
        let text = words(&json!({"allOf": [{"required": ["a"]}, {"required": ["b"]}]}), &json!({"allOf": [{"required": ["b"]}]}));
        assert!(text.contains("AllOf: []v1.JSONSchemaProps{"), "{text}");
        assert!(text.lines().any(|line| line.starts_with("- ") && line.contains("{Required: []string{\"a\"}},")), "{text}");
    }
}
