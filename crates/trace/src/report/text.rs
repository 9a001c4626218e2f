//! Text logs, line by line: UTF-8 with or without a mark, UTF-16 of either order with a mark, else Windows-1252 (what
//! Western editions of Windows write). A line that is not UTF-8 is read as Windows-1252, which has a letter for every byte.

use crate::decompress::Input;
use crate::error::{Place, TraceError};

/// No tool writes longer lines: esxtop with ten thousand disks stays under 16 MiB.
const LINE_BYTES_MAX: usize = 64 << 20;
const CHUNK_BYTES: usize = 64 * 1024;
/// What Windows-1252 has at 0x80 to 0x9f; elsewhere it is Latin-1.
const WINDOWS_1252: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Bytes,
    Utf16 { big: bool },
}

impl Encoding {
    /// The encoding and the length of its mark.
    fn of(head: &[u8]) -> (Encoding, usize) {
        match head {
            [0xff, 0xfe, ..] => (Encoding::Utf16 { big: false }, 2),
            [0xfe, 0xff, ..] => (Encoding::Utf16 { big: true }, 2),
            [0xef, 0xbb, 0xbf, ..] => (Encoding::Bytes, 3),
            _ => (Encoding::Bytes, 0),
        }
    }
}

fn letters(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes
            .iter()
            .map(|&byte| match byte {
                0x80..=0x9f => {
                    WINDOWS_1252.chars().nth(usize::from(byte - 0x80)).unwrap_or(char::REPLACEMENT_CHARACTER)
                }
                other => char::from(other),
            })
            .collect(),
    }
}

fn utf16(bytes: &[u8], big: bool) -> String {
    let units = bytes.chunks_exact(2).map(|pair| {
        let pair = [pair[0], pair[1]];
        if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
    });
    char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// The start of a file as text; the last letter may be cut.
pub(crate) fn head(bytes: &[u8]) -> String {
    match Encoding::of(bytes) {
        (Encoding::Bytes, mark) => String::from_utf8_lossy(&bytes[mark..]).into_owned(),
        (Encoding::Utf16 { big }, mark) => utf16(&bytes[mark..], big),
    }
}

/// The lines of a file.
pub(crate) struct Lines {
    input: Input,
    encoding: Encoding,
    buffer: Vec<u8>,
    at: usize,
    number: u64,
    ended: bool,
    /// Whether the last line given had no end.
    cut: bool,
}

impl Lines {
    pub(crate) fn new(mut input: Input) -> Result<Lines, TraceError> {
        let (encoding, mark) = Encoding::of(input.head()?);
        let mut skipped = [0; 3];
        input.fill(&mut skipped[..mark])?;
        Ok(Lines { input, encoding, buffer: Vec::new(), at: 0, number: 0, ended: false, cut: false })
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
        let line = letters(self.buffer[self.at..end].trim_ascii_end());
        self.cut = end == self.buffer.len();
        self.at = (end + 1).min(self.buffer.len());
        self.number += 1;
        Ok(Some(line))
    }

    fn pull(&mut self) -> Result<(), TraceError> {
        let mut chunk = vec![0; CHUNK_BYTES];
        let filled = self.input.fill(&mut chunk)?;
        self.ended = filled < chunk.len();
        match self.encoding {
            Encoding::Bytes => self.buffer.extend_from_slice(&chunk[..filled]),
            // Chunks are of even length and the mark is two bytes, so units are never split; pairs of surrogates may be,
            // which costs a letter of a name and no number.
            Encoding::Utf16 { big } => self.buffer.extend_from_slice(utf16(&chunk[..filled], big).as_bytes()),
        }
        Ok(())
    }
}

/// Lines that could not be read: they are skipped, counted and named; more than one in a hundred is no log.
#[derive(Default)]
pub(crate) struct Damage {
    count: u64,
    first: Option<(u64, TraceError)>,
}

impl Damage {
    /// The line given last cannot be read.
    pub(crate) fn take(&mut self, lines: &Lines, error: TraceError) {
        self.count += 1;
        self.first.get_or_insert((lines.number, error));
    }

    /// What was skipped; the first error where it was too much.
    pub(crate) fn loss(self, lines: &Lines) -> Result<Option<String>, TraceError> {
        let Some((number, error)) = self.first else { return Ok(None) };
        if self.count * 100 > lines.number {
            return Err(error);
        }
        let (file, count, all) = (&lines.input.base_name, self.count, lines.number);
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
