//! Reading ahead of a sequential stream.
//!
//! **Model.** A read that begins where the one before it ended continues a stream. The drive then reads the pages behind
//! it too, `read_ahead_bytes` far, and holds them in a buffer, so that a lone sequential read finds its data there, and a
//! few outstanding ones keep all dies busy. It reads on when half of that is used up, to the end of the row it is in: so
//! short reads do not fetch a row again and again. One stream is followed at a time; any other read ends it, and what was
//! read for it is lost.
//!
//! **Left out.** Streams side by side, streams that run backwards, and writes to what has been read ahead: the drive would
//! read that again, or take it from its write buffer, which is as fast.

use super::Ssd;
use super::read::Home;
use crate::ssd::die::ReadJob;
use drivecast_block::Request;
use std::collections::VecDeque;
use std::ops::Range;

/// Marks the number of a segment among the numbers of commands.
pub(super) const AHEAD: u32 = 1 << 31;

/// Where pages lie in flash: die, row, and whether in the pSLC cache; none: in the write buffer.
type Place = Option<(usize, u64, bool)>;

/// Pages that are read from flash at once, or found in the write buffer.
#[derive(Debug)]
struct Segment {
    pages: Range<u64>,
    arrived: bool,
    /// Parts of reads that wait for it.
    waiting: Vec<ReadJob>,
}

/// The stream that is followed.
#[derive(Debug)]
pub(super) struct Ahead {
    /// How many pages it reads ahead.
    depth: u64,
    /// Where the last read ended.
    expected: u64,
    /// The page up to which it has been read; 0 if there is none.
    end: u64,
    /// In order; those of streams that ended have no pages.
    segments: VecDeque<Segment>,
    /// Number of the first of them.
    first: u32,
    /// Lists to be used again.
    spare: Vec<Vec<ReadJob>>,
}

impl Ahead {
    /// Reading ahead by so many pages; none if there are none.
    pub(super) fn new(pages: u64) -> Option<Box<Ahead>> {
        (pages > 0).then(|| {
            Box::new(Ahead {
                depth: pages,
                expected: u64::MAX,
                end: 0,
                segments: VecDeque::new(),
                first: 0,
                spare: Vec::new(),
            })
        })
    }

    /// Whether a read continues the stream; if not, the stream ends.
    #[inline]
    fn continues(&mut self, request: &Request) -> bool {
        let goes_on = request.offset.0 == self.expected && request.size > 0;
        self.expected = request.end();
        if !goes_on && self.end > 0 {
            self.end = 0;
            self.segments.iter_mut().for_each(|segment| segment.pages = 0..0);
            self.retire(0);
        }
        goes_on
    }

    /// The pages to be read now, if any, for a read that ends with the page before `end`.
    fn due(&self, pages: &Range<u64>) -> Option<Range<u64>> {
        let from = if self.end == 0 { pages.start } else { self.end };
        (from < pages.end + self.depth / 2).then_some(from..pages.end + self.depth)
    }

    /// Adds a segment. The number that its arrival will bear.
    fn add(&mut self, pages: Range<u64>, arrived: bool) -> u32 {
        let number = self.first.wrapping_add(self.segments.len() as u32) & !AHEAD;
        self.end = pages.end;
        let waiting = self.spare.pop().unwrap_or_default();
        self.segments.push_back(Segment { pages, arrived, waiting });
        number | AHEAD
    }

    /// Forgets the first segments, as far as they have arrived and lie before `page`.
    fn retire(&mut self, page: u64) {
        while let Some(segment) = self.segments.front()
            && segment.arrived
            && segment.pages.end <= page
        {
            if let Some(Segment { waiting, .. }) = self.segments.pop_front() {
                self.spare.push(waiting);
            }
            self.first = self.first.wrapping_add(1) & !AHEAD;
        }
    }
}

impl Ssd {
    /// Serves a read from what is read ahead, if it continues a stream. Not part of the way of reads on drives without.
    #[inline(never)]
    pub(super) fn follow(&mut self, now: u64, index: u32, request: &Request) -> bool {
        let Some(mut ahead) = self.ahead.take() else { return false };
        let goes_on = ahead.continues(request);
        if goes_on {
            let pages = self.page.touched(request);
            if let Some(due) = ahead.due(&pages) {
                self.read_on(now, &mut ahead, due);
            }
            self.serve(now, index, &mut ahead, request);
            ahead.retire(pages.start);
        }
        self.ahead = Some(ahead);
        goes_on
    }

    /// Reads pages into segments, to the end of the row of the last of them.
    fn read_on(&mut self, now: u64, ahead: &mut Ahead, due: Range<u64>) {
        let mut run: Option<(Range<u64>, Place)> = None;
        for page in due.start..self.layout.capacity_pages {
            let place = match self.home(page) {
                Home::Buffer => None,
                Home::Flash { die, row, cached } => Some((die, row, cached)),
            };
            match &mut run {
                Some((pages, of)) if *of == place => pages.end = page + 1,
                _ if page >= due.end => break,
                _ => {
                    if let Some(done) = run.replace((page..page + 1, place)) {
                        self.read_segment(now, ahead, done);
                    }
                }
            }
        }
        if let Some(done) = run {
            self.read_segment(now, ahead, done);
        }
    }

    fn read_segment(&mut self, now: u64, ahead: &mut Ahead, (pages, place): (Range<u64>, Place)) {
        let bytes = ((pages.end - pages.start) * self.page.bytes) as u32;
        let slot = ahead.add(pages, place.is_none());
        if let Some((die, _, cached)) = place {
            self.backend.read(now, die, ReadJob { slot, bytes, cached });
        }
    }

    /// Sends what has arrived of a read, and lets the rest wait for its segments.
    fn serve(&mut self, now: u64, index: u32, ahead: &mut Ahead, request: &Request) {
        let pages = self.page.touched(request);
        let first = ahead.segments.partition_point(|segment| segment.pages.end <= pages.start);
        let (mut here, mut parts) = (0, 0);
        for segment in ahead.segments.iter_mut().skip(first) {
            if segment.pages.start >= pages.end {
                break;
            }
            let from = request.offset.0.max(segment.pages.start * self.page.bytes);
            let bytes = (request.end().min(segment.pages.end * self.page.bytes) - from) as u32;
            if segment.arrived {
                here += bytes;
            } else {
                parts += 1;
                segment.waiting.push(ReadJob { slot: index, bytes, cached: false });
            }
        }
        let direct = here > 0 || parts == 0;
        self.commands[index as usize].left = parts + u32::from(direct);
        if direct {
            self.send(now, ReadJob { slot: index, bytes: here, cached: false });
        }
    }

    /// A segment has arrived: it goes to the reads that wait for it.
    #[cold]
    pub(super) fn arrive_ahead(&mut self, now: u64, number: u32) {
        let Some(mut ahead) = self.ahead.take() else { return };
        let at = (number.wrapping_sub(ahead.first) & !AHEAD) as usize;
        let segment = &mut ahead.segments[at];
        segment.arrived = true;
        let mut waiting = std::mem::take(&mut segment.waiting);
        let over = segment.pages.end == 0;
        waiting.drain(..).for_each(|part| self.send(now, part));
        ahead.segments[at].waiting = waiting;
        if over {
            ahead.retire(0);
        }
        self.ahead = Some(ahead);
    }
}
