//! CacheLib under reads spread evenly over M objects, all admitted, with next to no memory: share of hits by closed forms.
//!
//! Each region or bucket keeps the objects put there last, and every miss puts one there. So what flash holds is an even sample
//! of the objects, and the share of hits is what it holds over M. Of regions, all but those being filled are full: between
//! (R − 1) n and R n objects of R regions of n. Of buckets, one to which c objects belong, c being Poisson with mean M/B, holds
//! min(c, k): E[min(c, k)] / E[c].

use crate::cache_others::{Bench, bench};
use drivecast_block::random::stream;
use drivecast_block::{Bytes, Device, Op, Request};
use drivecast_sim::spec::{CacheLibSpec, CachePolicy};
use rand::RngExt;

/// Share of hits among reads of objects of so many bytes, the first `warm` left out.
fn hits(bench: &mut Bench, object: u64, objects: u64, warm: u64, counted: u64) -> f64 {
    let mut random = stream(1, "objects");
    let mut before = bench.counted();
    for read in 0..warm + counted {
        if read == warm {
            before = bench.counted();
        }
        let offset = Bytes(random.random_range(0..objects) * object);
        let size = u32::try_from(object).unwrap();
        bench.device_mut().age(Request { id: 0, offset, size, stream: 0, op: Op::Read, fua: false });
    }
    let after = bench.counted();
    (after.read_hits - before.read_hits) as f64 / (after.reads - before.reads) as f64
}

#[test]
fn regions_hold_an_even_sample() {
    for lru in [false, true] {
        let spec = CacheLibSpec { ram: Bytes(0), region: 1 << 20, lru, ..CacheLibSpec::default() };
        let mut bench = bench(CachePolicy::CacheLib(spec));
        let (per, regions, objects) = (227.0, 12.0, 8000);
        let found = hits(&mut bench, 4096, objects, 40_000, 400_000);
        let [low, high] = [regions - 1.0, regions].map(|full| full * per / objects as f64);
        assert!((low - 0.005..high + 0.005).contains(&found), "{low} to {high}, found {found}");
    }
}

#[test]
fn buckets_hold_what_was_put_there_last() {
    let spec = CacheLibSpec { ram: Bytes(0), object: 1024, ..CacheLibSpec::default() };
    let mut bench = bench(CachePolicy::CacheLib(spec));
    // 3072 buckets of three: (4096 - 24) / (1024 + 36).
    let (objects, buckets, most) = (20_000_u64, 3072.0, 3.0);
    let mean = objects as f64 / buckets;
    let mut chance = (-mean).exp();
    let mut expected = 0.0;
    for count in 0..80 {
        expected += chance * f64::from(count).min(most);
        chance *= mean / f64::from(count + 1);
    }
    let found = hits(&mut bench, 1024, objects, 40_000, 400_000);
    // Which objects share a bucket is drawn once: its spread is below 1 %.
    assert!((found / (expected / mean) - 1.0).abs() < 0.02, "{found}, expected {}", expected / mean);
}
