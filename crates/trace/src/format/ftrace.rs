//! The kernel's trace buffer as text (`trace`, `trace_pipe`, `trace-cmd report`, `perf script`): what the block layer did.
//!
//! Two kinds of lines carry requests; all others are passed over:
//!
//! ```text
//!   fio-13084 [001] d..1. 25916.110208:   7,0    Q  RM 8742 + 2 [fio]                       the `blk` tracer
//!   fio-13084 [001] ..... 25916.110208: block_rq_issue: 7,0 R 4096 () 8742 + 8 none,0,0 [fio]   `block:` events
//! ```
//!
//! Of the events `block_bio_queue` is Q, `block_rq_issue` D and `block_rq_complete` C (linux/include/trace/events/block.h).
//! Times are seconds to the microsecond, to the nanosecond where the recorder was set so. Lines in which the kernel
//! reports lost events (`CPU:1 [LOST 12 EVENTS]`) are counted.

use super::rwbs;
use crate::description::{Content, Description, Evidence, Reading, Verdict};
use crate::event::{BlockEvent, Kind};
use crate::field::Cursor;
use crate::lines::{Fault, Lines, ReadLine};
use crate::options::Event;
use crate::processes::Processes;
use crate::rows::BlockRows;
use memchr::{memchr, memmem};

pub(crate) static FORMAT: Description = Description {
    name: "ftrace",
    title: "ftrace: `blk` tracer or `block:` events",
    detected_by: "`# tracer:` at the start, or among the first 16 lines one `process-pid [cpu] … seconds: …` with a block event",
    content: Content::Requests {
        row: "as of blkparse text",
        stream: "process id of the event",
        latency: "D→C, or Q→C",
    },
    sample: "# tracer: blk\n#\n  fio-13084   [001] d..1. 25916.110208:   7,0    Q  RM 8742 + 2 [fio]\n  fio-13084   [001] d..1. 25916.110215:   7,0    D  RM 8742 + 2 [fio]\n  ksoftirqd/1-22      [001] d.s1. 25916.111085:   7,0    C  RM 8742 + 2 [0]\n",
    evidence: Evidence::Lines,
    fits: |head| {
        let is_event = |line: &&[u8]| matches!(Ftrace::default().read(line), Ok(Some(_)));
        Verdict::from(head.bytes.starts_with(b"# tracer:") || head.lines.iter().any(is_event))
    },
    reading: Reading::Text(|inputs, options| {
        BlockRows::open(inputs, options, Event::Issue, |_, _| {
            Ok(Lines::new(Ftrace::default(), None, options.strict))
        })
    }),
};

/// Reader of the lines.
#[derive(Clone, Default)]
struct Ftrace {
    lost: u64,
    processes: Processes,
}

/// The event behind the time of a line: its kind and what follows its name, `None` for another event.
#[inline]
fn named<'a>(mut cursor: Cursor<'a>) -> Option<(Kind, bool, Cursor<'a>)> {
    let name = cursor.word().strip_suffix(b":")?;
    let name = name.strip_prefix(b"block:").unwrap_or(name);
    let (kind, sized) = match name {
        b"block_bio_queue" => (Kind::Queue, false),
        b"block_rq_issue" => (Kind::Issue, true),
        b"block_rq_complete" => (Kind::Complete, false),
        _ => return None,
    };
    Some((kind, sized, cursor))
}

impl Ftrace {
    /// An event of the `blk` tracer.
    #[inline]
    fn traced(mut cursor: Cursor<'_>, time: u64, pid: u32) -> Result<Option<BlockEvent>, Fault> {
        let device = rwbs::device(&mut cursor).ok_or(Fault("`major,minor` of a device"))?;
        let kind = match cursor.word() {
            b"Q" => Kind::Queue,
            b"D" => Kind::Issue,
            b"C" => Kind::Complete,
            _ => return Ok(None),
        };
        let action = rwbs::action(cursor.word()).ok_or(Fault("the letters of a request"))?;
        let range = rwbs::range(&mut cursor);
        if range.is_none() && rwbs::passes_through(cursor) {
            return Ok(None);
        }
        let failed = kind == Kind::Complete && rwbs::failed(&cursor);
        rwbs::event((time, device, pid), kind, action, range, failed)
    }

    /// One of the `block:` events, behind its name.
    #[inline]
    fn event(
        mut cursor: Cursor<'_>,
        time: u64,
        pid: u32,
        kind: Kind,
        sized: bool,
    ) -> Result<Option<BlockEvent>, Fault> {
        let device = rwbs::device(&mut cursor).ok_or(Fault("`major,minor` of a device"))?;
        let action = rwbs::action(cursor.word()).ok_or(Fault("the letters of a request"))?;
        if sized {
            cursor.skip_blanks();
            cursor.integer().ok_or(Fault("a size in bytes"))?;
        }
        cursor.skip_blanks();
        if cursor.eat(b'(') {
            let end = memchr(b')', cursor.rest).ok_or(Fault("`)` behind the command"))?;
            cursor.rest = &cursor.rest[end + 1..];
        }
        let range = rwbs::range(&mut cursor).ok_or(Fault("`sector + sectors`"))?;
        let failed = kind == Kind::Complete && rwbs::failed(&cursor);
        rwbs::event((time, device, pid), kind, action, Some(range), failed)
    }
}

/// The time before a colon: where it starts, in nanoseconds, and what follows.
#[inline]
fn time(line: &[u8]) -> Option<(usize, u64, Cursor<'_>)> {
    let mut from = 0;
    // A process may have colons in its name; the time is the first number with a point that a colon ends.
    while let Some(colon) = memchr(b':', line.get(from..)?).map(|at| from + at) {
        let start = line[..colon]
            .iter()
            .rposition(|byte| !byte.is_ascii_digit() && *byte != b'.')
            .map_or(0, |at| at + 1);
        let mut cursor = Cursor::new(&line[start..]);
        if line[start..colon].contains(&b'.')
            && let Some(time) = cursor.scaled(1_000_000_000)
            && cursor.eat(b':')
        {
            return Some((start, time, cursor));
        }
        from = colon + 1;
    }
    None
}

/// The process before `[cpu]`: its id, which comes after the last `-` or is a word of its own, and its name.
#[inline]
fn process(head: &[u8]) -> (u32, &[u8]) {
    let Some(bracket) = memchr::memrchr(b'[', head) else { return (0, b"") };
    let before = head[..bracket].trim_ascii_end();
    // `fio-13084 (13080) [001]` where the group of threads is recorded.
    let before =
        before.iter().rposition(|&byte| byte == b'(').map_or(before, |at| before[..at].trim_ascii_end());
    let start = before.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |at| at + 1);
    let name = before[..start].trim_ascii_end();
    let pid = Cursor::new(&before[start..]).integer().map_or(0, |pid| pid as u32);
    (pid, name.strip_suffix(b"-").unwrap_or(name))
}

impl ReadLine for Ftrace {
    type Item = BlockEvent;

    #[inline]
    fn read(&mut self, line: &[u8]) -> Result<Option<BlockEvent>, Fault> {
        if line.first() == Some(&b'#') || line.is_empty() {
            return Ok(None);
        }
        let Some((start, time, mut cursor)) = time(line) else {
            if let Some(at) = memmem::find(line, b"[LOST ") {
                self.lost += Cursor::new(&line[at + 6..]).integer().unwrap_or(1);
                return Ok(None);
            }
            return Err(Fault("a time in seconds before `:`"));
        };
        cursor.skip_blanks();
        let (pid, name) = process(&line[..start]);
        self.processes.see(pid, name);
        match cursor.rest.first() {
            Some(byte) if byte.is_ascii_digit() => Ftrace::traced(cursor, time, pid),
            _ => match named(cursor) {
                Some((kind, sized, cursor)) => Ftrace::event(cursor, time, pid, kind, sized),
                None => Ok(None),
            },
        }
    }

    fn fields(&self) -> &str {
        "process-pid [cpu] flags seconds: event"
    }

    fn processes(&self) -> Option<&Processes> {
        Some(&self.processes)
    }

    fn losses(&self) -> Vec<String> {
        match self.lost {
            0 => Vec::new(),
            lost => vec![format!("the kernel lost {lost} events: its buffer was full")],
        }
    }
}
