//! The formats of traces, each described once: for detection, `--format`, messages and the documentation.

use super::columns::Columns;
use super::mapping::Mapping;
use super::{biosnoop, blkparse, blktrace, fio_iolog, ftrace, octf, table, vscsi};
use crate::error::TraceError;
use crate::lines::{Lines, ReadLine, header, probe, reads_all};
use crate::open::{Found, merge};
use crate::options::Options;
use crate::rows::{RequestRows, Rows};
use crate::summary::Format;
use std::borrow::Cow;

/// A format, as the documentation shows it and the reader knows it.
pub struct Description {
    /// Which one.
    pub format: Format,
    /// What people call it.
    pub title: &'static str,
    /// How it is recognised.
    pub detected_by: &'static str,
    /// What makes a row.
    pub row: &'static str,
    /// What the column `stream` is.
    pub stream: &'static str,
    /// Where the latency comes from.
    pub latency: &'static str,
    /// The first lines of a log; of a binary format its first bytes in words.
    pub sample: &'static str,
    pub(crate) reading: Reading,
}

impl Description {
    /// Whether it is told by its first bytes, and so cannot be asked for.
    #[must_use]
    pub fn is_binary(&self) -> bool {
        matches!(self.reading, Reading::Binary)
    }

    /// The mapping that reads it, where it is a plain table: what `--csv` would take.
    #[must_use]
    pub fn mapping(&self) -> Option<&'static str> {
        match &self.reading {
            Reading::Table(table) => Some(table.mapping),
            Reading::Text(_) | Reading::Binary => None,
        }
    }
}

/// How a format is recognised and read.
pub(crate) enum Reading {
    /// A table in text.
    Table(Table),
    /// Text of another shape.
    Text(Text),
    /// By its first bytes, in `detect.rs`.
    Binary,
}

/// A table whose columns are known.
pub(crate) struct Table {
    pub(crate) mapping: &'static str,
    /// How many columns a line has; absent: at least those of the mapping.
    pub(crate) columns: Option<usize>,
    /// What the first lines must be besides readable.
    pub(crate) fits: fn(&Head<'_>) -> Verdict,
    /// What is assumed, for the notes.
    pub(crate) assumed: Option<&'static str>,
}

/// Text with a reader of its own.
pub(crate) struct Text {
    pub(crate) detect: fn(&Head<'_>) -> Verdict,
    pub(crate) open: Open,
}

/// The rows of files of one format.
type Open = fn(Vec<Found>, &Options) -> Result<Box<dyn Rows>, TraceError>;

/// The start of a file.
pub(crate) struct Head<'a> {
    /// Its name without directories.
    pub(crate) name: &'a str,
    pub(crate) bytes: &'a [u8],
    /// Its first lines, without a header.
    pub(crate) lines: &'a [&'a [u8]],
}

/// Whether a format fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    No,
    Yes,
    /// It fits, but what to make of it cannot be told: why, and which flag settles it.
    Doubtful {
        doubt: Cow<'static, str>,
        hint: &'static str,
    },
}

impl Verdict {
    pub(crate) fn from_bool(fits: bool) -> Verdict {
        if fits { Verdict::Yes } else { Verdict::No }
    }
}

/// All formats of traces, in the order in which the documentation lists them.
pub const DESCRIPTIONS: &[&Description] = &[
    &blktrace::DESCRIPTION,
    &blkparse::DESCRIPTION,
    &ftrace::DESCRIPTION,
    &biosnoop::DESCRIPTION,
    &octf::DESCRIPTION,
    &vscsi::DESCRIPTION,
    &table::CLOUDPHYSICS,
    &table::MSR,
    &table::SPC,
    &table::SYSTOR,
    &table::ALIBABA,
    &table::TENCENT,
    &fio_iolog::DESCRIPTION,
    &table::FIO_LAT,
    &table::FIO_BW,
    &table::MQSIM,
    &table::DISKSIM,
    &table::DIXTRAC,
    &table::ARC,
    &table::OURS,
];

/// The description of a format.
pub(crate) fn describe(format: Format) -> Option<&'static Description> {
    DESCRIPTIONS.iter().copied().find(|description| description.format == format)
}

impl Table {
    fn parsed(&self) -> Mapping {
        Mapping::parse(self.mapping).expect("the mappings of this crate are read by its tests")
    }

    fn columns(&self, head: &[u8], options: &Options) -> Resolved {
        resolve(&self.parsed(), self.columns, head, options)
    }
}

/// A reader of a table, and the header line above it. The first line is a header where it starts like one and cannot be read.
fn resolve(mapping: &Mapping, count: Option<usize>, head: &[u8], options: &Options) -> Resolved {
    if mapping.by_name() {
        let header = probe(head).next();
        let columns = Columns::new(mapping, count, header, options.interval)?;
        return Ok((columns, header.map(<[u8]>::to_vec)));
    }
    let columns = Columns::new(mapping, count, None, options.interval)?;
    let header = header(head, mapping.separator).filter(|line| columns.clone().read(line).is_err());
    Ok((columns, header.map(<[u8]>::to_vec)))
}

/// Whether a text format fits the start of a file.
pub(crate) fn fits(description: &Description, name: &str, bytes: &[u8]) -> Verdict {
    match &description.reading {
        Reading::Table(table) => {
            let Ok((columns, header)) = table.columns(bytes, &Options::default()) else { return Verdict::No };
            let lines: Vec<&[u8]> = probe(bytes).filter(|line| Some(*line) != header.as_deref()).collect();
            if !reads_all(columns, lines.iter()) {
                return Verdict::No;
            }
            (table.fits)(&Head { name, bytes, lines: &lines })
        }
        Reading::Text(text) => {
            let lines: Vec<&[u8]> = probe(bytes).collect();
            (text.detect)(&Head { name, bytes, lines: &lines })
        }
        Reading::Binary => Verdict::No,
    }
}

/// A reader of files in a text format.
pub(crate) fn open(
    description: &Description,
    found: Vec<Found>,
    options: &Options,
) -> Result<Box<dyn Rows>, TraceError> {
    match &description.reading {
        Reading::Table(table) => {
            let assumed = table.assumed;
            open_table(found, options, |head| {
                let (mut columns, header) = table.columns(head, options)?;
                columns.assume(assumed);
                Ok((columns, header))
            })
        }
        Reading::Text(text) => (text.open)(found, options),
        Reading::Binary => unreachable!("binary formats are opened by their own decoders"),
    }
}

/// A reader of tables whose columns the caller tells.
pub(crate) fn open_mapped(
    found: Vec<Found>,
    mapping: &str,
    options: &Options,
) -> Result<Box<dyn Rows>, TraceError> {
    let refuse = |(expected, found): (String, String)| TraceError::Choice {
        option: "--csv",
        expected,
        found,
        hint: "for example `--csv 'time=ts:us,op=type:R/W,offset=lba:512,size=len:1'`".to_owned(),
    };
    let mapping = Mapping::parse(mapping).map_err(refuse)?;
    open_table(found, options, |head| resolve(&mapping, None, head, options)).map_err(|error| match error {
        TraceError::Set { expected, found, .. } => refuse((expected, found)),
        other => other,
    })
}

type Resolved = Result<(Columns, Option<Vec<u8>>), (String, String)>;

fn open_table(
    mut found: Vec<Found>,
    options: &Options,
    resolve: impl Fn(&[u8]) -> Resolved,
) -> Result<Box<dyn Rows>, TraceError> {
    let mut readers = Vec::with_capacity(found.len());
    for file in &mut found {
        let path = file.source.name.clone();
        let head = file.input.peek(crate::detect::HEAD_BYTES)?;
        let (columns, header) = resolve(head).map_err(|(expected, found)| TraceError::Set {
            path,
            expected,
            found,
            hint: "`--csv` says what the columns are".to_owned(),
        })?;
        readers.push(Lines::new(columns, header, options.strict));
    }
    let mut readers = readers.into_iter();
    let merged = merge(found, |_| readers.next());
    Ok(Box::new(RequestRows::new(merged, options.stream()?)))
}

/// Units and codes of a table, as they were understood.
pub(crate) fn coding(mapping: Option<&str>) -> Option<String> {
    mapping.and_then(|text| Mapping::parse(text).ok()).map(|mapping| mapping.coding())
}
