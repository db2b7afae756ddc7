//! Schemas and their keywords -> JSON values, for people: what is large is cut short.

use super::schema::{Attribute, SchemaId, Schemas};
use crate::go::float;
use serde_json::{Map, Value};

/// What stands in for what was cut.
const CUT: &str = "...";

/// A schema as JSON, of at most as many schemas as the budget has left.
pub(crate) fn schema_value(id: SchemaId, schemas: &Schemas, budget: &mut usize) -> Value {
    if *budget == 0 {
        return Value::String(CUT.to_owned());
    }
    *budget -= 1;
    let mut map = Map::new();
    for (keyword, attribute) in schemas.get(id).attributes() {
        map.insert(keyword.name().to_owned(), attribute_value(attribute, schemas, budget));
    }
    Value::Object(map)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Null)
}

fn list(ids: &[SchemaId], schemas: &Schemas, budget: &mut usize) -> Value {
    ids.iter().map(|id| schema_value(*id, schemas, budget)).collect()
}

/// The value of a keyword as JSON.
pub(crate) fn attribute_value(attribute: &Attribute, schemas: &Schemas, budget: &mut usize) -> Value {
    match attribute {
        Attribute::Text(text) => Value::String(text.clone()),
        Attribute::Flag(flag) => Value::Bool(*flag),
        Attribute::Float(number) => json(&float::json(number.0)),
        Attribute::Int(number) => Value::from(*number),
        Attribute::Json(text) => json(text),
        Attribute::Jsons(texts) => texts.iter().map(|text| json(text)).collect(),
        Attribute::Texts(texts) => texts.clone().into(),
        Attribute::Schema(id) => schema_value(*id, schemas, budget),
        Attribute::Schemas(ids) => list(ids, schemas, budget),
        Attribute::SchemaMap(entries) => {
            Value::Object(entries.iter().map(|(name, id)| (name.clone(), schema_value(*id, schemas, budget))).collect())
        }
        Attribute::SchemaOrArray { schema: Some(id), .. } | Attribute::SchemaOrBool { schema: Some(id), .. } => {
            schema_value(*id, schemas, budget)
        }
        Attribute::SchemaOrArray { schema: None, schemas: ids } => list(ids, schemas, budget),
        Attribute::SchemaOrBool { allows, schema: None } => Value::Bool(*allows),
        Attribute::Dependencies(entries) => Value::Object(
            entries
                .iter()
                .map(|(name, dependency)| {
                    let value = match dependency.schema {
                        Some(id) => schema_value(id, schemas, budget),
                        None => dependency.property.clone().into(),
                    };
                    (name.clone(), value)
                })
                .collect(),
        ),
        Attribute::Docs { description, url } => serde_json::json!({ "description": description, "url": url }),
        Attribute::Rules(rules) => rules
            .iter()
            .map(|rule| {
                let mut map = Map::new();
                let mut put = |name: &str, text: &str| {
                    if !text.is_empty() {
                        map.insert(name.to_owned(), Value::String(text.to_owned()));
                    }
                };
                put("rule", &rule.rule);
                put("message", &rule.message);
                put("messageExpression", &rule.message_expression);
                put("reason", rule.reason.as_deref().unwrap_or_default());
                put("fieldPath", &rule.field_path);
                if let Some(flag) = rule.optional_old_self {
                    map.insert("optionalOldSelf".to_owned(), Value::Bool(flag));
                }
                Value::Object(map)
            })
            .collect(),
    }
}

/// A value in one line of text, cut short.
pub(crate) fn brief(value: &Value) -> String {
    const LONGEST: usize = 120;
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}{CUT}", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
