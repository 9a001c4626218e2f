//! Requests of all rings, on their way to the disk and back.

use super::block::{NAME, writes_through};
use super::device::Device;
use super::request::{FAILED, Request, Task};
use super::ring::Ring;
use crate::{Answer, Ask, Disk};
use drivecast_block::Op;
use drivecast_target::clock::Clock;
use std::collections::HashMap;
use virtio_bindings::virtio_blk::VIRTIO_BLK_S_OK;
use vm_memory::GuestMemoryMmap;

const DONE: u8 = VIRTIO_BLK_S_OK as u8;

struct Waiting {
    ring: usize,
    head: u16,
    request: Request,
}

/// See the module.
#[derive(Default)]
pub(super) struct Requests {
    /// At the disk, by their tickets, none of which is ever used again.
    waiting: HashMap<u64, Waiting>,
    ticket: u64,
    bytes: Vec<u8>,
}

impl Requests {
    /// Whether the disk has none.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Who has asked is gone.
    pub(super) fn forget(&mut self) {
        self.waiting.clear();
    }

    /// Takes all that waits in the rings; whether anything does.
    pub(super) fn take(&mut self, disk: &mut Disk, clock: &Clock, device: &mut Device) -> bool {
        let (memory, is_durable) = (&device.memory, writes_through(device.features));
        let mut came = false;
        for ring in &mut device.rings {
            while self.ask(disk, clock, memory, ring, is_durable) {
                came = true;
            }
        }
        came
    }

    /// Hands the next request of a ring to the disk, or refuses it; whether there was one.
    fn ask(
        &mut self,
        disk: &mut Disk,
        clock: &Clock,
        memory: &GuestMemoryMmap,
        ring: &mut Ring,
        is_durable: bool,
    ) -> bool {
        let Some(chain) = ring.next(memory) else { return false };
        let head = chain.head_index();
        let Some(request) = Request::read(memory, chain) else {
            ring.give_back(memory, head, 0);
            return true;
        };
        let status = match request.task(memory) {
            Err(status) => status,
            Ok(Task::Name) => request.fill(memory, NAME).map_or(FAILED, |_| DONE),
            Ok(Task::Disk { op, offset, size, brings }) => {
                let fua = is_durable && matches!(op, Op::Write | Op::Discard);
                let ask = Ask { op, offset, size, fua, stream: ring.number, ticket: self.ticket };
                if self.hand(disk, clock, memory, &request, ask, brings) {
                    let waiting = Waiting { ring: ring.number as usize, head, request };
                    self.waiting.insert(self.ticket, waiting);
                    self.ticket += 1;
                    return true;
                }
                FAILED
            }
        };
        request.finish(memory, status);
        ring.give_back(memory, head, 1);
        true
    }

    /// Whether the disk takes it.
    fn hand(
        &mut self,
        disk: &mut Disk,
        clock: &Clock,
        memory: &GuestMemoryMmap,
        request: &Request,
        ask: Ask,
        brings: bool,
    ) -> bool {
        self.bytes.resize(if brings { ask.size as usize } else { 0 }, 0);
        if brings && !request.data(memory, &mut self.bytes) {
            return false;
        }
        disk.ask(clock.now(), ask, brings.then_some(&*self.bytes)).is_ok()
    }

    /// Gives a request back to the driver, with the data of a read.
    pub(super) fn answer(&mut self, disk: &mut Disk, answer: &Answer, device: &mut Device) {
        let Ask { op, offset, size, ticket, .. } = answer.ask;
        let Some(Waiting { ring, head, request }) = self.waiting.remove(&ticket) else { return };
        let memory = &device.memory;
        let written = match op {
            _ if answer.error.is_some() => None,
            Op::Read => {
                self.bytes.resize(size as usize, 0);
                let read = disk.data().read(offset, &mut self.bytes);
                read.ok().and_then(|()| request.fill(memory, &self.bytes))
            }
            Op::Write | Op::Flush | Op::Discard => Some(0),
        };
        request.finish(memory, if written.is_some() { DONE } else { FAILED });
        if let Some(ring) = device.rings.get_mut(ring) {
            ring.give_back(memory, head, written.unwrap_or_default() + 1);
        }
    }
}
