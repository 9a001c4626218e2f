//! sysstat's JSON: `iostat -x -o JSON` and `sadf -j -- -d`, one report an interval, rates of each disk.
//!
//! `w/s` counts requests, and on Linux a flush without data is accounted as a write; `f/s` (Linux 5.5 and later) is how
//! many flushes the drive was sent. So
//!
//! ```text
//! writes = max(0, w/s − f/s) · interval        flushes = f/s · interval
//! ```
//!
//! which leaves out the flushes that the kernel itself puts around FUA writes (0.2 % in the example). Without `f/s`, flushes
//! are unknown and stay among the writes. A flush waits twice in these counters: as a write in `w_await`, and through
//! `f_await`, whose share in `aqu-sz` is a second one. With `f_await` both are set right:
//!
//! ```text
//! write latency = (w/s · w_await − f/s · f_await) / (w/s − f/s)        queue depth = aqu-sz − f/s · f_await
//! ```
//!
//! sar has no requests by direction, only `tps`, and one mean latency: both are merged (see [`crate::report::reports`]). Discards are
//! left out, but sar's `tps` and `await` have them too. Times: iostat's `timestamp` (`-t`); sadf's date, time and interval.

use crate::decompress::Input;
use crate::description::{Content, Description, Evidence, Measure, Reading, Verdict};
use crate::error::{Place, TraceError};
use crate::options::Options;
use crate::report::clock::{self, NS_PER_S};
use crate::report::disk_report::{DiskReport, Per};
use crate::report::json::{Reader, drain};
use crate::report::reports::Reports;
use crate::summary::Merged;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

const NS_PER_MS: f64 = 1e6;
const MS_PER_S: f64 = 1e3;
const KIB: f64 = 1024.0;
const SECTOR_BYTES: f64 = 512.0;
const HINT: &str = "record with `iostat -x -d -y -t -o JSON 1`";

pub(crate) static IOSTAT: Description = Description {
    name: "iostat",
    title: "iostat JSON (sysstat 11.5 or later)",
    detected_by: "`{` and `\"sysstat\"` in the first 256 bytes",
    content: Content::Counters {
        record: "`iostat -x -d -y -t -o JSON 1`",
        interval: "from the stamps of `-t`, else `--interval`, else 1 s",
        measures: Measure::LINUX,
        merged: &[],
        assumed: "as of the text",
    },
    sample: include_str!("samples/iostat.json"),
    evidence: Evidence::Shape,
    fits: |head| Verdict::from(detect(head.bytes)),
    reading: Reading::Each(read),
};

pub(crate) static SADF: Description = Description {
    name: "sadf",
    title: "sar, as sadf exports it to JSON",
    detected_by: "as of iostat's JSON, with `\"disk-device\"` or `\"file-date\"`",
    content: Content::Counters {
        record: "`sadf -j /var/log/sa/sa21 -- -d`",
        interval: "each record's own",
        measures: Measure::WITHOUT_FLUSHES,
        merged: &[Merged::Requests, Merged::Latency],
        assumed: "sar counts discards and flushes among its requests",
    },
    sample: include_str!("samples/sadf.json"),
    evidence: Evidence::Signature,
    fits: |head| Verdict::from(detect_sadf(head.bytes)),
    reading: Reading::Each(read),
};

/// Whether the content starts as sadf's JSON does.
fn detect_sadf(head: &[u8]) -> bool {
    let has = |text: &[u8]| memchr::memmem::find(head, text).is_some();
    detect(head) && (has(b"\"disk-device\"") || has(b"\"file-date\""))
}

/// Whether the content starts as sysstat's JSON does.
fn detect(head: &[u8]) -> bool {
    let start = head.trim_ascii_start();
    let head = &start[..start.len().min(256)];
    head.first() == Some(&b'{') && memchr::memmem::find(head, b"\"sysstat\"").is_some()
}

/// One disk in one report, as iostat or sadf writes it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Disk {
    #[serde(alias = "disk_device", alias = "disk-device")]
    name: Option<String>,
    #[serde(rename = "r/s")]
    reads: Option<f64>,
    #[serde(rename = "w/s")]
    writes: Option<f64>,
    tps: Option<f64>,
    #[serde(rename = "f/s")]
    flushes: Option<f64>,
    #[serde(rename = "rkB/s", alias = "rkB", alias = "kB_read/s")]
    read_kib: Option<f64>,
    #[serde(rename = "wkB/s", alias = "wkB", alias = "kB_wrtn/s")]
    written_kib: Option<f64>,
    #[serde(rename = "rMB/s", alias = "MB_read/s")]
    read_mib: Option<f64>,
    #[serde(rename = "wMB/s", alias = "MB_wrtn/s")]
    written_mib: Option<f64>,
    #[serde(rename = "rrqm/s")]
    reads_merged: Option<f64>,
    #[serde(rename = "wrqm/s")]
    writes_merged: Option<f64>,
    #[serde(rename = "rd_sec")]
    read_sectors: Option<f64>,
    #[serde(rename = "wr_sec")]
    written_sectors: Option<f64>,
    #[serde(rename = "r_await")]
    read_ms: Option<f64>,
    #[serde(rename = "w_await")]
    write_ms: Option<f64>,
    #[serde(rename = "await")]
    ms: Option<f64>,
    #[serde(rename = "f_await")]
    flush_ms: Option<f64>,
    #[serde(rename = "aqu-sz")]
    queue_depth: Option<f64>,
    #[serde(rename = "avgqu-sz")]
    queue_depth_old: Option<f64>,
    #[serde(rename = "util", alias = "util-percent")]
    utilization_percent: Option<f64>,
}

/// When a report was made: iostat's text, or sadf's object.
#[derive(Deserialize)]
#[serde(untagged)]
enum Timestamp {
    Text(String),
    Parts { date: String, time: String, interval: Option<f64> },
}

/// One report, as written.
#[derive(Deserialize)]
struct Report {
    timestamp: Option<Timestamp>,
    #[serde(default)]
    disk: Vec<Disk>,
}

/// A step on the way from the document to a report.
#[derive(Clone, Copy)]
enum Step {
    Key(&'static str),
    Each,
}

const TO_REPORT: &[Step] =
    &[Step::Key("sysstat"), Step::Key("hosts"), Step::Each, Step::Key("statistics"), Step::Each];

/// Walks down to the reports and collects them one by one, so that of a log that was cut off all whole reports remain.
struct Descend<'a> {
    path: &'a [Step],
    reports: &'a mut Document,
}

impl<'de> DeserializeSeed<'de> for Descend<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.path.first() {
            Some(Step::Key(_)) => deserializer.deserialize_map(self),
            Some(Step::Each) => deserializer.deserialize_seq(self),
            None => {
                let report = Report::deserialize(deserializer)?;
                self.reports.take(report);
                Ok(())
            }
        }
    }
}

impl<'de> Visitor<'de> for Descend<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.path.first() {
            Some(Step::Key(key)) => write!(f, "an object with `{key}`"),
            _ => f.write_str("a list"),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(found) = map.next_key::<String>()? {
            match self.path {
                [Step::Key(key), rest @ ..] if found == *key => {
                    map.next_value_seed(Descend { path: rest, reports: &mut *self.reports })?;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let rest = self.path.get(1..).unwrap_or_default();
        while seq.next_element_seed(Descend { path: rest, reports: &mut *self.reports })?.is_some() {}
        Ok(())
    }
}

/// The reports of a document as they come.
struct Document {
    reports: Reports,
    /// Disks whose report has no rates, and how many.
    bare: Option<(String, usize)>,
}

impl Document {
    fn take(&mut self, report: Report) {
        match report.timestamp {
            Some(Timestamp::Text(text)) => self.reports.begin(clock::parse(&text), None),
            Some(Timestamp::Parts { date, time, interval }) => {
                let length = interval.filter(|seconds| *seconds > 0.0 && *seconds < 1e6);
                self.reports.begin(
                    clock::parse(&format!("{date} {time}")),
                    length.map(|seconds| (seconds * NS_PER_S as f64) as u64),
                );
            }
            None => self.reports.begin(None, None),
        }
        for disk in report.disk {
            let name = disk.name.clone().unwrap_or_default();
            match amounts(&disk) {
                Some((amounts, merged)) => {
                    let number = self.reports.disk(&name, 0);
                    self.reports.add(number, amounts);
                    merged.into_iter().for_each(|what| self.reports.merge(what));
                }
                None => {
                    self.bare.get_or_insert((name, self.reports.len()));
                }
            }
        }
    }
}

/// The rates of a disk, and what they have together for reads and writes.
fn amounts(disk: &Disk) -> Option<(DiskReport, Vec<Merged>)> {
    let bytes = |kib: Option<f64>, mib: Option<f64>, sectors: Option<f64>| {
        let kib = kib.or(mib.map(|mib| mib * KIB)).map(|kib| kib * KIB);
        kib.or(sectors.map(|sectors| sectors * SECTOR_BYTES))
    };
    let mut merged = Vec::new();
    let ns = |ms: Option<f64>| ms.map(|ms| ms * NS_PER_MS);
    let mut found = DiskReport {
        read_bytes: bytes(disk.read_kib, disk.read_mib, disk.read_sectors)?,
        written_bytes: bytes(disk.written_kib, disk.written_mib, disk.written_sectors)?,
        reads_merged: disk.reads_merged,
        writes_merged: disk.writes_merged,
        queue_depth: disk.queue_depth.or(disk.queue_depth_old),
        read_latency_ns: ns(disk.read_ms.or(disk.ms)),
        write_latency_ns: ns(disk.write_ms.or(disk.ms)),
        utilization: disk.utilization_percent.map(|percent| percent / 100.0),
        ..DiskReport::default()
    };
    if disk.ms.is_some() && disk.read_ms.is_none() {
        merged.push(Merged::Latency);
    }
    match (disk.reads, disk.writes, disk.tps) {
        (Some(reads), Some(writes), _) => (found.reads, found.writes) = (reads, writes),
        (_, _, Some(requests)) => {
            merged.push(Merged::Requests);
            found = found.split(requests);
        }
        _ => return None,
    }
    if let Some(flushes) = disk.flushes {
        let depth = flushes * disk.flush_ms.unwrap_or(0.0) / MS_PER_S;
        found = found.without_flushes(flushes, ns(disk.flush_ms), depth);
    }
    Some((found, merged))
}

/// Reads a log whole.
fn read(mut input: Input, _: &Options) -> Result<(Reports, Input), TraceError> {
    let sadf = detect_sadf(input.head()?);
    let format = if sadf { SADF.name } else { IOSTAT.name };
    let mut document = Document { reports: Reports::new(format, Per::Second, HINT), bare: None };
    document.reports.since_boot = !sadf;
    if let Err(error) = parse(&mut input, &mut document)? {
        if !error.is_eof() || document.reports.is_empty() {
            return Err(refuse(&input, &error));
        }
        let count = document.reports.len();
        document.reports.since_boot &= count > 1;
        document.reports.losses.push(format!(
            "{}: cut off in line {}; {count} whole reports were read",
            input.base_name,
            error.line()
        ));
    }
    drain(&mut input)?;
    let Document { mut reports, bare } = document;
    if let Some((name, number)) = bare {
        return Err(TraceError::Set {
            path: input.name.clone(),
            expected: "reports of disks with requests and bytes (`r/s` or `tps`, `rkB/s`, `wkB/s`)"
                .to_owned(),
            found: format!("report {number} of disk `{name}` without them"),
            hint: if sadf { "export with `sadf -j -- -d`" } else { HINT }.to_owned(),
        });
    }
    reports.whole_seconds = true;
    reports.leaves_out_idle = true;
    reports.opens();
    Ok((reports, input))
}

/// Collects the reports; the inner error is of the JSON, the outer one of reading.
fn parse(input: &mut Input, document: &mut Document) -> Result<serde_json::Result<()>, TraceError> {
    let mut content = Reader { input, error: None };
    let outcome = {
        let reader = std::io::BufReader::with_capacity(64 * 1024, &mut content);
        let mut json = serde_json::Deserializer::from_reader(reader);
        Descend { path: TO_REPORT, reports: document }.deserialize(&mut json).and_then(|()| json.end())
    };
    content.error.map_or(Ok(outcome), Err)
}

#[cold]
fn refuse(input: &Input, error: &serde_json::Error) -> TraceError {
    TraceError::Record {
        file: input.name.clone(),
        at: Place::Line(error.line() as u64),
        expected: "sysstat's JSON: sysstat → hosts → statistics → disk".to_owned(),
        found: error.to_string(),
        hint: HINT.to_owned(),
    }
}
