//! The block device of guests, with a guest in the test: its rings are laid out by hand, in memory that the device maps.

mod small_disk;

use drivecast_attach::{Server, Span, vhost_user};
use drivecast_block::Nanos;
use proptest::prelude::*;
use small_disk::{disk, settings};
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use vhost::vhost_user::message::{VhostUserConfigFlags, VhostUserProtocolFeatures, VhostUserVirtioFeatures};
use vhost::vhost_user::{Frontend, VhostUserFrontend};
use vhost::{VhostBackend, VhostUserMemoryRegionInfo, VringConfigData};
use virtio_queue::desc::split::Descriptor;
use vm_memory::{Bytes, FileOffset, GuestAddress, GuestMemoryMmap, GuestRegionMmap, MmapRegion};
use vmm_sys_util::eventfd::{EFD_NONBLOCK, EventFd};

const SIZE: u64 = 16 << 20;
const SERVICE: Duration = Duration::from_millis(2);
const LINE: &str = "raid1(2 * volume(capacity=16MiB, read=2ms, write=2ms, flush=0s, sigma=0))";

/// The guest's memory, and what is where in it.
const BASE: u64 = 0x4000_0000;
const MEMORY: u64 = 1 << 20;
const ENTRIES: u16 = 16;
const TABLE: u64 = BASE;
const AVAILABLE: u64 = BASE + 0x1000;
const USED: u64 = BASE + 0x2000;
const HEADER: u64 = BASE + 0x3000;
const STATUS: u64 = BASE + 0x4000;
const DATA: u64 = BASE + 0x1_0000;
/// The hypervisor has it elsewhere.
const THERE: u64 = 0x7f00_0000_0000;

const NEXT: u16 = 1;
const WRITABLE: u16 = 2;
const INDIRECT: u16 = 4;
const READ: u32 = 0;
const WRITE: u32 = 1;
const FLUSH: u32 = 4;
const GET_ID: u32 = 8;
const DISCARD: u32 = 11;
const OK: u8 = 0;
const FAILED: u8 = 1;
const UNSUPPORTED: u8 = 2;
const UNTOUCHED: u8 = 0xaa;
const EVENT_IDX: u64 = 1 << 29;

/// A disk whose requests take a while, its socket in a folder of its own.
struct Served {
    server: Server,
    folder: tempfile::TempDir,
}

impl Served {
    fn socket(&self) -> PathBuf {
        self.folder.path().join("guest")
    }
}

fn served() -> Served {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let front = vhost_user::VhostUser::new(&folder.path().join("guest")).expect("a socket");
    let server = Server::new(disk(LINE, settings(SIZE)), front).expect("a thread");
    server.start(Nanos::ZERO);
    Served { server, folder }
}

/// A guest with one ring, and its hypervisor.
struct Guest {
    memory: GuestMemoryMmap,
    hypervisor: Frontend,
    kick: EventFd,
    call: EventFd,
    posted: u16,
    taken: u16,
}

impl Guest {
    fn new(served: &Served, without: u64) -> Guest {
        let file = tempfile::tempfile().expect("a file");
        file.set_len(MEMORY).expect("its length");
        let mut hypervisor = Frontend::connect(served.socket(), 1).expect("it listens");
        let features = hypervisor.get_features().expect("features") & !without;
        hypervisor.set_owner().expect("an owner");
        let _ = hypervisor.get_protocol_features().expect("features of the protocol");
        hypervisor
            .set_protocol_features(VhostUserProtocolFeatures::CONFIG | VhostUserProtocolFeatures::MQ)
            .expect("taken");
        hypervisor.set_features(features).expect("taken");
        let region = VhostUserMemoryRegionInfo {
            guest_phys_addr: BASE,
            memory_size: MEMORY,
            userspace_addr: THERE,
            mmap_offset: 0,
            mmap_handle: file.as_raw_fd(),
        };
        hypervisor.set_mem_table(&[region]).expect("memory");
        let map = MmapRegion::from_file(FileOffset::new(file, 0), MEMORY as usize).expect("a map");
        let map = GuestRegionMmap::new(map, GuestAddress(BASE)).expect("a region");
        let memory = GuestMemoryMmap::from_regions(vec![map]).expect("memory");
        let event = || EventFd::new(EFD_NONBLOCK).expect("an event");
        let mut guest = Guest { memory, hypervisor, kick: event(), call: event(), posted: 0, taken: 0 };
        guest.set_up(USED);
        guest
    }

    fn set_up(&mut self, used: u64) {
        let ring = VringConfigData {
            queue_max_size: ENTRIES,
            queue_size: ENTRIES,
            flags: 0,
            desc_table_addr: TABLE - BASE + THERE,
            used_ring_addr: used - BASE + THERE,
            avail_ring_addr: AVAILABLE - BASE + THERE,
            log_addr: None,
        };
        self.hypervisor.set_vring_num(0, ENTRIES).expect("a size");
        self.hypervisor.set_vring_base(0, self.posted).expect("a base");
        self.hypervisor.set_vring_addr(0, &ring).expect("addresses");
        self.hypervisor.set_vring_call(0, &self.call).expect("a call");
        self.hypervisor.set_vring_kick(0, &self.kick).expect("a kick");
        self.hypervisor.set_vring_enable(0, true).expect("enabled");
    }

    fn put<T: vm_memory::ByteValued>(&self, value: T, at: u64) {
        self.memory.write_obj(value, GuestAddress(at)).expect("memory");
    }

    fn get<T: vm_memory::ByteValued>(&self, at: u64) -> T {
        self.memory.read_obj(GuestAddress(at)).expect("memory")
    }

    /// Lays a chain out and offers it, beginning with entry `head`.
    fn post(&mut self, chain: &[Descriptor], head: u16) {
        for (descriptor, entry) in chain.iter().zip(0_u64..) {
            self.put(*descriptor, TABLE + 16 * entry);
        }
        self.put(head, AVAILABLE + 4 + 2 * u64::from(self.posted % ENTRIES));
        self.posted = self.posted.wrapping_add(1);
        std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
        self.put(self.posted, AVAILABLE + 2);
        self.kick.write(1).expect("a kick");
    }

    fn answered(&self) -> u16 {
        self.get(USED + 2)
    }

    /// The length with which the next chain comes back; none where it does not.
    fn wait(&mut self, patience: Duration) -> Option<u32> {
        let begun = Instant::now();
        while self.answered() == self.taken {
            if begun.elapsed() > patience {
                return None;
            }
            std::thread::sleep(Duration::from_micros(50));
        }
        let length = self.get(USED + 4 + 8 * u64::from(self.taken % ENTRIES) + 4);
        self.taken = self.taken.wrapping_add(1);
        Some(length)
    }

    fn came_back(&mut self) -> u32 {
        self.wait(Duration::from_secs(10)).expect("an answer")
    }

    fn header(&self, kind: u32, sector: u64) {
        self.put(kind, HEADER);
        self.put(0_u32, HEADER + 4);
        self.put(sector, HEADER + 8);
        self.put(UNTOUCHED, STATUS);
    }

    /// A request as drivers lay it out; its status.
    fn ask(&mut self, kind: u32, sector: u64, data: u32) -> u8 {
        self.header(kind, sector);
        let flags = if matches!(kind, WRITE | DISCARD) { NEXT } else { NEXT | WRITABLE };
        let mut chain = vec![Descriptor::new(HEADER, 16, NEXT, 1)];
        if data > 0 {
            chain.push(Descriptor::new(DATA, data, flags, 2));
        }
        chain.push(Descriptor::new(STATUS, 1, WRITABLE, 0));
        self.post(&chain, 0);
        self.came_back();
        self.get(STATUS)
    }

    fn fill(&self, byte: u8, length: usize) {
        self.memory.write_slice(&vec![byte; length], GuestAddress(DATA)).expect("memory");
    }

    fn data(&self, length: usize) -> Vec<u8> {
        let mut found = vec![0; length];
        self.memory.read_slice(&mut found, GuestAddress(DATA)).expect("memory");
        found
    }
}

#[test]
fn what_a_guest_writes_it_reads_after_the_time_of_the_design() {
    let served = served();
    for without in [0, EVENT_IDX] {
        let mut guest = Guest::new(&served, without);
        guest.fill(7, 8192);
        let begun = Instant::now();
        assert_eq!(guest.ask(WRITE, 8, 8192), OK);
        guest.fill(0, 8192);
        assert_eq!(guest.ask(READ, 8, 8192), OK);
        assert!(begun.elapsed() >= 2 * SERVICE, "{:?}", begun.elapsed());
        assert_eq!(guest.data(8192), vec![7; 8192]);
        assert!(guest.call.read().is_ok(), "an interrupt");
        assert_eq!(guest.ask(FLUSH, 0, 0), OK);
        // Of one block: sector, how many, and no flags.
        guest.put(8_u64, DATA);
        guest.put(8_u64, DATA + 8);
        assert_eq!(guest.ask(DISCARD, 0, 16), OK);
        assert_eq!(guest.ask(READ, 8, 8192), OK);
        assert_eq!(guest.data(8192), [vec![0; 4096], vec![7; 4096]].concat());
    }
    let seen = served.server.look(Span::Second).expect("it serves");
    assert_eq!((seen.read.requests, seen.write.requests, seen.flush.requests), (4, 2, 2));
}

#[test]
fn a_guest_learns_its_size_and_its_name() {
    let served = served();
    let mut guest = Guest::new(&served, 0);
    let flags = VhostUserConfigFlags::empty();
    let (_, space) = guest.hypervisor.get_config(0, 60, flags, &[0; 60]).expect("a configuration");
    assert_eq!(space[..8], (SIZE / 512).to_le_bytes());
    assert_eq!(space[20..24], 512_u32.to_le_bytes());
    assert_eq!(space[34..36], 64_u16.to_le_bytes());
    assert_eq!(guest.hypervisor.get_queue_num().expect("a number"), 64);
    assert_eq!(guest.ask(GET_ID, 0, 20), OK);
    assert_eq!(&guest.data(10), b"drivecast\0");
    assert_eq!(guest.ask(77, 0, 20), UNSUPPORTED);
}

#[test]
fn what_no_disk_takes_is_refused() {
    let served = served();
    let mut guest = Guest::new(&served, 0);
    let sectors = SIZE / 512;
    for (kind, sector, data) in [
        (READ, sectors, 512),
        (WRITE, sectors - 1, 1024),
        (READ, u64::MAX, 512),
        (READ, 0, 100),
        (READ, 0, 0),
        (WRITE, 0, 0),
        (DISCARD, 0, 15),
    ] {
        assert_eq!(guest.ask(kind, sector, data), FAILED, "{kind} of {data} at {sector}");
    }
    assert_eq!(guest.ask(READ, sectors - 1, 512), OK);
}

#[test]
fn a_request_may_be_cut_anywhere_and_lie_in_a_table_of_its_own() {
    let served = served();
    let mut guest = Guest::new(&served, 0);
    guest.fill(9, 1024);
    guest.header(WRITE, 0);
    // The header in two, the data in two; the status follows.
    let table = BASE + 0x5000;
    for (descriptor, entry) in [
        Descriptor::new(HEADER, 5, NEXT, 1),
        Descriptor::new(HEADER + 5, 11, NEXT, 2),
        Descriptor::new(DATA, 100, NEXT, 3),
        Descriptor::new(DATA + 100, 924, NEXT, 4),
        Descriptor::new(STATUS, 1, WRITABLE, 0),
    ]
    .into_iter()
    .zip(0_u64..)
    {
        guest.put(descriptor, table + 16 * entry);
    }
    guest.post(&[Descriptor::new(table, 80, INDIRECT, 0)], 0);
    assert_eq!(guest.came_back(), 1);
    assert_eq!(guest.get::<u8>(STATUS), OK);
    // A read whose data and status share a descriptor.
    guest.fill(0, 1025);
    guest.header(READ, 0);
    let chain = [Descriptor::new(HEADER, 16, NEXT, 1), Descriptor::new(DATA, 1025, WRITABLE, 0)];
    guest.post(&chain, 0);
    assert_eq!(guest.came_back(), 1025);
    assert_eq!(guest.data(1025), [vec![9; 1024], vec![OK]].concat());
}

#[test]
fn a_hostile_chain_comes_back_undone() {
    let served = served();
    let mut guest = Guest::new(&served, 0);
    let beyond = BASE + MEMORY;
    let head = Descriptor::new(HEADER, 16, NEXT, 1);
    let loops = [head, Descriptor::new(DATA, 512, NEXT, 0)];
    let loops_in_writable = [head, Descriptor::new(STATUS, 1, NEXT | WRITABLE, 1)];
    let no_status = [head, Descriptor::new(DATA, 512, 0, 0)];
    let nothing = [Descriptor::new(HEADER, 16, NEXT, ENTRIES)];
    let backwards = [Descriptor::new(STATUS, 1, NEXT | WRITABLE, 1), Descriptor::new(HEADER, 16, 0, 0)];
    let status_beyond = [head, Descriptor::new(beyond, 1, WRITABLE, 0)];
    let turns_over = [head, Descriptor::new(u64::MAX, u32::MAX, WRITABLE, 0)];
    for chain in [
        &loops[..],
        &loops_in_writable[..],
        &no_status[..],
        &nothing[..],
        &backwards[..],
        &status_beyond[..],
        &turns_over[..],
    ] {
        guest.header(READ, 0);
        guest.post(chain, 0);
        assert_eq!(guest.came_back(), 0);
        assert_eq!(guest.get::<u8>(STATUS), UNTOUCHED);
    }
    // These have a status, in which the refusal is.
    let status = Descriptor::new(STATUS, 1, WRITABLE, 0);
    for (kind, data) in [
        (READ, Descriptor::new(beyond - 256, 512, NEXT | WRITABLE, 2)),
        (READ, Descriptor::new(DATA, 512, NEXT, 2)),
        (READ, Descriptor::new(DATA, u32::MAX - 17, NEXT | WRITABLE, 2)),
        (WRITE, Descriptor::new(beyond - 256, 512, NEXT, 2)),
        (WRITE, Descriptor::new(DATA, 512, NEXT | WRITABLE, 2)),
        (GET_ID, Descriptor::new(beyond, 20, NEXT | WRITABLE, 2)),
    ] {
        guest.header(kind, 0);
        guest.post(&[head, data, status], 0);
        guest.came_back();
        assert_eq!(guest.get::<u8>(STATUS), FAILED, "{kind} {data:?}");
    }
    assert_eq!(guest.ask(READ, 0, 512), OK);
}

#[test]
fn a_ring_that_makes_no_sense_is_served_again_once_it_is_set_up_anew() {
    let served = served();
    let mut guest = Guest::new(&served, 0);
    guest.put(ENTRIES + 1, AVAILABLE + 2); // more than it has
    guest.kick.write(1).expect("a kick");
    assert_eq!(guest.wait(Duration::from_millis(50)), None);
    guest.put(0_u16, AVAILABLE + 2);
    assert_eq!(guest.hypervisor.get_vring_base(0).expect("a base"), 0);
    guest.set_up(USED);
    assert_eq!(guest.ask(READ, 0, 512), OK);
    // A head that no ring of this size has.
    guest.post(&[Descriptor::new(HEADER, 16, 0, 0)], ENTRIES);
    assert_eq!(guest.wait(Duration::from_millis(50)), None);
    assert_eq!(guest.hypervisor.get_vring_base(0).expect("a base"), 2);
}

#[test]
fn a_ring_is_stopped_once_it_is_answered() {
    let served = served();
    let mut guest = Guest::new(&served, 0);
    guest.header(READ, 0);
    let chain = [
        Descriptor::new(HEADER, 16, NEXT, 1),
        Descriptor::new(DATA, 512, NEXT | WRITABLE, 2),
        Descriptor::new(STATUS, 1, WRITABLE, 0),
    ];
    guest.post(&chain, 0);
    std::thread::sleep(SERVICE / 4);
    let base = guest.hypervisor.get_vring_base(0).expect("a base");
    assert_eq!(base, u32::from(guest.answered()));
    // On a busy machine it may not have been taken yet: the ring resumes where it stopped.
    guest.posted = base as u16;
    guest.set_up(USED);
    guest.posted = 1;
    guest.came_back();
    assert_eq!(guest.get::<u8>(STATUS), OK);
}

#[test]
fn a_hypervisor_that_breaks_the_rules_loses_its_connection_and_the_next_is_served() {
    let served = served();
    let guest = Guest::new(&served, 0);
    let taken = VhostUserVirtioFeatures::PROTOCOL_FEATURES.bits() | 1 << 63;
    let _ = guest.hypervisor.set_features(taken);
    assert!(guest.hypervisor.get_features().is_err(), "closed");
    drop(guest);
    // Half a message, and one that no one knows.
    let half = UnixStream::connect(served.socket()).expect("it listens");
    std::io::Write::write_all(&mut &half, &[1, 0, 0]).expect("it takes it");
    std::thread::sleep(Duration::from_millis(20));
    drop(half);
    let unknown = UnixStream::connect(served.socket()).expect("it listens");
    std::io::Write::write_all(&mut &unknown, &[0xff; 12]).expect("it takes it");
    let mut guest = Guest::new(&served, 0);
    assert_eq!(guest.ask(READ, 0, 512), OK);
    // A ring that begins in memory and ends beyond is not served.
    guest.hypervisor.get_vring_base(0).expect("a base");
    guest.set_up(BASE + MEMORY - 4);
    guest.post(&[], 0);
    assert_eq!(guest.wait(Duration::from_millis(50)), None);
}

#[test]
fn the_socket_is_its_owner_s_alone_and_goes_with_the_disk() {
    let served = served();
    let guest = Guest::new(&served, 0);
    let mode = std::fs::metadata(served.socket()).expect("a socket").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let socket = served.socket();
    let Served { server, folder } = served;
    assert!(server.stop().is_some());
    assert!(!socket.exists());
    drop((guest, folder));
}

fn descriptor() -> impl Strategy<Value = Descriptor> {
    let near = prop_oneof![Just(HEADER), Just(STATUS), Just(DATA), Just(TABLE), BASE..BASE + MEMORY];
    let at = prop_oneof![4 => near, 1 => Just(BASE + MEMORY - 3), 1 => any::<u64>()];
    let length = prop_oneof![4 => prop::sample::select(vec![0_u32, 1, 16, 20, 512, 4096]), 1 => any::<u32>()];
    let flags = prop_oneof![6 => 0_u16..4, 1 => 0_u16..8];
    (at, length, flags, 0..ENTRIES + 2)
        .prop_map(|(at, length, flags, next)| Descriptor::new(at, length, flags, next))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Whatever a driver lays out, the device serves the next guest.
    #[test]
    fn no_chain_ends_the_device(
        chains in prop::collection::vec(
            (prop::collection::vec(descriptor(), 1..6), 0..6_u32, 0..40_000_u64), 1..24),
    ) {
        let served = served();
        let mut guest = Guest::new(&served, 0);
        for (chain, kind, sector) in chains {
            guest.header(kind, sector);
            guest.post(&chain, 0);
            // What a read wrote over the rings is the guest's own fault: it is not answered, or in no order.
            if guest.wait(Duration::from_millis(500)).is_none() {
                break;
            }
        }
        drop(guest);
        let mut guest = Guest::new(&served, 0);
        prop_assert_eq!(guest.ask(READ, 0, 512), OK);
    }
}
