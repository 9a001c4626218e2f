//! Eviction policies written plainly: queues are lists with the newest first, and nothing is fast.

use drivecast_workload::eviction::Eviction;
use std::collections::{BTreeMap, BTreeSet};

/// A read or write of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    pub(super) key: u64,
    pub(super) size: u64,
    pub(super) writes: bool,
}

/// What came of requests, in units of size.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Counts {
    pub(super) misses: u64,
    pub(super) write_back: u64,
    pub(super) dirty: u64,
}

/// What a policy knows. An object is in the cache if it is in one of `held`.
struct Cache {
    capacity: u64,
    sizes: BTreeMap<u64, u64>,
    queues: BTreeMap<&'static str, Vec<u64>>,
    held: &'static [&'static str],
    marks: BTreeMap<u64, u64>,
    hand: Option<u64>,
    p: f64,
    returns: &'static str,
    lir: BTreeSet<u64>,
    sketch: Sketch,
}

impl Cache {
    fn size(&self, queue: &'static str) -> u64 {
        self.queues.get(queue).map_or(0, |keys| keys.iter().map(|key| self.sizes[key]).sum())
    }

    fn is_in(&self, key: u64, queue: &'static str) -> bool {
        self.queues.get(queue).is_some_and(|keys| keys.contains(&key))
    }

    fn holds(&self, key: u64) -> bool {
        self.held.iter().any(|queue| self.is_in(key, queue))
    }

    fn used(&self) -> u64 {
        self.held.iter().map(|queue| self.size(queue)).sum()
    }

    fn front(&mut self, queue: &'static str, key: u64) {
        self.queues.entry(queue).or_default().insert(0, key);
    }

    fn out(&mut self, queue: &'static str, key: u64) {
        self.queues.entry(queue).or_default().retain(|other| *other != key);
    }

    fn oldest(&self, queue: &'static str) -> Option<u64> {
        self.queues.get(queue)?.last().copied()
    }

    fn pop(&mut self, queue: &'static str) -> Option<u64> {
        self.queues.get_mut(queue)?.pop()
    }

    fn share(&self, of: f64) -> u64 {
        (self.capacity as f64 * of) as u64
    }

    fn mark(&self, key: u64) -> u64 {
        self.marks.get(&key).copied().unwrap_or(0)
    }
}

/// Plays requests, each object as large as at first; nothing of Random, whose draws are its own.
pub(super) fn play(requests: &[Request], eviction: Eviction, capacity: u64) -> Option<Counts> {
    let held: &[&str] = match eviction {
        Eviction::Arc => &["t1", "t2"],
        Eviction::Lirs => &["lir", "hir"],
        Eviction::TwoQ => &["in", "main"],
        Eviction::S3Fifo => &["small", "main"],
        Eviction::WTinyLfu => &["window", "probation", "protected"],
        Eviction::Random => return None,
        _ => &["all"],
    };
    let mut sizes = BTreeMap::new();
    let mut numbers = BTreeMap::new();
    for request in requests {
        sizes.entry(request.key).or_insert(request.size);
        let next = numbers.len() as u64;
        numbers.entry(request.key).or_insert(next);
    }
    let objects = sizes.len() as f64;
    let usual = sizes.values().sum::<u64>() as f64 / objects.max(1.0);
    let mut cache = Cache {
        capacity,
        queues: BTreeMap::new(),
        held,
        marks: BTreeMap::new(),
        hand: None,
        p: 0.0,
        returns: "",
        lir: BTreeSet::new(),
        sketch: Sketch::new((capacity as f64 / usual.max(1.0)).min(objects) as usize, numbers),
        sizes,
    };
    let mut dirty = BTreeSet::new();
    let mut counts = Counts::default();
    for (at, request) in requests.iter().enumerate() {
        let (key, size) = (request.key, cache.sizes[&request.key]);
        if cache.holds(key) {
            hit(&mut cache, eviction, key);
        } else {
            counts.misses += 1;
            if size > capacity {
                continue;
            }
            miss(&mut cache, eviction, key);
            while cache.used() + size > capacity {
                let left = evict(&mut cache, eviction, key, &requests[at..]);
                if dirty.remove(&left) {
                    counts.write_back += cache.sizes[&left];
                }
            }
            enter(&mut cache, eviction, key);
        }
        if request.writes {
            dirty.insert(key);
        }
    }
    counts.dirty = dirty.iter().map(|key| cache.sizes[key]).sum();
    Some(counts)
}

fn hit(cache: &mut Cache, eviction: Eviction, key: u64) {
    match eviction {
        Eviction::Lru | Eviction::Belady => {
            cache.out("all", key);
            cache.front("all", key);
        }
        Eviction::Clock | Eviction::Sieve | Eviction::S3Fifo => *cache.marks.entry(key).or_default() += 1,
        Eviction::Arc => {
            cache.out("t1", key);
            cache.out("t2", key);
            cache.front("t2", key);
        }
        Eviction::TwoQ if cache.is_in(key, "main") => {
            cache.out("main", key);
            cache.front("main", key);
        }
        Eviction::Lirs => lirs_hit(cache, key),
        Eviction::WTinyLfu => {
            cache.sketch.add(key);
            if cache.is_in(key, "window") {
                cache.out("window", key);
                cache.front("window", key);
            } else {
                cache.out("probation", key);
                cache.out("protected", key);
                cache.front("protected", key);
                let window = cache.share(0.01).max(1).min(cache.capacity);
                while cache.size("protected") > ((cache.capacity - window) as f64 * 0.8) as u64 {
                    let oldest = cache.pop("protected").expect("an object");
                    cache.front("probation", oldest);
                }
            }
        }
        _ => {}
    }
}

fn miss(cache: &mut Cache, eviction: Eviction, key: u64) {
    cache.returns =
        ["b1", "b2", "ghost", "gone"].into_iter().find(|queue| cache.is_in(key, queue)).unwrap_or("");
    let ratio = |of: u64, other: u64| (other as f64 / of as f64).max(1.0);
    match cache.returns {
        "b1" => {
            cache.p = (cache.p + ratio(cache.size("b1"), cache.size("b2"))).min(cache.capacity as f64);
        }
        "b2" => cache.p = (cache.p - ratio(cache.size("b2"), cache.size("b1"))).max(0.0),
        _ => {}
    }
    for queue in ["b1", "b2", "ghost", "gone", "stack"] {
        cache.out(queue, key);
    }
    if eviction == Eviction::WTinyLfu {
        cache.sketch.add(key);
    }
}

fn evict(cache: &mut Cache, eviction: Eviction, key: u64, coming: &[Request]) -> u64 {
    match eviction {
        Eviction::Clock => loop {
            let oldest = cache.pop("all").expect("an object");
            if cache.marks.remove(&oldest).is_none() {
                return oldest;
            }
            cache.front("all", oldest);
        },
        Eviction::Sieve => loop {
            let key = cache.hand.or(cache.oldest("all")).expect("an object");
            let keys = &cache.queues["all"];
            let place = keys.iter().position(|other| *other == key).expect("an object");
            cache.hand = place.checked_sub(1).map(|before| keys[before]);
            if cache.marks.remove(&key).is_none() {
                cache.out("all", key);
                return key;
            }
        },
        Eviction::Arc => arc_evict(cache, key),
        Eviction::TwoQ => {
            let from_trial = cache.size("in") > cache.share(0.25) || cache.size("main") == 0;
            if !from_trial {
                return cache.pop("main").expect("an object");
            }
            let oldest = cache.pop("in").expect("an object");
            cache.front("ghost", oldest);
            while cache.size("ghost") > cache.share(0.5) {
                cache.pop("ghost");
            }
            oldest
        }
        Eviction::S3Fifo => s3_fifo_evict(cache),
        Eviction::Lirs => lirs_evict(cache),
        Eviction::WTinyLfu => w_tiny_lfu_evict(cache, key),
        Eviction::Belady => {
            // In order of the last reference, the newest first: of those that never come again the oldest leaves.
            let next = |key: &u64| coming.iter().position(|request| request.key == *key);
            let held = &cache.queues["all"];
            let never = held.iter().rev().find(|key| next(key).is_none());
            let left = *never.or(held.iter().max_by_key(|key| next(key))).expect("an object");
            cache.out("all", left);
            left
        }
        _ => cache.pop("all").expect("an object"),
    }
}

fn enter(cache: &mut Cache, eviction: Eviction, key: u64) {
    cache.marks.remove(&key);
    match eviction {
        Eviction::Arc => cache.front(if cache.returns.is_empty() { "t1" } else { "t2" }, key),
        Eviction::TwoQ => cache.front(if cache.returns.is_empty() { "in" } else { "main" }, key),
        Eviction::S3Fifo => cache.front(if cache.returns.is_empty() { "small" } else { "main" }, key),
        Eviction::Lirs => {
            cache.front("stack", key);
            let fits = cache.size("lir") + cache.sizes[&key] <= lir_max(cache);
            if cache.returns == "gone" || fits {
                lirs_promote(cache, key);
            } else {
                cache.front("hir", key);
            }
        }
        Eviction::WTinyLfu => {
            cache.front("window", key);
            while cache.size("window") > cache.share(0.01).max(1) && cache.oldest("window") != Some(key) {
                let oldest = cache.pop("window").expect("an object");
                cache.front("probation", oldest);
            }
        }
        _ => cache.front("all", key),
    }
}

fn arc_evict(cache: &mut Cache, key: u64) -> u64 {
    if cache.returns.is_empty() {
        let once = cache.size("t1") + cache.size("b1") + cache.sizes[&key];
        if once > cache.capacity {
            if cache.pop("b1").is_none() {
                return cache.pop("t1").expect("an object");
            }
        } else if once + cache.size("t2") + cache.size("b2") > 2 * cache.capacity {
            cache.pop("b2");
        }
    }
    let recent = cache.size("t1") as f64;
    let over = recent > 0.0 && (recent > cache.p || (cache.returns == "b2" && recent == cache.p));
    let (from, memory) = if over || cache.size("t2") == 0 { ("t1", "b1") } else { ("t2", "b2") };
    let oldest = cache.pop(from).expect("an object");
    cache.front(memory, oldest);
    oldest
}

fn s3_fifo_evict(cache: &mut Cache) -> u64 {
    let main_max = cache.capacity - cache.share(0.1);
    if cache.size("main") <= main_max {
        while let Some(oldest) = cache.pop("small") {
            if cache.mark(oldest) >= 2 {
                cache.marks.remove(&oldest);
                cache.front("main", oldest);
                continue;
            }
            cache.front("ghost", oldest);
            while cache.size("ghost") > cache.share(0.9) {
                cache.pop("ghost");
            }
            return oldest;
        }
    }
    loop {
        let oldest = cache.pop("main").expect("an object");
        match cache.mark(oldest).min(3) {
            0 => return oldest,
            hits => {
                cache.marks.insert(oldest, hits - 1);
                cache.front("main", oldest);
            }
        }
    }
}

fn lir_max(cache: &Cache) -> u64 {
    cache.capacity - cache.share(0.01).max(1)
}

fn lirs_prune(cache: &mut Cache) {
    while let Some(bottom) = cache.oldest("stack") {
        if cache.lir.contains(&bottom) {
            return;
        }
        cache.pop("stack");
        cache.out("gone", bottom);
    }
}

fn lirs_promote(cache: &mut Cache, key: u64) {
    cache.lir.insert(key);
    cache.front("lir", key);
    cache.out("hir", key);
    lirs_prune(cache);
    while cache.size("lir") > lir_max(cache) {
        lirs_demote(cache);
    }
}

fn lirs_demote(cache: &mut Cache) {
    let bottom = cache.pop("stack").expect("an object");
    assert!(cache.lir.remove(&bottom));
    cache.out("lir", bottom);
    cache.front("hir", bottom);
    lirs_prune(cache);
}

fn lirs_hit(cache: &mut Cache, key: u64) {
    let was_in_stack = cache.is_in(key, "stack");
    cache.out("stack", key);
    cache.front("stack", key);
    if cache.is_in(key, "lir") {
        lirs_prune(cache);
    } else if was_in_stack {
        lirs_promote(cache, key);
    } else {
        cache.out("hir", key);
        cache.front("hir", key);
    }
}

fn lirs_evict(cache: &mut Cache) -> u64 {
    if cache.size("hir") == 0 {
        lirs_demote(cache);
    }
    let oldest = cache.pop("hir").expect("an object");
    if cache.is_in(oldest, "stack") {
        cache.front("gone", oldest);
        while cache.size("gone") > cache.capacity {
            let forgotten = cache.pop("gone").expect("an object");
            cache.out("stack", forgotten);
        }
    }
    oldest
}

fn w_tiny_lfu_evict(cache: &mut Cache, key: u64) -> u64 {
    let is_full = cache.size("window") + cache.sizes[&key] > cache.share(0.01).max(1);
    let candidate = cache.oldest("window").filter(|_| is_full);
    let oldest = cache.oldest("probation").or(cache.oldest("protected"));
    let left = match (candidate, oldest) {
        (Some(candidate), Some(oldest)) => {
            if cache.sketch.count(candidate) > cache.sketch.count(oldest) {
                cache.out("window", candidate);
                cache.front("probation", candidate);
                oldest
            } else {
                candidate
            }
        }
        (left, None) | (None, left) => left.or(cache.oldest("window")).expect("an object"),
    };
    for queue in ["window", "probation", "protected"] {
        cache.out(queue, left);
    }
    left
}

/// The sketch of frequencies, row by row.
struct Sketch {
    numbers: BTreeMap<u64, u64>,
    objects: usize,
    rows: Vec<Vec<u64>>,
    references: usize,
}

impl Sketch {
    fn new(objects: usize, numbers: BTreeMap<u64, u64>) -> Sketch {
        let objects = objects.max(1);
        Sketch { numbers, objects, rows: vec![vec![0; objects.next_power_of_two()]; 4], references: 0 }
    }

    fn place(&self, key: u64, row: usize) -> usize {
        let mut z = self.numbers[&key].wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        let step = (z >> 32) | 1;
        (z.wrapping_add(step.wrapping_mul(row as u64)) % self.rows[row].len() as u64) as usize
    }

    fn add(&mut self, key: u64) {
        for row in 0..4 {
            let place = self.place(key, row);
            self.rows[row][place] = (self.rows[row][place] + 1).min(15);
        }
        self.references += 1;
        if self.references == 10 * self.objects {
            self.rows.iter_mut().flatten().for_each(|count| *count /= 2);
            self.references /= 2;
        }
    }

    fn count(&self, key: u64) -> u64 {
        (0..4).map(|row| self.rows[row][self.place(key, row)]).min().expect("an object")
    }
}
