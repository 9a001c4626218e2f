//! What `sar -d` and `sadf -d` print.

use super::{disk, notes, read, read_bytes};
use drivecast_block::Nanos;
use drivecast_trace::{CounterLog, IntervalOrigin, Merged, Options};

const BANNER: &str = "Linux 5.14.0-427.el9.x86_64 (db1.example.com) \t11/18/2026 \t_x86_64_\t(32 CPU)\n\n";

const TEXT: &str = "\
Linux 5.14.0-427.el9.x86_64 (db1.example.com) \t11/18/2026 \t_x86_64_\t(32 CPU)

11:50:01 PM          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util
11:55:01 PM          sda     40.00    300.00    100.00      0.00     10.00      0.50      0.70      0.60
11:55:01 PM          sdb      1.00      0.00      4.00      0.00      4.00      0.56      0.40     15.31
12:00:01 AM          sda      4.00     30.00     10.00      0.00     10.00      0.05      0.80      0.06
12:00:01 AM          sdb      1.00      0.00      4.00      0.00      4.00      0.56      0.40     15.31
Average:             sda     22.00    165.00     55.00      0.00     10.00      0.28      0.75      0.33
";

/// Times, lengths and reads of the samples.
fn rows(log: &CounterLog) -> Vec<(u64, u64, f64)> {
    log.samples()
        .iter()
        .map(|sample| (sample.time.0 / 1_000_000_000, sample.interval.0 / 1_000_000_000, sample.reads))
        .collect()
}

#[test]
fn requests_are_split_by_bytes_and_days_end_at_midnight() {
    let log = read(TEXT);
    let first = &log.samples()[0];
    assert_eq!((log.summary().format.as_str(), log.summary().disk.as_str()), ("sar", "sda"));
    assert_eq!(rows(&log), [(300, 300, 30.0 * 300.0), (600, 300, 3.0 * 300.0)]);
    assert_eq!((first.writes, first.written_bytes), (10.0 * 300.0, 100.0 * 1024.0 * 300.0));
    assert_eq!((first.queue_depth, first.utilization), (Some(0.028), Some(0.006)));
    assert_eq!(first.read_latency, Some(Nanos::from_us(700)));
    assert_eq!(log.summary().merged, [Merged::Latency, Merged::Requests]);
    assert_eq!(log.summary().interval_origin, IntervalOrigin::Measured);
    assert_eq!(log.summary().start.as_deref(), Some("2026-11-18 23:50:01"));
    assert!(notes(&log, "split in proportion to the bytes"));
    assert_eq!(read_bytes(TEXT.as_bytes(), &disk("sdb")).unwrap().samples()[0].writes, 300.0);
}

#[test]
fn the_24_hour_clock_decimal_commas_and_the_device_last() {
    let pretty = "\
Linux 6.18.44 (vm) \t22.11.2026 \t_x86_64_\t(2 CPU)

19:58:05          tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util DEV
19:58:06        40,00      300k     0,1M      0,00      10,0k      0,50      0,70      0,6% a-very-long-name
19:58:07         4,00     30,0k     10,0k      0,00      10,0k      0,50      0,70      0,6% a-very-long-name
Durchschn.:     22,00     165k      55,0k      0,00      10,0k      0,28      0,75      0,3% a-very-long-name
";
    let log = read(pretty);
    assert_eq!((log.samples().len(), log.summary().disk.as_str()), (2, "a-very-long-name"));
    assert_eq!((log.samples()[0].read_bytes, log.samples()[0].utilization), (300.0 * 1024.0, Some(0.006)));
    assert_eq!(log.summary().start.as_deref(), Some("2026-11-22 19:58:05"));
    let chinese = "Linux 6.1 (vm) \t2026年11月22日 \t_x86_64_\t(2 CPU)\n\n\
        19时58分05秒  DEV tps rkB/s wkB/s await %util\n19时58分06秒 sda 40.00 300.00 100.00 0.70 0.6\n\
        19时58分07秒 sda 40.00 300.00 100.00 0.70 0.6\n平均时间: sda 40.00 300.00 100.00 0.70 0.6\n";
    let log = read(chinese);
    assert_eq!((log.samples().len(), log.summary().start.as_deref()), (2, Some("2026-11-22 19:58:05")));
}

#[test]
fn old_versions_count_sectors() {
    let old = format!(
        "{BANNER}09:00:01          DEV       tps  rd_sec/s  wr_sec/s  avgrq-sz  avgqu-sz     await     svctm     %util\n\
         09:10:01       dev8-0     40.00    600.00    200.00     20.00      0.50      0.70      0.30      0.60\n\
         09:20:01       dev8-0     40.00    600.00    200.00     20.00      0.50      0.70      0.30      0.60\n"
    );
    let log = read(&old);
    assert_eq!(log.samples()[0].read_bytes, 300.0 * 1024.0 * 600.0);
    assert_eq!((log.samples()[0].reads, log.samples()[0].queue_depth), (30.0 * 600.0, Some(0.028)));
}

#[test]
fn headings_that_come_again_and_other_tables_are_passed_over() {
    let tables = TEXT.replace(
        "12:00:01 AM          sda",
        "\n11:55:01 PM          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util\n\
         12:00:01 AM          sda",
    );
    let all = format!(
        "{BANNER}11:50:01 PM        CPU      %usr     %idle\n11:55:01 PM        all     97.83      2.17\nAverage:        all     97.83      2.17\n{}\n\
         11:50:01 PM      tps      rtps      wtps   bread/s   bwrtn/s\n11:55:01 PM    41.00     30.00     11.00    600.00    208.00\n",
        tables.strip_prefix(BANNER.trim_end()).unwrap()
    );
    assert_eq!(rows(&read(&all)), rows(&read(TEXT)));
}

#[test]
fn the_first_interval_after_a_restart_begins_with_it() {
    let restarted = format!(
        "{BANNER}10:00:01          DEV       tps     rkB/s     wkB/s   await     %util\n\
         10:10:01          sda     40.00    300.00    100.00      0.70      0.60\n\n\
         10:14:00     LINUX RESTART\t(32 CPU)\n\n\
         10:14:00          DEV       tps     rkB/s     wkB/s   await     %util\n\
         10:20:01          COM  somebody came by\n\
         10:20:01          sda     40.00    300.00    100.00      0.70      0.60\n\
         10:30:01          sda     40.00    300.00    100.00      0.70      0.60\n"
    );
    let log = read(&restarted);
    assert_eq!(
        rows(&log).iter().map(|(time, length, _)| (*time, *length)).collect::<Vec<_>>(),
        [(600, 600), (1200, 361), (1800, 600)]
    );
    assert!(notes(&log, "restarted once"), "{:?}", log.summary().notes);
}

#[test]
fn files_of_several_days_are_one_log_in_order() {
    let day = |date: &str| TEXT.replace("11/18/2026", date).into_bytes();
    let files = vec![("sa19.txt".to_owned(), day("11/19/2026")), ("sa18.txt".to_owned(), day("11/18/2026"))];
    let log = super::read_files(files, &Options::default()).unwrap();
    assert_eq!(log.samples().len(), 4);
    assert_eq!(log.samples()[2].time, Nanos::from_ms(1000 * (86_400 + 300)));
    assert_eq!(log.summary().start.as_deref(), Some("2026-11-18 23:50:01"));
}

#[test]
fn a_damaged_row_is_named_and_a_cut_one_left_out() {
    let message =
        read_bytes(TEXT.replace("40.00", "4x.00").as_bytes(), &Options::default()).unwrap_err().to_string();
    assert!(message.starts_with("`log`, line 4: expected a time, a name and a number"), "{message}");
    let cut = read(&TEXT[..TEXT.find("Average").unwrap() - 20]);
    assert!(notes(&cut, "cut off in line 7"), "{:?}", cut.summary().notes);
    let message = read_bytes(
        format!("{BANNER}10:00:01   CPU  %user  %idle\n10:10:01  all  1.00  99.00\n").as_bytes(),
        &Options::default(),
    )
    .unwrap_err();
    assert!(message.contains("`sar -d -f sa21 > sa21.txt`"), "{message}");
}

const TABLE: &str = "\
# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;dkB/s;areq-sz;aqu-sz;await;%util
db1;60;2026-11-18 00:00:00 UTC;sda;40.00;300.00;100.00;0.00;10.00;0.50;0.70;0.60
db1;60;2026-11-18 00:00:00 UTC;sdb;1.00;0.00;4.00;0.00;4.00;0.56;0.40;15.31
db1;-1;2026-11-18 00:00:30 UTC;LINUX-RESTART\t(32 CPU)
db1;30;2026-11-18 00:01:00 UTC;sda;4.00;30.00;10.00;0.00;10.00;0.05;0.80;0.06
db1;30;2026-11-18 00:01:00 UTC;sdb;1.00;0.00;4.00;0.00;4.00;0.56;0.40;15.31
";

#[test]
fn a_table_for_databases_has_its_own_intervals() {
    let log = read(TABLE);
    assert_eq!((log.summary().format.as_str(), log.summary().disk.as_str()), ("sadf", "sda"));
    assert_eq!(rows(&log), [(60, 60, 1800.0), (120, 30, 90.0)]);
    assert_eq!(log.summary().merged, [Merged::Latency, Merged::Requests]);
    assert!(notes(&log, "restarted once"));
    let damaged = TABLE.replace(";40.00;", ";4x;");
    let message = read_bytes(damaged.as_bytes(), &Options::default()).unwrap_err();
    assert!(message.starts_with("`log`, line 2: expected a host, an interval"), "{message}");
}

#[test]
fn a_table_may_have_disks_side_by_side_and_seconds_since_1970() {
    let wide = "\
# hostname;interval;timestamp;DEV;tps;rd_sec/s;wr_sec/s;await;%util[...]
db1;60;1795377486;sda;40,00;600,00;200,00;0,70;0,60;sdb;1,00;0,00;8,00;0,70;0,60
db1;60;1795377546;sda;40,00;600,00;200,00;0,70;0,60;sdb;1,00;0,00;8,00;0,70;0,60
# hostname;interval;timestamp;CPU;%user;%idle
db1;60;1795377546;-1;99.00;0.00
";
    let log = read(wide);
    assert_eq!(rows(&log), [(60, 60, 1800.0), (120, 60, 1800.0)]);
    assert_eq!(log.summary().disks.len(), 2);
}
