//! The path of a read: to the dies, and over channel and link to the host.

use super::Ssd;
use crate::ssd::die::{PageType, ReadJob, Reader};
use drivecast_block::Nanos;

/// A row of flash, so far as pages of one row are read together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowId {
    /// In the main flash, by the place of its first page.
    Main(u32),
    /// In the pSLC cache.
    Cached(u32),
    /// In flash that is not simulated, by its number if data were written in order of address.
    Assumed(u64),
}

/// Where a page lies.
pub(super) enum Location {
    /// In the write buffer.
    Buffer,
    /// On a die.
    Flash { die: usize, row: RowId },
}

impl Ssd {
    /// Where a page lies.
    #[inline]
    pub(super) fn locate(&self, page: u64) -> Location {
        if let Some(slc) = &self.slc
            && let Some(place) = slc.find(page)
        {
            let (row, die, programmed) = slc.row(place);
            let row = RowId::Cached(row);
            return if programmed { Location::Flash { die, row } } else { Location::Buffer };
        }
        match self.ftl.lookup(page) {
            Some(place) if self.buffer.holds(place) => Location::Buffer,
            Some(place) => {
                let row = RowId::Main(place - self.ftl.page_of(place) % self.layout.read_pages);
                Location::Flash { die: self.ftl.die_of(place), row }
            }
            None => {
                let row = RowId::Assumed(page / u64::from(self.layout.read_pages));
                Location::Flash { die: self.die_of_address(page), row }
            }
        }
    }

    /// Sends a read to the dies that hold its pages.
    pub(super) fn read(&mut self, now: Nanos, index: u32) {
        let request = self.commands[index as usize].request;
        self.batch.read();
        if self.ahead.is_some() && self.follow(now, index, &request) {
            return;
        }
        let pages = self.page.touched(&request);
        if pages.end - pages.start == 1 {
            self.read_page(now, index, pages.start, request.size);
            return;
        }
        let mut buffered = 0;
        let mut parts = 0;
        // Pages that follow each other in one row of a die are read as one.
        let mut run: Option<(RowId, usize, ReadJob)> = None;
        for page in pages {
            let bytes = self.page.overlap(&request, page);
            let Location::Flash { die, row } = self.locate(page) else {
                buffered += bytes;
                continue;
            };
            match &mut run {
                Some((of, _, job)) if *of == row => job.bytes += bytes,
                _ => {
                    let page = self.page_type(row);
                    let next = Some((row, die, ReadJob { reader: Reader::Command(index), bytes, page }));
                    if let Some((_, die, job)) = std::mem::replace(&mut run, next) {
                        parts += 1;
                        self.backend.read(now, die, job);
                    }
                }
            }
        }
        if let Some((_, die, job)) = run {
            parts += 1;
            self.backend.read(now, die, job);
        }
        let direct = buffered > 0 || parts == 0;
        self.commands[index as usize].left = parts + u32::from(direct);
        if direct {
            self.send(now, index, buffered);
        }
    }

    /// Sends a read of no more than one page.
    #[inline]
    fn read_page(&mut self, now: Nanos, index: u32, page: u64, bytes: u32) {
        self.commands[index as usize].left = 1;
        match self.locate(page) {
            Location::Buffer => self.send(now, index, bytes),
            Location::Flash { die, row } => {
                let page = self.page_type(row);
                self.backend.read(now, die, ReadJob { reader: Reader::Command(index), bytes, page });
            }
        }
    }

    /// The type of the pages of a row: of a word line one after another.
    #[inline]
    pub(super) fn page_type(&self, row: RowId) -> PageType {
        let number = match row {
            RowId::Cached(_) => return PageType::Cached,
            _ if self.read_types == 1 => 0,
            RowId::Main(place) => u64::from(place / self.layout.read_pages),
            RowId::Assumed(number) => number,
        };
        PageType::Main((number % u64::from(self.read_types)) as u8)
    }

    /// The die that is taken to hold a page that the translation layer does not know.
    pub(super) fn die_of_address(&self, page: u64) -> usize {
        (page / u64::from(self.layout.row_pages) % self.backend.dies() as u64) as usize
    }

    /// Sends `bytes` of the read in a slot over the link: one part of it.
    #[inline]
    pub(super) fn send(&mut self, now: Nanos, index: u32, bytes: u32) {
        let command = &mut self.commands[index as usize];
        command.left -= 1;
        let last = command.left == 0;
        let end = self.link.send(now, bytes, last);
        if last {
            self.reads_done.push(end + self.read_overhead, 0, index);
        }
    }
}
