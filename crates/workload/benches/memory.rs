//! How much memory a profile of a long trace takes: requests made on the way, none of them kept, in the mix that asks for most.
//!
//! 16 TiB of addresses are accessed at random, more than any measure keeps whole, so that every bounded structure is filled;
//! half of the requests fall on 8 GiB, so that blocks are met again. 10,000 streams, more than are distinguished; 50 days, more than the
//! series of seconds holds; about 100,000 requests outstanding. `PROFILE_REQUESTS` sets how many requests (`1_000_000_000` takes minutes).

mod clock;

use clock::{Clock, peak_mb};
use drivecast_block::{Nanos, Op, Record};
use drivecast_workload::{ProfileOptions, Profiler};
use std::hint::black_box;

const REQUESTS: u64 = 100_000_000;
/// What all requests last together: 50 days.
const LENGTH_NS: u64 = 50 * 86_400 * 1_000_000_000;
const OUTSTANDING: u64 = 100_000;
const HOT_BLOCKS: u64 = 8 << 18;
const BLOCKS: u64 = 16 << 28;

fn main() {
    let count = std::env::var("PROFILE_REQUESTS").ok().and_then(|text| text.replace('_', "").parse().ok());
    let requests: u64 = count.unwrap_or(REQUESTS);
    let gap_ns = LENGTH_NS / requests;
    let start = Clock::now();
    let mut profiler = Profiler::new(ProfileOptions::default());
    for index in 0..requests {
        profiler.push(&record(index, gap_ns));
        if (index + 1).is_power_of_two() && index + 1 >= 1 << 25 {
            report(index + 1, "so far");
        }
    }
    let profile = black_box(profiler.finish());
    report(requests, "with the finished profile");
    println!(
        "profile_memory_speed: {:.1} M requests/s ({requests} requests over {:.0} GB of blocks, processor time of 1 core)",
        requests as f64 / start.elapsed_s() / 1e6,
        profile.working_set_bytes.unwrap_or_default() as f64 / 1e9
    );
}

fn report(requests: u64, when: &str) {
    println!("profile_memory_of_{requests}: {:.0} MB (peak resident, {when}; no trace is kept)", peak_mb());
}

/// A request that its number determines.
fn record(index: u64, gap_ns: u64) -> Record {
    // The finisher of SplitMix64 scatters numbers without a generator's state.
    let mut drawn = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    drawn = (drawn ^ (drawn >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    drawn = (drawn ^ (drawn >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    drawn ^= drawn >> 31;
    let block = if drawn & 1 == 0 { (drawn >> 8) % HOT_BLOCKS } else { (drawn >> 8) % BLOCKS };
    Record {
        time: Nanos(index * gap_ns),
        offset: block * 4096,
        size: 4096 << (drawn >> 60 & 3),
        stream: (drawn >> 40) as u32 % 10_000,
        op: if drawn & 2 == 0 { Op::Read } else { Op::Write },
        latency: Some(Nanos((drawn >> 32) % (2 * OUTSTANDING) * gap_ns)),
        fua: false,
    }
}
