//! The sequential share that is inferred from counters, against runs whose truth is known.

use drivecast_block::random::{Stream, stream};
use drivecast_workload::{Directed, SequentialShare, ShareInterval};
use proptest::prelude::*;
use rand::RngExt;

const KIB: f64 = 1024.0;
/// The largest requests in use.
const LIMITS: [f64; 4] = [64.0 * KIB, 128.0 * KIB, 512.0 * KIB, 1280.0 * KIB];

/// Requests of one size in runs of geometric lengths, joined up to a largest request: what counters have of them, and the
/// true share of the requests sent that begin where the one before ended.
fn joined(issued_bytes: f64, continues: f64, largest_bytes: f64) -> (Directed, f64) {
    let mut random: Stream = stream(7, "runs");
    let most = (largest_bytes / issued_bytes) as u64;
    let (mut found, mut in_order, mut held) = (Directed::default(), 0.0, 0);
    for _ in 0..1_000_000 {
        let goes_on = random.random::<f64>() < continues;
        found.bytes += issued_bytes;
        if goes_on && held > 0 && held < most {
            held += 1;
            found.merged += 1.0;
            continue;
        }
        in_order += f64::from(u8::from(goes_on && held > 0));
        found.requests += 1.0;
        held = 1;
    }
    (found, in_order / found.requests)
}

fn share(of: Directed) -> ShareInterval {
    SequentialShare::of(Directed::default(), of).and_then(|found| found.write).expect("there are writes")
}

#[test]
fn the_true_share_is_within_the_interval_whatever_the_largest_request() {
    for largest_bytes in LIMITS {
        for issued_bytes in [4.0 * KIB, 16.0 * KIB, 64.0 * KIB] {
            for continues in [0.0, 0.3, 0.8, 0.97, 0.999] {
                let (counted, truth) = joined(issued_bytes, continues, largest_bytes);
                let found = share(counted);
                let case = format!("{largest_bytes} {issued_bytes} {continues}: {found:?} for {truth}");
                assert!(found.low - 0.02 <= truth && truth <= found.high + 0.02, "{case}");
                assert!(found.low <= found.value && found.value <= found.high, "{case}");
                // Where the largest request is the one that the low end supposes, the low end is the truth.
                let is_supposed = largest_bytes == LIMITS[3] && truth <= 0.96;
                assert!(!is_supposed || (found.low - truth).abs() < 0.02, "{case}");
            }
        }
    }
}

#[test]
fn requests_of_a_database_stay_random_and_large_ones_do_not() {
    let of = |kib: f64, merged: f64| share(Directed { requests: 1000.0, merged, bytes: 1000.0 * kib * KIB });
    for kib in [4.0, 8.0, 16.0] {
        assert_eq!((of(kib, 0.0).value, of(kib, 0.0).low, of(kib, 0.0).high), (0.0, 0.0, 0.5), "{kib}");
    }
    // Without a merge they may be objects anywhere, or a stream: half way. Merges show the stream, and so does a size.
    assert_eq!((of(512.0, 0.0).value, of(512.0, 0.0).low, of(512.0, 0.0).high), (0.49, 0.0, 1.0));
    assert_eq!((of(1024.0, 0.0).value, of(1024.0, 0.0).low, of(1024.0, 0.0).high), (0.98, 0.0, 1.0));
    let stream = of(512.0, 127_000.0);
    assert!(stream.value > 0.85 && stream.low > 0.05 && stream.high == 1.0, "{stream:?}");
    let reads = Directed { requests: 1000.0, merged: 0.0, bytes: 1000.0 * 128.0 * KIB };
    let both = SequentialShare::of(reads, Directed { bytes: 8e6, ..reads }).expect("there are requests");
    assert_eq!(
        (both.read.map(|read| read.value), both.write.map(|write| write.value)),
        (Some(0.49), Some(0.0))
    );
    assert_eq!(both.all.value, 0.245);
    assert_eq!(SequentialShare::of(Directed::default(), Directed::default()), None);
}

proptest! {
    #[test]
    fn larger_requests_and_more_merges_never_show_less(
        kib in 1.0..4096.0f64,
        more in 1.0..4.0f64,
        merges in 0.0..500.0f64,
    ) {
        let of = |kib: f64, merges: f64| share(Directed { requests: 1.0, merged: merges, bytes: kib * KIB });
        let (found, larger, merged) = (of(kib, merges), of(kib * more, merges), of(kib, merges * more));
        for (name, found, other) in [("larger", found, larger), ("merged", found, merged)] {
            prop_assert!(other.value >= found.value, "{name}: {found:?} {other:?}");
            prop_assert!(other.low >= found.low && other.high >= found.high, "{name}: {found:?} {other:?}");
            prop_assert!(found.low <= found.value && found.value <= found.high && found.high <= 1.0, "{found:?}");
        }
    }
}
