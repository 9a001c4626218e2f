//! Which disk a request goes to, whatever the log calls it.

use drivecast_block::Record;
use drivecast_trace::{Log, Options, Summary, open_bytes};

fn of(files: &[&str], disk: Option<&str>) -> Result<(Vec<Record>, Summary), String> {
    let files = files.iter().enumerate().map(|(at, text)| (format!("{at}.txt"), text.as_bytes().to_vec()));
    let options = Options { disk: disk.map(str::to_owned), ..Options::default() };
    let Log::Trace(mut trace) = open_bytes(files.collect(), &options).map_err(|error| error.to_string())?
    else {
        panic!("counters")
    };
    let (mut batch, mut all) = (Vec::new(), Vec::new());
    while trace.fill(&mut batch).map_err(|error| error.to_string())? {
        all.extend_from_slice(&batch);
    }
    Ok((all, trace.summary()))
}

fn refused(text: &str) -> String {
    bytes(&[text], None).unwrap_err()
}

fn bytes(files: &[&str], disk: Option<&str>) -> Result<Vec<u32>, String> {
    Ok(of(files, disk)?.0.iter().map(|record| record.size).collect())
}

const BIOSNOOP: &str = "TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)\n\
    0.001 a b 7 sda W 1000 4096 0.5\n0.002 a b 7 sdb W 1000 8192 0.5\n0.003 c 8 sda R 1000 512 0.5\n";

#[test]
fn biosnoop_names_the_disk_in_a_column() {
    assert_eq!(bytes(&[BIOSNOOP], Some("sdb")).unwrap(), [8192]);
    let message = bytes(&[BIOSNOOP], Some("7")).unwrap_err();
    assert!(message.contains("it has requests of sdb, sda"), "{message}");
    let (all, summary) = of(&[BIOSNOOP], None).unwrap();
    assert_eq!((all.len(), all[2].stream), (3, 8));
    let totals: Vec<_> =
        summary.disks.iter().map(|disk| (disk.disk.as_str(), disk.requests, disk.bytes)).collect();
    assert_eq!(totals, [("sdb", 1.0, 8192.0), ("sda", 2.0, 4608.0)]);
    assert!(summary.notes[0].contains("sdb (1 requests, 8 KiB), sda"), "{:?}", summary.notes);
}

#[test]
fn disks_of_two_hosts_are_two() {
    let row =
        |host: &str, disk: u32, size: u32| format!("128166372003061629,{host},{disk},Read,0,{size},413\n");
    let text = row("hm", 1, 512) + &row("proj", 1, 1024) + &row("hm", 0, 2048);
    assert_eq!(bytes(&[&text], Some("proj_1")).unwrap(), [1024]);
    assert_eq!(bytes(&[&text], Some("0")).unwrap(), [2048]);
    let message = bytes(&[&text], Some("1")).unwrap_err();
    assert!(message.contains("`--disk hm_1` or `--disk proj_1`"), "{message}");
    let streams: std::collections::BTreeSet<u32> =
        of(&[&text], None).unwrap().0.iter().map(|record| record.stream).collect();
    assert_eq!(streams.len(), 3);
}

#[test]
fn a_header_and_a_damaged_line_are_no_disks() {
    let mut text = "device_id,opcode,offset,length,timestamp\n".to_owned();
    (0..120).for_each(|at| text += &format!("{},W,0,{},16000000000{at:05}\n", at % 3, 512 << (at % 3)));
    text += "7x,W,0,what,1600000001000000\n1,W,0,4096,1600000001000001\n";
    let (all, summary) = of(&[&text], Some("1")).unwrap();
    assert_eq!((all.len(), all[40].size, all[40].stream), (41, 4096, 1));
    assert!(
        summary.notes.iter().any(|note| note.contains("1 of 123 lines were skipped")),
        "{:?}",
        summary.notes
    );
}

#[test]
fn a_name_has_one_number_in_all_files() {
    let file = |disk: &str, at: u32| format!("fio version 3 iolog\n{at} {disk} write 0 4096\n");
    let (all, _) = of(&[&file("sdb", 1), &file("sda", 2), &file("sdb", 3)], None).unwrap();
    assert_eq!(all.iter().map(|record| record.stream).collect::<Vec<_>>(), [0, 1, 0]);
    assert_eq!(bytes(&[&file("sdb", 1), &file("sda", 2)], Some("sda")).unwrap(), [4096]);
}

/// Rows of `time device offset size type` or of another table: `row` of the number, an offset and a size in units of its own.
fn table(count: u64, row: impl Fn(u64, u64, u64) -> String) -> String {
    (0..count).map(|at| row(at, (at * 7919) % 1_000_003, 1 + at % 5) + "\n").collect()
}

#[test]
fn units_are_decided_by_what_would_follow() {
    let blank = |time: &'static str, unit: u64| {
        table(40, move |at, offset, size| {
            format!("{at}{time} 0 {} {} {}", offset * 8 * unit, size * 8 * unit, at % 2)
        })
    };
    let expected: Vec<u32> = (0..40).map(|at| (1 + at % 5) * 4096).collect();
    for time in [".5", "00000"] {
        assert_eq!(bytes(&[&blank(time, 1)], None).unwrap(), expected, "sectors");
    }
    let far = |at: u64, offset: u64, size: u64| format!("{at}.25 0 {} {} 1", offset << 20, size * 4096);
    let (records, summary) = of(&[&table(40, far)], None).unwrap();
    assert_eq!(
        (records[1].size, records[1].offset),
        (8192, 7919 << 20),
        "a disk of more than 64 TiB otherwise"
    );
    assert!(summary.notes.iter().any(|note| note.contains("read as bytes")), "{:?}", summary.notes);
    assert!(summary.coding.unwrap().contains("size in 1 B"));
    let either = refused(&blank(".5", 512));
    assert!(
        either.contains("sectors of requests of whole 256 KiB") && either.contains("size=4:1,"),
        "{either}"
    );
    let word = Options { format: Some("disksim".to_owned()), ..Options::default() };
    assert!(open_bytes(vec![("t".to_owned(), blank(".5", 512).into_bytes())], &word).is_ok());
    // Alibaba's columns are bytes, Tencent's sectors, SPC has both.
    let alibaba = table(40, |at, offset, size| format!("1,W,{offset},{},16000000000{at:05}", size * 8));
    assert_eq!(bytes(&[&alibaba], None).unwrap()[..2], [4096, 8192]);
    let tencent =
        table(40, |at, offset, size| format!("{},{},{},1,7", 1_538_323_200 + at, offset << 20, size * 4096));
    assert_eq!(bytes(&[&tencent], None).unwrap()[..2], [4096, 8192]);
    let spc = table(40, |at, offset, size| format!("0,{},{},W,{at}.5", offset * 4096, size * 4096));
    assert_eq!(of(&[&spc], None).unwrap().0[1].offset, 7919 * 4096);
    let fast = table(40, |at, offset, size| format!("0.00{at:04} 0 {offset} {size} 1"));
    assert!(refused(&fast).contains("requests would be"), "seconds in place of milliseconds");
}
