//! Tables in text: one request a line, its columns described by a [`Mapping`].
//!
//! Most published traces are such tables, and each of them is a mapping and a few lines that recognise it. A
//! mapping is resolved once into one step a column; a line is then read from left to right, without a copy.

use super::mapping::{self, Column, Mapping, Role};
use crate::field::{Cursor, Names, Separator};
use crate::lines::{Fault, ReadLine};
use drivecast_block::{Nanos, Op, Record};

/// Time between the requests of a log that has no times, where the caller names none: assumed.
pub(crate) const INTERVAL_NS: u64 = 1_000_000;

/// What to do with one column.
#[derive(Clone, Debug)]
struct Step {
    role: Role,
    unit: u64,
    /// The value of rows to keep.
    keep: Vec<u8>,
}

/// Reads the lines of one table.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    steps: Vec<Step>,
    separator: Separator,
    /// Whether a line has these columns and no more.
    exact: bool,
    names: Vec<(Vec<u8>, Op)>,
    /// The meaning of operations named by one byte.
    letters: Box<[Option<Op>; 256]>,
    op: Op,
    timing: Timing,
    clock: u64,
    streams: Names,
    /// Hosts, each with disks of its own.
    hosts: Names,
    left_out: u64,
    /// What the format calls a discard where that is taken for granted, and whether there was any.
    discard: Option<String>,
    has_discards: bool,
    fields: String,
    assumes_times: bool,
    notes: Vec<String>,
}

/// Where the time of a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Timing {
    Issued,
    Completed,
    /// Each request follows the one before: after its latency and the gap.
    Gaps,
    /// The log has no times: requests this many nanoseconds apart.
    Every(u64),
}

impl Columns {
    /// A reader of tables with this mapping, `count` columns where it is known, and a header where it has one. What is
    /// wrong where the names of the mapping are not in the header.
    pub(crate) fn new(
        mapping: &Mapping,
        count: Option<usize>,
        header: Option<&[u8]>,
        interval: Option<Nanos>,
    ) -> Result<Columns, (String, String)> {
        let skip = Step { role: Role::Skip, unit: 1, keep: Vec::new() };
        let mut steps = vec![skip.clone(); count.unwrap_or(0)];
        let named = header.map(|header| split(header, mapping.separator)).unwrap_or_default();
        let mut op = Op::Read;
        let mut names = Vec::new();
        for part in &mapping.parts {
            if part.role == Role::Op {
                names = mapping::names(&part.coding);
            }
            let at = match &part.column {
                Column::Number(number) => *number,
                Column::Name(name) => find(name, &named)?,
                Column::Every => {
                    op = mapping::constant(&part.coding)
                        .ok_or_else(|| ("`op=*:R` or `op=*:W`".to_owned(), format!("`{}`", part.coding)))?;
                    continue;
                }
            };
            if at >= steps.len() {
                steps.resize(at + 1, skip.clone());
            }
            if steps[at].role != Role::Skip {
                return Err((
                    "a column of its own for each role".to_owned(),
                    format!("column {} twice", at + 1),
                ));
            }
            let keep = if part.role == Role::Keep { part.coding.clone().into_bytes() } else { Vec::new() };
            steps[at] = Step { role: part.role, unit: part.unit, keep };
        }
        let mut letters = Box::new([None; 256]);
        for (name, op) in names.iter().filter(|(name, _)| name.len() == 1) {
            letters[usize::from(name[0].to_ascii_lowercase())] = Some(*op);
            letters[usize::from(name[0].to_ascii_uppercase())] = Some(*op);
        }
        let (timing, notes) = timing(mapping, interval);
        let assumes_times = matches!(timing, Timing::Every(_)) && interval.is_none();
        Ok(Columns {
            steps,
            separator: mapping.separator,
            exact: count.is_some(),
            names,
            letters,
            op,
            timing,
            clock: 0,
            streams: Names::default(),
            hosts: Names::default(),
            left_out: 0,
            discard: None,
            has_discards: false,
            fields: mapping.text().to_owned(),
            assumes_times,
            notes,
        })
    }

    /// Shares the numbers of streams with other files.
    pub(crate) fn share(&mut self, names: &[Names; 2]) {
        [self.streams, self.hosts] = names.clone();
    }

    /// Adds what the format leaves open and is taken for granted.
    pub(crate) fn assume(&mut self, assumed: impl Iterator<Item = String>) {
        self.notes.extend(assumed);
    }

    /// Takes what a format names its discards for granted.
    pub(crate) fn assume_discards(&mut self) {
        let named = self.names.iter().find(|(_, op)| *op == Op::Discard);
        self.discard = named.map(|(name, _)| String::from_utf8_lossy(name).into_owned());
    }

    #[inline(always)]
    fn operation(&self, text: &[u8]) -> Option<Op> {
        if let [letter] = text {
            return self.letters[usize::from(*letter)];
        }
        self.names.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, op)| *op)
    }

    fn stream(&mut self, name: &[u8]) -> Result<u32, Fault> {
        self.streams.number(name).ok_or(Fault("one of at most 4096 stream names"))
    }

    /// Passes over the field of the stream: its number, or its name.
    #[inline(always)]
    fn stream_at<'a>(&self, cursor: &mut Cursor<'a>) -> Result<Stream<'a>, Fault> {
        let start = *cursor;
        if let Some(number) = cursor.integer()
            && self.ends_field(cursor)
            && self.streams.is_empty()
        {
            return u32::try_from(number)
                .map(Stream::Number)
                .map_err(|_| Fault("a stream number below 2^32"));
        }
        *cursor = start;
        Ok(Stream::Name(cursor.text(self.separator)))
    }

    /// The number of a stream, known or new, once all of its line was read.
    #[inline(always)]
    fn number(&mut self, stream: &Stream<'_>, host: Option<&[u8]>) -> Result<u32, Fault> {
        let number = match stream {
            Stream::Number(number) => *number,
            Stream::Name(name) => self.stream(name)?,
        };
        let Some(host) = host else { return Ok(number) };
        let host = self.hosts.number(host).ok_or(Fault("one of at most 4096 hosts"))?;
        if host > 0 && number > HOST_DISKS_MAX {
            return Err(Fault("a disk number below 65536"));
        }
        Ok(host * (HOST_DISKS_MAX + 1) + number)
    }

    #[inline(always)]
    fn ends_field(&self, cursor: &Cursor<'_>) -> bool {
        match (cursor.rest.first(), self.separator) {
            (None | Some(b' ' | b'\t'), _) => true,
            (Some(&byte), Separator::Byte(separator)) => byte == separator,
            _ => false,
        }
    }

    /// When the request was issued.
    #[inline(always)]
    fn time(&mut self, found: &Found<'_>) -> u64 {
        match self.timing {
            Timing::Issued => found.time,
            Timing::Completed => found.time.saturating_sub(found.latency.unwrap_or(0)),
            Timing::Gaps => {
                let now = self.clock;
                self.clock = now.saturating_add(found.latency.unwrap_or(0)).saturating_add(found.gap);
                now
            }
            Timing::Every(interval) => {
                let now = self.clock;
                self.clock = now.saturating_add(interval);
                now
            }
        }
    }
}

/// Disks of one host.
const HOST_DISKS_MAX: u32 = 0xffff;

/// The field of a stream.
enum Stream<'a> {
    Number(u32),
    Name(&'a [u8]),
}

/// The values of one line.
struct Found<'a> {
    time: u64,
    latency: Option<u64>,
    gap: u64,
    offset: u64,
    size: u64,
    stream: Stream<'a>,
    host: Option<&'a [u8]>,
}

fn timing(mapping: &Mapping, interval: Option<Nanos>) -> (Timing, Vec<String>) {
    let mut notes = Vec::new();
    let timing = if mapping.has(Role::Time) {
        Timing::Issued
    } else if mapping.has(Role::End) {
        Timing::Completed
    } else if mapping.has(Role::Gap) {
        Timing::Gaps
    } else {
        let (interval_ns, origin) =
            interval.map_or((INTERVAL_NS, "assumed; `--interval` sets it"), |given| (given.0, "as given"));
        notes.push(format!(
            "the log has no times: requests are {} s apart ({origin})",
            interval_ns as f64 / 1e9
        ));
        Timing::Every(interval_ns)
    };
    (timing, notes)
}

/// The fields of a header.
fn split(header: &[u8], separator: Separator) -> Vec<String> {
    let mut cursor = Cursor::new(header);
    let mut names = Vec::new();
    cursor.skip_blanks();
    loop {
        names.push(String::from_utf8_lossy(cursor.text(separator)).trim().trim_start_matches('#').to_owned());
        if !cursor.separate(separator) {
            return names;
        }
    }
}

fn find(name: &str, named: &[String]) -> Result<usize, (String, String)> {
    let place = named.iter().position(|known| known == name);
    let place = place.or_else(|| named.iter().position(|known| known.eq_ignore_ascii_case(name)));
    place.ok_or_else(|| {
        let found = match named {
            [] => "no header line".to_owned(),
            _ => format!("the columns {}", named.join(", ")),
        };
        (format!("a column `{name}` in the header, or a column number"), found)
    })
}

impl ReadLine for Columns {
    type Item = Record;

    #[inline(always)]
    fn read(&mut self, line: &[u8]) -> Result<Option<Record>, Fault> {
        let mut cursor = Cursor::new(line);
        cursor.skip_blanks();
        let mut found = Found {
            time: 0,
            latency: None,
            gap: 0,
            offset: 0,
            size: 0,
            stream: Stream::Number(0),
            host: None,
        };
        let mut op = self.op;
        let mut keep = true;
        let last = self.steps.len().wrapping_sub(1);
        for index in 0..self.steps.len() {
            let Step { role, unit, .. } = self.steps[index];
            let quoted = role != Role::Skip && cursor.eat(b'"');
            let end = if quoted { Separator::Byte(b'"') } else { self.separator };
            match role {
                Role::Skip => {
                    cursor.text(self.separator);
                }
                Role::Time | Role::End => found.time = cursor.scaled(unit).ok_or(Fault("a time"))?,
                // A table of ours leaves the field empty where no completion was seen.
                Role::Latency if self.ends_field(&cursor) => {}
                Role::Latency => found.latency = Some(cursor.scaled(unit).ok_or(Fault("a latency"))?),
                Role::Gap => found.gap = cursor.scaled(unit).ok_or(Fault("a gap of time"))?,
                Role::Offset => found.offset = cursor.scaled(unit).ok_or(Fault("an offset"))?,
                Role::Size => found.size = cursor.scaled(unit).ok_or(Fault("a size"))?,
                Role::Op => op = self.operation(cursor.text(end)).ok_or(Fault("a known operation"))?,
                Role::Stream if quoted => found.stream = Stream::Name(cursor.text(end)),
                Role::Stream => found.stream = self.stream_at(&mut cursor)?,
                Role::Host => found.host = Some(cursor.text(end)),
                Role::Keep => keep &= cursor.text(end) == self.steps[index].keep,
            }
            if quoted && !cursor.eat(b'"') {
                return Err(Fault("a closing quote"));
            }
            if index != last && !cursor.separate(self.separator) {
                return Err(Fault("a further column"));
            }
        }
        // Behind the last column that is wanted others may follow, but nothing that belongs to it.
        let further = cursor.separate(self.separator);
        cursor.skip_blanks();
        if !cursor.rest.is_empty() && (self.exact || !further) {
            return Err(Fault("the end of the line"));
        }
        if !keep {
            self.left_out += 1;
            return Ok(None);
        }
        self.has_discards |= op == Op::Discard;
        let size = u32::try_from(found.size).map_err(|_| Fault("a size below 4 GiB"))?;
        let stream = self.number(&found.stream, found.host)?;
        Ok(Some(Record {
            time: Nanos(self.time(&found)),
            offset: found.offset,
            size: if op == Op::Flush { 0 } else { size },
            stream,
            op,
            latency: found.latency.map(Nanos),
            fua: false,
        }))
    }

    fn fields(&self) -> &str {
        &self.fields
    }

    fn disk_name(&self, stream: u32) -> Option<String> {
        let (host, disk) = match self.hosts.len() {
            0 => (None, stream),
            _ => (self.hosts.name(stream / (HOST_DISKS_MAX + 1)), stream % (HOST_DISKS_MAX + 1)),
        };
        match (host, self.streams.name(disk)) {
            (Some(host), Some(name)) => Some(format!("{host}_{name}")),
            (Some(host), None) => Some(format!("{host}_{disk}")),
            (None, name) => name,
        }
    }

    fn assumes_times(&self) -> bool {
        self.assumes_times
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        if self.left_out > 0 {
            notes.push(format!("{} rows were left out by `keep`", self.left_out));
        }
        if let Some(name) = self.discard.as_ref().filter(|_| self.has_discards) {
            notes.push(format!(
                "operation `{name}` is taken for a discard, as a trim or the reset of a zone is one"
            ));
        }
        if !self.streams.is_empty() {
            notes.push(format!("streams are numbered in order of appearance: {}", self.streams.shown()));
        }
        notes
    }
}
