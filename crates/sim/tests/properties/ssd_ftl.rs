//! The translation layer against a naive one, and its books against a recount.

use drivecast_sim::spec::{GarbageCollection, StreamBy, StreamSpare, WearLevelling};
use drivecast_sim::ssd::{Cleaned, Ftl, Geometry, Policy, Sink};
use proptest::prelude::*;
use std::collections::VecDeque;

/// The same layer with nothing clever: one die, valid pages found by asking the map at every cleaning. It cleans the
/// blocks that it is told to, and says whether they were the emptiest.
struct Naive {
    blocks: Vec<Vec<u64>>,
    /// Block and page of each logical page.
    map: Vec<Option<(usize, usize)>>,
    free: VecDeque<usize>,
    open: usize,
    pages: usize,
}

impl Naive {
    fn new(geometry: Geometry, logical: u64) -> Naive {
        let blocks = geometry.blocks_per_die as usize;
        Naive {
            blocks: vec![Vec::new(); blocks],
            map: vec![None; logical as usize],
            free: (1..blocks).collect(),
            open: 0,
            pages: geometry.pages_per_block as usize,
        }
    }

    fn valid(&self, block: usize) -> Vec<u64> {
        let is_current = |&(page, lpn): &(usize, &u64)| self.map[*lpn as usize] == Some((block, page));
        self.blocks[block].iter().enumerate().filter(is_current).map(|(_, lpn)| *lpn).collect()
    }

    fn append(&mut self, lpn: u64) {
        self.map[lpn as usize] = Some((self.open, self.blocks[self.open].len()));
        self.blocks[self.open].push(lpn);
    }

    fn write(&mut self, lpn: u64, mut victims: impl Iterator<Item = (u32, u32)>) {
        self.map[lpn as usize] = None;
        while self.blocks[self.open].len() == self.pages {
            self.open = self.free.pop_front().expect("a free block");
            if self.free.is_empty() {
                let closed = (0..self.blocks.len()).filter(|block| *block != self.open);
                let fewest = closed.map(|block| self.valid(block).len()).min().expect("a closed block");
                let (victim, copies) = victims.next().expect("a cleaning");
                let moved = self.valid(victim as usize);
                assert_eq!((moved.len(), copies as usize), (fewest, fewest), "the emptiest block is cleaned");
                self.blocks[victim as usize].clear();
                self.free.push_back(victim as usize);
                moved.into_iter().for_each(|lpn| self.append(lpn));
            }
        }
        self.append(lpn);
        assert!(victims.next().is_none(), "cleaned without need");
    }
}

/// Blocks cleaned, and the pages copied from each.
#[derive(Default)]
struct Recorder(Vec<(u32, u32)>);

impl Sink for Recorder {
    fn cleaned(&mut self, work: Cleaned<'_>) {
        assert_eq!(work.valid.iter().map(|word| word.count_ones()).sum::<u32>(), work.copies);
        self.0.push((work.block, work.copies));
    }
}

#[derive(Clone, Debug)]
enum Step {
    Write(u64),
    Discard(u64),
    Pad(u32),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        20 => (0u64..1000).prop_map(Step::Write),
        3 => (0u64..1000).prop_map(Step::Discard),
        1 => (1u32..6).prop_map(Step::Pad),
    ];
    proptest::collection::vec(step, 1..3000)
}

/// Every policy, with every kind of streams and levelling.
fn policies() -> impl Strategy<Value = Policy> {
    let gc = prop_oneof![
        Just(GarbageCollection::Greedy),
        Just(GarbageCollection::Fifo),
        Just(GarbageCollection::DChoices),
        Just(GarbageCollection::CostBenefit),
        Just(GarbageCollection::WindowedGreedy),
    ];
    let by = prop_oneof![Just(StreamBy::Frequency), Just(StreamBy::Host)];
    let spare = prop_oneof![Just(StreamSpare::Shared), Just(StreamSpare::Equal), Just(StreamSpare::Optimal)];
    let levelling =
        prop_oneof![Just(WearLevelling::None), Just(WearLevelling::Dynamic), Just(WearLevelling::Static)];
    let failures = prop_oneof![4 => Just(0.0), 1 => Just(0.002)];
    (gc, 1u32..5, by, spare, levelling, (1u32..4, 1u32..20, 1u32..6, failures, any::<u64>())).prop_map(
        |(gc, streams, stream_by, stream_spare, wear_levelling, rest)| {
            let (gc_choices, gc_window, wear_spread, erase_failure_rate, seed) = rest;
            Policy {
                gc,
                gc_choices,
                gc_window,
                streams,
                stream_by,
                stream_spare,
                wear_levelling,
                wear_spread,
                erase_failure_rate,
                seed,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn books_agree_with_a_recount(
        dies in 1u32..5, spare_blocks in 2u32..8, pages_per_block in 1u32..70, fill in 0.1f64..1.0,
        policy in policies(), steps in steps(),
    ) {
        let blocks_per_die = policy.streams + 5 + spare_blocks;
        let geometry = Geometry { dies, blocks_per_die, pages_per_block };
        let most = Ftl::data_pages_max(geometry, 3, &policy);
        let data = (most as f64 * fill) as u64;
        prop_assume!(data > 0);
        prop_assert!(Ftl::new(geometry, most + 1, most + 1, 3, policy).is_err());
        let mut ftl = Ftl::new(geometry, data, data, 3, policy).unwrap();
        let mut mapped = vec![false; data as usize];
        let mut written = 0;
        for step in steps {
            match step {
                Step::Write(lpn) => {
                    ftl.tag(lpn as u32 % 5);
                    ftl.write(lpn % data, &mut ());
                    mapped[(lpn % data) as usize] = true;
                    written += 1;
                }
                Step::Discard(lpn) => {
                    let held = std::mem::take(&mut mapped[(lpn % data) as usize]);
                    prop_assert_eq!(ftl.discard(lpn % data), held);
                }
                Step::Pad(pages) => ftl.pad(0, pages),
            }
            if let Some(fault) = ftl.fault() {
                // Only erasures that fail bring a drive within its limits to its end.
                prop_assert!(policy.erase_failure_rate > 0.0, "{}", fault);
                return Ok(());
            }
        }
        prop_assert_eq!(ftl.audit(), Ok(()));
        prop_assert_eq!(ftl.stats().host_pages, written);
        prop_assert_eq!(ftl.live_pages(), mapped.iter().filter(|held| **held).count() as u64);
        for (lpn, held) in mapped.iter().enumerate() {
            prop_assert_eq!(ftl.lookup(lpn as u64).is_some(), *held);
        }
    }

    #[test]
    fn a_naive_layer_finds_every_page_in_the_same_place(
        blocks_per_die in 6u32..30, pages_per_block in 1u32..20, fill in 0.3f64..0.9, seed in any::<u64>(),
    ) {
        let geometry = Geometry { dies: 1, blocks_per_die, pages_per_block };
        let data = (geometry.data_pages_max(1) as f64 * fill) as u64;
        prop_assume!(data > 0);
        let mut ftl = Ftl::new(geometry, data, data, 1, GarbageCollection::Greedy).unwrap();
        let mut naive = Naive::new(geometry, data);
        let mut random = crate::drives::Uniform::new(seed, "writes");
        let mut recorder = Recorder::default();
        for _ in 0..20 * geometry.pages() {
            // Two thirds of the writes go to a tenth of the data.
            let span = if random.below(3) > 0 { data.div_ceil(10) } else { data };
            let lpn = random.below(span);
            ftl.write(lpn, &mut recorder);
            naive.write(lpn, recorder.0.drain(..));
        }
        for lpn in 0..data {
            let place = ftl.lookup(lpn).map(|place| ftl.page_of(place) as usize);
            prop_assert_eq!(place, naive.map[lpn as usize].map(|(_, page)| page));
        }
    }
}
