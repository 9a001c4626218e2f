//! Text logs: lines to items, and what to do with a line that is none.
//!
//! A format reads one line ([`ReadLine`]); what all text has in common is here. A line that cannot be read is skipped,
//! counted and named in the notes; more than one in [`BAD_SHARE`] is an error that shows the first of them, because then the
//! file is something else than it seemed. A last line without a line break may be cut off: it is left out with a note.

use crate::error::{Place, TraceError, show_bytes};
use crate::field::{Cursor, places};
use crate::processes::Processes;
use crate::stream::{At, BACKWARDS_NS_MAX, Decode, DiskTally, Timed};
use memchr::memchr;

/// No line of a log is longer; longer ones are skipped without being stored.
const LINE_BYTES_MAX: usize = 16 * 1024;
const TOO_LONG: Fault = Fault("a line of at most 16 KiB");
/// One bad line in so many is let pass.
const BAD_SHARE: u64 = 100;
/// Bad lines after which the share is checked before the end.
const BAD_MIN: u64 = 1000;
/// Lines that show what a file is.
const PROBE: usize = 16;

/// What a line should have had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault(pub(crate) &'static str);

/// One text format.
pub(crate) trait ReadLine {
    type Item: Timed;

    /// Reads a line without its line break; `None` for one that is in order and no item.
    fn read(&mut self, line: &[u8]) -> Result<Option<Self::Item>, Fault>;

    /// The fields of a line, as messages show them.
    fn fields(&self) -> &str;

    /// What there is to say when the file has been read.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// What the log itself reports as lost.
    fn losses(&self) -> Vec<String> {
        Vec::new()
    }

    /// The processes that the lines name.
    fn processes(&self) -> Option<&Processes> {
        None
    }

    /// As of [`Decode::disk_name`].
    fn disk_name(&self, _stream: u32) -> Option<String> {
        None
    }

    /// As of [`Decode::disks`].
    fn disks(&self) -> Vec<DiskTally> {
        Vec::new()
    }

    /// As of [`Decode::assumes_times`].
    fn assumes_times(&self) -> bool {
        false
    }
}

/// The first whole lines of a file, without empty ones; the last one too where nothing follows it.
pub(crate) fn probe(head: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    let complete = head.iter().rposition(|&byte| byte == b'\n').map_or(head, |end| &head[..=end]);
    complete
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii_end)
        .filter(|line| !line.is_empty())
        .take(PROBE)
}

/// Whether a reader takes all of the first lines and finds an item in one of them.
pub(crate) fn reads_all<R: ReadLine>(mut reader: R, lines: impl Iterator<Item: AsRef<[u8]>>) -> bool {
    let mut items = 0;
    for line in lines {
        match reader.read(line.as_ref()) {
            Ok(item) => items += usize::from(item.is_some()),
            Err(_) => return false,
        }
    }
    items > 0
}

/// Decoder of one text file.
pub(crate) struct Lines<R> {
    reader: R,
    /// The first line of the file where it names the columns.
    header: Option<Vec<u8>>,
    strict: bool,
    line: u64,
    latest: u64,
    inside_long: bool,
    counts: Counts,
    first_bad: Option<Box<TraceError>>,
    /// Decimal places at the end of the line before the last.
    places: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    bad: u64,
    empty: u64,
    headers: u64,
    broken_tail: bool,
    /// The last line was taken, though no line break ends it.
    open_end: bool,
}

impl<R: ReadLine> Lines<R> {
    pub(crate) fn new(reader: R, header: Option<Vec<u8>>, strict: bool) -> Lines<R> {
        let counts = Counts::default();
        Lines {
            reader,
            header,
            strict,
            line: 0,
            latest: 0,
            inside_long: false,
            counts,
            first_bad: None,
            places: 0,
        }
    }

    /// Whether the last line, which no line break ended, ends within a number with a fraction.
    #[cold]
    fn is_torn(&self, line: &[u8]) -> bool {
        places(line) < self.places
    }

    /// Takes one line; `whole`: a line break ended it.
    #[inline(always)]
    fn take(
        &mut self,
        line: &[u8],
        whole: bool,
        at: At<'_>,
        items: &mut Vec<R::Item>,
    ) -> Result<(), TraceError> {
        self.line += 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if !whole && self.is_torn(line) {
            self.counts.broken_tail = true;
            return Ok(());
        }
        match self.reader.read(line) {
            Ok(Some(item)) => match self.check(&item) {
                None if item.is_empty() => self.counts.empty += 1,
                None => {
                    self.latest = self.latest.max(item.time());
                    self.counts.open_end |= !whole;
                    items.push(item);
                }
                Some(fault) => return self.bad(line, fault, at),
            },
            Ok(None) => {}
            Err(fault) => return self.odd(line, whole, fault, at),
        }
        Ok(())
    }

    #[inline(always)]
    fn check(&self, item: &R::Item) -> Option<Fault> {
        if item.time().saturating_add(BACKWARDS_NS_MAX) < self.latest {
            return Some(Fault("a time that is not more than 60 s before the line above"));
        }
        item.fault().map(Fault)
    }

    /// A line that the format cannot read.
    #[cold]
    fn odd(&mut self, line: &[u8], whole: bool, fault: Fault, at: At<'_>) -> Result<(), TraceError> {
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        if self.header.as_deref() == Some(line.trim_ascii_end()) {
            self.counts.headers += 1;
            return Ok(());
        }
        // A recording that was cut off ends inside a line; only a line without a line break can be that.
        if !whole && self.line > 1 {
            self.counts.broken_tail = true;
            return Ok(());
        }
        self.bad(line, fault, at)
    }

    #[cold]
    fn bad(&mut self, line: &[u8], Fault(expected): Fault, at: At<'_>) -> Result<(), TraceError> {
        self.counts.bad += 1;
        if self.first_bad.is_none() {
            self.first_bad = Some(Box::new(refuse(at, self.line, line, expected, self.reader.fields())));
        }
        if self.strict || (self.counts.bad > BAD_MIN && self.too_many_bad()) {
            self.give_up()
        } else {
            Ok(())
        }
    }

    fn too_many_bad(&self) -> bool {
        self.counts.bad * BAD_SHARE > self.line
    }

    fn give_up(&mut self) -> Result<(), TraceError> {
        self.first_bad.take().map_or(Ok(()), |error| Err(*error))
    }
}

impl<R: ReadLine> Decode for Lines<R> {
    type Item = R::Item;

    fn decode(
        &mut self,
        bytes: &[u8],
        at: At<'_>,
        end: bool,
        items: &mut Vec<R::Item>,
        full: usize,
    ) -> Result<usize, TraceError> {
        let mut used = 0;
        while items.len() < full {
            let rest = &bytes[used..];
            match memchr(b'\n', rest) {
                Some(length) => {
                    used += length + 1;
                    if std::mem::take(&mut self.inside_long) {
                        continue;
                    }
                    if length > LINE_BYTES_MAX {
                        self.line += 1;
                        self.bad(&rest[..length], TOO_LONG, at)?;
                        continue;
                    }
                    self.take(&rest[..length], true, at, items)?;
                }
                None if rest.len() > LINE_BYTES_MAX => {
                    if !std::mem::replace(&mut self.inside_long, true) {
                        self.line += 1;
                        self.bad(rest, TOO_LONG, at)?;
                    }
                    used += rest.len();
                }
                None if end && !rest.is_empty() => {
                    let before = bytes[..used].trim_ascii_end();
                    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
                    self.places = places(&before[start..]);
                    used += rest.len();
                    if !std::mem::take(&mut self.inside_long) {
                        self.take(rest, false, at, items)?;
                    }
                }
                None => {
                    if end && self.too_many_bad() {
                        self.give_up()?;
                    }
                    break;
                }
            }
        }
        Ok(used)
    }

    fn processes(&self) -> Option<&Processes> {
        self.reader.processes()
    }

    fn disk_name(&self, stream: u32) -> Option<String> {
        self.reader.disk_name(stream)
    }

    fn disks(&self) -> Vec<DiskTally> {
        self.reader.disks()
    }

    fn assumes_times(&self) -> bool {
        self.reader.assumes_times()
    }

    fn notes(&self, file: &str) -> Vec<String> {
        let Counts { empty, headers, .. } = self.counts;
        let mut notes: Vec<_> =
            self.reader.notes().into_iter().map(|note| format!("{file}: {note}")).collect();
        if empty > 0 {
            notes.push(format!("{file}: {empty} reads or writes of no bytes were left out"));
        }
        if self.counts.open_end {
            notes.push(format!(
                "{file}: no line break ends its last line; if it is cut off, its last number is wrong"
            ));
        }
        if headers > 1 {
            notes.push(format!("{file}: the header line comes {headers} times"));
        }
        notes
    }

    fn losses(&self, file: &str) -> Vec<String> {
        let mut losses: Vec<_> =
            self.reader.losses().into_iter().map(|loss| format!("{file}: {loss}")).collect();
        if let Some(first) = &self.first_bad {
            let first = first.to_string();
            let first = first.lines().next().unwrap_or_default();
            losses
                .push(format!("{} of {} lines were skipped; the first: {first}", self.counts.bad, self.line));
        }
        if self.counts.broken_tail {
            losses.push(format!("{file}: cut off in line {}, which was left out", self.line));
        }
        losses
    }
}

/// The message for one line.
#[cold]
fn refuse(at: At<'_>, number: u64, line: &[u8], expected: &str, fields: &str) -> TraceError {
    let shown = &line[..line.len().min(100)];
    let found = match std::str::from_utf8(shown) {
        Ok(text) if !text.contains(|c: char| c.is_control() && c != '\t') => format!("`{text}`"),
        _ => show_bytes(shown),
    };
    TraceError::Record {
        file: at.file.to_owned(),
        at: Place::Line(number),
        expected: format!("{expected} in `{fields}`"),
        found,
        hint: "remove or fix this line".to_owned(),
    }
}

/// The first line as a header: it starts with no digit, and its fields are as many as those of the line below.
pub(crate) fn header(head: &[u8], separator: crate::field::Separator) -> Option<&[u8]> {
    let mut lines = probe(head);
    let first = lines.next()?;
    let count = |line: &[u8]| {
        let mut cursor = Cursor::new(line.trim_ascii());
        let mut fields = 0;
        loop {
            cursor.text(separator);
            fields += 1;
            if !cursor.separate(separator) {
                return fields;
            }
        }
    };
    let named =
        first.trim_ascii().first().is_some_and(|byte| byte.is_ascii_alphabetic() || b"\"#_".contains(byte));
    (named && lines.next().is_none_or(|second| count(first) <= count(second))).then_some(first)
}
