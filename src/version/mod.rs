//! text -> versions, and the two range languages.
