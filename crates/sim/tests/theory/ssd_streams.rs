//! Streams and the policies without a closed form, between the forms that bound them.

use crate::closed_forms::{Zone, greedy, separated};
use crate::drives::Uniform;
use drivecast_sim::spec::{GarbageCollection, StreamBy, StreamSpare};
use drivecast_sim::ssd::{Ftl, Geometry, Policy};

const GEOMETRY: Geometry = Geometry { dies: 1, blocks_per_die: 2048, pages_per_block: 64 };

/// Steady write amplification at a spare factor, with a share of the writes to a share of the data; the fill is in random
/// order, and the host tags its hot writes.
fn simulate(policy: Policy, spare_factor: f64, hot: Zone) -> f64 {
    let data = ((1.0 - spare_factor) * GEOMETRY.pages() as f64) as u64;
    let hot_pages = (hot.data * data as f64) as u64;
    let mut ftl = Ftl::new(GEOMETRY, data, data, 8, policy).unwrap();
    let mut random = Uniform::new(1, "writes");
    let mut order: Vec<u64> = (0..data).collect();
    for i in (1..data).rev() {
        order.swap(i as usize, random.below(i + 1) as usize);
    }
    let write = |ftl: &mut Ftl, lpn: u64| {
        ftl.tag(u32::from(lpn < hot_pages));
        ftl.write(lpn, &mut ());
    };
    order.into_iter().for_each(|lpn| write(&mut ftl, lpn));
    let mut run = |ftl: &mut Ftl, drives: u64| {
        for _ in 0..drives * data {
            let is_hot = (random.below(1 << 32) as f64) < hot.writes * (1u64 << 32) as f64;
            let lpn =
                if is_hot { random.below(hot_pages) } else { hot_pages + random.below(data - hot_pages) };
            write(ftl, lpn);
        }
    };
    run(&mut ftl, 8);
    let before = ftl.stats();
    run(&mut ftl, 5);
    ftl.audit().unwrap();
    ftl.stats().since(&before).write_amplification()
}

/// As much to each page.
const UNIFORM: Zone = Zone { data: 0.5, writes: 0.5 };

fn gc(gc: GarbageCollection) -> Policy {
    Policy { gc, ..Policy::default() }
}

#[test]
fn windowed_greedy_lies_between_fifo_and_greedy() {
    let window = |gc_window| Policy { gc_window, ..gc(GarbageCollection::WindowedGreedy) };
    let fifo = simulate(gc(GarbageCollection::Fifo), 0.2, UNIFORM);
    let greedy = simulate(gc(GarbageCollection::Greedy), 0.2, UNIFORM);
    assert_eq!(simulate(window(1), 0.2, UNIFORM), fifo);
    let whole = simulate(window(2048), 0.2, UNIFORM);
    assert!((whole / greedy - 1.0).abs() < 0.002, "{whole} with a window over all, {greedy} greedy");
    let [narrow, wide] = [16, 256].map(|blocks| simulate(window(blocks), 0.2, UNIFORM));
    println!("FIFO {fifo:.4}, window 16 {narrow:.4}, 256 {wide:.4}, all {whole:.4}, greedy {greedy:.4}");
    assert!(fifo > narrow && narrow > wide && wide > greedy);
}

#[test]
fn cost_benefit_costs_little_where_all_data_is_alike() {
    let uniform = simulate(gc(GarbageCollection::CostBenefit), 0.2, UNIFORM);
    let expected = greedy((1.0 - 1.0 / 2048.0) / 0.8, 64);
    println!("cost-benefit {uniform:.4}, greedy by theory {expected:.4}");
    assert!(uniform > expected && uniform < 1.02 * expected, "{uniform}");
}

#[test]
fn streams_come_near_to_the_best_split_of_the_spare() {
    for (data, writes) in [(0.2, 0.8), (0.1, 0.9)] {
        let zones = [Zone { data, writes }, Zone { data: 1.0 - data, writes: 1.0 - writes }];
        let best = separated((1.0 - 2.0 / 2048.0) / 0.9, zones).0;
        let found = |gc, streams, stream_by, stream_spare| {
            simulate(Policy { gc, streams, stream_by, stream_spare, ..Policy::default() }, 0.1, zones[0])
        };
        let (shared, optimal) = (StreamSpare::Shared, StreamSpare::Optimal);
        let one = found(GarbageCollection::Greedy, 1, StreamBy::Host, shared);
        let greedy_host = found(GarbageCollection::Greedy, 2, StreamBy::Host, shared);
        let benefit_host = found(GarbageCollection::CostBenefit, 2, StreamBy::Host, shared);
        let benefit_own = found(GarbageCollection::CostBenefit, 3, StreamBy::Frequency, shared);
        let split_own = found(GarbageCollection::Greedy, 2, StreamBy::Frequency, optimal);
        println!(
            "{data}/{writes}: one log {one:.3}; by host, greedy over both {greedy_host:.3}, cost-benefit \
             {benefit_host:.3}; by frequency, cost-benefit {benefit_own:.3}, split {split_own:.3}; best {best:.3}"
        );
        // The best is that of FIFO in each stream; the policies here choose better within them.
        assert!(benefit_host > 0.93 * best && benefit_host < best, "{benefit_host} against {best}");
        // The emptiest block of all is mostly a hot one, which would have emptied further.
        assert!(greedy_host < 0.95 * one && greedy_host > 1.2 * best, "{greedy_host}");
        for own in [benefit_own, split_own] {
            let gained = (one - own) / (one - best);
            assert!(gained > 0.55 && own > benefit_host, "{own}: {gained} of what could be gained");
        }
    }
}
