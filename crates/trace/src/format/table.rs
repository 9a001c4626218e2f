//! Published traces that are plain tables: for each its mapping, how it is recognised, and where it is described.

use crate::description::{Content, Description, Evidence, Head, Reading, Table, Verdict};

const NONE: &str = "none";

fn always(_head: &Head<'_>) -> Verdict {
    Verdict::Yes
}

/// The bytes of field `index` in each line.
fn fields<'a>(head: &'a Head<'_>, separator: u8, index: usize) -> impl Iterator<Item = &'a [u8]> {
    head.lines.iter().filter_map(move |line| {
        let is_separator = move |byte: &u8| *byte == separator || (separator == b' ' && *byte == b'\t');
        let mut fields = line.split(is_separator).filter(move |field| separator != b' ' || !field.is_empty());
        fields.nth(index).map(<[u8]>::trim_ascii)
    })
}

fn digits(field: &[u8]) -> usize {
    field.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn has_fraction(field: &[u8]) -> bool {
    field.contains(&b'.')
}

/// MSR Cambridge (Narayanan et al., FAST 2008): times in 100 ns since 1601, Windows' file time.
pub(crate) static MSR: Description = Description {
    name: "msr",
    title: "MSR Cambridge CSV",
    detected_by: "seven columns, the fourth `Read` or `Write`; a header may stand above",
    content: Content::Requests {
        row: "a line",
        stream: "disk number; of several hosts each host's own",
        latency: "response time",
    },
    sample: "128166372003061629,hm,1,Read,383496192,32768,413\n128166372016382155,hm,1,Write,2822144,4096,2334\n",
    evidence: Evidence::Lines,
    fits: always,
    reading: Reading::Table(Table::plain(
        "time=1:100ns,host=2,stream=3,op=4:Read/Write,offset=5:1,size=6:1,latency=7:100ns",
        Some(7),
    )),
};

/// SPC trace format 1.0.1, as the UMass repository has it (Financial1, WebSearch1, …): LBA in 512 bytes, times in seconds.
pub(crate) static SPC: Description = Description {
    name: "spc",
    title: "SPC, UMass repository",
    detected_by: "five columns, the fourth `R` or `W`, the fifth a time",
    content: Content::Requests { row: "a line", stream: "application storage unit", latency: NONE },
    sample: "0,20941264,8192,W,0.551706\n0,20939840,8192,W,0.554041\n1,3436288,15872,r,1.250720\n",
    evidence: Evidence::Lines,
    fits: |head| Verdict::from(fields(head, b',', 0).all(|unit| digits(unit) == unit.len())),
    reading: Reading::Table(Table::plain("stream=1,offset=2:512,size=3:1,op=4:R/W,time=5:s", None)),
};

/// SYSTOR '17 (Lee et al., "Understanding storage traffic characteristics on enterprise virtual desktop infrastructure").
pub(crate) static SYSTOR: Description = Description {
    name: "systor",
    title: "SYSTOR '17 CSV",
    detected_by: "six columns, the third `R` or `W`; the header `Timestamp,Response,IOType,LUN,Offset,Size` may stand above",
    content: Content::Requests { row: "a line", stream: "logical unit", latency: "response time" },
    sample: "Timestamp,Response,IOType,LUN,Offset,Size\n1455592511.959353000,0.000514000,R,1,3154152,4096\n1455592511.961004000,0.000431000,W,1,8192,8192\n",
    evidence: Evidence::Lines,
    fits: always,
    reading: Reading::Table(Table::plain(
        "time=1:s,latency=2:s,op=3:R/W,stream=4,offset=5:1,size=6:1",
        Some(6),
    )),
};

/// Alibaba cloud block storage (Li et al., IISWC 2020): `device_id,opcode,offset,length,timestamp`.
pub(crate) static ALIBABA: Description = Description {
    name: "alibaba",
    title: "Alibaba cloud block CSV",
    detected_by: "five columns, the second `R` or `W`, the fifth a time of 16 digits",
    content: Content::Requests { row: "a line", stream: "device", latency: NONE },
    sample: "419,W,8792731648,16384,1577808144360767\n725,R,59110326272,360448,1577808144360813\n",
    evidence: Evidence::Lines,
    fits: |head| Verdict::from(fields(head, b',', 4).all(|time| digits(time) == 16)),
    reading: Reading::Table(Table::plain("stream=1,op=2:R/W,offset=3:1,size=4:1,time=5:us", Some(5))),
};

/// Tencent cloud block storage (Zhang et al., ATC 2020): `Timestamp,Offset,Size,IOType,VolumeID`, times in whole seconds.
pub(crate) static TENCENT: Description = Description {
    name: "tencent",
    title: "Tencent cloud block CSV",
    detected_by: "five columns of digits, the first a time of 10 digits, the fourth `0` or `1`",
    content: Content::Requests { row: "a line", stream: "volume", latency: NONE },
    sample: "1538323200,12910952,128,0,1063\n1538323200,6338688,8,1,1627\n",
    evidence: Evidence::Lines,
    fits: |head| Verdict::from(fields(head, b',', 0).all(|time| digits(time) == 10 && time.len() == 10)),
    reading: Reading::Table(Table {
        mapping: "time=1:s,offset=2:512,size=3:512,op=4:0/1,stream=5",
        columns: Some(5),
        assumes_discards: false,
        assumed: Some("times are whole seconds: all requests of one second come at once"),
    }),
};

/// The CSV of the CloudPhysics traces: SCSI commands in hexadecimal, blocks of 512 bytes.
pub(crate) static CLOUDPHYSICS: Description = Description {
    name: "cloudphysics",
    title: "CloudPhysics CSV",
    detected_by: "the header `version,time,op,size,lbn`",
    content: Content::Requests { row: "a line with a read or write command", stream: "0", latency: NONE },
    sample: "version,time,op,size,lbn\n1,5633898368802,2a,512,42932745\n1,5633898611441,28,4096,42932746\n",
    evidence: Evidence::Lines,
    fits: |head| Verdict::from(head.bytes.starts_with(b"version,time,op,size,lbn")),
    reading: Reading::Table(Table::plain(
        "time=2:us,op=3:28|88|a8|8|08/2a|8a|aa|a|0a/35|91/42,size=4:1,offset=5:512",
        Some(5),
    )),
};

/// MQSim's and SSDSim's text: whole nanoseconds, 512-byte sectors, 1 is a read. Forks of it for zoned drives, and those with trims,
/// write 2 for what gives blocks back.
pub(crate) static MQSIM: Description = Description {
    name: "mqsim",
    title: "MQSim, SSDSim text",
    detected_by: "five blank-separated numbers, the first without a point, the fifth `0`, `1` or `2`; requests 1 µs apart or more on average",
    content: Content::Requests { row: "a line", stream: "device", latency: NONE },
    sample: "938513000 4 264719034 16 0\n938828000 3 197570570 16 1\n",
    evidence: Evidence::Lines,
    fits: mqsim,
    reading: Reading::Table(Table {
        mapping: "time=1:ns,stream=2,offset=3:512,size=4:512,op=5:1/0//2,sep=space",
        columns: Some(5),
        assumes_discards: true,
        assumed: None,
    }),
};

/// A nanosecond between requests is no disk's: then the time is in another unit.
fn mqsim(head: &Head<'_>) -> Verdict {
    if fields(head, b' ', 0).any(has_fraction) {
        return Verdict::No;
    }
    let times: Vec<u64> =
        fields(head, b' ', 0).filter_map(|time| std::str::from_utf8(time).ok()?.parse().ok()).collect();
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Verdict::No };
    let span_ns = last.saturating_sub(*first);
    if times.len() > 1 && span_ns < 1_000 * (times.len() as u64 - 1) {
        let steps = times.len() - 1;
        return Verdict::Ambiguous {
            doubt: format!("the time goes up by {span_ns} in {steps} requests: nanoseconds, as MQSim writes, or milliseconds, as DiskSim?").into(),
            hint: "say `--format mqsim` or `--format disksim`, or give the unit: `--csv 'time=1:us,stream=2,offset=3:512,size=4:512,op=5:1/0,sep=space'`",
        };
    }
    Verdict::Yes
}

/// DiskSim's ASCII format (DiskSim 4.0 reference manual): milliseconds with a fraction, blocks of 512 bytes, flag 1 is a read.
pub(crate) static DISKSIM: Description = Description {
    name: "disksim",
    title: "DiskSim text",
    detected_by: "five blank-separated numbers, the first with a point, the fifth `0` or `1`",
    content: Content::Requests { row: "a line", stream: "device", latency: NONE },
    sample: "0.000000 0 4583176 8 1\n46.085000 0 3962268 16 0\n",
    evidence: Evidence::Lines,
    fits: |head| Verdict::from(fields(head, b' ', 0).any(has_fraction)),
    reading: Reading::Table(Table::plain(
        "time=1:ms,stream=2,offset=3:512,size=4:512,op=5:1/0,sep=space",
        Some(5),
    )),
};

/// The traces that validate DiskSim's disks: `R|W hit? LBN sectors service_us next_gap_us`, one request at a time.
pub(crate) static DIXTRAC: Description = Description {
    name: "dixtrac",
    title: "DiskSim validation trace",
    detected_by: "six blank-separated columns: `R` or `W`, a word, and four numbers",
    content: Content::Requests {
        row: "a line, issued a gap after the one above ended",
        stream: "0",
        latency: "measured service time",
    },
    sample: "W Hit    4583176   4    663.00000  45422.00000\nR Hit    3962268  12   6657.00000  64047.00000\n",
    evidence: Evidence::Lines,
    fits: |head| Verdict::from(fields(head, b' ', 1).all(|word| word.iter().all(u8::is_ascii_alphabetic))),
    reading: Reading::Table(Table::plain(
        "op=1:R/W,offset=3:512,size=4:512,latency=5:us,gap=6:us,sep=space",
        Some(6),
    )),
};

/// The traces of the ARC paper (Megiddo and Modha, FAST 2003): `start_page pages 0 request`, without times or operations.
pub(crate) static ARC: Description = Description {
    name: "arc",
    title: "ARC `.lis`",
    detected_by: "four blank-separated whole numbers, the third always `0`",
    content: Content::Requests { row: "a line", stream: "0", latency: NONE },
    sample: "1 1 0 0\n2 1 0 0\n36443 4 0 1\n",
    evidence: Evidence::Lines,
    fits: |head| {
        let whole = |index| fields(head, b' ', index).all(|field| digits(field) == field.len());
        Verdict::from(whole(0) && whole(1) && whole(3) && fields(head, b' ', 2).all(|zero| zero == b"0"))
    },
    reading: Reading::Table(Table {
        mapping: "offset=1:4096,size=2:4096,op=*:R,sep=space",
        columns: Some(4),
        assumes_discards: false,
        assumed: Some(
            "pages are taken for 4 KiB and all requests for reads, which the format does not tell (`--csv 'offset=1:512,size=2:512,op=*:R,sep=space'` for pages of 512 B)",
        ),
    }),
};

/// fio's latency log (`--write_lat_log --log_offset=1`): completion in whole ms, latency in ns.
pub(crate) static FIO_LAT: Description = Description {
    name: "fio-lat",
    title: "fio latency log",
    detected_by: "six or more columns of numbers with a blank behind each comma, the third 0 to 2, and `_lat.` or `_clat.` in the name",
    content: Content::Requests {
        row: "a line: a completed request",
        stream: "0",
        latency: "the second column",
    },
    sample: "5, 5340594, 0, 4096, 249856, 0\n5, 22221, 1, 4096, 3104768, 0\n",
    evidence: Evidence::Lines,
    fits: |head| fio_log(head, &["_lat.", "_clat."]),
    reading: Reading::Table(Table {
        mapping: "end=1:ms,latency=2:ns,op=3:0/1//2,size=4:1,offset=5:1",
        columns: None,
        assumes_discards: false,
        assumed: Some(
            "fio logs completions in whole milliseconds: the time of issue is that less the latency, to 1 ms",
        ),
    }),
};

/// fio's bandwidth and IOPS logs: one line a request, without its latency.
pub(crate) static FIO_BW: Description = Description {
    name: "fio-bw",
    title: "fio bandwidth or IOPS log",
    detected_by: "as the latency log, with `_bw.` or `_iops.` in the name",
    content: Content::Requests { row: "a line: a completed request", stream: "0", latency: NONE },
    sample: "5, 767, 0, 4096, 249856, 0\n5, 265456, 1, 4096, 3104768, 0\n",
    evidence: Evidence::Lines,
    fits: |head| fio_log(head, &["_bw.", "_iops."]),
    reading: Reading::Table(Table {
        mapping: "time=1:ms,op=3:0/1//2,size=4:1,offset=5:1",
        columns: None,
        assumes_discards: false,
        assumed: Some("times are those of completion, in whole milliseconds"),
    }),
};

const KINDS: [&str; 4] = ["_lat.", "_clat.", "_bw.", "_iops."];

/// All of fio's logs look alike; only the file's name shows what the second column is.
fn fio_log(head: &Head<'_>, kinds: &[&str]) -> Verdict {
    let columns = |line: &&[u8]| line.iter().filter(|&&byte| byte == b',').count() + 1;
    let spaced =
        head.lines.iter().all(|line| memchr::memmem::find_iter(line, ", ").count() + 1 == columns(line));
    if !spaced || !(5..=8).contains(&head.lines.first().map_or(0, columns)) {
        return Verdict::No;
    }
    let named = KINDS.iter().find(|kind| head.name.contains(**kind));
    if named.is_some_and(|kind| !kinds.contains(kind)) {
        return Verdict::No;
    }
    if head.lines.iter().any(|line| columns(line) < 6) || fields(head, b',', 3).all(|size| size == b"0") {
        return Verdict::Ambiguous {
            doubt: "this is a log of fio without addresses, or averaged over time".into(),
            hint: "log each request with `--log_offset=1` and without `--log_avg_msec`",
        };
    }
    match named {
        Some(_) => Verdict::Yes,
        None => Verdict::Ambiguous {
            doubt: "this is a log of fio, whose name does not show whether it has latencies or bandwidths"
                .into(),
            hint: "say `--format fio-lat` or `--format fio-bw`",
        },
    }
}

/// A table with the columns of ours.
pub(crate) static CSV: Description = Description {
    name: "csv",
    title: "CSV with our columns, or any by `--csv`",
    detected_by: "a header with `time_ns`, `op`, `offset_bytes`, `size_bytes`, `stream` and `latency_ns`; or the option",
    content: Content::Requests { row: "a line", stream: "as written", latency: "as written, may be empty" },
    sample: "time_ns,op,offset_bytes,size_bytes,stream,latency_ns\n0,read,4096,8192,7,120000\n1500,write,0,512,7,\n",
    evidence: Evidence::Lines,
    fits: always,
    reading: Reading::Table(Table::plain(
        "time=time_ns:ns,op=op,offset=offset_bytes:1,size=size_bytes:1,stream=stream,latency=latency_ns:ns",
        None,
    )),
};
