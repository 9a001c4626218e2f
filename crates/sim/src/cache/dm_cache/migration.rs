//! Copies of whole blocks between the devices.

use super::DmCache;
use super::works::{Migration, Step, Way, Work};
use crate::cache::index::NONE;
use crate::cache::io::{Piece, Side};
use crate::cache::orders::Orders;
use drivecast_block::{Nanos, Op};

impl DmCache {
    /// Begins to copy a block.
    pub(super) fn migrate(&mut self, way: Way, block: u64, slot: u32, orders: &mut Orders) {
        // The smallest number that no other has.
        let taken = |id: &u32| self.migrations.iter().any(|migration| migration.id == *id);
        let id = (0..).find(|id| !taken(id)).unwrap_or(0);
        self.migrations.push(Migration { block, slot, way, is_read: false, waiting: (NONE, NONE), id });
        match way {
            Way::In => orders.counters.disk_reads += 1,
            Way::Back => orders.counters.ssd_reads += 1,
        }
        self.copy(id, block, slot, if way == Way::In { Side::Slow } else { Side::Fast }, Op::Read, orders);
    }

    fn copy(&mut self, id: u32, block: u64, slot: u32, side: Side, op: Op, orders: &mut Orders) {
        let address = block * self.block;
        // The last block may be cut off by the end of the device.
        let size = self.block.min(self.origin - address) as u32;
        let offset = if side == Side::Slow { address } else { self.offset(slot) };
        let piece = Piece { job: NONE, op, offset, size, stream: 0, fua: false };
        let work = self.works.insert(Work { step: Step::Migrate(id), piece, next: NONE });
        orders.send(piece.on(side, offset, work));
    }

    /// A read or a write of a copy is done.
    pub(super) fn migrated(&mut self, now: Nanos, id: u32, orders: &mut Orders) {
        let Some(at) = self.migrations.iter().position(|migration| migration.id == id) else { return };
        let Migration { block, slot, way, is_read, waiting, .. } = self.migrations[at];
        if !is_read {
            self.migrations[at].is_read = true;
            let side = match way {
                Way::In => Side::Fast,
                Way::Back => Side::Slow,
            };
            match way {
                Way::In => orders.counters.ssd_writes += 1,
                Way::Back => orders.counters.disk_writes += 1,
            }
            return self.copy(id, block, slot, side, Op::Write, orders);
        }
        self.migrations.remove(at);
        match way {
            Way::In => {
                self.insert(now, slot, block);
                self.record(slot, orders);
            }
            Way::Back => {
                orders.counters.cleanings += 1;
                self.blocks[slot as usize].is_moving = false;
                // It left its queue when it began to move.
                self.blocks[slot as usize].is_dirty = false;
                let level = self.dirty.level(slot);
                self.clean.push(slot, level);
            }
        }
        self.release(waiting.0, slot, orders);
    }

    /// A piece waits for the copy of its block.
    pub(super) fn wait(&mut self, piece: Piece, block: u64, orders: &mut Orders) {
        orders.counters.pending_enqueues += 1;
        let work = self.works.insert(Work { step: Step::Waiting, piece, next: NONE });
        let Some(found) = self.migrations.iter_mut().find(|migration| migration.block == block) else {
            return;
        };
        let last = std::mem::replace(&mut found.waiting.1, work);
        if last == NONE {
            found.waiting.0 = work;
        } else {
            self.works.get_mut(last).next = work;
        }
    }

    /// Sends on what waited for a block that is cached now.
    fn release(&mut self, first: u32, slot: u32, orders: &mut Orders) {
        let mut work = first;
        while work != NONE {
            let Work { piece, next, .. } = self.works.remove(work);
            let parts = self.hit(piece, slot, orders);
            // One was announced when it began to wait.
            orders.more(piece.job, parts - 1);
            work = next;
        }
    }

    /// Blocks that are dirty and on no queue.
    pub(super) fn moving_back(&self) -> u64 {
        self.migrations.iter().filter(|migration| migration.way == Way::Back).count() as u64
    }
}
