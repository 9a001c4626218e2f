//! What a path may be.

use crate::writer::{D, READ, drain, event, little, noted};
use drivecast_block::Record;
use drivecast_trace::{Options, Summary, TraceError, open};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn read(paths: &[&Path]) -> Result<(Vec<Record>, Summary), TraceError> {
    let paths: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
    drain(open(&paths, &Options::default())?)
}

/// A directory with the files of CPUs, each with one read at the sector of its number.
fn set(prefix: &str, cpus: &[u64]) -> TempDir {
    let directory = TempDir::new().unwrap();
    for &cpu in cpus {
        let bytes = little(&[event(100 + cpu, READ | D, cpu, 512)]);
        fs::write(directory.path().join(format!("{prefix}.{cpu}")), bytes).unwrap();
    }
    directory
}

#[test]
fn prefix_directory_member_and_list() {
    let directory = set("sda.blktrace", &[0, 1, 2, 10]);
    fs::write(directory.path().join("README.1"), "text").unwrap();
    let at = |name: &str| directory.path().join(name);
    let (whole, summary) = read(&[&at("sda.blktrace")]).unwrap();
    assert_eq!(whole.len(), 4);
    assert!(
        noted(&summary, "7 of 11 per-CPU files are missing: CPU 3, 4, 5, 6, 7, 8, 9"),
        "{:?}",
        summary.notes
    );
    assert_eq!(read(&[directory.path()]).unwrap(), (whole.clone(), summary.clone()));
    assert_eq!(read(&[&at("sda")]).unwrap(), (whole.clone(), summary.clone()));
    let members = ["sda.blktrace.0", "sda.blktrace.1", "sda.blktrace.10", "sda.blktrace.2"].map(at);
    let list: Vec<&Path> = members.iter().map(PathBuf::as_path).collect();
    assert_eq!(read(&list).unwrap(), (whole, summary));
    let (one, summary) = read(&[&members[1]]).unwrap();
    assert_eq!((one.len(), one[0].offset), (1, 512));
    assert!(noted(&summary, "sda.blktrace.1 is one of 4 per-CPU files"));
}

#[test]
fn empty_files_of_idle_cpus_are_passed_over() {
    let directory = set("t", &[0, 2]);
    fs::write(directory.path().join("t.1"), "").unwrap();
    let (records, summary) = read(&[&directory.path().join("t")]).unwrap();
    assert_eq!(records.len(), 2);
    assert_eq!(summary.notes.iter().filter(|note| note.as_str() == "t.1 is empty").count(), 1);
}

#[test]
fn a_set_that_is_whole_has_no_notes_on_idle_cpus() {
    let directory = set("t", &[0, 3]);
    fs::write(directory.path().join("t.1"), "").unwrap();
    let whole = Options { whole_set: true, ..Options::default() };
    let read = |names: &[&str], options: &Options| {
        let paths: Vec<_> = names.iter().map(|name| directory.path().join(name)).collect();
        drain(open(&paths, options).unwrap()).unwrap()
    };
    for names in [&["t.0", "t.1", "t.3"][..], &["t"], &["t.3"]] {
        let (records, summary) = read(names, &whole);
        let (same, unsure) = read(names, &Options::default());
        assert_eq!(records, same);
        assert!(noted(&unsure, "CPU"), "{:?}", unsure.notes);
        assert!(!noted(&summary, "CPU") && !noted(&summary, "is empty"), "{:?}", summary.notes);
    }
}

#[test]
fn the_plain_file_stands_before_its_copy() {
    let directory = set("t", &[0]);
    let copy = zstd::encode_all(&little(&[event(1, READ | D, 9, 512)])[..], 1).unwrap();
    fs::write(directory.path().join("t.0.zst"), copy).unwrap();
    let (records, summary) = read(&[&directory.path().join("t")]).unwrap();
    assert_eq!((records.len(), records[0].offset), (1, 0));
    assert!(noted(&summary, "t.0.zst was left out: t.0 is there"));
}

#[test]
fn what_is_no_log_is_named() {
    let directory = set("sda.blktrace", &[0]);
    let near = read(&[&directory.path().join("sdb.blktrace")]).unwrap_err().to_string();
    assert!(near.contains("hint: did you mean `sda.blktrace`?"), "{near}");
    fs::write(directory.path().join("sdb.blktrace.0"), little(&[event(1, READ | D, 0, 512)])).unwrap();
    let two = read(&[directory.path()]).unwrap_err().to_string();
    assert!(two.contains("found the sets `sda.blktrace`, `sdb.blktrace`"), "{two}");
    let none = read(&[TempDir::new().unwrap().path()]).unwrap_err().to_string();
    assert!(none.contains("found none"), "{none}");
    assert!(matches!(read(&[]), Err(TraceError::NotFound { .. })));
}

#[test]
fn archives_hold_sets() {
    let files: Vec<_> =
        (0..3).map(|cpu| (format!("./t.{cpu}"), little(&[event(cpu, READ | D, cpu, 512)]))).collect();
    let archive = tar(&files);
    let directory = TempDir::new().unwrap();
    let plain = directory.path().join("t.tar");
    let packed = directory.path().join("packed");
    fs::write(&plain, &archive).unwrap();
    fs::write(&packed, zstd::encode_all(&archive[..], 1).unwrap()).unwrap();
    let (records, summary) = read(&[&plain]).unwrap();
    assert_eq!(records.len(), 3);
    assert_eq!(summary.files[2].name, "t.2");
    assert_eq!(read(&[&packed]).unwrap(), (records, summary));
    for (length, expected) in
        [(512 + 20, "byte 0: expected a member"), (1024, "byte 1024: expected the end mark")]
    {
        fs::write(&plain, &archive[..length]).unwrap();
        let cut = read(&[&plain]).unwrap_err().to_string();
        assert!(cut.contains(expected), "{cut}");
    }
}

#[test]
fn an_archive_in_an_archive_is_refused() {
    let row = b"128166372003061629,hm,0,Read,383496192,32768,113736\n".to_vec();
    let inner = tar(&[("hm.csv".to_owned(), row)]);
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("outer.tar");
    fs::write(&path, tar(&[("inner.tar".to_owned(), inner)])).unwrap();
    let refused = read(&[&path]).unwrap_err().to_string();
    assert!(
        refused.contains("inner.tar") && refused.contains("a tar archive inside a tar archive"),
        "{refused}"
    );
}

/// A tar archive of these files.
fn tar(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        archive.append_data(&mut header, name, &content[..]).unwrap();
    }
    archive.into_inner().unwrap()
}

#[test]
fn archives_with_pax_headers() {
    let log = little(&[event(0, READ | D, 9, 512)]);
    let long = format!("{}/t.0", "d".repeat(300));
    let mut archive = tar::Builder::new(Vec::new());
    for (name, size) in [("comment", None), (long.as_str(), Some(log.len() as u64))] {
        let text = size.map_or("no log".to_owned(), |size| size.to_string());
        let key = if size.is_some() { "size" } else { "comment" };
        archive.append_pax_extensions([(key, text.as_bytes()), ("path", name.as_bytes())]).unwrap();
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(if size.is_some() {
            tar::EntryType::Regular
        } else {
            tar::EntryType::Directory
        });
        header.set_path("short").unwrap();
        // As of a member beyond 8 GiB, the header has no room for the size: PAX has it.
        header.set_size(0);
        header.set_cksum();
        let mut block = header.as_bytes().to_vec();
        if size.is_some() {
            block.extend(&log);
            block.resize(block.len().next_multiple_of(512), 0);
        }
        std::io::Write::write_all(archive.get_mut(), &block).unwrap();
    }
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("pax.tar");
    fs::write(&path, archive.into_inner().unwrap()).unwrap();
    let (records, summary) = read(&[&path]).unwrap();
    assert_eq!((records.len(), records[0].offset), (1, 9 * 512));
    assert_eq!(summary.files[0].name, "t.0");
}

/// A file with holes: a member of 9 GiB of zeros between two logs.
#[test]
fn archives_with_members_beyond_8_gib() {
    use std::os::unix::fs::FileExt;
    const SIZE: u64 = 9 << 30;
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("large.tar");
    let file = fs::File::create(&path).unwrap();
    let header = |name: &str, size: u64| {
        let mut header = tar::Header::new_gnu();
        header.set_path(name).unwrap();
        header.set_size(size);
        header.set_cksum();
        header.as_bytes().to_vec()
    };
    let log = little(&[event(0, READ | D, 9, 512)]);
    file.write_all_at(&header("zeros", SIZE), 0).unwrap();
    file.write_all_at(&[header("t.0", log.len() as u64), log].concat(), 512 + SIZE).unwrap();
    file.set_len(512 + SIZE + 1024 + 1024).unwrap();
    let (records, summary) = read(&[&path]).unwrap();
    assert_eq!((records.len(), summary.files.len()), (1, 1));
}

#[test]
fn an_archive_whose_headers_would_fill_memory_is_refused() {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::GNULongName);
    header.set_size(2 << 20);
    header.set_cksum();
    let archive = [header.as_bytes().to_vec(), vec![b'n'; 2 << 20], vec![0; 1024]].concat();
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("bomb.tar");
    fs::write(&path, archive).unwrap();
    let message = read(&[&path]).unwrap_err().to_string();
    assert!(message.contains("headers of more than 1 MiB"), "{message}");
}

#[test]
fn a_file_given_twice_is_told_and_refused_where_the_reader_is_strict() {
    let records = crate::writer::little(&[crate::writer::event(0, 7, 0, 512)]);
    let files = || vec![("a".to_owned(), records.clone()), ("b".to_owned(), records.clone())];
    let last = |options: &Options| {
        let Ok(drivecast_trace::Log::Trace(mut trace)) = drivecast_trace::open_bytes(files(), options) else {
            panic!("no trace")
        };
        let mut batch = Vec::new();
        loop {
            match trace.fill(&mut batch) {
                Ok(true) => {}
                Ok(false) => return trace.summary().notes.join(" "),
                Err(error) => return error.to_string(),
            }
        }
    };
    let note = "a and b have the same content: their requests count twice";
    assert!(last(&Options::default()).contains(note));
    let refused = last(&Options { strict: true, ..Options::default() });
    assert!(refused.starts_with("the log is not whole: ") && refused.contains(note), "{refused}");
}
