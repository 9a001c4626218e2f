//! A log that was cut anywhere is refused, or gives the figures of what is left, and says that something is missing.

use drivecast_block::{Record, Sample};
use drivecast_trace::{FORMATS, Log, Options, open_bytes};

/// What a log holds, and what is noted of it.
#[derive(Debug, PartialEq)]
enum Held {
    Records(Vec<Record>),
    Samples(Vec<Sample>),
}

fn held(bytes: Vec<u8>, format: &str) -> Option<(Held, Vec<String>)> {
    let options = Options { format: Some(format.to_owned()), ..Options::default() };
    match open_bytes(vec![("x_lat.1.log".to_owned(), bytes)], &options).ok()? {
        Log::Counters(log) => Some((Held::Samples(log.samples().to_vec()), log.summary().notes.clone())),
        Log::Trace(mut trace) => {
            let (mut records, mut batch) = (Vec::new(), Vec::new());
            while trace.fill(&mut batch).ok()? {
                records.extend_from_slice(&batch);
            }
            Some((Held::Records(records), trace.summary().notes))
        }
    }
}

/// Bytes, and requests, by which two logs are compared: a cut may change the lengths of intervals, not what was moved in one.
fn begins_alike(whole: &Held, part: &Held) -> bool {
    match (whole, part) {
        (Held::Records(whole), Held::Records(part)) => {
            part.iter().zip(whole).all(|(a, b)| (a.offset, a.size, a.op) == (b.offset, b.size, b.op))
        }
        (Held::Samples(whole), Held::Samples(part)) => {
            let rates = |sample: &Sample| {
                let seconds = sample.interval.as_secs_f64();
                [sample.reads, sample.writes, sample.read_bytes, sample.written_bytes]
                    .map(|all| all / seconds)
            };
            part.iter().zip(whole).all(|(a, b)| {
                rates(a).into_iter().zip(rates(b)).all(|(a, b)| (a - b).abs() <= 1e-6 * b.max(1.0))
            })
        }
        _ => false,
    }
}

/// What is wrong with a log of which the first `at` bytes are left.
fn fault(bytes: &[u8], at: usize, format: &str, whole: &(Held, Vec<String>)) -> Option<String> {
    let (part, notes) = held(bytes[..at].to_vec(), format)?;
    // A line that is whole but for its end is no loss, and neither is a log of nothing.
    let line_ends =
        bytes[at - 1] == b'\n' || bytes[at..].starts_with(b"\n") || bytes[at..].starts_with(b"\r\n");
    let is_empty = matches!(&part, Held::Records(all) if all.is_empty());
    let quiet = notes.iter().all(|note| whole.1.contains(note));
    if quiet && !line_ends && !is_empty && part != whole.0 {
        return Some(format!("cut at {at} says nothing"));
    }
    (quiet && !begins_alike(&whole.0, &part)).then(|| format!("cut at {at}: {part:?}"))
}

#[test]
fn a_log_cut_anywhere_is_refused_or_right_for_what_is_left() {
    let mut faults = Vec::new();
    for description in FORMATS.iter().filter(|format| !format.is_binary()) {
        let bytes = description.sample.as_bytes();
        let whole = held(bytes.to_vec(), description.name).expect("the sample is a log");
        let found = (1..bytes.len()).filter_map(|at| fault(bytes, at, description.name, &whole));
        faults.extend(found.take(3).map(|fault| format!("{}: {fault}", description.title)));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
