//! The table of formats in the documentation is made of the descriptions that the reader itself uses.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p drivecast-trace formats` writes it anew.

use drivecast_trace::DESCRIPTIONS;
use std::fmt::Write;
use std::path::Path;

const BEGIN: &str = "<!-- formats: begin -->\n";
const END: &str = "<!-- formats: end -->";

fn table() -> String {
    let mut out = "| format | `--format` | detected by | a row is | `stream` | `latency_ns` |\n|---|---|---|---|---|---|\n".to_owned();
    for one in DESCRIPTIONS {
        let name = if one.is_binary() { "—".to_owned() } else { format!("`{}`", one.format.name()) };
        writeln!(
            out,
            "| {} | {name} | {} | {} | {} | {} |",
            one.title, one.detected_by, one.row, one.stream, one.latency
        )
        .unwrap();
    }
    out += "\nSamples, and of plain tables the mapping that reads them:\n\n";
    for one in DESCRIPTIONS.iter().filter(|one| !one.is_binary()) {
        let mapping = one.mapping().map(|mapping| format!(" `--csv '{mapping}'`")).unwrap_or_default();
        writeln!(out, "**{}**{mapping}\n\n```text\n{}```\n", one.title, one.sample).unwrap();
    }
    out
}

#[test]
fn the_documentation_has_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/formats.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (found, after) = rest.split_once(END).unwrap();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{}{END}{after}", table())).unwrap();
        return;
    }
    assert_eq!(found, table(), "docs/reference/formats.md is old: write it anew as this file says");
}
