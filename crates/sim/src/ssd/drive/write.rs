//! The path of a write: into the buffer, into rows, to the dies; and what discards do.

use super::Ssd;
use super::buffer_drain::OpenRow;
use super::cleaning_time::CleaningTime;
use super::command::Command;
use super::read::Location;
use drivecast_block::{Nanos, Op, Request};

impl Ssd {
    /// Gives buffer space to the writes that wait for it, in their order, and sends what has space over the
    /// link.
    pub(super) fn admit(&mut self, now: Nanos) {
        self.batch.end(now);
        self.admit_in_turn(now);
        if self.full_holds_reads {
            self.backend.hold(!self.unadmitted.is_empty());
        }
    }

    fn admit_in_turn(&mut self, now: Nanos) {
        while let Some(&index) = self.unadmitted.front() {
            if self.commands[index as usize].request.op == Op::Read {
                self.unadmitted.pop_front();
                self.read(now, index);
                continue;
            }
            let command = &mut self.commands[index as usize];
            let pages = self.buffer.admit(self.batch.allows(now, command.left));
            if pages == 0 {
                return;
            }
            self.batch.take(now, pages);
            command.left -= pages;
            let bytes = match command.left {
                0 => command.bytes_left,
                _ => (u64::from(pages) * self.page.bytes).min(command.bytes_left.into()) as u32,
            };
            command.bytes_left -= bytes;
            let done = command.left == 0;
            self.arriving.push(self.link.receive(now, bytes, done), 0, (index, pages));
            if !done {
                return;
            }
            self.unadmitted.pop_front();
        }
    }

    /// Pages of a write are in the buffer: they are placed, and with the last the write is done.
    pub(super) fn arrive(&mut self, now: Nanos, index: u32, pages: u32) {
        let command = &mut self.commands[index as usize];
        command.first_row = command.first_row.min(self.buffer.issued() + 1);
        let Command { request, next_page: first, .. } = *command;
        self.ftl.tag(request.stream);
        for page in first..first + u64::from(pages) {
            let sent = u64::from(self.page.overlap(&request, page));
            if sent < self.page.bytes {
                self.read_old(now, page);
            }
            self.place(now, page);
        }
        let command = &mut self.commands[index as usize];
        command.next_page += u64::from(pages);
        if command.left == 0 && command.next_page == self.page.touched(&request).end {
            let first_row = command.first_row;
            self.drain.command(now);
            let must_wait = self.write_through || request.fua && self.buffer_volatile;
            if !must_wait || !self.await_rows(now, index, first_row) {
                let answer = self.write_times.draw();
                self.writes_done.push(now + answer, 0, index);
            }
        }
    }

    /// Reads the rest of a page that a write covers in part, unless the buffer has it.
    pub(super) fn read_old(&mut self, now: Nanos, page: u64) {
        if let Location::Flash { die, .. } = self.locate(page) {
            self.backend.read_old(now, die);
        }
    }

    /// Puts a page into the open row, and sends the row to its die once it is full.
    pub(super) fn place(&mut self, now: Nanos, page: u64) {
        let mut open = match self.open_row {
            Some(open) => open,
            None => self.open_cached(now).unwrap_or_else(|| self.open_main()),
        };
        open.pages = match open.cached {
            Some(cached) => self.put_cached(&open, cached, page),
            None => {
                if let Some(slc) = &mut self.slc {
                    slc.discard(page);
                }
                let place = self.write_main(open.die, page);
                self.buffer.put(open.row, place)
            }
        };
        self.open_row = Some(open);
        if open.pages == self.layout.row_pages {
            self.issue(now);
        }
    }

    fn open_main(&mut self) -> OpenRow {
        OpenRow { die: self.choose_die(), row: self.buffer.open_row(), pages: 0, cached: None }
    }

    /// Writes a page to the main flash of a die; its place.
    #[inline]
    pub(super) fn write_main(&mut self, die: usize, page: u64) -> u32 {
        let mut charge = CleaningTime {
            backend: &mut self.backend,
            batch: &mut self.batch,
            pages_per_block: self.layout.geometry.pages_per_block,
            read_pages: self.layout.read_pages,
        };
        self.ftl.write_to(die, page, &mut charge)
    }

    /// The die with the least waiting, from the cursor on, among those that may take more data.
    pub(super) fn choose_die(&mut self) -> usize {
        let dies = self.backend.dies();
        let mut best = (u32::MAX, self.cursor);
        for step in 0..dies {
            let die = if self.cursor + step < dies { self.cursor + step } else { self.cursor + step - dies };
            let load = self.backend.load(die);
            if load < best.0 && self.ftl.may_take(die) {
                best = (load, die);
                if load == 0 {
                    break;
                }
            }
        }
        self.cursor = if best.1 + 1 == dies { 0 } else { best.1 + 1 };
        best.1
    }

    /// A row is in flash.
    pub(super) fn programmed(&mut self, now: Nanos, row: u32) {
        let (sequence, cached) = self.buffer.programmed(row);
        if let (Some(slc), Some(cached)) = (&mut self.slc, cached) {
            slc.programmed(cached);
        }
        self.reached_flash(now, sequence);
        self.admit(now);
    }

    /// Unmaps the pages that lie wholly in the range.
    pub(super) fn discard(&mut self, request: Request) {
        for page in self.page.covered(&request) {
            if !self.slc.as_mut().is_some_and(|slc| slc.discard(page)) {
                self.ftl.discard(page);
            }
        }
    }
}
