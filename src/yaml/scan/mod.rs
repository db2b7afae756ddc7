//! Text -> tokens, by the rules of YAML 1.1 as libyaml applies them and go-yaml v2.4.4 (`scannerc.go`) inherited them.
//!
//! Two habits of that scanner show in what Kubernetes accepts, and are kept. A key without `?` is recognised late, at its `:`, so
//! the scanner remembers where a key might have begun and inserts the token afterwards. And it looks no further ahead than it must:
//! what stands after the first document is never seen.

mod block;
mod cursor;
mod directive;
mod indent;
mod plain;
mod quoted;
mod scanner;
mod tag;
mod token;

pub(super) use scanner::Scanner;
pub(super) use token::{Kind, Mark, Style, Token};
