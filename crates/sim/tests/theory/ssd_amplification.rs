//! Steady write amplification against theory, every row of the tables in `ssd_tables.rs`: within 1 %.
//!
//! What cannot hold data is taken out of the flash before α is reckoned: of each die the block just opened, which is
//! empty when cleaning begins, and with streams one that is free besides.

use crate::closed_forms::{Zone, d_choices, fifo, greedy, in_use, mixed, separated};
use crate::drives::Uniform;
use crate::tables::{
    BLOCKS, CHOICES_64, CHOICES_256, D_64, D_256, HOT_COLD, JESD219, JESD219_ZONES, OVER_PROVISIONING,
    SPARE_FACTOR, TRIM,
};
use drivecast_sim::spec::{GarbageCollection, StreamBy, StreamSpare};
use drivecast_sim::ssd::{Ftl, Geometry, Policy, Stats};
use std::sync::Mutex;

const TOLERANCE: f64 = 0.01;

/// What is written: to zones of the data, uniformly within each, or uniformly with a share of discards.
enum Workload {
    Zones(Vec<Zone>),
    Discards(f64),
}

/// A row of a table.
struct Row {
    what: String,
    policy: Policy,
    geometry: Geometry,
    /// Logical over physical pages, or flash over data, as the table has it.
    data_pages: u64,
    workload: Workload,
    /// Turns measured.
    turns: u64,
    /// Amplification by theory at a given α.
    theory: Box<dyn Fn(f64) -> f64 + Send + Sync>,
}

/// A drive of one die.
fn die(blocks_per_die: u32, pages_per_block: u32) -> Geometry {
    Geometry { dies: 1, blocks_per_die, pages_per_block }
}

fn row(
    what: impl Into<String>,
    geometry: Geometry,
    alpha: f64,
    policy: impl Into<Policy>,
    theory: impl Fn(f64) -> f64 + Send + Sync + 'static,
) -> Row {
    Row {
        what: what.into(),
        policy: policy.into(),
        geometry,
        data_pages: (geometry.pages() as f64 / alpha).round() as u64,
        workload: Workload::Zones(vec![Zone { data: 1.0, writes: 1.0 }]),
        turns: 4,
        theory: Box::new(theory),
    }
}

/// A drive under test, and what is written to it.
struct Bench {
    ftl: Ftl,
    random: Uniform,
    batch: Vec<u64>,
}

impl Bench {
    /// A drive full of data, in random order: so that no zone starts in blocks of its own, unless it is given a stream.
    fn full(row: &Row) -> Bench {
        let data = row.data_pages;
        let mut ftl = Ftl::new(row.geometry, data, data, 8, row.policy).unwrap();
        let mut random = Uniform::new(1, "writes");
        let mut order: Vec<u64> = (0..data).collect();
        for i in (1..data).rev() {
            order.swap(i as usize, random.below(i + 1) as usize);
        }
        let firsts = row.firsts();
        for lpn in order {
            ftl.tag(firsts.iter().filter(|first| **first <= lpn).count() as u32 - 1);
            ftl.write(lpn, &mut ());
        }
        Bench { ftl, random, batch: Vec::with_capacity(1024) }
    }

    /// Writes to zones, `count` pages; evenly, or as much to each as it is due.
    fn write(&mut self, row: &Row, zones: &[Zone], even: bool, count: u64) {
        let firsts = row.firsts();
        for _ in 0..count.div_ceil(1024) {
            self.batch.clear();
            if let [_] = zones {
                self.batch.resize(1024, 0);
                self.batch.iter_mut().for_each(|lpn| *lpn = self.random.below(row.data_pages));
                self.ftl.write_batch(&self.batch, &mut ());
                continue;
            }
            for _ in 0..1024 {
                let (mut zone, mut draw) = (0, self.random.below(1 << 40) as f64 / (1u64 << 40) as f64);
                let writes = |zone: &Zone| if even { zone.data } else { zone.writes };
                while zone + 1 < zones.len() && draw >= writes(&zones[zone]) {
                    draw -= writes(&zones[zone]);
                    zone += 1;
                }
                self.ftl.tag(zone as u32);
                let lpn = firsts[zone] + self.random.below(firsts[zone + 1] - firsts[zone]);
                self.ftl.write(lpn, &mut ());
            }
        }
    }

    fn discard(&mut self, used: &mut InUse) {
        let lpn = used.remove(self.random.below(used.pages.len() as u64));
        assert!(self.ftl.discard(lpn));
    }

    /// `count` requests, a share `q` of which discard an address in use and the others write to any.
    fn write_and_discard(&mut self, used: &mut InUse, q: f64, count: u64) {
        for _ in 0..count {
            if (self.random.below(1 << 40) as f64) < q * (1u64 << 40) as f64 {
                self.discard(used);
            } else {
                let lpn = self.random.below(used.position.len() as u64);
                used.add(lpn);
                self.ftl.write(lpn, &mut ());
            }
        }
    }
}

/// Addresses in use, any of which can be drawn.
struct InUse {
    pages: Vec<u64>,
    position: Vec<Option<usize>>,
}

impl InUse {
    fn all(pages: u64) -> InUse {
        InUse { pages: (0..pages).collect(), position: (0..pages as usize).map(Some).collect() }
    }

    fn add(&mut self, lpn: u64) {
        if self.position[lpn as usize].is_none() {
            self.position[lpn as usize] = Some(self.pages.len());
            self.pages.push(lpn);
        }
    }

    fn remove(&mut self, at: u64) -> u64 {
        let lpn = self.pages.swap_remove(at as usize);
        self.position[lpn as usize] = None;
        if let Some(moved) = self.pages.get(at as usize) {
            self.position[*moved as usize] = Some(at as usize);
        }
        lpn
    }
}

impl Row {
    /// The first page of each zone, and the end.
    fn firsts(&self) -> Vec<u64> {
        let Workload::Zones(zones) = &self.workload else { return vec![0, self.data_pages] };
        let mut firsts = vec![0];
        let mut share = 0.0;
        for zone in zones {
            share += zone.data;
            firsts.push((share * self.data_pages as f64).round() as u64);
        }
        firsts
    }

    /// Amplification as simulated, and the α that the drive really has.
    fn simulate(&self) -> (f64, f64) {
        let mut bench = Bench::full(self);
        let data = self.data_pages;
        let mut used = InUse::all(data);
        if let Workload::Discards(q) = self.workload {
            for _ in 0..((1.0 - in_use(q)) * data as f64) as u64 {
                bench.discard(&mut used);
            }
        }
        // Writes until so many turns of the log, erasures of as many blocks as there are, and drive writes are done.
        let mut write = |bench: &mut Bench, turns: u64, drives: u64, even: bool| {
            let blocks = u64::from(self.geometry.blocks_per_die * self.geometry.dies);
            let start = bench.ftl.stats();
            let done = |now: &Stats| now.erases >= turns * blocks && now.host_pages >= drives * data;
            while !done(&bench.ftl.stats().since(&start)) {
                match &self.workload {
                    Workload::Zones(zones) => bench.write(self, zones, even, data / 16),
                    Workload::Discards(q) => bench.write_and_discard(&mut used, *q, data / 16),
                }
            }
        };
        // At first every zone is written alike: what a page was filled beside is forgotten when it is written again, and
        // a cold zone need not wait for its few writes to fill the flash it is due.
        // Greedy and d-choices, which do not keep the order of the log, are steady sooner.
        let keeps_order = self.policy.gc == GarbageCollection::Fifo;
        write(&mut bench, 2, if keeps_order { 4 } else { 2 }, true);
        if matches!(&self.workload, Workload::Zones(zones) if zones.len() > 1) {
            write(&mut bench, 8, 0, false);
        }
        let before = bench.ftl.stats();
        write(&mut bench, self.turns, 0, false);
        bench.ftl.audit().unwrap();
        // With streams, a block is still free when one that was just opened, and is empty, has another one cleaned.
        let kept_free = if self.policy.streams > 1 { 2 } else { 1 };
        let flash = self.geometry.pages() - kept_free * u64::from(self.geometry.pages_per_block);
        (bench.ftl.stats().since(&before).write_amplification(), flash as f64 / data as f64)
    }
}

/// Simulates the rows on two threads; each must agree with its theory.
fn check(rows: Vec<Row>) {
    let queue = Mutex::new(rows.iter());
    let worst = Mutex::new((0.0_f64, String::new()));
    let work = || {
        while let Some(row) = { queue.lock().unwrap().next() } {
            let (found, alpha) = row.simulate();
            let expected = (row.theory)(alpha);
            let error = found / expected - 1.0;
            let line = format!("{}: {found:.4}, theory {expected:.4}, {:+.2} %", row.what, 100.0 * error);
            println!("{line}");
            let mut worst = worst.lock().unwrap();
            if error.abs() > worst.0 {
                *worst = (error.abs(), line);
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let (error, line) = worst.into_inner().unwrap();
    println!("worst of {}: {line}", rows.len());
    assert!(error < TOLERANCE, "{line}");
}

/// A drive with enough blocks that their number matters little, and few enough pages to be quick.
fn drive(pages_per_block: u32) -> Geometry {
    die((262_144 / pages_per_block).clamp(512, 4096), pages_per_block)
}

#[test]
#[ignore = "long: make test-all"]
fn greedy_in_every_block_size() {
    let by_spare = SPARE_FACTOR.iter().map(|row| 1.0 / (1.0 - row[0]));
    let by_over = OVER_PROVISIONING.iter().map(|row| 1.0 + row[0]);
    let alphas = by_spare.chain(by_over);
    let rows = alphas.flat_map(|alpha| {
        BLOCKS.map(|b| {
            row(format!("greedy alpha {alpha:.4} b {b}"), drive(b), alpha, Policy::default(), move |alpha| {
                greedy(alpha, b)
            })
        })
    });
    check(rows.collect());
}

#[test]
fn greedy_with_a_block_size_that_is_no_power_of_two_and_on_many_dies() {
    let dies = Geometry { dies: 8, blocks_per_die: 256, pages_per_block: 256 };
    let rows = [(die(1024, 200), 200), (dies, 256)].into_iter().flat_map(|(geometry, b)| {
        SPARE_FACTOR.map(|of| {
            let mut row = row(
                format!("greedy S_f {} {geometry:?}", of[0]),
                geometry,
                1.0 / (1.0 - of[0]),
                Policy::default(),
                move |alpha| greedy(alpha, b),
            );
            // The block kept free is one of each die.
            let free = u64::from((geometry.dies - 1) * geometry.pages_per_block);
            let data = row.data_pages;
            row.theory = Box::new(move |alpha| greedy(alpha - free as f64 / data as f64, b));
            row
        })
    });
    check(rows.collect());
}

#[test]
fn fifo_in_both_tables() {
    let by_spare = SPARE_FACTOR.iter().map(|row| 1.0 / (1.0 - row[0]));
    let by_over = OVER_PROVISIONING.iter().map(|row| 1.0 + row[0]);
    let rows = by_spare
        .chain(by_over)
        .map(|alpha| row(format!("FIFO alpha {alpha:.4}"), drive(128), alpha, GarbageCollection::Fifo, fifo));
    check(rows.collect());
}

fn choosing(b: u32, spare: f64, d: i32) -> Row {
    let policy =
        Policy { gc: GarbageCollection::DChoices, gc_choices: d as u32, seed: 3, ..Policy::default() };
    let theory = move |alpha| d_choices(alpha, b, d);
    let row = row(format!("d {d} b {b} S_f {spare}"), drive(b), 1.0 / (1.0 - spare), policy, theory);
    // The fewer are drawn, the more it is chance how full a victim is.
    let turns = match d {
        1 => 60,
        2 => 20,
        _ => 6,
    };
    Row { turns, ..row }
}

#[test]
fn d_choices_of_64_pages_a_block() {
    check(CHOICES_64.iter().flat_map(|row| D_64.map(|d| choosing(64, row[0], d))).collect());
}

#[test]
fn d_choices_of_256_pages_a_block() {
    check(CHOICES_256.iter().flat_map(|row| D_256.map(|d| choosing(256, row[0], d))).collect());
}

/// A row of [`HOT_COLD`] or [`JESD219`].
fn zoned(what: &str, spare: f64, zones: Vec<Zone>, policy: Policy, theory: fn(f64, &[Zone]) -> f64) -> Row {
    let name = format!("{what} S_f {spare} {zones:?}");
    let of = zones.clone();
    let policy = Policy { gc: GarbageCollection::Fifo, ..policy };
    // Streams have whole blocks: these must be few of the spare of the smallest.
    let geometry = if policy.streams > 1 { die(16_384, 16) } else { drive(64) };
    let row = row(name, geometry, 1.0 / (1.0 - spare), policy, move |alpha| theory(alpha, &of));
    Row { workload: Workload::Zones(zones), ..row }
}

fn hot_and_cold(data: f64, writes: f64) -> Vec<Zone> {
    vec![Zone { data, writes }, Zone { data: 1.0 - data, writes: 1.0 - writes }]
}

#[test]
fn hot_and_cold_data_in_one_log() {
    let two = HOT_COLD.iter().map(|[data, writes, spare, ..]| {
        zoned("mixed", *spare, hot_and_cold(*data, *writes), Policy::default(), mixed)
    });
    let three = JESD219
        .iter()
        .map(|[spare, _]| zoned("JESD219", *spare, JESD219_ZONES.to_vec(), Policy::default(), mixed));
    check(two.chain(three).collect());
}

fn apart(stream_spare: StreamSpare) -> Policy {
    Policy { streams: 2, stream_by: StreamBy::Host, stream_spare, ..Policy::default() }
}

#[test]
fn hot_and_cold_data_apart_in_proportion() {
    let rows = HOT_COLD.iter().map(|[data, writes, spare, ..]| {
        let zones = hot_and_cold(*data, *writes);
        zoned("equal", *spare, zones, apart(StreamSpare::Equal), |alpha, _| fifo(alpha))
    });
    check(rows.collect());
}

#[test]
#[ignore = "long: make test-all"]
fn hot_and_cold_data_apart_at_its_best() {
    let rows = HOT_COLD.iter().map(|[data, writes, spare, ..]| {
        let zones = hot_and_cold(*data, *writes);
        zoned("optimal", *spare, zones, apart(StreamSpare::Optimal), |alpha, zones| {
            separated(alpha, [zones[0], zones[1]]).0
        })
    });
    check(rows.collect());
}

#[test]
#[ignore = "long: make test-all"]
fn discards_of_addresses_in_use() {
    let rows = TRIM.iter().map(|[q, _, spare, _]| {
        let share = in_use(*q);
        let alpha = 1.0 / (1.0 - spare);
        let row =
            row(format!("q {q} S_f {spare}"), drive(64), alpha, GarbageCollection::Fifo, move |alpha| {
                fifo(alpha / share)
            });
        Row { workload: Workload::Discards(*q), ..row }
    });
    check(rows.collect());
}
