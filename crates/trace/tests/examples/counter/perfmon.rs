//! Perfmon, typeperf and esxtop.

use super::{disk, notes, read, read_bytes};
use drivecast_block::Nanos;
use drivecast_trace::{Merged, Options};

const COUNTERS: [&str; 7] = [
    "Disk Reads/sec",
    "Disk Writes/sec",
    "Disk Read Bytes/sec",
    "Disk Write Bytes/sec",
    "Avg. Disk Queue Length",
    "Avg. Disk sec/Read",
    "% Idle Time",
];

fn heading(names: &[&str], disks: &[&str], object: &str) -> String {
    let paths = disks
        .iter()
        .flat_map(|disk| names.iter().map(move |name| format!("\"\\\\DB1\\{object}({disk})\\{name}\"")));
    format!("\"(PDH-CSV 4.0) (W. Europe Standard Time)(-60)\",{}\r\n", paths.collect::<Vec<_>>().join(","))
}

fn sample(time: &str, values: &[&str]) -> String {
    let values: Vec<_> = values.iter().map(|value| format!("\"{value}\"")).collect();
    format!("\"{time}\",{}\r\n", values.join(","))
}

fn log() -> String {
    let disks = ["0 C:", "1 D:", "_Total"];
    let row = |time: &str, c: [&str; 7], d: [&str; 7]| {
        sample(time, &[c, d, ["99", "99", "9999", "9999", "9", "1", "0"]].concat())
    };
    let idle = ["1", "0", "4096", "0", "0", "0.001", "100"];
    [
        heading(&COUNTERS, &disks, "PhysicalDisk"),
        row("11/21/2026 14:00:00.000", [" "; 7], [" "; 7]),
        row("11/21/2026 14:00:15.000", idle, ["10", "30", "40960", "491520", "4.5", "0.002", "40"]),
        row("11/21/2026 14:00:30.000", idle, ["20", "0", "81920", "0", "0.5", "0.001", "90"]),
    ]
    .concat()
}

#[test]
fn the_busiest_disk_and_never_the_sum() {
    let log = read(&log());
    assert_eq!((log.summary().format.as_str(), log.summary().disk.as_str()), ("perfmon", "1 D:"));
    let first = &log.samples()[0];
    assert_eq!((first.time, first.interval), (Nanos::from_ms(30_000), Nanos::from_ms(15_000)));
    assert_eq!((first.reads, first.writes, first.written_bytes), (150.0, 450.0, 7_372_800.0));
    assert_eq!((first.queue_depth, first.read_latency), (Some(4.5), Some(Nanos::from_ms(2))));
    assert!((first.utilization.unwrap() - 0.6).abs() < 1e-12);
    assert!(notes(&log, "1 of 3 reports have no figures of `1 D:`"), "{:?}", log.summary().notes);
}

#[test]
fn a_disk_by_its_letter_or_the_sum_if_asked() {
    assert_eq!(read_bytes(log().as_bytes(), &disk("c:")).unwrap().summary().disk, "0 C:");
    assert_eq!(read_bytes(log().as_bytes(), &disk("_Total")).unwrap().samples()[0].reads, 99.0 * 15.0);
    assert!(read_bytes(log().as_bytes(), &disk("E:")).unwrap_err().contains("it has 0 C:, 1 D:, _Total"));
}

#[test]
fn any_encoding_separator_and_decimal_mark() {
    let plain = read(&log());
    let comma = log().replace("\"4.5\"", "\"4,5\"").replace("\"0.002\"", "\"0,002\"");
    assert_eq!(read(&comma).samples(), plain.samples());
    assert_eq!(read(&log().replace("\",\"", "\";\"")).samples(), plain.samples());
    assert_eq!(read(&log().replace("\",\"", "\"\t\"").replace("CSV", "TSV")).samples(), plain.samples());
    assert_eq!(read(&format!("\u{feff}{}", log())).samples(), plain.samples());
    for big in [false, true] {
        let units = format!("\u{feff}{}", log());
        let bytes: Vec<u8> = units
            .encode_utf16()
            .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
            .collect();
        assert_eq!(read_bytes(&bytes, &Options::default()).unwrap().samples(), plain.samples());
    }
}

#[test]
fn names_of_other_languages() {
    let german = ["Lesevorgänge/s", "Schreibvorgänge/s", "Bytes gelesen/s", "Bytes geschrieben/s"];
    let text = heading(&german, &["0 C:"], "Physikalischer Datenträger")
        + &sample("21.11.2026 14:00:00,000", &["10,5", "30", "1", "2"])
        + &sample("21.11.2026 14:00:10,000", &["10,5", "30", "1", "2"]);
    let latin: Vec<u8> = text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect();
    for bytes in [text.as_bytes(), &latin] {
        let log = read_bytes(bytes, &Options::default()).unwrap();
        assert_eq!((log.samples()[1].reads, log.samples()[1].interval), (105.0, Nanos::from_ms(10_000)));
    }
    let polish = text.replace("Physikalischer Datenträger", "Dysk fizyczny");
    let message = read_bytes(polish.as_bytes(), &Options::default()).unwrap_err();
    assert!(
        message.contains("Dysk fizyczny(0 C:)\\Lesevorgänge/s") && message.contains("German"),
        "{message}"
    );
}

#[test]
fn the_day_may_come_first() {
    let rows = |stamps: &[&str]| {
        let samples: String = stamps.iter().map(|stamp| sample(stamp, &["1"; 7])).collect();
        let log = read(&(heading(&COUNTERS, &["0 C:"], "PhysicalDisk") + &samples));
        log.samples().iter().map(|sample| sample.interval.0 / 1_000_000_000).collect::<Vec<_>>()
    };
    // Month first: six hours a step. Day first, the same stamps would be a month apart.
    assert_eq!(rows(&["11/01/2026 12:00:00", "11/01/2026 18:00:00", "11/02/2026 00:00:00"]), [21_600; 3]);
    // 30 cannot be a month.
    assert_eq!(rows(&["30/10/2026 18:00:00", "31/10/2026 00:00:00", "31/10/2026 06:00:00"]), [21_600; 3]);
}

#[test]
fn a_pause_and_a_second_heading() {
    let second = log().replace("14:00", "18:00");
    let log = read(&(log() + &second));
    assert!(notes(&log, "the heading comes 2 times"), "{:?}", log.summary().notes);
    assert!(notes(&log, "pauses 1 times"), "{:?}", log.summary().notes);
    assert_eq!(log.summary().duration_ns, 60_000_000_000);
}

#[test]
fn what_is_damaged_or_cut() {
    let message =
        read_bytes(log().replace("\"491520\"", "\"49x520\"").as_bytes(), &Options::default()).unwrap_err();
    assert!(message.starts_with("`log`, line 3: expected a time and a number or a blank"), "{message}");
    let text = log();
    let cut = read(&text[..text.len() - 30]);
    assert_eq!(cut.samples().len(), 1);
    assert!(notes(&cut, "cut off in line 4"));
    let sentence = read(&(log() + "\r\nThe command completed successfully.\r\n"));
    assert!(notes(&sentence, "1 lines behind the samples"));
}

#[test]
fn esxtop_has_its_own_names_and_little_gives_the_depth() {
    let names = [
        "Commands/sec",
        "Reads/sec",
        "Writes/sec",
        "MBytes Read/sec",
        "MBytes Written/sec",
        "Average Guest MilliSec/Read",
        "Average Guest MilliSec/Write",
    ];
    let values = ["300", "200", "100", "2", "1", "5", "10"];
    let text = heading(&names, &["naa.600508b1001c"], "Physical Disk SCSI Device")
        + &sample("11/21/2026 14:00:00", &values)
        + &sample("11/21/2026 14:00:05", &values);
    let log = read(&text);
    let first = &log.samples()[0];
    assert_eq!(
        (log.summary().format.as_str(), first.reads, first.written_bytes),
        ("esxtop", 1000.0, 5.0 * 1024.0 * 1024.0)
    );
    assert_eq!((first.queue_depth, first.write_latency), (Some(2.0), Some(Nanos::from_ms(10))));
    let machines = heading(&names[1..], &["SQL02 (df09)", "SQL02 (df09):scsi0:0"], "Virtual Disk");
    let log = read(
        &(machines
            + &sample("11/21/2026 14:00:00", &["9", "9", "9", "9", "9", "9", "1", "1", "1", "1", "1", "1"])),
    );
    assert_eq!(log.summary().disk, "Virtual Disk SQL02 (df09):scsi0:0");
}

#[test]
fn data_on_nfs_are_of_its_volume_and_not_of_the_disk_that_the_host_starts_from() {
    let names = ["Reads/sec", "Writes/sec", "MBytes Read/sec", "MBytes Written/sec"];
    let columns = |object: &str, instance: &str| {
        names.map(|name| format!(",\"\\\\esx1\\{object}({instance})\\{name}\"")).concat()
    };
    let boot = columns("Physical Disk SCSI Device", "mpx.vmhba32:C0:T0:L0");
    let volume = columns("Physical Disk NFS Volume", "nfs01");
    let machine = columns("Virtual Disk", "SQL01 (df09):scsi0:1");
    let samples = ["00", "05", "10"].map(|second| {
        let cells = "\"0.1\",\"0.1\",\"0.001\",\"0.001\",\"400\",\"200\",\"6.25\",\"3.125\",\"390\",\"200\",\"6.1\",\"3.125\"";
        format!("\"11/21/2026 14:00:{second}\",{cells}\n")
    });
    let text = format!("\"(PDH-CSV 4.0) (UTC)(0)\"{boot}{volume}{machine}\n{}", samples.concat());
    let log = read(&text);
    assert_eq!((&*log.summary().disk, &*log.summary().format), ("NFS Volume nfs01", "esxtop"));
    assert_eq!((log.samples()[1].reads, log.samples()[1].writes), (2000.0, 1000.0));
    let mut others: Vec<&str> = log.summary().disks.iter().map(|disk| disk.disk.as_str()).collect();
    others.sort_unstable();
    assert_eq!(others, ["NFS Volume nfs01", "Virtual Disk SQL01 (df09):scsi0:1", "mpx.vmhba32:C0:T0:L0"]);
}

#[test]
fn transfers_and_the_queue_of_a_moment() {
    let names =
        ["Disk Transfers/sec", "Disk Read Bytes/sec", "Disk Write Bytes/sec", "Current Disk Queue Length"];
    let text =
        heading(&names, &["0"], "PhysicalDisk") + &sample("11/21/2026 14:00:00", &["40", "300", "100", "7"]);
    let log = read(&text);
    assert_eq!((log.samples()[0].reads, log.samples()[0].queue_depth), (30.0, Some(7.0)));
    assert_eq!(log.summary().merged, [Merged::Requests]);
    assert!(notes(&log, "Current Disk Queue Length"));
    let none = heading(&["% Disk Time"], &["0"], "PhysicalDisk") + &sample("11/21/2026 14:00:00", &["40"]);
    let message = read_bytes(none.as_bytes(), &Options::default()).unwrap_err();
    assert!(message.contains("PhysicalDisk(0)\\% Disk Time"), "{message}");
}
