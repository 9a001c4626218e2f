//! The server of network block devices, over a real socket: what it answers, refuses and survives.

mod small_disk;

use drivecast_attach::{Server, Settings, Span, nbd};
use drivecast_block::Nanos;
use proptest::prelude::*;
use small_disk::{disk, settings};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const SIZE: u64 = 16 << 20;
const SERVICE: Duration = Duration::from_millis(5);
const LINE: &str = "raid1(2 * volume(capacity=16MiB, read=5ms, write=5ms, flush=0s, sigma=0))";

const READ: u16 = 0;
const WRITE: u16 = 1;
const FLUSH: u16 = 3;
const TRIM: u16 = 4;
const WRITE_ZEROES: u16 = 6;

/// A disk whose requests take 5 ms, its socket in a folder of its own.
struct Served {
    server: Server,
    folder: tempfile::TempDir,
}

fn served() -> Served {
    let disk = disk(LINE, Settings { record: true, ..settings(SIZE) });
    let folder = tempfile::tempdir().expect("a temporary directory");
    let front = nbd::Nbd::new(&folder.path().join("disk"), false).expect("a socket");
    let server = Server::new(disk, front).expect("a thread");
    server.start(Nanos::ZERO);
    Served { server, folder }
}

impl Served {
    fn socket(&self) -> PathBuf {
        self.folder.path().join("disk")
    }

    fn connect(&self) -> UnixStream {
        let stream = UnixStream::connect(self.socket()).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a time");
        stream
    }

    /// A client that has negotiated.
    fn client(&self) -> UnixStream {
        let mut stream = self.connect();
        let mut greeting = [0; 18];
        stream.read_exact(&mut greeting).expect("a greeting");
        assert_eq!(&greeting[..16], b"NBDMAGICIHAVEOPT");
        let mut hello = 3_u32.to_be_bytes().to_vec();
        hello.extend(b"IHAVEOPT");
        hello.extend(1_u32.to_be_bytes());
        hello.extend(0_u32.to_be_bytes());
        stream.write_all(&hello).expect("it takes it");
        let mut export = [0; 10];
        stream.read_exact(&mut export).expect("a size");
        assert_eq!(export[..8], SIZE.to_be_bytes());
        stream
    }
}

fn request(command: u16, cookie: u64, offset: u64, size: u32) -> Vec<u8> {
    let mut bytes = 0x2560_9513_u32.to_be_bytes().to_vec();
    bytes.extend(0_u16.to_be_bytes());
    bytes.extend(command.to_be_bytes());
    bytes.extend(cookie.to_be_bytes());
    bytes.extend(offset.to_be_bytes());
    bytes.extend(size.to_be_bytes());
    bytes
}

/// The error and the cookie of the next reply.
fn reply(stream: &mut UnixStream) -> (u32, u64) {
    let mut bytes = [0; 16];
    stream.read_exact(&mut bytes).expect("a reply");
    let (magic, rest) = bytes.split_first_chunk::<4>().expect("four");
    assert_eq!(u32::from_be_bytes(*magic), 0x6744_6698);
    let (error, cookie) = rest.split_first_chunk::<4>().expect("four");
    (u32::from_be_bytes(*error), u64::from_be_bytes(cookie.try_into().expect("eight")))
}

#[test]
fn what_is_written_is_read_after_the_time_of_the_design() {
    let served = served();
    let mut client = served.client();
    let begun = Instant::now();
    client.write_all(&[request(WRITE, 1, 8192, 1024), vec![7; 1024]].concat()).expect("it takes it");
    assert_eq!(reply(&mut client), (0, 1));
    client.write_all(&request(READ, 2, 8192, 1024)).expect("it takes it");
    assert_eq!(reply(&mut client), (0, 2));
    assert!(begun.elapsed() >= 2 * SERVICE, "{:?}", begun.elapsed());
    let mut data = [0; 1024];
    client.read_exact(&mut data).expect("data");
    assert!(data.iter().all(|byte| *byte == 7));
    client.write_all(&request(TRIM, 3, 8192, 1024)).expect("it takes it");
    assert_eq!(reply(&mut client), (0, 3));
    client.write_all(&request(READ, 4, 8192, 512)).expect("it takes it");
    assert_eq!(reply(&mut client), (0, 4));
    let mut data = [1; 512];
    client.read_exact(&mut data).expect("data");
    assert!(data.iter().all(|byte| *byte == 0), "trimmed");
    let asked = served.server.records();
    assert_eq!(asked.len(), 4);
    let ended = served.server.stop().expect("it ran");
    assert_eq!((ended.outcome.read.requests, ended.outcome.write.requests), (2, 1));
    assert_eq!(ended.lateness.all.requests, 4);
}

#[test]
fn requests_are_refused_as_a_disk_refuses_them() {
    let served = served();
    let mut client = served.client();
    let (invalid, no_space) = (22, 28);
    for (command, offset, size, error) in [
        (READ, SIZE, 512, invalid),
        (READ, SIZE - 512, 1024, invalid),
        (READ, u64::MAX - 511, 512, invalid),
        (READ, 1, 512, invalid),
        (READ, 0, 100, invalid),
        (READ, 0, 0, invalid),
        (READ, 0, (32 << 20) + 512, invalid),
        (TRIM, SIZE, 4096, no_space),
        (TRIM, 1, 4096, invalid),
        (TRIM, 0, u32::MAX - 511, no_space),
        (WRITE_ZEROES, SIZE - 512, 1024, no_space),
        (WRITE_ZEROES, u64::MAX - 511, 512, no_space),
        (WRITE_ZEROES, 0, 100, invalid),
        (WRITE_ZEROES, 0, 0, invalid),
        (99, 0, 512, invalid),
    ] {
        client.write_all(&request(command, 5, offset, size)).expect("it takes it");
        assert_eq!(reply(&mut client), (error, 5), "command {command}, {size} bytes at {offset}");
    }
    for (offset, size, error) in [
        (SIZE - 512, 1024, no_space),
        (u64::MAX - 511, 512, no_space),
        (100, 512, invalid),
        (0, 100, invalid),
        (0, 0, invalid),
    ] {
        let written = [request(WRITE, 6, offset, size), vec![1; size as usize]].concat();
        client.write_all(&written).expect("it takes it");
        assert_eq!(reply(&mut client), (error, 6), "{size} bytes at {offset}");
    }
    let mut unknown = request(READ, 8, 0, 512);
    unknown[5] = 4; // a flag that was never offered
    client.write_all(&unknown).expect("it takes it");
    assert_eq!(reply(&mut client), (invalid, 8));
    client.write_all(&request(FLUSH, 7, 0, 0)).expect("it takes it");
    assert_eq!(reply(&mut client), (0, 7), "the payload of a refused write is not taken for requests");
}

/// Another client reads zeros where a write was to be.
fn nothing_is_written(served: &Served) {
    let mut other = served.client();
    other.write_all(&request(READ, 2, 0, 4096)).expect("it takes it");
    assert_eq!(reply(&mut other), (0, 2));
    let mut data = [1; 4096];
    other.read_exact(&mut data).expect("data");
    assert!(data.iter().all(|byte| *byte == 0));
}

#[test]
fn a_write_that_is_larger_than_the_protocol_allows_ends_the_connection_and_writes_nothing() {
    let served = served();
    let mut client = served.client();
    client.write_all(&request(WRITE, 1, 0, (32 << 20) + 512)).expect("it takes it");
    // Where its payload ends, and the next request begins, a server that does not take it does not know.
    let _ = client.write_all(&[7; 4096]);
    assert_eq!(client.read(&mut [0; 1]).unwrap_or(0), 0, "it hangs up");
    nothing_is_written(&served);
}

#[test]
fn a_write_that_a_client_does_not_finish_is_not_begun() {
    let served = served();
    let mut client = served.client();
    client.write_all(&[request(WRITE, 1, 0, 4096), vec![7; 4000]].concat()).expect("it takes it");
    drop(client);
    nothing_is_written(&served);
}

#[test]
fn the_socket_is_its_owners_alone_and_goes_with_the_server() {
    let served = served();
    let path = served.socket();
    let mode = path.metadata().expect("a socket").permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
    drop(served.server);
    assert!(!path.exists());
}

#[test]
fn a_design_that_is_lost_answers_with_errors() {
    let served = served();
    let mut client = served.client();
    served.server.fail(0).expect("there is one");
    client.write_all(&request(READ, 1, 0, 512)).expect("it takes it");
    assert_eq!(reply(&mut client).0, 0, "RAID 1 survives it");
    client.read_exact(&mut [0; 512]).expect("data");
    served.server.fail(1).expect("there is one");
    client.write_all(&request(READ, 2, 0, 512)).expect("it takes it");
    assert_eq!(reply(&mut client), (5, 2));
    let fault = served.server.look(Span::Second).and_then(|seen| seen.fault).expect("a reason");
    assert!(fault.contains("drive 1 has failed"), "{fault}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever a client sends, before or after it has negotiated, another one is served.
    #[test]
    fn nonsense_ends_its_own_connection_at_most(
        nonsense in prop::collection::vec(any::<u8>(), 0..600),
        negotiates in any::<bool>(),
        option in 0_u32..12,
        length in any::<u32>(),
    ) {
        let served = served();
        let mut bad = if negotiates { served.client() } else { served.connect() };
        if !negotiates {
            let mut hello = 3_u32.to_be_bytes().to_vec();
            hello.extend(b"IHAVEOPT");
            hello.extend(option.to_be_bytes());
            hello.extend(length.to_be_bytes());
            // It may have hung up already.
            let _ = bad.write_all(&hello);
        }
        let _ = bad.write_all(&nonsense);
        let mut good = served.client();
        good.write_all(&request(READ, 9, 0, 512)).expect("it takes it");
        prop_assert_eq!(reply(&mut good), (0, 9));
    }
}
