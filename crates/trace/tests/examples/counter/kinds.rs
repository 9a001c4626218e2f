//! Kinds of real logs that give a wrong number where the reader is naive.

use super::{disk, notes, read, read_bytes};
use drivecast_block::Nanos;
use drivecast_trace::{CounterLog, Options};

const COLUMNS: &str = "Device r/s w/s rkB/s wkB/s r_await w_await aqu-sz %util";

/// A report of iostat at a second of an hour: reads, writes and KiB of both a second of each disk.
fn report(second: u32, disks: &[(&str, [f64; 4])]) -> String {
    let rows: String = disks
        .iter()
        .map(|(name, [r, w, rk, wk])| format!("{name} {r:.2} {w:.2} {rk:.2} {wk:.2} 1.00 1.00 0.00 1.0\n"))
        .collect();
    format!("11/03/26 10:{:02}:{:02}\n{COLUMNS}\n{rows}\n", second / 60, second % 60)
}

fn requests(log: &CounterLog) -> f64 {
    log.samples().iter().map(|sample| sample.reads + sample.writes).sum()
}

fn seconds(log: &CounterLog) -> f64 {
    Nanos(log.summary().duration_ns).as_secs_f64()
}

#[test]
fn a_disk_left_out_was_idle_where_no_disk_is_shown_at_rest() {
    let busy = ("sda", [3.0, 0.0, 12.0, 0.0]);
    let log: String = (0..20)
        .map(|at| match at % 4 {
            0 => report(2 * at, &[("sdb", [10.0, 0.0, 40.0, 0.0])]),
            1 => report(2 * at, &[busy]),
            2 => format!("11/03/26 10:00:{:02}\n\n", 2 * at),
            _ => report(2 * at, &[]),
        })
        .collect();
    let read = read_bytes(log.as_bytes(), &disk("sdb")).unwrap();
    assert_eq!((requests(&read), seconds(&read)), (100.0, 40.0));
    assert!(notes(&read, "15 of 20 reports leave out `sdb`"), "{:?}", read.summary().notes);
    // One at rest is shown, so that the disk was not there.
    let rests = log.replacen("sda 3.00", "sda 0.00", 1).replacen("12.00 0.00 1.00", "0.00 0.00 1.00", 1);
    let read = read_bytes(rests.as_bytes(), &disk("sdb")).unwrap();
    assert_eq!((requests(&read), seconds(&read)), (100.0, 10.0));
    assert!(notes(&read, "what it did then is unknown"), "{:?}", read.summary().notes);
}

#[test]
fn the_average_since_boot_is_known_by_its_counts_or_its_distance() {
    let first = |average: [f64; 4], length: u32| -> CounterLog {
        let rest = (1..9).map(|at| report(at * length, &[("sda", [f64::from(20 + at), 7.0, 80.0, 28.0])]));
        let banner = "Linux 6.1.0 (db1) 11/03/26 _x86_64_ (8 CPU)\n\n".to_owned();
        super::read(&(banner + &report(0, &[("sda", average)]) + &rest.collect::<String>()))
    };
    let whole = requests(&first([21.0, 8.0, 84.0, 32.0], 1));
    let broken = first([21.37, 8.41, 84.0, 32.0], 1);
    assert_eq!(whole - requests(&broken), 29.0);
    assert!(notes(&broken, "no whole numbers"), "{:?}", broken.summary().notes);
    // Counts of a minute are hidden by rounding: what is like the others stays, with a note, and what is not goes.
    let unsure = first([21.37, 8.41, 84.0, 32.0], 60);
    assert!(notes(&unsure, "cannot tell whether its first report"));
    let far = first([1.37, 88.41, 8.0, 932.0], 60);
    assert_eq!(unsure.samples().len() - far.samples().len(), 1);
    assert!(notes(&far, "far from those of all others"));
}

#[test]
fn bytes_and_their_rate_give_the_interval() {
    let row = |rate: u32, seconds: u32| {
        format!(
            "Device tps kB_read/s kB_wrtn/s kB_read kB_wrtn\nsda 5.00 {rate}.00 0.00 {} 0\n\n",
            rate * seconds
        )
    };
    let log = read(&(row(3, 90_000) + &row(40, 5).repeat(6)));
    assert_eq!((requests(&log), seconds(&log)), (150.0, 30.0));
}

#[test]
fn what_is_on_top_is_taken_and_nothing_counts_twice() {
    let taken = |disks: &[(&str, f64)]| {
        let log: String = (0..12)
            .map(|at| {
                let load = |share: f64| f64::from(1 + at % 5) * share;
                let rows: Vec<(&str, [f64; 4])> = disks
                    .iter()
                    .map(|(name, share)| {
                        (*name, [load(*share), load(*share), load(8.0 * share), load(8.0 * share)])
                    })
                    .collect();
                report(at, &rows)
            })
            .collect();
        read(&log).summary().disk.clone()
    };
    assert_eq!(taken(&[("sda", 10.0), ("dm-0", 10.0)]), "dm-0");
    assert_eq!(taken(&[("sda", 10.0), ("sda1", 10.0), ("vg-data", 9.9)]), "vg-data");
    assert_eq!(taken(&[("sda", 10.0), ("dm-0", 6.0), ("dm-1", 4.0)]), "sda", "neither volume has all of it");
    assert_eq!(
        taken(&[("sda", 4.0), ("sdb", 4.0), ("sdc", 4.0), ("md0", 3.0)]),
        "md0",
        "RAID 5 writes more below"
    );
    assert_eq!(taken(&[("nvme0n1", 0.0), ("nvme0c0n1", 5.0)]), "nvme0c0n1");
    assert_eq!(taken(&[("nvme0n1", 5.0), ("nvme0c0n1", 5.0), ("nvme0n1p1", 5.0)]), "nvme0n1");
    assert_eq!(taken(&[("sdb", 5.0), ("sdc", 5.0), ("mpatha", 10.0)]), "mpatha");
    assert_eq!(taken(&[("sda", 50.0), ("sdb", 5.0), ("dm-0", 5.0)]), "sda", "the volume lies on another");
}

#[test]
fn the_end_of_summer_time_is_no_midnight() {
    let row = |time: &str| {
        format!(
            "{time}          sda     10.00    40.00    40.00      0.00     8.00      0.00      0.10     0.10\n"
        )
    };
    let head = "Linux 6.1 (db1) \t10/25/2026 \t_x86_64_\t(8 CPU)\n\n01:00:00          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util\n";
    let minutes = |from: u32, to: u32| {
        (from..to).step_by(10).map(|at| row(&format!("{:02}:{:02}:00", at / 60, at % 60)))
    };
    let log: String = minutes(70, 180).chain(minutes(120, 260)).collect();
    let log = read(&format!("{head}{log}"));
    assert_eq!((log.samples().len(), seconds(&log), requests(&log)), (25, 15_000.0, 150_000.0));
    assert!(notes(&log, "the end of summer time"), "{:?}", log.summary().notes);
    // sadf has the length of each interval, and times of the place.
    let row =
        |at: u32| format!("db1;600;2026-10-25 {:02}:{:02}:00;sda;10.00;40.00;40.00\n", at / 60, at % 60);
    let rows: String = (70..180).step_by(10).chain((120..260).step_by(10)).map(row).collect();
    let log = read(&format!("# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s\n{rows}"));
    let overlaps =
        log.samples().windows(2).filter(|pair| pair[1].time.0 - pair[0].time.0 != pair[1].interval.0).count();
    assert_eq!((log.samples().len(), overlaps, requests(&log)), (25, 0, 150_000.0));
}

fn snapshot(stamp: &str, count: u64) -> String {
    format!("{stamp}\n   8       0 sda {count} 0 {} 0 0 0 0 0 0 0 0\n", count * 8)
}

fn depths_and_seconds(text: &str) -> (f64, f64) {
    let log = read_bytes(text.as_bytes(), &Options::default()).unwrap();
    (requests(&log), seconds(&log))
}

#[test]
fn snapshots_over_a_change_of_the_clock() {
    let zoned = snapshot("Sun Oct 25 02:55:00 CEST 2026", 0) + &snapshot("Sun Oct 25 02:05:00 CET 2026", 600);
    assert_eq!(depths_and_seconds(&zoned), (600.0, 600.0));
    let spring =
        snapshot("Sun Mar 29 01:55:00 CET 2026", 0) + &snapshot("Sun Mar 29 03:05:00 CEST 2026", 600);
    assert_eq!(depths_and_seconds(&spring), (600.0, 600.0));
    // Without a zone the counters decide: as much as in any ten minutes, or as much as in seventy.
    let at = |minute: u32, count: u64| {
        snapshot(&format!("2026-03-29 {:02}:{:02}:00", minute / 60, minute % 60), count)
    };
    let plain: String = (0..11).map(|n| at(10 * n, u64::from(n) * 600)).collect();
    assert_eq!(depths_and_seconds(&(plain.clone() + &at(170, 6600))), (6600.0, 6600.0));
    assert_eq!(depths_and_seconds(&(plain + &at(170, 10_200))), (10_200.0, 10_200.0));
}

#[test]
fn snapshots_in_swapped_order_count_once() {
    let text: String =
        [0, 1, 3, 2, 4].map(|at| snapshot(&(1_795_362_720 + at).to_string(), at * 100)).concat();
    assert_eq!(depths_and_seconds(&text), (400.0, 4.0));
}

#[test]
fn a_reset_that_looks_like_a_wrap_is_none() {
    let half = 1_u64 << 31;
    let text: String = [(0, half + 1_000), (1, half + 1_100), (2, 50), (3, 150)]
        .map(|(at, count)| snapshot(&(1_795_362_720 + at).to_string(), count))
        .concat();
    assert_eq!(depths_and_seconds(&text), (200.0, 2.0));
    let wrap: String = [(0, (1 << 32) - 150), (1, (1 << 32) - 50), (2, 50)]
        .map(|(at, count): (u64, u64)| {
            format!("{}\n 8 0 sda {count} 0 0 0 5 0 {} 0 0 0 0\n", 1_795_362_720 + at, 8 * at)
        })
        .concat();
    assert_eq!(depths_and_seconds(&wrap), (200.0, 2.0));
}

#[test]
fn a_sample_of_perfmon_that_lacks_a_counter_is_left_out() {
    let names = ["Reads/sec", "Writes/sec", "Read Bytes/sec", "Write Bytes/sec", "Transfers/sec"];
    let heading: String =
        names.iter().map(|name| format!(",\"\\\\H\\PhysicalDisk(0 C:)\\Disk {name}\"")).collect();
    let line = |at: u32, reads: &str| {
        format!("\"11/21/2026 10:00:{at:02}.000\",\"{reads}\",\"10\",\"4096\",\"40960\",\"30\"\n")
    };
    let lines: String = (0..9).map(|at| line(at, if at == 4 { " " } else { "20" })).collect();
    let log = read(&format!("\"(PDH-CSV 4.0) (UTC)(0)\"{heading}\n{lines}"));
    assert_eq!((log.samples().len(), requests(&log)), (8, 240.0));
    assert!(notes(&log, "1 of 9 reports have no figures"), "{:?}", log.summary().notes);
}
