//! The data of a disk: what is written is read, what is flushed survives a power cut, and a full store says so.

use drivecast_attach::{Data, Errno, Kept};
use proptest::prelude::*;
use std::path::Path;

const SIZE: u64 = 1 << 20;

fn filled(data: &mut Data, page: u64, byte: u8) {
    data.write(page * 4096, &[byte; 4096]).expect("there is room");
}

fn first(data: &Data, page: u64) -> u8 {
    let mut out = [0; 4096];
    data.read(page * 4096, &mut out).expect("it can be read");
    assert!(out.iter().all(|byte| *byte == out[0]), "a page is whole");
    out[0]
}

fn in_file(path: &Path) -> Kept {
    Kept::File { path: path.to_owned(), sync: false }
}

#[test]
fn a_power_cut_leaves_what_was_flushed() {
    let mut data = Data::new(&Kept::Memory(SIZE), SIZE, true).expect("memory");
    filled(&mut data, 1, 1);
    let flush = data.flush();
    filled(&mut data, 1, 2); // after the flush came: not covered by it
    filled(&mut data, 2, 3);
    data.flushed(flush);
    assert_eq!(first(&data, 1), 2);
    assert_eq!(data.cut(), Ok(2 * 4096));
    assert_eq!((first(&data, 1), first(&data, 2)), (1, 0));
}

#[test]
fn a_flush_that_is_not_complete_promises_nothing() {
    let mut data = Data::new(&Kept::Memory(SIZE), SIZE, true).expect("memory");
    filled(&mut data, 0, 1);
    data.flush();
    data.cut().expect("memory does not fail");
    assert_eq!(first(&data, 0), 0);
}

#[test]
fn forced_unit_access_is_a_flush_of_its_own() {
    let mut data = Data::new(&Kept::Memory(SIZE), SIZE, true).expect("memory");
    filled(&mut data, 0, 1);
    filled(&mut data, 1, 1);
    data.forced(0, 4096);
    data.cut().expect("memory does not fail");
    assert_eq!((first(&data, 0), first(&data, 1)), (1, 0));
}

#[test]
fn protected_drives_lose_nothing() {
    let mut data = Data::new(&Kept::Memory(SIZE), SIZE, false).expect("memory");
    filled(&mut data, 0, 1);
    assert_eq!(data.cut(), Ok(0));
    assert_eq!(first(&data, 0), 1);
}

#[test]
fn a_full_store_says_so_and_gives_room_back() {
    let mut data = Data::new(&Kept::Memory(2 * 4096), SIZE, false).expect("memory");
    filled(&mut data, 0, 1);
    filled(&mut data, 1, 1);
    assert_eq!(data.write(2 * 4096, &[1; 4096]), Err(Errno::NO_SPACE));
    filled(&mut data, 0, 2); // what is there can still be written
    data.discard(0, 4096).expect("a discard needs no room");
    filled(&mut data, 2, 3);
    assert_eq!((first(&data, 0), first(&data, 2)), (0, 3));
}

#[test]
fn a_cut_restores_what_was_flushed_into_a_full_store() {
    let mut data = Data::new(&Kept::Memory(2 * 4096), SIZE, true).expect("memory");
    filled(&mut data, 0, 1);
    let flush = data.flush();
    data.flushed(flush);
    data.discard(0, 4096).expect("a discard needs no room");
    filled(&mut data, 1, 2);
    filled(&mut data, 2, 2);
    assert_eq!(data.write(3 * 4096, &[1; 4096]), Err(Errno::NO_SPACE));
    assert!(data.cut().is_ok());
    assert_eq!([0, 1, 2].map(|page| first(&data, page)), [1, 0, 0]);
}

#[test]
fn a_file_of_another_size_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = folder.path().join("disk");
    std::fs::write(&path, [0; 4096]).expect("a small file");
    let refused = Data::new(&in_file(&path), SIZE, false).err().expect("it is refused").to_string();
    assert!(refused.contains("1048576 bytes, found one of 4096"), "{refused}");
    std::fs::remove_file(&path).expect("it is there");
    let held = Data::new(&in_file(&path), SIZE, false).expect("a new file");
    let second = Data::new(&in_file(&path), SIZE, false).err().expect("it is refused").to_string();
    assert!(second.contains("another server"), "{second}");
    drop(held);
}

#[test]
fn what_is_flushed_to_the_storage_below_is_numbered_and_done() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let kept = Kept::File { path: folder.path().join("disk"), sync: true };
    let mut data = Data::new(&kept, SIZE, false).expect("a file");
    assert_eq!(data.synced(), 0);
    for page in 0..20 {
        filled(&mut data, page, 1);
        assert_eq!(data.sync(), page + 1);
    }
    while data.synced() < 20 {
        std::thread::yield_now();
    }
    assert_eq!((data.synced(), data.sync_failure()), (20, None));
    data.sync();
    drop(data); // and it waits for that
    let mut without =
        Data::new(&in_file(&folder.path().join("disk")), SIZE, false).expect("its lock is free");
    assert_eq!((without.sync(), without.synced()), (0, 0));
}

proptest! {
    /// Memory and a file hold the same as an array of bytes, whatever is written and discarded.
    #[test]
    fn a_store_is_an_array_of_bytes(steps in prop::collection::vec((0_u64..2040, 1_u64..40, any::<Option<u8>>()), 1..60)) {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let mut model = vec![0_u8; SIZE as usize];
        let mut memory = Data::new(&Kept::Memory(SIZE), SIZE, true).expect("memory");
        let mut file = Data::new(&in_file(&folder.path().join("disk")), SIZE, false).expect("a file");
        for (sector, sectors, byte) in steps {
            let (from, to) = (sector * 512, ((sector + sectors) * 512).min(SIZE));
            let length = (to - from) as usize;
            model[from as usize..to as usize].fill(byte.unwrap_or(0));
            for data in [&mut memory, &mut file] {
                match byte {
                    Some(byte) => data.write(from, &vec![byte; length]).expect("there is room"),
                    None => data.discard(from, length as u64).expect("there is room"),
                }
            }
        }
        for data in [&memory, &file] {
            let mut out = vec![1; SIZE as usize];
            data.read(0, &mut out).expect("it can be read");
            prop_assert!(out == model);
        }
        memory.cut().expect("memory does not fail");
        let mut out = vec![1; SIZE as usize];
        memory.read(0, &mut out).expect("it can be read");
        prop_assert!(out.iter().all(|byte| *byte == 0), "nothing was flushed");
    }
}
