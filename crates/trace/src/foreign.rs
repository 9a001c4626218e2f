//! Files in no known format: the binary ones of tools that export a known one are named, with the command that does so.
//!
//! ```text
//! sysstat   u16 0xd596, u16 0x21xx (kind of file), u8 × 4 version; in the byte order of the machine
//! Perfmon   a log of Windows' event tracing: a buffer header of 72 bytes, then u16 version, u8 1 or 2, u8 0xc0; or
//!           records that begin with `BL`; in either the names of counters in UTF-16, `PhysicalDisk` among them
//! ```

use crate::error::{TraceError, show_bytes};
use crate::known::known;
use crate::parquet;
use crate::registry::names;
use crate::report::text;

const SYSSTAT: [u8; 2] = [0x96, 0xd5];
/// The high byte of the kind of file: 0x2169 to 0x2175 so far.
const SYSSTAT_KIND: u8 = 0x21;
/// What a heading of rates has, and where it is looked for.
const RATES: [&str; 8] = ["/s", "IOPS", "iops", "tps", "kbps", "Mbps", "KBps", "MBps"];
const RATES_BYTES: usize = 1024;
/// Bytes in front of the first event of a trace of Windows.
const WINDOWS_HEADER: usize = 72;

/// What to say of a file that no format fits.
pub(crate) fn error(file: String, base_name: &str, head: &[u8]) -> TraceError {
    if let Some((found, hint)) = binary(base_name, head) {
        return TraceError::Set {
            path: file,
            expected: "a log that its tool exported".to_owned(),
            found,
            hint,
        };
    }
    let text = text::head(&head[..head.len().min(RATES_BYTES)]);
    let rates = RATES.iter().filter(|rate| text.contains(**rate)).count();
    let printable = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let hint = if head.starts_with(b"Linux ") {
        "this looks like the text of iostat or sar without disks; record with `iostat -x -d -y -t -o JSON 1`, or export with `sadf -j sa21 -- -d`"
    } else if rates > 0 && head.iter().take(512).all(printable) {
        "this looks like a table of rates, of a tool that is not known: record with one that is (`drivecast formats` lists them): `iostat -x -d -y -t 1`, `typeperf`, `esxtop -b`, `zpool iostat -Hp -T u -y`; or state the load: `random(8KiB, read=0.7, rate=2000iops)`"
    } else if head.iter().take(512).all(printable) {
        "this is text: if it has a column for each of time, operation, offset and size, name them: `--csv 'time=ts:us,op=type:R/W,offset=lba:512,size=len:1'`"
    } else {
        "convert it to Parquet with the columns time_ns, op, offset_bytes, size_bytes, stream"
    };
    TraceError::Foreign {
        file,
        looked_for: format!(
            "{}, {}; also behind gzip, xz, zstd, lz4, bzip2 and tar (`drivecast formats` describes them)",
            names(|_| true).join(", "),
            parquet::FORMAT.name
        ),
        first_bytes: show_bytes(head),
        hint: hint.to_owned(),
    }
}

/// The refusal of text that a known tool prints, which formats would misread.
pub(crate) fn refuse_known(file: &str, head: &[u8]) -> Result<(), TraceError> {
    let Some((what, hint)) = known(&text::head(head)) else { return Ok(()) };
    let (path, expected) = (file.to_owned(), "a log of requests or of a disk's rates".to_owned());
    Err(TraceError::Set { path, expected, found: what.to_owned(), hint: hint.to_owned() })
}

/// What a binary file is, and how to export it.
fn binary(base_name: &str, head: &[u8]) -> Option<(String, String)> {
    let stem = base_name.rsplit_once('.').map_or(base_name, |(stem, _)| stem);
    if let Some([major, minor, patch]) = sysstat(head) {
        let found = format!("sar's own binary file, of sysstat {major}.{minor}.{patch}");
        let command = format!("`sadf -j {base_name} -- -d > {base_name}.json`");
        let hint = format!("export its disks with the sysstat that wrote it, or a newer one: {command}");
        return Some((found, hint));
    }
    is_perfmon(head).then(|| {
        let command = format!("`relog {base_name} -f csv -o {stem}.csv`");
        ("Performance Monitor's binary log".to_owned(), format!("export it on Windows: {command}"))
    })
}

/// The version of sysstat that wrote a file.
fn sysstat(head: &[u8]) -> Option<[u8; 3]> {
    let &[first, second, third, fourth, major, minor, patch, ..] = head else { return None };
    let little = [first, second] == SYSSTAT && fourth == SYSSTAT_KIND;
    let big = [second, first] == SYSSTAT && third == SYSSTAT_KIND;
    (little || big).then_some([major, minor, patch])
}

/// Whether it is a binary log of counters as Windows writes it.
fn is_perfmon(head: &[u8]) -> bool {
    let event = head.get(WINDOWS_HEADER..WINDOWS_HEADER + 4);
    let is_trace = event.is_some_and(|event| matches!(event, [_, 0, 1 | 2, 0xc0]));
    let wide: Vec<u8> = "PhysicalDisk".encode_utf16().flat_map(u16::to_le_bytes).collect();
    is_trace || head.starts_with(b"BL") && head.contains(&0) || memchr::memmem::find(head, &wide).is_some()
}
