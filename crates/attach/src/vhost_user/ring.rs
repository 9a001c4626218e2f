//! One ring of requests in a guest's memory.

use super::block::ENTRIES;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use virtio_queue::{DescriptorChain, Queue, QueueOwnedT, QueueT};
use vm_memory::GuestMemoryMmap;

/// See the module.
pub(super) struct Ring {
    pub(super) number: u32,
    pub(super) queue: Queue,
    /// Rung by the driver, and rung for it.
    pub(super) kick: Option<File>,
    call: Option<File>,
    pub(super) is_enabled: bool,
    /// What the driver has written there makes no sense; nothing is taken until it is set up again.
    pub(super) is_broken: bool,
    is_live: bool,
    in_flight: u16,
    /// Whether something was given back since the last interrupt.
    is_owed: bool,
}

impl Ring {
    pub(super) fn new(number: u32) -> Ring {
        Ring {
            number,
            queue: Queue::new(ENTRIES).expect("a power of two"),
            kick: None,
            call: None,
            is_enabled: false,
            is_broken: false,
            is_live: false,
            in_flight: 0,
            is_owed: false,
        }
    }

    /// After a change: finds out whether requests are taken from it, which needs all of it to lie in memory.
    pub(super) fn settle(&mut self, memory: &GuestMemoryMmap) {
        self.queue.set_ready(true);
        self.is_live =
            self.kick.is_some() && self.is_enabled && !self.is_broken && self.queue.is_valid(memory);
    }

    /// Whether more may be taken. A driver that is in order never has more in flight than there are entries.
    fn is_open(&self) -> bool {
        self.is_live && !self.is_broken && self.in_flight < self.queue.size()
    }

    /// The next request.
    pub(super) fn next<'a>(
        &mut self,
        memory: &'a GuestMemoryMmap,
    ) -> Option<DescriptorChain<&'a GuestMemoryMmap>> {
        if !self.is_open() {
            return None;
        }
        match self.queue.iter(memory) {
            Ok(mut waiting) => {
                let next = waiting.next()?;
                self.in_flight += 1;
                Some(next)
            }
            Err(_) => {
                self.is_broken = true;
                None
            }
        }
    }

    /// How the driver is interrupted. It is at once: an interrupt by the old way may have been missed.
    pub(super) fn set_call(&mut self, call: Option<File>) {
        self.call = call;
        self.ring_call();
    }

    fn ring_call(&mut self) {
        if let Some(call) = &mut self.call {
            // A hypervisor that has closed it is about to leave.
            let _ = call.write(&1_u64.to_ne_bytes());
        }
    }

    /// Gives a request back, of which so many bytes were written.
    pub(super) fn give_back(&mut self, memory: &GuestMemoryMmap, head: u16, length: u32) {
        self.in_flight = self.in_flight.saturating_sub(1);
        self.is_owed = true;
        if self.queue.add_used(memory, head, length).is_err() {
            self.is_broken = true;
        }
    }

    /// Interrupts the driver for what was given back, where it wants that.
    pub(super) fn interrupt(&mut self, memory: &GuestMemoryMmap) {
        if !std::mem::take(&mut self.is_owed) {
            return;
        }
        if self.queue.needs_notification(memory).unwrap_or_default() {
            self.ring_call();
        }
    }

    /// Has the driver kick; what it does that with, and whether something waits already. None where nothing is taken.
    pub(super) fn rest(&mut self, memory: &GuestMemoryMmap) -> Option<(RawFd, bool)> {
        if !self.is_open() {
            return None;
        }
        let waits = self.queue.enable_notification(memory).unwrap_or_default();
        self.kick.as_ref().map(|kick| (kick.as_raw_fd(), waits))
    }

    /// Has the driver not kick any more, and takes what it has kicked.
    pub(super) fn wake(&mut self, memory: &GuestMemoryMmap) {
        let (true, Some(kick)) = (self.is_live, &mut self.kick) else { return };
        let mut asked = libc::pollfd { fd: kick.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one entry, which outlives the call. It may be a descriptor that blocks.
        if unsafe { libc::poll(&raw mut asked, 1, 0) } == 1 {
            let _ = kick.read(&mut [0; 8]);
        }
        if self.queue.disable_notification(memory).is_err() {
            self.is_broken = true;
        }
    }
}
