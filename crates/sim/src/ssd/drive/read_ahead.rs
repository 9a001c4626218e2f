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
use super::read::{Location, RowId};
use super::segments::ReadAhead;
use crate::ssd::die::{PageType, ReadJob, Reader};
use drivecast_block::{Nanos, Request};
use std::ops::Range;

/// Where pages lie in flash: die and row; none: in the write buffer.
type Place = Option<(usize, RowId)>;

impl Ssd {
    /// Serves a read from what is read ahead, if it continues a stream. Kept out of the path of reads on drives without.
    #[inline(never)]
    pub(super) fn follow(&mut self, now: Nanos, index: u32, request: &Request) -> bool {
        let Some(mut ahead) = self.ahead.take() else { return false };
        let continues = ahead.continues(request);
        if continues {
            let pages = self.page.touched(request);
            if let Some(due) = ahead.due(&pages) {
                self.read_on(now, &mut ahead, due);
            }
            self.serve(now, index, &mut ahead, request);
            ahead.retire(pages.start);
        }
        self.ahead = Some(ahead);
        continues
    }

    /// Reads pages into segments, to the end of the row of the last of them.
    fn read_on(&mut self, now: Nanos, ahead: &mut ReadAhead, due: Range<u64>) {
        let mut run: Option<(Range<u64>, Place)> = None;
        for page in due.start..self.layout.capacity_pages {
            let place = match self.locate(page) {
                Location::Buffer => None,
                Location::Flash { die, row } => Some((die, row)),
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

    fn read_segment(&mut self, now: Nanos, ahead: &mut ReadAhead, (pages, place): (Range<u64>, Place)) {
        let bytes = ((pages.end - pages.start) * self.page.bytes) as u32;
        let reader = Reader::Ahead(ahead.add(pages, place.is_none()));
        if let Some((die, row)) = place {
            let page = self.page_type(row);
            self.backend.read(now, die, ReadJob { reader, bytes, page });
        }
    }

    /// Sends what has arrived of a read, and lets the rest wait for its segments.
    fn serve(&mut self, now: Nanos, index: u32, ahead: &mut ReadAhead, request: &Request) {
        let pages = self.page.touched(request);
        let first = ahead.segments.partition_point(|segment| segment.pages.end <= pages.start);
        let reader = Reader::Command(index);
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
                segment.waiting.push(ReadJob { reader, bytes, page: PageType::Main(0) });
            }
        }
        let direct = here > 0 || parts == 0;
        self.commands[index as usize].left = parts + u32::from(direct);
        if direct {
            self.send(now, index, here);
        }
    }

    /// A segment has arrived: it goes to the reads that wait for it.
    #[cold]
    pub(super) fn arrive_ahead(&mut self, now: Nanos, number: u32) {
        let Some(mut ahead) = self.ahead.take() else { return };
        let at = number.wrapping_sub(ahead.first) as usize;
        let segment = &mut ahead.segments[at];
        segment.arrived = true;
        let mut waiting = std::mem::take(&mut segment.waiting);
        let over = segment.pages.end == 0;
        for part in waiting.drain(..) {
            if let Reader::Command(index) = part.reader {
                self.send(now, index, part.bytes);
            }
        }
        ahead.segments[at].waiting = waiting;
        if over {
            ahead.retire(0);
        }
        self.ahead = Some(ahead);
    }
}
