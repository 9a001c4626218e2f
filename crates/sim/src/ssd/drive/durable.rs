//! When what was written outlives a loss of power: flushes, and writes with forced unit access.
//!
//! **Model.** With a protected buffer data are durable as soon as they are in it: a flush takes the controller's time
//! for a command and `flush_ns`, and forced unit access changes nothing. With a volatile buffer data are durable in flash:
//!
//! - a flush forces the open row out, part empty as it is, and waits for the programs of all rows handed over;
//! - a write with forced unit access forces the row of its last page out, and waits for the programs of its own rows.
//!
//! So each of a lone stream of writes that has to be durable takes a program, on top of the way into the buffer, and wears
//! a whole row however small it is. Source: NVM Express base specification, Flush and the FUA bit of Write.
//!
//! **Left out.** Journals with which a drive could make a row durable before it is full.

use super::Ssd;
use super::durable_write::DurableWrite;
use drivecast_block::Nanos;

impl Ssd {
    /// Answers a flush, now or when all that was written before is durable.
    pub(super) fn flush(&mut self, now: Nanos, index: u32) {
        if !self.buffer_volatile || !self.await_rows(now, index, 0) {
            self.writes_done.push(now + self.flush_time, 0, index);
        }
    }

    /// Lets a command wait for the rows from `first` on in order of issue, the open one included; whether there are any.
    pub(super) fn await_rows(&mut self, now: Nanos, index: u32, first: u64) -> bool {
        self.force_out(now);
        let waiting = self.buffer.in_flight_from(first);
        self.commands[index as usize].left = waiting;
        if waiting > 0 {
            self.awaited.push(DurableWrite { rows: first..=self.buffer.issued(), command: index });
        }
        waiting > 0
    }

    /// Pads the open row and sends it to its die.
    fn force_out(&mut self, now: Nanos) {
        let Some(open) = self.open_row else { return };
        let empty = self.layout.row_pages - open.pages;
        match &mut self.slc {
            Some(slc) if open.cached.is_some() => slc.pad(empty),
            _ => self.ftl.pad(open.die, empty),
        }
        self.issue(now);
    }

    /// The row of this order of issue is in flash: answers the commands that waited for it alone.
    pub(super) fn reached_flash(&mut self, now: Nanos, row: u64) {
        let done = now + self.write_times.fixed;
        let Ssd { awaited, commands, writes_done, .. } = self;
        awaited.retain(|wait| {
            let left = &mut commands[wait.command as usize].left;
            *left -= u32::from(wait.rows.contains(&row));
            if *left == 0 {
                writes_done.push(done, 0, wait.command);
            }
            *left > 0
        });
    }
}
