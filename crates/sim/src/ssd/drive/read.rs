//! The way of a read: to the dies, and over channel and link to the host.

use super::super::die::ReadJob;
use super::Ssd;

/// Where a page lies.
pub(super) enum Home {
    /// In the buffer.
    Buffer,
    /// On a die; pages of one row have one number.
    Flash { die: usize, row: u64, cached: bool },
}

impl Ssd {
    /// Where a page lies.
    #[inline]
    pub(super) fn home(&self, page: u64) -> Home {
        if let Some(slc) = &self.slc
            && let Some(place) = slc.find(page)
        {
            let (row, die, programmed) = slc.row(place);
            let row = (2 << 32) | u64::from(row);
            return if programmed { Home::Flash { die, row, cached: true } } else { Home::Buffer };
        }
        match self.ftl.lookup(page) {
            Some(place) if self.buffer.holds(place) => Home::Buffer,
            Some(place) => {
                let row = u64::from(place - self.ftl.page_of(place) % self.layout.row_pages);
                Home::Flash { die: self.ftl.die_of(place), row, cached: false }
            }
            None => {
                let row = (1 << 32) | (page / u64::from(self.layout.row_pages));
                Home::Flash { die: self.die_of_address(page), row, cached: false }
            }
        }
    }

    /// Sends a read to the dies that hold its pages.
    pub(super) fn read(&mut self, now: u64, index: u32) {
        let request = self.commands[index as usize].request;
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
        let mut run: Option<(u64, usize, ReadJob)> = None;
        for page in pages {
            let bytes = self.page.overlap(&request, page);
            let Home::Flash { die, row, cached } = self.home(page) else {
                buffered += bytes;
                continue;
            };
            match &mut run {
                Some((of, _, job)) if *of == row => job.bytes += bytes,
                _ => {
                    let next = Some((row, die, ReadJob { slot: index, bytes, cached }));
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
            self.send(now, ReadJob { slot: index, bytes: buffered, cached: false });
        }
    }

    /// Sends a read of no more than one page.
    #[inline]
    fn read_page(&mut self, now: u64, index: u32, page: u64, bytes: u32) {
        self.commands[index as usize].left = 1;
        match self.home(page) {
            Home::Buffer => self.send(now, ReadJob { slot: index, bytes, cached: false }),
            Home::Flash { die, cached, .. } => {
                self.backend.read(now, die, ReadJob { slot: index, bytes, cached });
            }
        }
    }

    /// The die that is taken to hold a page that the translation layer does not know.
    pub(super) fn die_of_address(&self, page: u64) -> usize {
        (page / u64::from(self.layout.row_pages) % self.backend.dies() as u64) as usize
    }

    /// Sends a part of a read over the link.
    #[inline]
    pub(super) fn send(&mut self, now: u64, part: ReadJob) {
        let command = &mut self.commands[part.slot as usize];
        command.left -= 1;
        let last = command.left == 0;
        let end = self.link.send(now, part.bytes, last);
        if last {
            self.reads_done.push(end + self.read_overhead_ns, 0, part.slot);
        }
    }
}
