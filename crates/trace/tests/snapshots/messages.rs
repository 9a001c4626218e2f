//! Messages as people see them.

use crate::writer::refused;

#[test]
fn a_foreign_file_says_what_was_looked_for() {
    let expected = "\
`log` is in no known format
  looked for: blktrace (records that start with 07 74 61 65 or 65 61 74 07); VSCSI (32- or 40-byte records with version 1 or 2 \
and SCSI commands); MSR Cambridge CSV (Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime); Parquet (PAR1); \
iostat or sadf JSON ({\"sysstat\": ...); Prometheus range query JSON ({\"status\": ... \"matrix\"); CloudWatch JSON \
(\"MetricDataResults\" or \"Datapoints\"); Perfmon, typeperf or esxtop CSV ((PDH-CSV 4.0)); iostat text (a line that starts \
with Device); samples of /proc/diskstats or io.stat (major, minor, name, counts); each also compressed with gzip, xz or zstd, blktrace sets also in a tar archive
  first bytes: 89 50 4e 47 0d 0a 1a 0a (.PNG....)
hint: convert it to Parquet with the columns time_ns, op, offset_bytes, size_bytes, stream";
    assert_eq!(refused(b"\x89PNG\r\n\x1a\n".to_vec()), expected);
}

#[test]
fn an_empty_file() {
    assert_eq!(
        refused(Vec::new()),
        "`log` is empty\nhint: was the recording stopped before anything was written?"
    );
}

#[test]
fn text_of_sar_is_known_by_sight() {
    let message = refused(b"Linux 3.10.0 (host) \t11/30/2021\n\n10:00:01 DEV tps\n".to_vec());
    assert!(message.ends_with("or export with `sadf -j -- -d`"), "{message}");
}

#[test]
fn another_version_of_blktrace() {
    let mut record = crate::writer::little(&[crate::writer::event(0, 7, 0, 512)]);
    record[0] = 8;
    let expected = "`log`, byte 0: expected blktrace version 7, found version 8\nhint: record it with a blktrace that writes version 7";
    assert_eq!(refused(record), expected);
}
