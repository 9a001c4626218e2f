//! Text of `blkparse` in its default format, one event a line (blkparse(1)):
//!
//! ```text
//!   8,16   1       11     0.000009000  1234  Q  WS 2048 + 8 [fio]
//! major,minor cpu sequence seconds pid action letters sector + sectors [process]
//! ```
//!
//! Of the events Q, D and C are read, as in the binary trace; a completion has its error in the brackets. Passthrough commands
//! show their bytes in parentheses and carry no address. The totals after the last event are passed over.

use super::rwbs;
use crate::description::{Content, Description, Evidence, Reading, Verdict};
use crate::event::{BlockEvent, Kind};
use crate::field::Cursor;
use crate::lines::{Fault, Lines, ReadLine, reads_all};
use crate::options::Event;
use crate::processes::Processes;
use crate::rows::BlockRows;

pub(crate) static FORMAT: Description = Description {
    name: "blkparse",
    title: "blkparse text",
    detected_by: "the first 16 lines all are `major,minor cpu sequence seconds pid action …`",
    content: Content::Requests {
        row: "a D event (`--event D`, the default) or a Q event (`--event Q`)",
        stream: "process id of the event",
        latency: "D→C, or Q→C",
    },
    sample: "  8,16   1        1     0.000000000  1234  Q  WS 2048 + 8 [fio]\n  8,16   1        2     0.000002100  1234  D  WS 2048 + 8 [fio]\n  8,16   1        3     0.000112000     0  C  WS 2048 + 8 [0]\n",
    evidence: Evidence::Lines,
    fits: |head| {
        Verdict::from(
            reads_all(Blkparse::default(), head.lines.iter())
                && head.lines.iter().any(|line| Blkparse::default().starts(line)),
        )
    },
    reading: Reading::Text(|inputs, options| {
        BlockRows::open(inputs, options, Event::Issue, |_, _| {
            Ok(Lines::new(Blkparse::default(), None, options.strict))
        })
    }),
};

/// Reader of the lines.
#[derive(Clone, Default)]
struct Blkparse {
    /// The totals have begun.
    ended: bool,
    passthrough: u64,
    processes: Processes,
}

impl Blkparse {
    fn starts(&self, line: &[u8]) -> bool {
        rwbs::device(&mut Cursor::new(line)).is_some()
    }
}

/// What begins the totals.
const TOTALS: [&[u8]; 6] = [b"CPU", b"Total", b"Throughput", b"Events", b"Skips", b"Input file"];

impl ReadLine for Blkparse {
    type Item = BlockEvent;

    #[inline]
    fn read(&mut self, line: &[u8]) -> Result<Option<BlockEvent>, Fault> {
        let mut cursor = Cursor::new(line);
        let Some(device) = rwbs::device(&mut cursor) else {
            let begins = TOTALS.iter().any(|word| line.trim_ascii_start().starts_with(word));
            self.ended |= begins;
            return if self.ended { Ok(None) } else { Err(Fault("`major,minor` of a device")) };
        };
        cursor.skip_blanks();
        cursor.integer().ok_or(Fault("a CPU"))?;
        cursor.skip_blanks();
        cursor.integer().ok_or(Fault("a sequence number"))?;
        cursor.skip_blanks();
        let time = cursor.scaled(1_000_000_000).ok_or(Fault("a time in seconds"))?;
        cursor.skip_blanks();
        let pid = cursor.integer().ok_or(Fault("a process id"))?;
        let kind = match cursor.word() {
            b"Q" => Kind::Queue,
            b"D" => Kind::Issue,
            b"C" => Kind::Complete,
            b"" => return Err(Fault("an action")),
            _ => return Ok(None),
        };
        let action = rwbs::action(cursor.word()).ok_or(Fault("the letters of a request"))?;
        let range = rwbs::range(&mut cursor);
        if range.is_none() && rwbs::passes_through(cursor) {
            self.passthrough += 1;
            return Ok(None);
        }
        let failed = kind == Kind::Complete && rwbs::failed(&cursor);
        if kind != Kind::Complete {
            self.processes.see(pid as u32, rwbs::process(cursor.rest));
        }
        rwbs::event((time, device, pid as u32), kind, action, range, failed)
    }

    fn fields(&self) -> &str {
        "major,minor cpu sequence seconds pid action letters sector + sectors [process]"
    }

    fn processes(&self) -> Option<&Processes> {
        Some(&self.processes)
    }

    fn notes(&self) -> Vec<String> {
        match self.passthrough {
            0 => Vec::new(),
            count => {
                vec![format!("{count} events of passthrough commands carry no address and were left out")]
            }
        }
    }
}
