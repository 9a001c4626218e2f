//! What the hypervisor has said of the device: features, memory and rings.
//!
//! Addresses of rings come as the hypervisor's own, and are those of the guest from here on.

use super::block::{RINGS, configuration, features};
use super::ring::Ring;
use std::fs::File;
use std::io::Error as IoError;
use std::sync::atomic::Ordering;
use vhost::VhostUserMemoryRegionBase;
use vhost::vhost_user::message::{
    VhostTransferStateDirection, VhostTransferStatePhase, VhostUserConfigFlags, VhostUserInflight,
    VhostUserLog, VhostUserMemoryRegion, VhostUserProtocolFeatures, VhostUserShMemConfig, VhostUserSharedMsg,
    VhostUserSingleMemoryRegion, VhostUserVirtioFeatures, VhostUserVringAddrFlags, VhostUserVringState,
};
use vhost::vhost_user::{Error, GpuBackend, Result, VhostUserBackendReqHandlerMut};
use virtio_bindings::virtio_ring::VIRTIO_RING_F_EVENT_IDX;
use virtio_queue::QueueT;
use vm_memory::{GuestAddress, GuestMemoryMmap, GuestMemoryRegion, GuestRegionMmap};

const UNKNOWN: Error = Error::InvalidOperation("not of this device");

/// A region of memory, at the hypervisor and in the guest.
struct Mapped {
    there: u64,
    guest: u64,
    size: u64,
}

/// See the module.
pub(super) struct Device {
    configuration: Vec<u8>,
    /// Those that the driver has taken.
    pub(super) features: u64,
    pub(super) memory: GuestMemoryMmap,
    mapped: Vec<Mapped>,
    pub(super) rings: Vec<Ring>,
}

impl Device {
    /// A block device of `size` bytes, of which the guest knows nothing yet.
    pub(super) fn new(size: u64) -> Device {
        Device {
            configuration: configuration(size),
            features: 0,
            memory: GuestMemoryMmap::new(),
            mapped: Vec::new(),
            rings: (0..RINGS as u32).map(Ring::new).collect(),
        }
    }

    /// After a message: finds out which rings are served.
    pub(super) fn settle(&mut self) {
        self.rings.iter_mut().for_each(|ring| ring.settle(&self.memory));
    }

    /// The thread has slept.
    pub(super) fn wake(&mut self) {
        self.rings.iter_mut().for_each(|ring| ring.wake(&self.memory));
    }

    /// Interrupts the drivers for what was given back.
    pub(super) fn interrupt(&mut self) {
        self.rings.iter_mut().for_each(|ring| ring.interrupt(&self.memory));
    }

    fn ring(&mut self, index: u32) -> Result<&mut Ring> {
        self.rings.get_mut(index as usize).ok_or(Error::InvalidParam)
    }

    /// The guest's address of one of the hypervisor's.
    fn guest(&self, there: u64) -> Result<GuestAddress> {
        let within = |region: &&Mapped| there >= region.there && there - region.there < region.size;
        let region = self.mapped.iter().find(within).ok_or(Error::InvalidParam)?;
        Ok(GuestAddress(region.guest + (there - region.there)))
    }

    fn begin_again(&mut self) {
        self.features = 0;
        for (ring, number) in self.rings.iter_mut().zip(0..) {
            *ring = Ring::new(number);
        }
    }
}

impl VhostUserBackendReqHandlerMut for Device {
    fn set_owner(&mut self) -> Result<()> {
        Ok(())
    }

    fn reset_owner(&mut self) -> Result<()> {
        self.begin_again();
        Ok(())
    }

    fn reset_device(&mut self) -> Result<()> {
        self.begin_again();
        Ok(())
    }

    fn get_features(&mut self) -> Result<u64> {
        Ok(features())
    }

    fn set_features(&mut self, taken: u64) -> Result<()> {
        if taken & !features() != 0 {
            return Err(Error::InvalidParam);
        }
        self.features = taken;
        for ring in &mut self.rings {
            ring.queue.set_event_idx(taken & 1 << VIRTIO_RING_F_EVENT_IDX != 0);
            // Who does not know of `set_vring_enable` has them enabled at once.
            ring.is_enabled |= taken & VhostUserVirtioFeatures::PROTOCOL_FEATURES.bits() == 0;
        }
        Ok(())
    }

    fn set_mem_table(
        &mut self,
        regions: &[VhostUserMemoryRegion],
        files: Vec<File>,
        _postcopy_listening: Option<bool>,
    ) -> Result<Option<Vec<VhostUserMemoryRegionBase>>> {
        let mut maps: Vec<GuestRegionMmap> = Vec::new();
        let mut mapped = Vec::new();
        for (region, file) in regions.iter().zip(files) {
            let guest = region.guest_phys_addr;
            mapped.push(Mapped { there: region.user_addr, guest, size: region.memory_size });
            let map = GuestRegionMmap::new(region.mmap_region(file)?, GuestAddress(guest));
            maps.push(map.ok_or(Error::InvalidParam)?);
        }
        maps.sort_by_key(GuestMemoryRegion::start_addr);
        self.memory = GuestMemoryMmap::from_regions(maps)
            .map_err(|error| Error::ReqHandlerError(IoError::other(error)))?;
        self.mapped = mapped;
        Ok(None)
    }

    fn set_vring_num(&mut self, index: u32, entries: u32) -> Result<()> {
        let entries = u16::try_from(entries).map_err(|_| Error::InvalidParam)?;
        self.ring(index)?.queue.try_set_size(entries).map_err(|_| Error::InvalidParam)
    }

    fn set_vring_addr(
        &mut self,
        index: u32,
        _flags: VhostUserVringAddrFlags,
        descriptor: u64,
        used: u64,
        available: u64,
        _log: u64,
    ) -> Result<()> {
        let table = self.guest(descriptor)?;
        let (used, available) = (self.guest(used)?, self.guest(available)?);
        let ring = self.rings.get_mut(index as usize).ok_or(Error::InvalidParam)?;
        let queue = &mut ring.queue;
        queue.try_set_desc_table_address(table).map_err(|_| Error::InvalidParam)?;
        queue.try_set_avail_ring_address(available).map_err(|_| Error::InvalidParam)?;
        queue.try_set_used_ring_address(used).map_err(|_| Error::InvalidParam)?;
        let next = queue.used_idx(&self.memory, Ordering::Relaxed).map_err(|_| Error::InvalidParam)?;
        queue.set_next_used(next.0);
        ring.is_broken = false;
        Ok(())
    }

    fn set_vring_base(&mut self, index: u32, base: u32) -> Result<()> {
        self.ring(index)?.queue.set_next_avail(base as u16);
        Ok(())
    }

    fn get_vring_base(&mut self, index: u32) -> Result<VhostUserVringState> {
        let ring = self.ring(index)?;
        ring.kick = None;
        ring.set_call(None);
        Ok(VhostUserVringState::new(index, ring.queue.next_avail().into()))
    }

    fn set_vring_kick(&mut self, index: u8, kick: Option<File>) -> Result<()> {
        self.ring(index.into())?.kick = kick;
        Ok(())
    }

    fn set_vring_call(&mut self, index: u8, call: Option<File>) -> Result<()> {
        self.ring(index.into())?.set_call(call);
        Ok(())
    }

    fn set_vring_err(&mut self, index: u8, _error: Option<File>) -> Result<()> {
        self.ring(index.into()).map(|_| ())
    }

    fn get_protocol_features(&mut self) -> Result<VhostUserProtocolFeatures> {
        Ok(VhostUserProtocolFeatures::CONFIG | VhostUserProtocolFeatures::MQ)
    }

    fn set_protocol_features(&mut self, _features: u64) -> Result<()> {
        Ok(())
    }

    fn get_queue_num(&mut self) -> Result<u64> {
        Ok(RINGS as u64)
    }

    fn set_vring_enable(&mut self, index: u32, is_enabled: bool) -> Result<()> {
        self.ring(index)?.is_enabled = is_enabled;
        Ok(())
    }

    fn get_config(&mut self, offset: u32, size: u32, _flags: VhostUserConfigFlags) -> Result<Vec<u8>> {
        // Fields that a later version has are zero here.
        let there = self.configuration.iter().copied().chain(std::iter::repeat(0));
        Ok(there.skip(offset as usize).take(size as usize).collect())
    }

    fn set_config(&mut self, _offset: u32, _bytes: &[u8], _flags: VhostUserConfigFlags) -> Result<()> {
        Err(UNKNOWN)
    }

    fn set_gpu_socket(&mut self, _gpu: GpuBackend) -> Result<()> {
        Err(UNKNOWN)
    }

    fn get_shared_object(&mut self, _object: VhostUserSharedMsg) -> Result<File> {
        Err(UNKNOWN)
    }

    fn get_inflight_fd(&mut self, _inflight: &VhostUserInflight) -> Result<(VhostUserInflight, File)> {
        Err(UNKNOWN)
    }

    fn set_inflight_fd(&mut self, _inflight: &VhostUserInflight, _file: File) -> Result<()> {
        Err(UNKNOWN)
    }

    fn get_max_mem_slots(&mut self) -> Result<u64> {
        Err(UNKNOWN)
    }

    fn add_mem_region(
        &mut self,
        _region: &VhostUserSingleMemoryRegion,
        _file: File,
        _postcopy_listening: Option<bool>,
    ) -> Result<Option<VhostUserMemoryRegionBase>> {
        Err(UNKNOWN)
    }

    fn remove_mem_region(&mut self, _region: &VhostUserSingleMemoryRegion) -> Result<()> {
        Err(UNKNOWN)
    }

    fn set_device_state_fd(
        &mut self,
        _direction: VhostTransferStateDirection,
        _phase: VhostTransferStatePhase,
        _file: File,
    ) -> Result<Option<File>> {
        Err(UNKNOWN)
    }

    fn check_device_state(&mut self) -> Result<()> {
        Err(UNKNOWN)
    }

    fn get_shmem_config(&mut self) -> Result<VhostUserShMemConfig> {
        Err(UNKNOWN)
    }

    fn set_log_base(&mut self, _log: &VhostUserLog, _file: File) -> Result<()> {
        Err(UNKNOWN)
    }
}
