//! A disk as a file by FUSE, of the kernel of this machine.

mod mounted;
mod small_disk;

use drivecast_attach::{Lateness, Server, Settings, Span, fuse};
use drivecast_block::Nanos;
use mounted::mounted;
use small_disk::{disk, settings};
use std::ffi::CString;
use std::fs::{File, OpenOptions};
use std::io::Error;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tempfile::TempDir;

type Checked = Result<(), Box<dyn std::error::Error>>;

const SIZE: u64 = 8 << 20;

/// A served disk, and the directory it is mounted in.
struct Mounted {
    server: Server,
    directory: TempDir,
}

impl Mounted {
    /// None on a machine that cannot mount by FUSE.
    fn new(line: &str, error_rate: f64) -> Result<Option<Mounted>, Box<dyn std::error::Error>> {
        let disk = disk(line, Settings { error_rate, ..settings(SIZE) });
        let directory = TempDir::new()?;
        let server = mounted(disk, directory.path())?;
        Ok(server.map(|server| Mounted { server, directory }))
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join(fuse::NAME)
    }

    fn open(&self, flags: i32) -> std::io::Result<File> {
        OpenOptions::new().read(true).write(true).custom_flags(flags).open(self.path())
    }
}

const SSD: &str = "ssd(logical=64MiB, spare_factor=0.28, pages_per_block=64, gc=greedy)";
const DISK: &str = "hdd(capacity=300GB, rpm=15000, seek_mean=3.5ms)";

fn number<T>(result: std::io::Result<T>) -> Option<i32> {
    result.err().as_ref().and_then(Error::raw_os_error)
}

fn fallocate(file: &File, mode: i32, offset: i64, length: i64) -> std::io::Result<()> {
    // SAFETY: the call takes no pointers.
    match unsafe { libc::fallocate(file.as_raw_fd(), mode, offset, length) } {
        0 => Ok(()),
        _ => Err(Error::last_os_error()),
    }
}

#[test]
fn it_holds_what_is_written_and_ends_where_the_disk_ends() -> Checked {
    let Some(mounted) = Mounted::new(SSD, 0.0)? else { return Ok(()) };
    let about = std::fs::metadata(mounted.path())?;
    assert_eq!((about.len(), about.mode() & 0o777), (SIZE, 0o600));
    let file = mounted.open(0)?;
    let pattern: Vec<u8> = (0..1_u32 << 18).map(|at| (at % 251) as u8).collect();
    file.write_all_at(&pattern, 4096)?;
    let mut back = vec![0; pattern.len()];
    file.read_exact_at(&mut back, 4096)?;
    assert!(back == pattern);

    let mut pages = [1; 8192];
    assert_eq!(file.read_at(&mut pages, SIZE - 4096)?, 4096, "what crosses the end is cut short");
    assert_eq!(file.write_at(&pages, SIZE - 4096)?, 4096);
    assert_eq!(file.read_at(&mut pages, SIZE)?, 0, "the end of the file");
    assert_eq!(number(file.write_at(&pages, SIZE)), Some(libc::ENOSPC));
    Ok(())
}

#[test]
fn it_refuses_what_a_disk_has_not() -> Checked {
    let Some(mounted) = Mounted::new(SSD, 0.0)? else { return Ok(()) };
    let file = mounted.open(0)?;
    let mut bytes = [0; 1024];
    assert_eq!(number(file.read_at(&mut bytes[..100], 0)), Some(libc::EINVAL));
    assert_eq!(number(file.write_at(&bytes, 100)), Some(libc::EINVAL));
    assert!(file.set_len(4096).is_err());
    assert!(File::create(mounted.directory.path().join("other")).is_err());
    assert!(std::fs::remove_file(mounted.path()).is_err());
    assert_eq!(number(std::fs::metadata(mounted.directory.path().join("other"))), Some(libc::ENOENT));
    let names: Vec<_> = std::fs::read_dir(mounted.directory.path())?
        .map(|entry| Ok(entry?.file_name()))
        .collect::<std::io::Result<_>>()?;
    assert_eq!(names, [fuse::NAME]);
    Ok(())
}

#[test]
fn a_hole_that_is_punched_is_a_discard_and_reads_as_zeros() -> Checked {
    let Some(mounted) = Mounted::new(SSD, 0.0)? else { return Ok(()) };
    let file = mounted.open(0)?;
    file.write_all_at(&[7; 16384], 0)?;
    fallocate(&file, libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE, 4096, 8192)?;
    let mut back = [1; 16384];
    file.read_exact_at(&mut back, 0)?;
    assert!(back[..4096].iter().chain(&back[12288..]).all(|byte| *byte == 7));
    assert!(back[4096..12288].iter().all(|byte| *byte == 0));
    let zeroed = fallocate(&file, libc::FALLOC_FL_ZERO_RANGE | libc::FALLOC_FL_KEEP_SIZE, 0, 4096);
    assert_eq!(number(zeroed), Some(libc::EOPNOTSUPP), "zeros are written, in the time of writes");
    Ok(())
}

#[test]
fn requests_take_the_time_of_the_device_side_by_side() -> Checked {
    let Some(mounted) = Mounted::new(DISK, 0.0)? else { return Ok(()) };
    let transport = fuse::ping(&mounted.path())?;
    assert!(transport < Nanos(2_000_000), "reads that no disk takes part in: {transport:?}");
    mounted.server.start(transport);
    let path = mounted.path();
    let start = Instant::now();
    std::thread::scope(|scope| -> std::io::Result<()> {
        let readers: Vec<_> = (0..8_u64)
            .map(|at| {
                let path = &path;
                scope.spawn(move || File::open(path)?.read_exact_at(&mut [0; 4096], at * (SIZE / 8)))
            })
            .collect();
        readers.into_iter().try_for_each(|reader| reader.join().unwrap_or(Ok(())))
    })?;
    assert!(start.elapsed() > Duration::from_micros(500), "a disk of 15000 rpm has to turn");
    let seen = mounted.server.look(Span::Second).ok_or("it has ended")?;
    assert_eq!((seen.read.requests, seen.in_flight), (8, 0));
    let lateness: Lateness = mounted.server.stop().ok_or("it has failed")?.lateness;
    assert_eq!(lateness.all.requests, 8);
    Ok(())
}

#[test]
fn a_flush_and_forced_writes_reach_the_device() -> Checked {
    let Some(mounted) = Mounted::new(SSD, 0.0)? else { return Ok(()) };
    mounted.server.start(Nanos(0));
    mounted.open(0)?.sync_all()?;
    mounted.open(libc::O_DSYNC)?.write_all_at(&[1; 4096], 0)?;
    let seen = mounted.server.look(Span::Second).ok_or("it has ended")?;
    assert_eq!((seen.flush.requests, seen.write.requests), (1, 1), "forced unit access is no flush");
    Ok(())
}

#[test]
fn an_error_of_the_device_is_one_of_the_file() -> Checked {
    let Some(mounted) = Mounted::new(SSD, 1.0)? else { return Ok(()) };
    let file = mounted.open(0)?;
    mounted.server.start(Nanos(0));
    assert_eq!(number(file.read_at(&mut [0; 4096], 0)), Some(libc::EIO));
    assert_eq!(number(file.write_at(&[0; 4096], 0)), Some(libc::EIO));
    Ok(())
}

#[test]
fn a_file_that_is_open_at_the_end_fails_and_does_not_hang() -> Checked {
    let Some(mounted) = Mounted::new(SSD, 0.0)? else { return Ok(()) };
    let file = mounted.open(0)?;
    let Mounted { server, directory } = mounted;
    assert!(server.stop().is_some());
    assert!(file.read_at(&mut [0; 4096], 0).is_err());
    drop(file);
    // The end of the server has found the file open: it is unmounted only now, and not where the kernel did it already.
    let place = CString::new(directory.path().as_os_str().as_bytes())?;
    // SAFETY: a path that ends in NUL, and nothing else.
    unsafe { libc::umount(place.as_ptr()) };
    assert!(!directory.path().join(fuse::NAME).exists());
    Ok(())
}
