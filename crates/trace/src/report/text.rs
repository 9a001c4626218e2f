//! Text logs, line by line: UTF-8 with or without a mark, UTF-16 of either order with a mark, else Windows-1252 (what
//! Western editions of Windows write). A line that is not UTF-8 is read as Windows-1252, which has a letter for every byte.

use crate::decompress::Input;
use crate::error::{Place, TraceError};
use crate::field::places;
use encoding_rs::{Decoder, Encoding, UTF_8, WINDOWS_1252};

/// No tool writes longer lines: esxtop with ten thousand disks stays under 16 MiB.
const LINE_BYTES_MAX: usize = 64 << 20;
const CHUNK_BYTES: usize = 64 * 1024;

/// The encoding that a mark at the start of a file names, where it is not UTF-8, and the length of the mark.
fn marked(head: &[u8]) -> (Option<&'static Encoding>, usize) {
    let (encoding, mark) = Encoding::for_bom(head).unwrap_or((UTF_8, 0));
    (Some(encoding).filter(|encoding| *encoding != UTF_8), mark)
}

fn letters(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
    }
}

/// The start of a file as text; the last letter may be cut.
pub(crate) fn head(bytes: &[u8]) -> String {
    let (encoding, mark) = marked(bytes);
    encoding.unwrap_or(UTF_8).decode_without_bom_handling(&bytes[mark..]).0.into_owned()
}

/// The lines of a file.
pub(crate) struct Lines {
    input: Input,
    /// Of UTF-16; other text is decoded by line.
    decoder: Option<Decoder>,
    buffer: Vec<u8>,
    at: usize,
    number: u64,
    ended: bool,
    /// Whether the last line given had no end.
    cut: bool,
    /// Decimal places at the end of the last line that has any.
    places: usize,
}

impl Lines {
    pub(crate) fn new(mut input: Input) -> Result<Lines, TraceError> {
        let (encoding, mark) = marked(input.head()?);
        let decoder = encoding.map(Encoding::new_decoder_without_bom_handling);
        let mut skipped = [0; 3];
        input.fill(&mut skipped[..mark])?;
        Ok(Lines {
            input,
            decoder,
            buffer: Vec::new(),
            at: 0,
            number: 0,
            ended: false,
            cut: false,
            places: 0,
        })
    }

    /// The file, to describe it when all lines were read.
    pub(crate) fn input(&self) -> &Input {
        &self.input
    }

    /// The file, once its lines were read.
    pub(crate) fn into_input(self) -> Input {
        self.input
    }

    /// The number of the line given last.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Whether the line given last was the last one and had no end: it may be cut off.
    pub(crate) fn cut(&self) -> bool {
        self.cut
    }

    /// An error at the line given last.
    pub(crate) fn refuse(&self, expected: &str, found: &str, hint: &str) -> TraceError {
        let found = match found.char_indices().nth(80) {
            Some((end, _)) => format!("{}…", &found[..end]),
            None => found.to_owned(),
        };
        TraceError::Record {
            file: self.input.name.clone(),
            at: Place::Line(self.number),
            expected: expected.to_owned(),
            found: format!("`{}`", found.trim()),
            hint: hint.to_owned(),
        }
    }

    /// The next line without its end.
    pub(crate) fn next(&mut self) -> Result<Option<String>, TraceError> {
        let mut searched = self.at;
        let end = loop {
            if let Some(end) = memchr::memchr(b'\n', &self.buffer[searched..]).map(|found| searched + found) {
                break end;
            }
            searched = self.buffer.len();
            if self.ended {
                break searched;
            }
            if searched - self.at > LINE_BYTES_MAX {
                self.number += 1;
                return Err(self.refuse(
                    "a line of at most 64 MiB",
                    "a longer one",
                    "this is no text log, or its line ends were lost",
                ));
            }
            self.buffer.drain(..self.at);
            searched -= self.at;
            self.at = 0;
            self.pull()?;
        };
        if self.at >= self.buffer.len() && self.ended {
            return Ok(None);
        }
        let mut line = letters(self.buffer[self.at..end].trim_ascii_end());
        self.cut = end == self.buffer.len();
        if self.cut && (places(line.as_bytes()) < self.places || line.matches('"').count() % 2 == 1) {
            // Half a number is none: without it the line lacks a column.
            let is_mark = |letter: char| letter.is_whitespace() || matches!(letter, ';' | '"');
            line.truncate(line.trim_end_matches('"').rfind(is_mark).unwrap_or(0));
            line.truncate(line.trim_end_matches([',', ';']).len());
        }
        self.places = match places(line.as_bytes()) {
            0 => self.places,
            places => places,
        };
        self.at = (end + 1).min(self.buffer.len());
        self.number += 1;
        Ok(Some(line))
    }

    fn pull(&mut self) -> Result<(), TraceError> {
        let mut chunk = vec![0; CHUNK_BYTES];
        let filled = self.input.fill(&mut chunk)?;
        self.ended = filled < chunk.len();
        match &mut self.decoder {
            None => self.buffer.extend_from_slice(&chunk[..filled]),
            Some(decoder) => {
                let mut text = String::with_capacity(decoder.max_utf8_buffer_length(filled).unwrap_or(0));
                // Half a letter at the end of the file is dropped.
                let _ = decoder.decode_to_string(&chunk[..filled], &mut text, false);
                self.buffer.extend_from_slice(text.as_bytes());
            }
        }
        Ok(())
    }
}

/// Lines that could not be read: they are skipped, counted and named; more than one in a hundred is no log.
#[derive(Default)]
pub(crate) struct Damage {
    count: u64,
    first: Option<(u64, TraceError)>,
    /// Whether the last line was left out because it is cut off.
    cut: bool,
}

impl Damage {
    /// Passes over the line given last, which reads `found`: the loss of a `part` of the log where the line is cut off at
    /// the end of the file; else damage, and nothing to say of it yet.
    pub(crate) fn pass(
        &mut self,
        lines: &Lines,
        found: &str,
        part: &str,
        expected: &str,
        hint: &str,
    ) -> Option<String> {
        if lines.cut() {
            let (file, number) = (&lines.input.base_name, lines.number);
            self.cut = true;
            return Some(format!("{file}: cut off in line {number}; the {part} there was left out"));
        }
        self.take(lines, lines.refuse(expected, found, hint));
        None
    }

    /// The line given last cannot be read.
    fn take(&mut self, lines: &Lines, error: TraceError) {
        self.count += 1;
        self.first.get_or_insert((lines.number, error));
    }

    /// What was skipped; the first error where it was too much.
    pub(crate) fn loss(self, lines: &Lines) -> Result<Option<String>, TraceError> {
        let (file, count, all) = (&lines.input.base_name, self.count, lines.number);
        let Some((number, error)) = self.first else {
            let open_end = || {
                format!(
                    "{file}: no line break ends its last line; if it is cut off, its last number is wrong"
                )
            };
            return Ok((lines.cut() && !self.cut).then(open_end));
        };
        if count * 100 > all {
            return Err(error);
        }
        Ok(Some(format!(
            "{file}: {count} of {all} lines could not be read and were skipped, the first is line {number}"
        )))
    }
}

/// Beyond every counter of 64 bits; what is larger is damage, and a sum or product of such numbers might have no end.
pub(crate) const LARGEST: f64 = 1e24;

/// A number with a decimal point or comma. Grouping marks in front of it are passed over.
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let value = match (text.rfind(','), text.rfind('.')) {
        (None, _) => text.parse::<f64>().ok(),
        (Some(comma), Some(point)) if comma < point => text.replace(',', "").parse().ok(),
        (Some(_), Some(_)) => text.replace('.', "").replace(',', ".").parse().ok(),
        (Some(_), None) => text.replace(',', ".").parse().ok(),
    };
    value.filter(|value| value.abs() < LARGEST)
}
