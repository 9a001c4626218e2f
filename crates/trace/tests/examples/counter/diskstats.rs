//! Snapshots of /proc/diskstats and io.stat.

use super::{disk, notes, read, read_bytes};
use drivecast_block::Nanos;
use drivecast_trace::{IntervalOrigin, Options};

/// A line of sda: reads, sectors read, ms; writes, sectors written, ms; ms busy, ms in queue; flushes, ms.
fn sda(n: [u64; 10]) -> String {
    let [r, rs, rt, w, ws, wt, busy, queued, f, ft] = n;
    format!("   8       0 sda {r} 5 {rs} {rt} {w} 6 {ws} {wt} 0 {busy} {queued} 0 0 0 0 {f} {ft}\n")
}

const BEFORE: [u64; 10] = [100, 800, 50, 200, 1600, 400, 300, 450, 10, 20];
const AFTER: [u64; 10] = [110, 880, 70, 220, 1920, 460, 800, 530, 15, 25];

#[test]
fn totals_are_subtracted() {
    let idle = "   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
    let log = read(&format!("1795362720.5\n{idle}{}1795362722.5\n{idle}{}", sda(BEFORE), sda(AFTER)));
    let only = &log.samples()[0];
    assert_eq!(
        (log.summary().disk.as_str(), log.summary().interval_origin),
        ("sda", IntervalOrigin::Measured)
    );
    assert_eq!((only.time, only.interval), (Nanos::from_ms(2000), Nanos::from_ms(2000)));
    assert_eq!((only.reads, only.writes, only.flushes), (10.0, 15.0, Some(5.0)));
    assert_eq!((only.read_bytes, only.written_bytes), (80.0 * 512.0, 320.0 * 512.0));
    assert_eq!(only.read_latency, Some(Nanos::from_ms(2)));
    // 20 writes of 60 ms in all, of which 5 flushes of 5 ms.
    assert_eq!(only.write_latency.unwrap().0 / 1000, 3666);
    assert!((only.utilization.unwrap() - 0.25).abs() < 1e-9);
    assert!((only.queue_depth.unwrap() - (80.0 - 5.0) / 2000.0).abs() < 1e-9);
}

#[test]
fn times_in_other_words_or_none() {
    let (a, b) = (sda(BEFORE), sda(AFTER));
    for (first, second) in [
        ("2026-11-21T14:00:00+01:00", "2026-11-21T14:00:02+01:00"),
        ("Sat Nov 21 23:59:59 UTC 2026", "Sun Nov 22 00:00:01 UTC 2026"),
        ("Sat Nov 21 11:59:59 AM CET 2026", "Sat Nov 21 12:00:01 PM CET 2026"),
        ("14:00:00", "14:00:02"),
    ] {
        let log = read(&format!("{first}\n{a}{second}\n{b}"));
        assert_eq!(log.samples()[0].interval, Nanos::from_ms(2000), "{first}");
    }
    let none = read(&format!("{a}{b}"));
    assert_eq!(
        (none.samples()[0].interval, none.summary().interval_origin),
        (Nanos::from_ms(1000), IntervalOrigin::Assumed)
    );
    let given = Options { interval: Some(Nanos::from_ms(5000)), ..Options::default() };
    assert_eq!(
        read_bytes(format!("{a}{b}").as_bytes(), &given).unwrap().samples()[0].interval,
        Nanos::from_ms(5000)
    );
}

#[test]
fn a_wrap_is_counted_on_and_a_reboot_left_out() {
    let mut wrapped = (BEFORE, AFTER);
    (wrapped.0[5], wrapped.1[5]) = (u64::from(u32::MAX) - 9, 50);
    let log = read(&format!("1795362720\n{}1795362721\n{}", sda(wrapped.0), sda(wrapped.1)));
    // 10 + 50 ms, less the flushes' 5, over 15 writes.
    assert_eq!(log.samples()[0].write_latency.unwrap().0 / 1000, 3666);
    let small = sda([1; 10]);
    let more = sda([2; 10]);
    let log = read(&format!(
        "1795362720\n{}1795362721\n{}1795362722\n{small}1795362723\n{more}",
        sda(BEFORE),
        sda(AFTER)
    ));
    assert_eq!(log.samples().iter().map(|sample| sample.reads).collect::<Vec<_>>(), [10.0, 1.0]);
    assert!(notes(&log, "(a reboot, or a disk that went away) 1 times, first in line 5"));
}

#[test]
fn a_clock_that_stands_still_or_a_single_snapshot() {
    let log = read(&format!(
        "1795362720\n{}1795362720\n{}1795362719\n{}1795362725\n{}",
        sda(BEFORE),
        sda(AFTER),
        sda(AFTER),
        sda(AFTER)
    ));
    assert!(notes(&log, "stood still or stepped back 2 times"), "{:?}", log.summary().notes);
    let message =
        read_bytes(format!("1795362720\n{}\n", sda(BEFORE)).as_bytes(), &Options::default()).unwrap_err();
    assert!(message.contains("expected at least two snapshots"), "{message}");
    let message = read_bytes(
        format!("1795362720\n{}and now\n{}\n", sda(BEFORE), sda(AFTER)).as_bytes(),
        &Options::default(),
    )
    .unwrap_err();
    assert!(message.starts_with("`log`, line 3: expected a time, or the line of a disk"), "{message}");
}

#[test]
fn a_control_group_begins_with_nothing() {
    let text = "1795362720\n1795362721\n8:0 rbytes=4096 wbytes=8192 rios=1 wios=2 dbytes=0 dios=0\n1795362722\n8:0 rbytes=4096 wbytes=16384 rios=1 wios=4 dbytes=0 dios=0\n8:16 rbytes=1 wbytes=0 rios=1 wios=0\n";
    let log = read_bytes(text.as_bytes(), &disk("8:0")).unwrap();
    let counts: Vec<_> =
        log.samples().iter().map(|sample| (sample.reads, sample.writes, sample.written_bytes)).collect();
    assert_eq!(counts, [(1.0, 2.0, 8192.0), (0.0, 2.0, 8192.0)]);
    assert_eq!((log.samples()[0].queue_depth, log.samples()[0].read_latency), (None, None));
}
