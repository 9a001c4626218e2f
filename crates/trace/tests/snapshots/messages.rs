//! Messages as people see them.

use crate::writer::refused;

#[test]
fn a_foreign_file_says_what_was_looked_for() {
    let message = refused(b"\x89PNG\r\n\x1a\n".to_vec());
    let lines: Vec<_> = message.lines().collect();
    assert_eq!(lines[0], "`log` is in no known format");
    assert_eq!(
        lines[1],
        "  looked for: blktrace, blkparse, ftrace, biosnoop, octf, vscsi, cloudphysics, msr, spc, systor, alibaba, tencent, \
         fio-iolog, fio-lat, fio-bw, mqsim, disksim, dixtrac, arc, csv, iostat, sadf, sar, perfmon, esxtop, diskstats, prometheus, \
         cloudwatch, dstat, collectl, nmon, zpool, vdbench, parquet; also behind gzip, xz, zstd, lz4, bzip2 and tar (`drivecast formats` describes them)"
    );
    assert_eq!(lines[2], "  first bytes: 89 50 4e 47 0d 0a 1a 0a (.PNG....)");
    assert_eq!(
        lines[3],
        "hint: convert it to Parquet with the columns time_ns, op, offset_bytes, size_bytes, stream"
    );
}

#[test]
fn text_in_no_known_format_asks_for_a_mapping() {
    let message = refused(b"when;what;where\n1;R;2\n".to_vec());
    assert!(message.contains("hint: this is text") && message.contains("`--csv 'time=ts:us,"), "{message}");
}

#[test]
fn text_of_known_tools_is_called_by_its_name() {
    let found = |text: &str| {
        let message = refused(text.as_bytes().to_vec());
        message.split_once("found ").map_or(message.clone(), |(_, found)| found.replace("\nhint: ", " > "))
    };
    for (text, what, hint) in [
        (
            "System configuration: lcpu=2\n\nDisks: % tm_act Kbps tps Kb_read Kb_wrtn\nhdisk0 1.0 640.0 80.0 128 512\n",
            "iostat of AIX",
            "nmon -f",
        ),
        ("AIX host 3 7 00F 11/21/26\n\n10:00:01 device %busy\n", "AIX", "nmon -f"),
        ("SunOS host 5.11 11.4 i86pc\n\n10:00:01 device %busy\n", "Solaris", "iostat -xn -T u"),
        (
            "       tty  ada0  cpu\n tin tout KB/t tps MB/s us ni sy in id\n 0 1 16.0 100 1.5 0 0 0 0 9\n",
            "FreeBSD",
            "iostat -x -w 1",
        ),
        (
            "       disk0       cpu    load average\n KB/t tps MB/s us sy id 1m 5m 15m\n 16.0 100 1.5 0 0 9 1 1 1\n",
            "macOS",
            "workload",
        ),
        (
            "Total (sda):\n Reads Queued: 1, 4KiB\t Writes Queued: 1, 4KiB\n",
            "summary of blkparse",
            "sda.blktrace.0",
        ),
        (
            "Tracing block device I/O...\n\n usecs : count distribution\n 0 -> 1 : 0 |  |\n",
            "biolatency",
            "biosnoop",
        ),
        (
            "  sec Cur ops   started  finished  avg MB/s\n    0       0         0         0         0\n",
            "rados bench",
            "OSD",
        ),
        (
            "job1: (g=0): rw=randwrite\nfio-3.40\n{\n  \"fio version\": \"fio-3.40\"\n}\n",
            "result of fio",
            "bench show",
        ),
        ("pgbench (16.1)\ntransaction type: <builtin: TPC-B>\n", "result of pgbench", "bench show"),
        (
            "Smart Log for NVME device:nvme0 namespace-id:ffffffff\ncritical_warning : 0\n",
            "nvme smart-log",
            "-o json",
        ),
        ("CLI Version = 007.1\nOperating system = Linux\n", "RAID controller", "megaraid,N"),
    ] {
        let found = found(text);
        assert!(found.contains(what) && found.contains(hint), "{text}: {found}");
    }
    let message = refused(b"volume   IOPS  latency\nv1  200  3.0\n".to_vec());
    assert!(message.contains("hint: this looks like a table of rates"), "{message}");
}

#[test]
fn an_empty_file() {
    assert_eq!(
        refused(Vec::new()),
        "`log` is empty\nhint: was the recording stopped before anything was written?"
    );
}

#[test]
fn text_of_sar_without_disks_is_known_by_sight() {
    let message = refused(b"Linux 3.10.0 (host) \t11/30/2021\n\n10:00:01 CPU %user %idle\n".to_vec());
    assert!(
        message.ends_with("hint: print the disks of a recorded day: `sar -d -f sa21 > sa21.txt`"),
        "{message}"
    );
    let message = refused(b"Linux 3.10.0 (host) \t11/30/2021\n\nsomething else\n".to_vec());
    assert!(message.ends_with("or export with `sadf -j sa21 -- -d`"), "{message}");
}

#[test]
fn binary_files_of_sar_and_perfmon_say_how_to_export_them() {
    let sysstat = |bytes: &[u8]| refused([bytes, &[0; 400]].concat());
    let expected = "`log`: expected a log that its tool exported, found sar's own binary file, of sysstat 12.6.1\n\
        hint: export its disks with the sysstat that wrote it, or a newer one: `sadf -j log -- -d > log.json`";
    assert_eq!(sysstat(&[0x96, 0xd5, 0x75, 0x21, 12, 6, 1, 0]), expected);
    assert_eq!(sysstat(&[0xd5, 0x96, 0x21, 0x75, 12, 6, 1, 0]), expected);
    let expected = "`log`: expected a log that its tool exported, found Performance Monitor's binary log\n\
        hint: export it on Windows: `relog log -f csv -o log.csv`";
    let traced = [&[0; 72][..], &[2, 0, 2, 0xc0], &[0; 400]].concat();
    let wide: Vec<u8> =
        r"\\H\PhysicalDisk(0 C:)\Disk Reads/sec".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [traced, [&[7; 100][..], &wide].concat(), [b"BL\x02\0", &[0; 100][..]].concat()] {
        assert_eq!(refused(bytes), expected);
    }
}

#[test]
fn another_version_of_blktrace() {
    let mut record = crate::writer::little(&[crate::writer::event(0, 7, 0, 512)]);
    record[0] = 8;
    let expected = "`log`, byte 0: expected blktrace version 7, found version 8\nhint: record it with a blktrace that writes version 7";
    assert_eq!(refused(record), expected);
}

#[test]
fn an_error_has_its_fields_apart_from_its_text() {
    use drivecast_trace::{Detail, Options, Place, open_bytes};
    let refused = |bytes: &[u8], options: &Options| {
        let opened = open_bytes(vec![("log".to_owned(), bytes.to_vec())], options);
        opened.err().expect("it is no log")
    };
    let error = refused(b"\x08tae\0\0\0\0", &Options::default());
    let Detail { path, at, expected, found, .. } = error.detail();
    assert_eq!((path, at), (Some("log"), Some(Place::Byte(0))));
    assert_eq!((expected, found), (Some("blktrace version 7"), Some("version 8")));
    let options = Options { format: Some("mqsin".to_owned()), ..Options::default() };
    let error = refused(b"1 2 3 4 5\n", &options);
    let Detail { option, found, hint, .. } = error.detail();
    assert_eq!((option, found), (Some("--format"), Some("`mqsin`")));
    assert_eq!(hint, Some("did you mean `mqsim`?"));
    let options = Options { format: Some("blktrace".to_owned()), ..Options::default() };
    let hint = refused(b"1 2 3 4 5\n", &options).detail().hint.map(str::to_owned);
    assert!(hint.is_some_and(|hint| hint.starts_with("leave `--format` out")));
}
