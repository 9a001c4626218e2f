//! The way of a read: to the dies, and over channel and link to the host.

use super::super::die::ReadJob;
use super::Ssd;
use super::command::{overlap, pages_of};

impl Ssd {
    /// Sends a read to the dies that hold its pages.
    pub(super) fn read(&mut self, now: u64, index: u32) {
        let request = self.commands[index as usize].request;
        let mut buffered = 0;
        let mut parts = 0;
        // Pages that follow each other in one row of a die are read as one.
        let mut run = (u64::MAX, 0, 0);
        for page in pages_of(&request, self.page_bytes) {
            let bytes = overlap(&request, page, self.page_bytes);
            let (die, row) = match self.ftl.lookup(page) {
                Some(place) if self.buffer.holds(place) => {
                    buffered += bytes;
                    continue;
                }
                Some(place) => (
                    self.ftl.die_of(place),
                    u64::from(place - self.ftl.page_of(place) % self.layout.row_pages),
                ),
                None => {
                    let row = page / u64::from(self.layout.row_pages);
                    ((row % self.backend.dies() as u64) as usize, 1 << 32 | row)
                }
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

    /// Sends a part of a read over the link.
    #[inline]
    pub(super) fn send(&mut self, now: u64, part: ReadJob) {
        let end = self.outbound.transfer(now, part.bytes);
        let command = &mut self.commands[part.slot as usize];
        command.left -= 1;
        if command.left == 0 {
            self.reads_done.push_back((end + self.read_overhead_ns, part.slot));
        }
    }
}
