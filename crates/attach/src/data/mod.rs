//! What the disk holds, apart from time.
//!
//! Three places: memory, a sparse file, or nowhere (reads are zeros), so that a disk may be far larger than this machine's
//! storage. Offsets and sizes are whole sectors of [`SECTOR`] bytes. Where the design's drives lose what was not flushed when power is
//! cut, the contents before are held ([`unflushed`]). What a program flushes may be flushed to the storage under the file, too
//! ([`syncs`]).

mod file;
mod memory;
mod syncs;
mod unflushed;

use crate::Errno;
use crate::wakeup::Wakeup;
use file::Sparse;
use memory::Memory;
use std::path::PathBuf;
use syncs::Syncs;
use unflushed::Unflushed;

/// What offsets and sizes are multiples of.
pub const SECTOR: u64 = 512;

/// Where data are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// In memory of this process, at most so many bytes.
    Memory(u64),
    /// In a file.
    File {
        /// Which; it is made where it is not there.
        path: PathBuf,
        /// Whether what is to be durable is flushed to the storage below.
        sync: bool,
    },
    /// Nowhere.
    Discard,
}

enum Store {
    Memory(Memory),
    File(Sparse),
    Discard,
}

/// See the module.
pub struct Data {
    store: Store,
    size: u64,
    unflushed: Option<Unflushed>,
}

impl Data {
    /// An empty disk of `size` bytes, or what its file holds; `is_volatile`: a power cut loses what was not flushed.
    ///
    /// # Errors
    /// No such address space, or a file that cannot be opened or is of another size.
    pub fn new(kept: &Kept, size: u64, is_volatile: bool) -> std::io::Result<Data> {
        let store = match kept {
            Kept::Memory(bytes_max) => Store::Memory(Memory::new(size, *bytes_max)?),
            Kept::File { path, sync } => Store::File(Sparse::new(path, size, *sync)?),
            Kept::Discard => Store::Discard,
        };
        Ok(Data { store, size, unflushed: is_volatile.then(Unflushed::new) })
    }

    /// Size of the disk.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Reads `out.len()` bytes.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(&self, offset: u64, out: &mut [u8]) -> Result<(), Errno> {
        match &self.store {
            Store::Memory(memory) => memory.read(offset, out),
            Store::File(file) => return file.read(offset, out),
            Store::Discard => out.fill(0),
        }
        Ok(())
    }

    /// Writes.
    ///
    /// # Errors
    /// The store is full ([`Errno::NO_SPACE`]) or fails.
    pub fn write(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Errno> {
        self.note(offset, bytes.len() as u64)?;
        match &mut self.store {
            Store::Memory(memory) => memory.write(offset, bytes),
            Store::File(file) => file.write(offset, bytes),
            Store::Discard => Ok(()),
        }
    }

    /// Makes a range zeros and gives its space back.
    ///
    /// # Errors
    /// As [`Data::write`].
    pub fn discard(&mut self, offset: u64, length: u64) -> Result<(), Errno> {
        self.note(offset, length)?;
        match &mut self.store {
            Store::Memory(memory) => {
                memory.discard(offset, length);
                Ok(())
            }
            Store::File(file) => file.discard(offset, length),
            Store::Discard => Ok(()),
        }
    }

    /// A flush comes: the number under which [`Data::flushed`] is to be called when it is complete.
    pub fn flush(&mut self) -> u64 {
        self.unflushed.as_mut().map_or(0, Unflushed::flush)
    }

    /// The flush of this number is complete: what was written before is durable.
    pub fn flushed(&mut self, number: u64) {
        if let Some(unflushed) = &mut self.unflushed {
            unflushed.flushed(number);
        }
    }

    /// A write with forced unit access is complete.
    pub fn forced(&mut self, offset: u64, length: u64) {
        if let Some(unflushed) = &mut self.unflushed {
            unflushed.forced(offset, length);
        }
    }

    fn syncs(&self) -> Option<&Syncs> {
        let Store::File(file) = &self.store else { return None };
        file.syncs.as_ref()
    }

    /// All that was written is to be durable on the storage below: the number to wait for in [`Data::synced`]; 0, where nothing is
    /// to be waited for.
    pub fn sync(&mut self) -> u64 {
        let Store::File(file) = &mut self.store else { return 0 };
        file.syncs.as_mut().map_or(0, Syncs::ask)
    }

    /// Up to which number that is done; all of them where it has failed.
    pub fn synced(&self) -> u64 {
        self.syncs().map_or(0, Syncs::done)
    }

    /// Why nothing is durable there any more.
    pub fn sync_failure(&self) -> Option<Errno> {
        self.syncs().and_then(Syncs::failure)
    }

    /// Signals this wakeup when [`Data::synced`] rises.
    pub(crate) fn wake(&self, wakeup: Wakeup) {
        if let Some(syncs) = self.syncs() {
            syncs.wake(wakeup);
        }
    }

    /// Power is cut: what was not flushed is as it was before. How many bytes that are.
    ///
    /// # Errors
    /// The store fails for some of them; the others are restored all the same.
    pub fn cut(&mut self) -> Result<u64, Errno> {
        let Some(lost) = self.unflushed.as_mut().map(Unflushed::take) else { return Ok(0) };
        let (mut bytes, mut failed) = (0, None);
        for (offset, before) in lost {
            let end = (offset + before.len() as u64).min(self.size);
            let before = &before[..(end - offset) as usize];
            bytes += before.len() as u64;
            match &mut self.store {
                // What was discarded since then may have given its space to others.
                Store::Memory(memory) => memory.put(offset, before),
                Store::File(file) => failed = failed.or(file.write(offset, before).err()),
                Store::Discard => {}
            }
        }
        failed.map_or(Ok(bytes), Err)
    }

    /// Holds what a range held before it changes.
    fn note(&mut self, offset: u64, length: u64) -> Result<(), Errno> {
        let Some(mut unflushed) = self.unflushed.take() else { return Ok(()) };
        let size = self.size;
        let noted = unflushed.note(offset, length, |at, page| {
            let held = (size - at).min(page.len() as u64) as usize;
            self.read(at, &mut page[..held])
        });
        self.unflushed = Some(unflushed);
        noted
    }
}
