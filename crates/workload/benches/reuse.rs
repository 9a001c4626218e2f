//! How fast miss-ratio curves are made: one core, references that follow Zipf's law, beside libCacheSim.
//!
//! The trace has 20 M references to 10 M blocks, popularity falling as 1 / rank, ranks scattered over the addresses. A curve of
//! all sizes is one pass here. libCacheSim is not ours and not part of the project: name its `cachesim` binary in `CACHESIM`, and
//! the same trace is played there through LRU caches of ten sizes, as one makes a curve with a simulator of one cache.

mod clock;

use clock::{Clock, children_s, peak_mb};
use drivecast_block::random::stream;
use drivecast_workload::reuse::{Reuse, Sampling};
use rand::RngExt;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

const REFERENCES: usize = 20_000_000;
const BLOCKS: usize = 10_000_000;
const ROUNDS: usize = 3;

fn main() {
    let trace = zipf();
    let mut exact = Reuse::new(Sampling::All);
    exact.push(&trace);
    let (distinct, curve) = (exact.blocks(), exact.curve());
    drop(exact);
    let method =
        format!("{REFERENCES} references, Zipf, {distinct:.0} of {BLOCKS} blocks, processor time of 1 core");
    for (name, sampling) in [
        ("exact", Sampling::All),
        ("shards_1_percent", Sampling::Rate(0.01)),
        ("shards_64k_blocks", Sampling::Blocks(1 << 16)),
    ] {
        let mut seconds = f64::INFINITY;
        let mut error = 0f64;
        for _ in 0..ROUNDS {
            let start = Clock::now();
            let mut reuse = Reuse::new(sampling);
            reuse.push(&trace);
            let found = black_box(reuse.curve());
            seconds = seconds.min(start.elapsed_s());
            let sizes = (10..=23).map(|exponent| 1u64 << exponent);
            error =
                sizes.map(|size| (found.miss_ratio(size) - curve.miss_ratio(size)).abs()).fold(0.0, f64::max);
        }
        let rate = REFERENCES as f64 / seconds / 1e6;
        println!(
            "reuse_{name}: {rate:.1} M references/s ({method}, best of {ROUNDS}; largest error of a miss ratio from 2^10 to 2^23 blocks {error:.4})"
        );
    }
    println!(
        "reuse_memory: {:.0} MB (peak resident, {} MB of it the trace)",
        peak_mb(),
        REFERENCES * 8 / 1_000_000
    );
    beside_libcachesim(&trace, distinct);
}

/// References by inversion of the law's distribution function.
fn zipf() -> Vec<u64> {
    let mut sum = 0.0;
    let weights = (1..=BLOCKS).map(|rank| 1.0 / rank as f64);
    let shares: Vec<f64> = weights
        .map(|weight| {
            sum += weight;
            sum
        })
        .collect();
    let mut random = stream(1, "zipf");
    // A multiplication by an odd number scatters the ranks over the addresses.
    let scatter = |rank: usize| (rank as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24;
    let draw = |_| {
        let drawn = random.random::<f64>() * sum;
        scatter(shares.partition_point(|share| *share < drawn))
    };
    (0..REFERENCES).map(draw).collect()
}

/// Plays the trace through ten sizes of LRU cache there.
fn beside_libcachesim(trace: &[u64], distinct: f64) {
    let Ok(program) = std::env::var("CACHESIM") else {
        println!(
            "peer libCacheSim: skipped: build github.com/1a1a11a/libCacheSim and name its binary in CACHESIM"
        );
        return;
    };
    let folder = std::env::temp_dir().join(format!("reuse-{}", std::process::id()));
    let path = folder.join("trace.oracleGeneral");
    let written = std::fs::create_dir_all(&folder).and_then(|()| write(trace, &path));
    let seconds = written.and_then(|()| {
        let sizes: Vec<String> =
            (1..=10).map(|part| format!("{:.0}", distinct * f64::from(part) / 10.0)).collect();
        let start = children_s();
        // It leaves its results in a folder where it runs.
        let status = Command::new(&program)
            .current_dir(&folder)
            .arg(&path)
            .args(["oracleGeneral", "LRU", &sizes.join(","), "--ignore-obj-size", "1", "--num-thread", "1"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        if status.success() {
            Ok(children_s() - start)
        } else {
            Err(std::io::Error::other(status.to_string()))
        }
    });
    // Nothing depends on the folder being gone.
    let _ = std::fs::remove_dir_all(&folder);
    match seconds {
        Ok(seconds) => println!(
            "peer libCacheSim: {:.2} M references/s (the same trace through LRU caches of ten sizes, one thread, processor time of the whole program)",
            REFERENCES as f64 / seconds / 1e6
        ),
        Err(error) => println!("peer libCacheSim: failed: {error}"),
    }
}

/// The trace in the peer's binary form: time, block, size, next reference of the same block (not told).
fn write(trace: &[u64], path: &Path) -> std::io::Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    for (time, block) in trace.iter().enumerate() {
        file.write_all(&(time as u32).to_le_bytes())?;
        file.write_all(&block.to_le_bytes())?;
        file.write_all(&1u32.to_le_bytes())?;
        file.write_all(&(-1i64).to_le_bytes())?;
    }
    file.flush()
}
