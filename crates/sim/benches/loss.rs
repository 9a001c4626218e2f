//! Speed of the loss of groups: group-years a second on one core, beside the plain event-by-event simulation of the tests on
//! the same groups, and what the weights are worth: the time both take to know the chance of loss equally well.
//!
//! Method: eight drives of 1.2 million hours, latent errors, weekly scrubs, rebuilds of 20 h, ten years; processor time of one thread; weighted
//! and plain in turns, the median of seven. `cargo bench -p drivecast-sim --bench loss`
#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

#[path = "../tests/plain/mod.rs"]
mod plain;

use drivecast_sim::loss::{Cause, Clock, Delay, Growth, Options, Replacement, Sectors, Slot, Spec, lose};
use std::sync::LazyLock;
use std::time::Instant;

const TURNS: usize = 7;
const MISSIONS: u64 = 400_000;
const YEARS: f64 = 10.0;
static BEGINNING: LazyLock<Instant> = LazyLock::new(Instant::now);

fn groups(failures: usize, wears: bool) -> Spec {
    let slot = Slot { age_h: 0.0, wear: 0.0, wear_per_h: vec![(0.0, 8e-6)], replace_first_at: None };
    let mut causes = vec![Cause { clock: Clock::Age, scale: 1.2e6, shape: 1.0, share: 1.0 }];
    if wears {
        causes.push(Cause { clock: Clock::Age, scale: 4380.0, shape: 1.0, share: 0.015 });
        causes.push(Cause { clock: Clock::Wear, scale: 2.0, shape: 5.0, share: 1.0 });
    }
    Spec {
        drives: 8,
        failures,
        groups: 1,
        hours: YEARS * 8766.0,
        drive_bytes: 4e12,
        causes,
        rebuild: Delay { min_h: 10.0, scale_h: 11.0, shape: 2.0 },
        operator: Delay::fixed(24.0),
        spares: 1,
        sectors: Sectors {
            latent_per_h: Growth { new: 1e-7, worn: 1e-6, shape: 1.0 },
            uber: Growth { new: 1e-18, worn: 1e-17, shape: 1.0 },
            scrub_h: Some(168.0),
            bytes: 4096.0,
        },
        slots: if wears { vec![slot; 8] } else { Vec::new() },
        replace_at: None,
        replacement: Replacement::Rebuilt,
    }
}

/// Processor time of this thread, which other programs on the machine take nothing from; the clock where it is not told.
fn processor_s() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos =
        told.and_then(|text| text.split_whitespace().next().and_then(|first| first.parse::<f64>().ok()));
    nanos.map_or_else(|| BEGINNING.elapsed().as_secs_f64(), |nanos| nanos / 1e9)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn race(name: &str, spec: &Spec) {
    let (mut weighted, mut waited, mut gains) = (Vec::new(), Vec::new(), Vec::new());
    let all = Options { seed: 1, precision: 1e-9, missions_max: MISSIONS };
    for turn in 0..TURNS as u64 {
        let start = processor_s();
        let found = lose(spec, &Options { seed: turn, ..all }).unwrap();
        let took = processor_s() - start;
        let start = processor_s();
        let tally = plain::run(spec, MISSIONS / 4, turn);
        let plainly = processor_s() - start;
        std::hint::black_box(tally);
        weighted.push(MISSIONS as f64 * YEARS / took);
        waited.push((MISSIONS / 4) as f64 * YEARS / plainly);
        // Waiting for losses of chance p, m missions leave a relative variance of (1 − p) / (p m).
        let chance = found.probability.value;
        let variance = (1.0 - chance) / (chance * (MISSIONS / 4) as f64);
        gains.push(variance * plainly / (found.relative_error.powi(2) * took));
    }
    println!(
        "{name}, weighted: {:.3e} group-years/s (processor time of one thread; median of {TURNS})",
        median(weighted)
    );
    println!(
        "{name}, plain: {:.3e} group-years/s (processor time of one thread; median of {TURNS})",
        median(waited)
    );
    println!("{name}, time to the same error, plain over weighted: {:.3e} (ratio, same run)", median(gains));
}

fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        race("RAID 5 of 8", &groups(1, false));
        race("RAID 6 of 8", &groups(2, false));
        race("RAID 5 of 8, wearing", &groups(1, true));
        race("RAID 6 of 8, wearing", &groups(2, true));
    });
}
