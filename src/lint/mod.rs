//! plan -> findings, a rule a file.
