//! What pages held before writes that are not durable yet.
//!
//! Model: writes are in the data at once, and what a page held before its first write since a flush is put aside. A flush has a
//! number; when it is complete, what was put aside under it or an earlier one is dropped. A power cut puts back the oldest
//! content that is left of each page. So a page written after a flush came, but before it was complete, is durable as
//! the flush found it. A drive writes its buffer out before long: beyond [`HELD_MAX`] the oldest pages count as durable.
//!
//! Left out: a cut may in truth leave some of the unflushed writes; here all of them are lost, the strictest case that a
//! program must survive in order of its flushes.

use crate::Errno;
use std::collections::{BTreeMap, VecDeque};

const PAGE: u64 = 4096;
/// Bytes of writes that a drive's buffer may hold: as large disks have. Assumed.
const HELD_MAX: usize = 256 << 20;

type Page = Box<[u8; PAGE as usize]>;

/// See the module.
pub(super) struct Unflushed {
    /// By page: what it held when the flush of this number was the last that had come, in rising order.
    before: BTreeMap<u64, Vec<(u64, Page)>>,
    /// Pages put aside, the oldest first.
    order: VecDeque<(u64, u64)>,
    flushes: u64,
}

impl Unflushed {
    pub(super) fn new() -> Unflushed {
        Unflushed { before: BTreeMap::new(), order: VecDeque::new(), flushes: 0 }
    }

    /// Puts aside what the pages of a range hold, as `read` finds it.
    pub(super) fn note(
        &mut self,
        offset: u64,
        length: u64,
        mut read: impl FnMut(u64, &mut [u8]) -> Result<(), Errno>,
    ) -> Result<(), Errno> {
        // A discard of a whole disk would put all of it aside: what is beyond a buffer is durable anyway.
        let length = length.min(HELD_MAX as u64);
        for page in offset / PAGE..(offset + length).div_ceil(PAGE) {
            let contents = self.before.entry(page).or_default();
            if contents.last().is_some_and(|(number, _)| *number == self.flushes) {
                continue;
            }
            let mut content = Box::new([0; PAGE as usize]);
            read(page * PAGE, &mut content[..])?;
            contents.push((self.flushes, content));
            self.order.push_back((page, self.flushes));
        }
        while self.order.len() > HELD_MAX / PAGE as usize {
            let Some((page, number)) = self.order.pop_front() else { break };
            self.drop_up_to(page, number);
        }
        Ok(())
    }

    pub(super) fn flush(&mut self) -> u64 {
        self.flushes += 1;
        self.flushes - 1
    }

    pub(super) fn flushed(&mut self, number: u64) {
        while let Some((page, of)) = self.order.front().copied().filter(|(_, of)| *of <= number) {
            self.order.pop_front();
            self.drop_up_to(page, of);
        }
    }

    pub(super) fn forced(&mut self, offset: u64, length: u64) {
        for page in offset / PAGE..(offset + length).div_ceil(PAGE) {
            self.before.remove(&page);
        }
    }

    /// The oldest content of each page by its offset; holds nothing after.
    pub(super) fn take(&mut self) -> Vec<(u64, Page)> {
        self.order.clear();
        let pages = std::mem::take(&mut self.before);
        pages
            .into_iter()
            .filter_map(|(page, contents)| Some((page * PAGE, contents.into_iter().next()?.1)))
            .collect()
    }

    fn drop_up_to(&mut self, page: u64, number: u64) {
        let Some(contents) = self.before.get_mut(&page) else { return };
        contents.retain(|(of, _)| *of > number);
        if contents.is_empty() {
            self.before.remove(&page);
        }
    }
}
