//! Plan + findings -> text, JSON, Markdown.

mod snippet;

pub use snippet::{Sources, Style, draw, level_name};
