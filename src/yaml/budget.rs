//! How much aliases may make of a small text.

use super::error::{ErrorKind, Fault};

/// How much text aliases may repeat. The reference shares it and need not count.
const MAX_COPIED: usize = 64 << 20;

/// The rule of go-yaml v2.4.4 (`decode.go`) against alias bombs, and a bound of our own.
#[derive(Debug, Default)]
pub(super) struct Budget {
    decoded: u32,
    aliased: u32,
    /// The bytes of text that aliases repeated.
    copied: usize,
    /// How many aliases we are inside of.
    pub(super) depth: u32,
}

impl Budget {
    /// One node more.
    pub(super) fn count(&mut self, at: u32) -> Result<(), Fault> {
        self.decoded = self.decoded.saturating_add(1);
        if self.depth > 0 {
            self.aliased = self.aliased.saturating_add(1);
        }
        if self.aliased > 100 && self.decoded > 1000 {
            let ratio = f64::from(self.aliased) / f64::from(self.decoded);
            if ratio > allowed_ratio(self.decoded) {
                return Err(excessive(at));
            }
        }
        Ok(())
    }

    /// A text more.
    pub(super) fn copy(&mut self, text: &str, at: u32) -> Result<(), Fault> {
        if self.depth > 0 {
            self.copied += text.len();
            if self.copied > MAX_COPIED {
                return Err(excessive(at));
            }
        }
        Ok(())
    }
}

/// From 99 % of a small document down to 10 % of a large one may come from aliases.
fn allowed_ratio(decoded: u32) -> f64 {
    const LOW: u32 = 400_000;
    const HIGH: u32 = 4_000_000;
    match decoded {
        0..=LOW => 0.99,
        HIGH.. => 0.10,
        _ => 0.99 - 0.89 * (f64::from(decoded - LOW) / f64::from(HIGH - LOW)),
    }
}

fn excessive(at: u32) -> Fault {
    Fault::at(ErrorKind::Limit, "yaml: document contains excessive aliasing", at)
}
