//! Faults within faults, and how they are printed.

use super::Problem;
use super::load::Origin;
use std::fmt;

/// Something that is invalid, for reasons of its own or of its parts.
#[derive(Debug)]
pub(super) struct Faults {
    /// What is invalid: `invalid package "foo"`.
    what: String,
    /// Where it stands.
    origin: Option<Origin>,
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    Fault(String),
    Faults(Faults),
}

impl Faults {
    /// Nothing is wrong with it yet.
    pub fn of(what: String, origin: Option<&Origin>) -> Self {
        Self { what, origin: origin.cloned(), parts: Vec::new() }
    }

    /// Notes a fault.
    pub fn note(&mut self, fault: impl Into<String>) {
        self.parts.push(Part::Fault(fault.into()));
    }

    /// Notes what is wrong with a part.
    pub fn within(&mut self, faults: Option<Self>) {
        self.parts.extend(faults.map(Part::Faults));
    }

    /// `None` where nothing is wrong.
    pub fn any(self) -> Option<Self> {
        (!self.parts.is_empty()).then_some(self)
    }

    /// Every fault by itself, with the place of the innermost thing that has one.
    pub fn into_problems(self) -> Vec<Problem> {
        let mut problems = Vec::new();
        // The root, "invalid index", says nothing.
        for part in self.parts {
            part.collect("", None, &mut problems);
        }
        problems
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, prefix: &str) -> fmt::Result {
        f.write_str(&self.what)?;
        f.write_str(":")?;
        for (n, part) in self.parts.iter().enumerate() {
            let last = n + 1 == self.parts.len();
            write!(f, "\n{prefix}{}", if last { "└── " } else { "├── " })?;
            match part {
                // Lines of a fault that has several go unindented upstream.
                Part::Fault(fault) => f.write_str(fault)?,
                Part::Faults(faults) => faults.write(f, &format!("{prefix}{}", if last { "    " } else { "│   " }))?,
            }
        }
        Ok(())
    }
}

impl Part {
    fn collect(self, what: &str, origin: Option<&Origin>, problems: &mut Vec<Problem>) {
        match self {
            Self::Fault(fault) => problems.push(Problem {
                path: origin.map(|o| o.path.to_string()),
                document: origin.map(|o| o.document),
                message: format!("{what}{fault}"),
            }),
            Self::Faults(faults) => {
                let what = format!("{what}{}: ", faults.what);
                let origin = faults.origin.or_else(|| origin.cloned());
                for part in faults.parts {
                    part.collect(&what, origin.as_ref(), problems);
                }
            }
        }
    }
}

impl fmt::Display for Faults {
    /// Follows `errorPrefix` of operator-registry v1.73.0 alpha/model/error.go.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, "")
    }
}
