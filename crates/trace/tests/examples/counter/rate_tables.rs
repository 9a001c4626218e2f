//! Tables of rates: dstat and dool, collectl, nmon, `zpool iostat`, Vdbench, and the iostat of FreeBSD and Solaris.

use super::{disk, notes, read, read_bytes};
use drivecast_block::Nanos;
use drivecast_trace::{CounterLog, Options};

fn every(seconds: u64) -> Options {
    Options { interval: Some(Nanos::from_ms(seconds * 1000)), ..Options::default() }
}

/// Seconds, requests, bytes read and bytes written of a log.
fn totals(log: &CounterLog) -> [f64; 4] {
    let sum = |of: fn(&drivecast_block::Sample) -> f64| log.samples().iter().map(of).sum::<f64>();
    [
        log.summary().duration_ns as f64 / 1e9,
        sum(|sample| sample.reads + sample.writes),
        sum(|sample| sample.read_bytes),
        sum(|sample| sample.written_bytes),
    ]
}

#[test]
fn a_pool_without_heading_or_units_is_on_top_of_its_parts() {
    let report = "tank\t100\t900\t10\t20\t40960\t81920\nmirror-0\t100\t900\t10\t20\t40960\t81920\nsda\t-\t-\t5\t20\t20480\t81920\n";
    let log = read_bytes(report.repeat(3).as_bytes(), &every(5)).unwrap();
    assert_eq!((log.summary().format.as_str(), log.summary().disk.as_str()), ("zpool", "tank"));
    assert_eq!(totals(&log), [15.0, 450.0, 614_400.0, 1_228_800.0]);
}

#[test]
fn a_pool_for_people_has_units_of_1024_and_dashes() {
    let heading = "              capacity     operations     bandwidth\npool        alloc   free   read  write   read  write\n----------  -----  -----  -----  -----  -----  -----\n";
    let rows = "tank        1.00T  2.00T  1.00K      0  4.00M      0\n  sda           -      -    512      0  2.00M      0\nlogs            -      -      -      -      -      -\n----------  -----  -----  -----  -----  -----  -----\n";
    let log = read_bytes(format!("{heading}{rows}{rows}").as_bytes(), &every(1)).unwrap();
    assert_eq!(log.summary().disk, "tank");
    assert_eq!(totals(&log), [2.0, 2048.0, 8_388_608.0, 0.0]);
}

#[test]
fn dool_repeats_the_group_and_a_sum_comes_after_its_disks() {
    let text = "\"time\",\"dsk/total\",,\"dsk/sda\",,\"io/total\",,\"io/sda\",\n\
        \"time\",\"dsk/total:read\",\"dsk/total:writ\",\"dsk/sda:read\",\"dsk/sda:writ\",\"io/total:read\",\"io/total:writ\",\"io/sda:read\",\"io/sda:writ\"\n\
        21-11 10:00:00,9,9,4096,8192,9,9,1,2\n21-11 10:00:01,9,9,4096,8192,9,9,1,2\n";
    let log = read(text);
    assert_eq!((log.summary().disk.as_str(), totals(&log)), ("sda", [2.0, 6.0, 8192.0, 16384.0]));
    assert_eq!(read_bytes(text.as_bytes(), &disk("total")).unwrap().samples()[0].reads, 9.0);
    let bytes_alone = "\"epoch\",\"dsk/sda\",\n\"epoch\",\"read\",\"writ\"\n1795362723,1,1\n";
    let message = read_bytes(bytes_alone.as_bytes(), &Options::default()).unwrap_err();
    assert!(
        message.contains("disk `sda` without them") && message.contains("`-r` the requests"),
        "{message}"
    );
}

#[test]
fn vdbench_as_csv_leaves_out_its_averages() {
    let heading = "\"tod\",\"Run\",\"Interval\",\"rate\",\"MB/sec\",\"bytes/io\",\"read%\",\"resp\"\n";
    let row = |second: u32, interval: &str| {
        format!(
            "\"10:00:0{second}.000\",\"rd1\",\"{interval}\",\"500.0\",\"n/a\",\"4096\",\"70.0\",\"2.0\"\n"
        )
    };
    let log = read(&[heading.to_owned(), row(1, "1"), row(2, "2"), row(2, "avg_1-2")].concat());
    let [seconds, requests, read_bytes, written_bytes] = totals(&log);
    assert_eq!((seconds, requests.round()), (2.0, 1000.0));
    assert_eq!((read_bytes.round(), written_bytes.round()), (2_867_200.0, 1_228_800.0));
}

#[test]
fn nmon_of_aix_has_reads_and_writes_apart() {
    let heads = "AAA,progname,topas_nmon\nAAA,interval,10\nDISKREAD,Disk Read KB/s h,hdisk0,hdisk1\nDISKWRITE,Disk Write KB/s h,hdisk0,hdisk1\nDISKRIO,Disk Read IO/s h,hdisk0,hdisk1\nDISKWIO,Disk Write IO/s h,hdisk0,hdisk1\n";
    let snapshot = |number: u32| {
        format!(
            "ZZZZ,T000{number},10:00:{number}0,21-NOV-2026\nDISKREAD,T000{number},40,0\nDISKWRITE,T000{number},80,0\nDISKRIO,T000{number},10,0\nDISKWIO,T000{number},20,0\n"
        )
    };
    let text = [heads.to_owned(), snapshot(1), snapshot(2)].concat();
    let log = read(&text);
    assert_eq!(
        (log.summary().disk.as_str(), totals(&log)),
        ("hdisk0", [20.0, 600.0, 819_200.0, 1_638_400.0])
    );
    let lacks = text.replace("DISKWIO,T0002,20,0\n", "");
    assert!(
        notes(&read(&lacks), "1 of 2 reports have no figures of `hdisk0`"),
        "{:?}",
        read(&lacks).summary()
    );
}

#[test]
fn iostat_of_freebsd_and_of_solaris() {
    let report = "                        extended device statistics  \ndevice       r/s     w/s     kr/s     kw/s  ms/r  ms/w  ms/o  ms/t qlen  %b  \nada0         100      50    400.0    200.0   1.0   2.0   0.0   1.3    7   9 \n";
    let log = read(&report.repeat(2));
    assert_eq!((log.summary().disk.as_str(), totals(&log)), ("ada0", [2.0, 300.0, 819_200.0, 409_600.0]));
    let depth = log.samples()[0].queue_depth.unwrap();
    assert!((depth - 0.2).abs() < 1e-9, "{depth}");
    let report = "                    extended device statistics\n    r/s    w/s   kr/s   kw/s wait actv wsvc_t asvc_t  %w  %b device\n  100.0   50.0  400.0  200.0  0.1  0.2    0.5    1.5   0   9 c0t0d0\n";
    let log = read(&report.repeat(2));
    assert_eq!((log.summary().disk.as_str(), totals(&log)), ("c0t0d0", [2.0, 300.0, 819_200.0, 409_600.0]));
    let first = &log.samples()[0];
    assert_eq!(first.read_latency, Some(Nanos::from_ms(2)));
    assert!((first.queue_depth.unwrap() - 0.3).abs() < 1e-9);
}
