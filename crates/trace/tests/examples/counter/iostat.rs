//! iostat's text.

use super::{disk, notes, read, read_bytes};
use drivecast_block::Nanos;
use drivecast_trace::{IntervalOrigin, Merged, Options};

const V10: &str = "\
Linux 3.10.0-1062.el7.x86_64 (db1) \t11/30/2021 \t_x86_64_\t(2 CPU)

11/30/2021 11:59:58 AM
avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           0.14    0.00    0.16    0.00    0.00   99.70

Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await r_await w_await  svctm  %util
sda               0.00     0.02   10.00   30.00    40.00   480.00    26.00     0.50    0.88    0.50    1.25   0.52  25.00
dm-0              0.00     0.00    1.00    0.00     4.00     0.00     8.00     0.00    0.92    0.54    0.00   0.50   0.01

11/30/2021 12:00:08 PM
avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           0.14    0.00    0.16    0.00    0.00   99.70

Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await r_await w_await  svctm  %util
sda               0.00     0.02   20.00    0.00    80.00     0.00    26.00     1.50    0.88    0.50    0.00   0.52  50.00
dm-0              0.00     0.00    0.00    0.00     0.00     0.00     0.00     0.00    0.00    0.00    0.00   0.00   0.00

";

#[test]
fn rates_of_the_busiest_disk() {
    let log = read(V10);
    let (first, second) = (&log.samples()[0], &log.samples()[1]);
    assert_eq!((log.summary().format.as_str(), log.summary().disk.as_str()), ("iostat", "sda"));
    assert_eq!((first.reads, first.writes, first.flushes), (100.0, 300.0, None));
    assert_eq!((first.read_bytes, first.written_bytes), (400.0 * 1024.0, 4800.0 * 1024.0));
    // Not the log's depth of 0.5: 10 reads a second of 0.5 ms and 30 writes of 1.25 ms.
    assert_eq!((first.queue_depth, first.utilization), (Some(0.042_499_999_999_999_996), Some(0.25)));
    assert!(notes(&log, "Little's law"));
    assert_eq!((first.read_latency, first.write_latency), (Some(Nanos(500_000)), Some(Nanos(1_250_000))));
    assert_eq!((second.time, second.interval), (Nanos::from_ms(20_000), Nanos::from_ms(10_000)));
    assert_eq!(log.summary().interval_origin, IntervalOrigin::Measured);
    assert!(!notes(&log, "average since boot"), "its counts are whole");
    let other = read_bytes(V10.as_bytes(), &disk("dm-0")).unwrap();
    assert_eq!(other.samples()[0].reads, 10.0);
}

#[test]
fn decimal_commas_and_megabytes() {
    let german = V10
        .replace("11/30/2021 11:59:58 AM", "30.11.2021 11:59:58")
        .replace("11/30/2021 12:00:08 PM", "30.11.2021 12:00:08");
    let german = german
        .replace("11/30/2021 ", "30.11.2021 ")
        .replace("10.00   30.00    40.00", "10,00   30,00    40,00");
    let log = read(&german.replace(" 480.00 ", " 480,00 "));
    assert_eq!((log.samples()[0].reads, log.samples()[0].written_bytes), (100.0, 4800.0 * 1024.0));
    let mib = read(&V10.replace("rkB/s", "rMB/s").replace("wkB/s", "wMB/s"));
    assert_eq!(mib.samples()[0].read_bytes, 400.0 * 1024.0 * 1024.0);
    let sectors = read(&V10.replace("rkB/s", "rsec/s").replace("wkB/s", "wsec/s"));
    assert_eq!(sectors.samples()[0].read_bytes, 400.0 * 512.0);
}

#[test]
fn tables_of_the_human_form_are_put_together() {
    let text = "\
Linux 6.1.0 (vm) \t11/21/26 \t_x86_64_\t(2 CPU)

     r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device
   20.00      5.0M     6.56   3.8%    1.50    32.0k nvme0n1

     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz Device
   15.00     64.0k    10.91  57.3%    3.00   397.5k nvme0n1

     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz Device
    7.59      2.2M     0.00   0.0%    0.21   297.0k nvme0n1

     f/s f_await  aqu-sz  %util Device
    5.00    1.00    0.08   1.2% nvme0n1

     r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device
    1.00      4.0k     6.56   3.8%    1.60    32.0k nvme0n1

     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz Device
    0.00      0.0k    10.91  57.3%    3.94   397.5k nvme0n1

     f/s f_await  aqu-sz  %util Device
    0.00    0.24    0.00   1.2% nvme0n1
";
    let log = read(text);
    let first = &log.samples()[0];
    assert_eq!(log.samples().len(), 2);
    assert_eq!((first.reads, first.writes, first.flushes), (20.0, 10.0, Some(5.0)));
    assert_eq!((first.read_bytes, first.written_bytes), (5.0 * 1024.0 * 1024.0, 64.0 * 1024.0));
    // 15 writes of 3 ms, of which 5 flushes of 1 ms; the flushes' share in the queue is counted twice.
    assert_eq!(first.write_latency, Some(Nanos::from_us(4000)));
    assert!((first.queue_depth.unwrap() - 0.075).abs() < 1e-12);
}

#[test]
fn transfers_alone_are_split_and_said_to_be() {
    let text = "\
Linux 3.10.0 (h) \t11/30/2021 \t_x86_64_\t(1 CPU)

Device:            tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn
sda              40.00       300.00       100.00        300        100

Device:            tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn
sda               0.00         0.00         0.00          0          0
";
    let log = read(text);
    assert_eq!((log.samples()[0].reads, log.samples()[0].writes), (30.0, 10.0));
    assert_eq!(log.summary().merged, [Merged::Requests]);
    assert!(notes(&log, "split in proportion to the bytes"));
    let skipped = read_bytes(text.as_bytes(), &Options { skip_first: true, ..Options::default() }).unwrap();
    assert_eq!((skipped.samples().len(), skipped.samples()[0].reads), (1, 0.0));
}

#[test]
fn what_cannot_be_told_is_refused() {
    let short = "Linux 6 (vm) 11/21/26 _x86_64_ (2 CPU)\n\nDevice tps kB/s rqm/s await areq-sz aqu-sz %util\nvda 181.75 10795.25 17.47 1.64 59.39 0.30 1.18\n";
    let message = read_bytes(short.as_bytes(), &Options::default()).unwrap_err();
    assert!(message.contains("iostat -x -s"), "{message}");
    let damaged = V10.replace("10.00   30.00", "10.00   3x.00");
    let message = read_bytes(damaged.as_bytes(), &Options::default()).unwrap_err();
    assert!(message.starts_with("`log`, line 8: expected a name and a number for each column"), "{message}");
    let message = read_bytes(V10.as_bytes(), &disk("sdz")).unwrap_err();
    assert!(message.contains("hint: it has sda, dm-0"), "{message}");
}

#[test]
fn a_cut_report_is_left_out() {
    let at = V10.rfind("50.00\ndm-0").unwrap() - 20;
    let log = read(&V10[..at]);
    assert_eq!(log.samples().len(), 1);
    assert!(notes(&log, "cut off in line 16"), "{:?}", log.summary().notes);
}

#[test]
fn names_on_lines_of_their_own() {
    let long = V10.replace("sda               0.00", "a-very-long-name-of-a-disk\n                  0.00");
    assert_eq!(read(&long).summary().disk, "a-very-long-name-of-a-disk");
}

#[test]
fn a_report_alone_is_the_average_since_boot_unless_its_length_is_given() {
    let alone = &V10[..V10.find("11/30/2021 12:00:08 PM").unwrap()];
    let message = read_bytes(alone.as_bytes(), &Options::default()).unwrap_err();
    let expected = "`log`: expected reports of intervals, found one report, which without `-y` is the average since boot\n\
        hint: record a series: `iostat -x -d -y -t 1 600`; if it was recorded with `-y`, say how long it is: `--interval 60`";
    assert_eq!(message, expected);
    let skipped = Options { skip_first: true, ..Options::default() };
    assert_eq!(read_bytes(alone.as_bytes(), &skipped).unwrap_err(), expected);
    let given = Options { interval: Some(Nanos::from_ms(60_000)), ..Options::default() };
    assert_eq!(read_bytes(alone.as_bytes(), &given).unwrap().samples()[0].reads, 600.0);
    let json = r#"{"sysstat": {"hosts": [{"statistics": [{"disk": [{"disk_device": "a", "r/s": 1.0, "w/s": 1.0, "rkB/s": 1.0, "wkB/s": 1.0}]}]}]}}"#;
    assert_eq!(read_bytes(json.as_bytes(), &Options::default()).unwrap_err(), expected);
}

#[test]
fn disks_are_added_up_unless_one_lies_on_the_other() {
    let log = read_bytes(V10.as_bytes(), &disk("sda, dm-0")).unwrap();
    let first = &log.samples()[0];
    assert_eq!((log.summary().disk.as_str(), log.summary().disks.len()), ("sda+dm-0", 2));
    assert_eq!((first.reads, first.writes, first.read_bytes), (110.0, 300.0, 440.0 * 1024.0));
    assert_eq!(first.utilization, Some(0.25));
    // 10 reads of 0.5 ms and 1 of 0.54 ms.
    assert_eq!(first.read_latency, Some(Nanos(503_636)));
    assert!(notes(&log, "disks sda, dm-0 were added up"));
    assert_eq!(read_bytes(V10.as_bytes(), &disk("sda,sda")).unwrap().summary().disk, "sda");
    let message = read_bytes(V10.as_bytes(), &disk("sda,sdz")).unwrap_err();
    assert!(message.starts_with("`log` has no disk `sdz`"), "{message}");
    let volume = V10.replace("1.00    0.00     4.00     0.00", "12.00   31.00    40.00   480.00").replace(
        "dm-0              0.00     0.00    0.00    0.00     0.00",
        "dm-0              0.00     0.00   20.00    0.00    80.00",
    );
    let message = read_bytes(volume.as_bytes(), &disk("sda,dm-0")).unwrap_err();
    let expected = "--disk: expected disks that move data of their own, found `sda` and `dm-0`, of which one lies on the other\n\
        hint: their bytes would count twice: leave out `dm-0`";
    assert_eq!(message, expected);
}

#[test]
fn logs_of_different_clocks_are_not_put_together() {
    let undated = V10.replace("11/30/2021 11:59:58 AM", "").replace("11/30/2021 12:00:08 PM", "");
    let files = vec![("a.txt".to_owned(), V10.into()), ("b.txt".to_owned(), undated.into_bytes())];
    let message = super::read_files(files, &Options::default()).unwrap_err();
    let expected = "`b.txt`: expected dates and times, as in the file before, found no times\n\
        hint: logs of different clocks cannot be put together: record each with dates (`iostat -t`), or read one at a time";
    assert_eq!(message, expected);
}
