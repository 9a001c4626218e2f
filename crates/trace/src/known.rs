//! Text that tools print and no format reads: what it is, and what to record instead.
//!
//! MODEL. A tool is known by words that are together in two lines near the top of what it prints: a banner, a heading. Such text is
//! named before formats are tried by their lines, which it may resemble (the iostat of AIX has `tps`, as Linux's has).

/// A kind of text, by the words of two of its lines.
struct Known {
    /// Lines by which it is known, any of them: each by the words that it and the next line have, the first of them at its start.
    lines: &'static [&'static [&'static str]],
    what: &'static str,
    hint: &'static str,
}

const LINUX: &str = "record the disk below while the load runs: `iostat -x -d -y -t 1`, or each request with `drivecast capture` or blktrace";
const RESULT: &str = "it is what a test reached, no load: `drivecast bench show` reads it; for a load record the disk while the test runs: `iostat -x -d -y -t 1`";
const SMART: &str = "`drivecast health read` takes drives in service, as JSON: `nvme smart-log -o json /dev/nvme0`, `smartctl -x -j /dev/sda`";
const RAID: &str = "the controller's own text is not read: ask each drive behind it, `smartctl -x -j -d megaraid,N /dev/sda` (N is the drive's DID; HPE: `-d cciss,N`), and give that to `drivecast health read`";
const NMON: &str = "record with `nmon -f -s 1 -c 3600`, whose file has reads and writes apart";

const KNOWN: &[Known] = &[
    Known {
        lines: &[&["Disks:", "tm_act"], &["", "% tm_act", "Kbps"]],
        what: "the iostat of AIX, which does not have the requests of reads and writes apart",
        hint: NMON,
    },
    Known {
        lines: &[&["AIX "]],
        what: "text of AIX (sar), which does not have reads and writes apart",
        hint: NMON,
    },
    Known {
        lines: &[&["SunOS "], &["HP-UX "]],
        what: "the sar of Solaris or HP-UX, which does not have reads and writes apart",
        hint: "record with `iostat -xn -T u 1` (Solaris); of HP-UX export reads, writes and bytes of the disk with glance, and state them as a workload: `random(8KiB, read=0.7, rate=2000iops)`",
    },
    Known {
        lines: &[&["disk", "KB/t", "tps"]],
        what: "the iostat of macOS, which does not have reads and writes apart",
        hint: "macOS has no log of a disk with reads and writes; record where the load will run (`iostat -x -d -y -t 1` on Linux), or state it as a workload: `random(4KiB, read=0.7, rate=500iops)`",
    },
    Known {
        lines: &[&["", "KB/t", "tps", "MB/s"], &["", "KB/t", "xfrs"]],
        what: "the iostat of FreeBSD, NetBSD or OpenBSD without `-x`, which does not have reads and writes apart",
        hint: "on FreeBSD record with `iostat -x -w 1`",
    },
    Known {
        lines: &[&["CPU", "Reads Queued"], &["Total (", "Reads Queued"]],
        what: "the summary of blkparse, without its events",
        hint: "give the events: the binary files of blktrace (`sda.blktrace.0`, …), or blkparse's text with its lines of requests",
    },
    Known {
        lines: &[
            &["usecs", "count", "distribution"],
            &["msecs", "count", "distribution"],
            &["kbytes", "count", "distribution"],
        ],
        what: "a histogram of biolatency or bitesize, which has neither times nor addresses",
        hint: "record each request with `biosnoop`, or with `drivecast capture`",
    },
    Known {
        lines: &[&["sec", "Cur ops", "finished"]],
        what: "`rados bench`, whose objects are spread over many disks",
        hint: "record a disk of the cluster while it runs: `iostat -x -d -y -t 1` on the host of an OSD",
    },
    Known {
        lines: &[&["procs", "memory", "swap", "io"]],
        what: "vmstat, which has blocks and no requests",
        hint: LINUX,
    },
    Known { lines: &[&["Total DISK READ"]], what: "iotop, which has bytes and no requests", hint: LINUX },
    Known {
        lines: &[&["", "kB_rd/s", "kB_wr/s"]],
        what: "`pidstat -d`, which has bytes and no requests",
        hint: LINUX,
    },
    Known {
        lines: &[&["fio-3."], &["fio-2."], &["", "(groupid=", "jobs=", "err="], &["", "\"fio version\""]],
        what: "a result of fio",
        hint: RESULT,
    },
    Known { lines: &[&["transaction type:"], &["pgbench ("]], what: "a result of pgbench", hint: RESULT },
    Known { lines: &[&["sysbench "]], what: "a result of sysbench", hint: RESULT },
    Known { lines: &[&["OPERATION", "RESULT TYPE"]], what: "a result of elbencho", hint: RESULT },
    Known {
        lines: &[&["Command Line:", "diskspd"], &["<Results>"]],
        what: "a result of DiskSpd",
        hint: RESULT,
    },
    Known { lines: &[&["CrystalDiskMark"]], what: "a result of CrystalDiskMark", hint: LINUX },
    Known { lines: &[&["Smart Log for NVME"]], what: "the text of `nvme smart-log`", hint: SMART },
    Known { lines: &[&["smartctl ", "["]], what: "the text of smartctl", hint: SMART },
    Known {
        lines: &[&["CLI Version =", ""], &["Smart Array"], &["Smart HBA"], &["Adapter #"]],
        what: "the text of a RAID controller's tool",
        hint: RAID,
    },
];

/// Lines at the top that are examined: tools that begin with a command line or a banner have their heading soon.
const LINES: usize = 40;

/// What a text is and what to do, where its tool is known.
pub(crate) fn known(head: &str) -> Option<(&'static str, &'static str)> {
    let lines: Vec<&str> = head.lines().take(LINES).map(str::trim).filter(|line| !line.is_empty()).collect();
    let has = |at: usize, words: &[&str]| {
        let next = lines.get(at + 1).copied().unwrap_or_default();
        let both = |word: &&str| lines[at].contains(*word) || next.contains(*word);
        lines[at].starts_with(words[0]) && words[1..].iter().all(both)
    };
    let found =
        KNOWN.iter().find(|known| known.lines.iter().any(|words| (0..lines.len()).any(|at| has(at, words))));
    found.map(|known| (known.what, known.hint))
}
