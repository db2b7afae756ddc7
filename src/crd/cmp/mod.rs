//! The difference of two schemas in the words of go-cmp, which crdify uses for what no check understands.
//!
//! The words matter twice: operator-controller shows a digest of them, and crdify takes a change of served versions for known
//! exactly where the words are the same, with all that go-cmp leaves out of them: equal fields at a distance, the ends of long values.
//! Where go-cmp tosses a coin (the direction in which it searches lists first), this goes forward.
//!
//! Follows go-cmp v0.7.0 cmp/report*.go, as far as the types of a schema need it.

mod digest;
mod dump;
mod edit;
mod node;
mod print;
mod report;
mod slices;
mod text;
mod value;

pub(crate) use digest::digest;
pub(crate) use dump::Addresses;

use super::schema::{Schema, Schemas};
use node::{Budget, Node};
use value::{Type, Value};

/// How many values may be looked at for one difference.
const BUDGET: u64 = 3_000_000;

/// A schema as Go's `String` writes it.
pub(crate) fn dumped(schema: &Schema, schemas: &Schemas, addresses: &Addresses) -> String {
    dump::dump(&value::Struct::Schema(schema), schemas, addresses)
}

/// Whether a dump was too long to be written in full.
pub(crate) fn is_cut(dump: &str) -> bool {
    dump.len() > dump::LONGEST
}

/// The text of the difference; `None` where there is too much to look at.
pub(crate) fn diff(before: &Schema, after: &Schema, schemas: &Schemas, addresses: &Addresses) -> Option<String> {
    let budget = Budget::new(BUDGET);
    let pointer = |schema| Value::Pointer(Some(Box::new(Value::schema(schema))));
    let node = Node::new(&Type::Pointer(&Type::Schema), Some(pointer(before)), Some(pointer(after)), None);
    let text = report::Options::default().diff(&node, &report::Context { schemas, budget: &budget, addresses });
    budget.left().then(|| text.into_string())
}

#[cfg(test)]
mod tests {
    use super::super::read::Reader;
    use super::*;
    use serde_json::{Value as Json, json};

    fn words(before: &Json, after: &Json) -> String {
        let mut schemas = Schemas::new();
        let before = Reader::new(&mut schemas, "", "").schema(before).unwrap();
        let after = Reader::new(&mut schemas, "", "").schema(after).unwrap();
        diff(schemas.get(before), schemas.get(after), &schemas, &Addresses::default()).unwrap()
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
