//! The buffer of what is read ahead of a stream, in segments that are read from flash at once.

use crate::ssd::die::ReadJob;
use drivecast_block::Request;
use std::collections::VecDeque;
use std::ops::Range;

/// Pages that are read from flash at once, or found in the write buffer.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) pages: Range<u64>,
    pub(super) arrived: bool,
    /// Parts of reads that wait for it.
    pub(super) waiting: Vec<ReadJob>,
}

/// The stream that is followed.
#[derive(Debug)]
pub(super) struct ReadAhead {
    /// How many pages it reads ahead.
    depth: u64,
    /// Where the last read ended.
    expected: u64,
    /// The page up to which it has been read; 0 if there is none.
    end: u64,
    /// In order; those of streams that ended have no pages.
    pub(super) segments: VecDeque<Segment>,
    /// Number of the first of them.
    pub(super) first: u32,
    /// Lists to be used again.
    spare: Vec<Vec<ReadJob>>,
}

impl ReadAhead {
    /// Reading ahead by so many pages; none if there are none.
    pub(super) fn new(pages: u64) -> Option<Box<ReadAhead>> {
        (pages > 0).then(|| {
            Box::new(ReadAhead {
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
    pub(super) fn continues(&mut self, request: &Request) -> bool {
        let continues = request.offset.0 == self.expected && request.size > 0;
        self.expected = request.end();
        if !continues && self.end > 0 {
            self.end = 0;
            self.segments.iter_mut().for_each(|segment| segment.pages = 0..0);
            self.retire(0);
        }
        continues
    }

    /// The pages to be read now, if any, for a read that ends with the page before `end`.
    pub(super) fn due(&self, pages: &Range<u64>) -> Option<Range<u64>> {
        let from = if self.end == 0 { pages.start } else { self.end };
        (from < pages.end + self.depth / 2).then_some(from..pages.end + self.depth)
    }

    /// Adds a segment; its number.
    pub(super) fn add(&mut self, pages: Range<u64>, arrived: bool) -> u32 {
        let number = self.first.wrapping_add(self.segments.len() as u32);
        self.end = pages.end;
        let waiting = self.spare.pop().unwrap_or_default();
        self.segments.push_back(Segment { pages, arrived, waiting });
        number
    }

    /// Forgets the first segments, as far as they have arrived and lie before `page`.
    pub(super) fn retire(&mut self, page: u64) {
        while let Some(segment) = self.segments.front()
            && segment.arrived
            && segment.pages.end <= page
        {
            if let Some(Segment { waiting, .. }) = self.segments.pop_front() {
                self.spare.push(waiting);
            }
            self.first = self.first.wrapping_add(1);
        }
    }
}
