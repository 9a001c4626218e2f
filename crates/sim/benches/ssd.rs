//! Requests a second of the timed drive.
use drivecast_block::{Bytes, Device, Nanos, Op, Request};
use drivecast_sim::{
    spec::SsdSpec,
    ssd::{Preload, Ssd},
};
use rand::Rng;
use std::time::Instant;
fn main() {
    let a: Vec<f64> = std::env::args().skip(1).filter_map(|x| x.parse().ok()).collect();
    let (rf, qd, n) = (a[0], a[1] as usize, a[2] as u64);
    let spec: SsdSpec = serde_json::from_str(r#"{"logical_bytes":17179869184,"physical_bytes":21474836480,"page_bytes":16384,"pages_per_block":64,"channels":8,"dies_per_channel":4,"planes":2,
      "read_ns":50000,"program_ns":500000,"erase_ns":3500000,"suspend_ns":20000,"channel_bytes_per_s":1.2e9,"link_bytes_per_s":3.2e9,"read_overhead_ns":5000,"write_overhead_ns":5000,"read_command_ns":500,"write_command_ns":500,"queue_depth":256,"buffer_bytes":8388608}"#).unwrap();
    let mut ssd = Ssd::new(&spec, &Preload::whole(&spec), 1).unwrap();
    println!("{:?}", ssd.layout());
    let pages = ssd.capacity().0 / 4096;
    let mut rng = drivecast_block::random::stream(1, "w");
    let t = Instant::now();
    let rq = |id, op, page: u64| Request { id, offset: Bytes(page * 4096), size: 4096, stream: 0, op };
    for p in 0..pages {
        ssd.age(rq(0, Op::Write, p));
    }
    for _ in 0..3 * pages {
        let p = (u128::from(rng.next_u64()) * pages as u128 >> 64) as u64;
        ssd.age(rq(0, Op::Write, p));
    }
    println!("age {:.1} M/s", 4e-6 * pages as f64 / t.elapsed().as_secs_f64());
    ssd.reset_counters();
    let t = Instant::now();
    let mut now = Nanos(0);
    let mut id = 0;
    let mut done = Vec::new();
    let mut sub = |ssd: &mut Ssd, now, id: &mut u64| {
        let r = rng.next_u64();
        let p = (u128::from(rng.next_u64()) * pages as u128 >> 64) as u64;
        let op = if (r as f64 / 2f64.powi(64)) < rf { Op::Read } else { Op::Write };
        ssd.submit(now, rq(*id, op, p));
        *id += 1;
    };
    for _ in 0..qd {
        sub(&mut ssd, now, &mut id);
    }
    let mut completed = 0u64;
    while completed < n {
        now = ssd.next().unwrap();
        done.clear();
        ssd.advance(now, &mut done);
        completed += done.len() as u64;
        for _ in 0..done.len() {
            sub(&mut ssd, now, &mut id);
        }
    }
    let c = ssd.counters();
    println!(
        "rf {rf} qd {qd}: {:.2} M req/s; sim {:.0} IOPS; WA {:.3}; {:?}",
        n as f64 / t.elapsed().as_secs_f64() / 1e6,
        n as f64 / now.as_secs_f64(),
        (c.flash_host_pages + c.flash_copied_pages) as f64 / c.flash_host_pages as f64,
        c
    );
}
