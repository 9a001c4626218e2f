//! The way of a read: to the dies, and over channel and link to the host.

use super::super::die::ReadJob;
use super::Ssd;

impl Ssd {
    /// Sends a read to the dies that hold its pages.
    pub(super) fn read(&mut self, now: u64, index: u32) {
        let request = self.commands[index as usize].request;
        let pages = self.page.touched(&request);
        if pages.end - pages.start == 1 {
            self.read_page(now, index, pages.start, request.size);
            return;
        }
        let mut buffered = 0;
        let mut parts = 0;
        // Pages that follow each other in one row of a die are read as one.
        let mut run = (u64::MAX, 0, 0);
        for page in pages {
            let bytes = self.page.overlap(&request, page);
            let (die, row) = match self.ftl.lookup(page) {
                Some(place) if self.buffer.holds(place) => {
                    buffered += bytes;
                    continue;
                }
                Some(place) => (
                    self.ftl.die_of(place),
                    u64::from(place - self.ftl.page_of(place) % self.layout.row_pages),
                ),
                None => (self.die_of_address(page), (1 << 32) | (page / u64::from(self.layout.row_pages))),
            };
            if run.0 == row {
                run.2 += bytes;
                continue;
            }
            if run.0 != u64::MAX {
                parts += 1;
                self.backend.read(now, run.1, ReadJob { slot: index, bytes: run.2 });
            }
            run = (row, die, bytes);
        }
        if run.0 != u64::MAX {
            parts += 1;
            self.backend.read(now, run.1, ReadJob { slot: index, bytes: run.2 });
        }
        let direct = buffered > 0 || parts == 0;
        self.commands[index as usize].left = parts + u32::from(direct);
        if direct {
            self.send(now, ReadJob { slot: index, bytes: buffered });
        }
    }

    /// Sends a read of no more than one page.
    #[inline]
    fn read_page(&mut self, now: u64, index: u32, page: u64, bytes: u32) {
        self.commands[index as usize].left = 1;
        let job = ReadJob { slot: index, bytes };
        let die = match self.ftl.lookup(page) {
            Some(place) if self.buffer.holds(place) => return self.send(now, job),
            Some(place) => self.ftl.die_of(place),
            None => self.die_of_address(page),
        };
        self.backend.read(now, die, job);
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
