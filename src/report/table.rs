//! A table without lines, for a terminal.

use super::Style;
use super::printable::printable;
use comfy_table::{ContentArrangement, Table, presets};

/// Draws rows under their headings, indented, no line longer than the terminal where that can be.
pub fn plain(headings: &[&str], rows: Vec<Vec<String>>, style: Style) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(style.width.saturating_sub(1)).unwrap_or(u16::MAX));
    table.set_header(headings.iter().map(|h| h.to_uppercase()).collect::<Vec<_>>());
    let clean = |cell: String| printable(&cell).into_owned();
    table.add_rows(rows.into_iter().map(|row| row.into_iter().map(clean)));
    table.lines().map(|line| format!("{}\n", format!(" {line}").trim_end())).collect()
}
