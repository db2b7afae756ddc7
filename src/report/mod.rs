//! plan + findings -> text, JSON, Markdown.
