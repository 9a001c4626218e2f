//! A pass of the whole trace, made of the windows that were selected.

use super::extent::Extent;
use super::footprint::{Footprint, Free};
use super::page::PAGE_BYTES;
use crate::reuse::{Index, Recency, mix};
use drivecast_block::{Nanos, Op, Record};

/// A window that was selected.
#[derive(Clone, Debug)]
pub struct Kept<'a> {
    /// When it begins in the trace.
    pub start: Nanos,
    /// Its requests, at their times in the trace.
    pub records: &'a [Record],
    /// Its pages, in order.
    pub extents: &'a [Extent],
}

/// Pages by how long ago they were accessed.
struct Pages<'a> {
    index: Index,
    pages: Vec<u64>,
    /// How many pages before each the last request began that accessed it.
    back: Vec<u32>,
    recency: Recency,
    footprint: &'a Footprint,
    free: Free,
}

impl<'a> Pages<'a> {
    fn new(footprint: &'a Footprint) -> Pages<'a> {
        Pages {
            index: Index::new(),
            pages: Vec::new(),
            back: Vec::new(),
            recency: Recency::new(),
            footprint,
            free: Free::of(footprint),
        }
    }

    /// The first page of an extent that is accessed now: requests begin where requests began.
    fn place(&self, extent: &Extent) -> u64 {
        let pages = extent.pages.into();
        match self.recency.at(extent.depth) {
            Some(block) => {
                let page = self.pages[block] + u64::from(extent.back);
                let before = u64::from(self.back[block]) + u64::from(extent.anchor);
                self.footprint.within(page.saturating_sub(before), pages)
            }
            None => self.free.next(extent.first, pages),
        }
    }

    fn touch(&mut self, first: u64, last: u64) {
        let mut is_new = false;
        for page in first..=last {
            let (number, unknown) = self.index.number(page, mix(page));
            if unknown {
                is_new = true;
                self.pages.push(page);
                self.back.push(0);
            }
            self.back[number as usize] = (page - first) as u32;
            self.recency.access(number as usize);
        }
        if is_new {
            self.free.take(first, last + 1);
        }
    }
}

/// The pages of a pass so far.
struct Space<'a> {
    written: Pages<'a>,
    accessed: Pages<'a>,
    span: u64,
}

impl Space<'_> {
    /// The first page of an extent that is accessed now.
    fn place(&self, extent: &Extent) -> u64 {
        let pages = if extent.written { &self.written } else { &self.accessed };
        let last = (self.span / PAGE_BYTES).saturating_sub(extent.pages.into());
        pages.place(extent).min(last)
    }

    /// Where a request goes; `places` has where the extents of its window went so far.
    fn move_to(&mut self, record: &Record, extents: &[Extent], places: &mut [Option<u64>]) -> u64 {
        let page = record.offset / PAGE_BYTES;
        let Some(at) = extents.partition_point(|extent| extent.first <= page).checked_sub(1) else {
            return record.offset;
        };
        let to = match places[at] {
            Some(to) => to,
            None => *places[at].insert(self.place(&extents[at])),
        };
        // A request stays whole: what it reaches into goes along.
        let behind = record.end().div_ceil(PAGE_BYTES);
        for next in at + 1..extents.len() {
            if extents[next].first >= behind {
                break;
            }
            places[next].get_or_insert(to + (extents[next].first - extents[at].first));
        }
        let offset = to * PAGE_BYTES + (record.offset - extents[at].first * PAGE_BYTES);
        let offset = offset.min(self.span.saturating_sub(record.size.into()));
        let (first, last) = (offset / PAGE_BYTES, (offset + u64::from(record.size) - 1) / PAGE_BYTES);
        if record.op == Op::Write {
            self.written.touch(first, last);
        }
        self.accessed.touch(first, last);
        offset
    }
}

/// The requests of a pass: for each window of the trace in `order` the selected one of that number, as long as all of them are.
/// Pages that were not accessed before come from the footprints, of what is written and of what is accessed at all.
#[must_use]
pub fn pass(
    kept: &[Kept],
    order: &[u32],
    length: Nanos,
    span: u64,
    [written, accessed]: [&Footprint; 2],
) -> Vec<Record> {
    let mut space = Space { written: Pages::new(written), accessed: Pages::new(accessed), span };
    let (mut found, mut places) = (Vec::new(), Vec::new());
    for (turn, number) in (0..).zip(order) {
        let window = &kept[*number as usize];
        let from = turn * length.0;
        places.clear();
        places.resize(window.extents.len(), None);
        for record in window.records {
            let time = Nanos(from + record.time.since(window.start).0);
            let offset = match record.has_data() {
                true => space.move_to(record, window.extents, &mut places),
                false => record.offset,
            };
            found.push(Record { time, offset, ..*record });
        }
    }
    found
}
