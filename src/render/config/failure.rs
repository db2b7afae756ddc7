//! A tree of failures, and the controller's words for it.
//!
//! Follows santhosh-tekuri/jsonschema v6.0.2 `output.go`, `kind/kind.go` (the basic form, which leaves things out: a failure behind a reference is
//! said with the reference's words) and operator-controller `internal/operator-controller/config/config.go` (v1.11.0).

use super::problem::ConfigProblem;
use super::schema::{Kind, NAME_PATTERN};
use crate::go::quote;
use crate::place::{FieldPath, Step};

/// A value that a schema refuses.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    pub reason: Reason,
    /// Where the value stands, from the configuration.
    pub path: FieldPath,
    pub causes: Vec<Failure>,
}

/// How a release words what is wrong with a namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    /// As 1.7 does.
    First,
    /// As later releases do.
    Later,
}

/// Why it is refused.
#[derive(Debug, Clone)]
pub(super) enum Reason {
    /// Several reasons at once.
    Group,
    /// What is referred to refuses it.
    Reference,
    Type {
        got: &'static str,
        want: Kind,
    },
    Required(Vec<String>),
    Additional(Vec<String>),
    AllOf,
    AnyOf,
    /// The first two that fit, where more than one does.
    OneOf(Option<(usize, usize)>),
    /// A namespace of the wrong relation: the value, the format's name, and why.
    Format {
        got: String,
        name: &'static str,
        words: String,
    },
    MinLength {
        got: usize,
        want: usize,
    },
    MaxLength {
        got: usize,
        want: usize,
    },
    Pattern,
}

/// One line of the output: the words' reason, and where.
struct Unit {
    reason: Reason,
    path: FieldPath,
}

/// What the controller says of a failure of the whole configuration.
pub(super) fn problems(failure: Failure, base: &FieldPath, how: Words) -> Vec<ConfigProblem> {
    let root = match failure.reason {
        Reason::Group => failure,
        _ => Failure { reason: Reason::Group, path: FieldPath::root(), causes: vec![failure] },
    };
    flatten(&root)
        .into_iter()
        .map(|unit| {
            let message = words(&unit, how);
            let mut field = base.clone();
            field.0.extend(unit.path.0);
            if let Reason::Additional(names) = &unit.reason {
                field = names.first().map_or(field.clone(), |name| field.key(name.as_str()));
            }
            ConfigProblem { message, field }
        })
        .collect()
}

fn flatten(failure: &Failure) -> Vec<Unit> {
    let mut out = Vec::new();
    for cause in &failure.causes {
        let below = flatten(cause);
        let behind_reference = matches!(cause.reason, Reason::Reference) && cause.causes.len() == 1;
        if behind_reference {
            // The library puts the only cause in the reference's place, but keeps the reference's words.
            let path = cause.causes.first().map_or_else(|| cause.path.clone(), |only| only.path.clone());
            out.push(Unit { reason: cause.reason.clone(), path });
        } else {
            out.push(Unit { reason: cause.reason.clone(), path: cause.path.clone() });
            out.extend(below);
        }
    }
    out
}

fn words(unit: &Unit, how: Words) -> String {
    let field = dotted(&unit.path);
    let at = |with: String, without: &str| if field.is_empty() { without.to_owned() } else { with };
    let name = quote(&field);
    match &unit.reason {
        Reason::Required(missing) => match first_quoted(missing) {
            Some(name) => format!("required field {} is missing", quote(&name)),
            None => "required field is missing".to_owned(),
        },
        Reason::Additional(unknown) => match first_quoted(unknown) {
            Some(name) => format!("unknown field {}", quote(&name)),
            None => "unknown field".to_owned(),
        },
        Reason::Type { got: "null", .. } if !field.is_empty() => format!("required field {name} is missing"),
        Reason::Type { got, want } => {
            let said = format!("got {got}, want {}", want.name());
            at(format!("invalid type for field {name}: {said}"), &format!("invalid type: {said}"))
        }
        Reason::Format { got, name: format, words } => {
            let said = format!("{} is not valid {format}: {words}", single_quoted(got));
            if how == Words::First {
                return said;
            }
            at(format!("invalid format for field {name}: {said}"), &format!("invalid format: {said}"))
        }
        Reason::AnyOf => at(format!("invalid value for field {name}"), "invalid value"),
        Reason::MinLength { got, want } => format!("field {name} must have minimum length of {want} (len={got})"),
        Reason::MaxLength { got, want } => format!("field {name} must have maximum length of {want} (len={got})"),
        Reason::Pattern => format!("field {name} must match pattern {}", quote(NAME_PATTERN)),
        Reason::AllOf => "'allOf' failed".to_owned(),
        Reason::OneOf(None) => "'oneOf' failed, none matched".to_owned(),
        Reason::OneOf(Some((a, b))) => format!("'oneOf' failed, subschemas {a}, {b} matched"),
        Reason::Group | Reason::Reference => "validation failed".to_owned(),
    }
}

/// The path as the controller shows it: a JSON pointer with dots in the slashes' place.
fn dotted(path: &FieldPath) -> String {
    let steps = path.0.iter().map(|step| match step {
        Step::Key(key) => key.replace('~', "~0").replace('/', "~1"),
        Step::Index(index) => index.to_string(),
    });
    steps.collect::<Vec<_>>().join(".").replace('/', ".")
}

/// The first name as the controller gets it back out of the library's words: up to the first single quote.
fn first_quoted(names: &[String]) -> Option<String> {
    let quoted = single_quoted(names.first()?);
    let inner = quoted.trim_start_matches('\'');
    inner.split('\'').next().filter(|name| !name.is_empty()).map(str::to_owned)
}

/// The library's quotes.
fn single_quoted(text: &str) -> String {
    let quoted = quote(text).replace("\\\"", "\"").replace('\'', "\\'");
    let inner = quoted.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(&quoted);
    format!("'{inner}'")
}
