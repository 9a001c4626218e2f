//! Miss ratios that others have published of a public trace, which is not part of the project: `DRIVECAST_CORPUS` names
//! the folder that has it, decompressed or not.

use drivecast_workload::reuse::{Reuse, Sampling};
use std::path::PathBuf;
use std::process::Command;

/// The pages of an ARC trace: lines of `start_page pages ignored request`.
fn pages(path: &str) -> Option<Vec<u64>> {
    let Ok(corpus) = std::env::var("DRIVECAST_CORPUS") else {
        eprintln!("skipped: set DRIVECAST_CORPUS to the folder with {path}");
        return None;
    };
    let unpacked = Command::new("zstd").args(["-dcq"]).arg(PathBuf::from(corpus).join(path)).output();
    let text = String::from_utf8(unpacked.expect("zstd is installed").stdout).expect("the trace is text");
    let mut pages = Vec::new();
    for line in text.lines() {
        let mut fields = line.split_ascii_whitespace().map(|field| field.parse::<u64>().expect("a number"));
        let (first, count) = (fields.next().expect("a page"), fields.next().expect("a count"));
        pages.extend(first..first + count);
    }
    Some(pages)
}

#[test]
fn lru_on_the_arc_oltp_trace() {
    let Some(pages) = pages("traces/arc/OLTP.lis.zst") else { return };
    let mut reuse = Reuse::new(Sampling::All);
    reuse.push(&pages);
    assert_eq!((pages.len(), reuse.blocks()), (914_145, 186_880.0));
    let curve = reuse.curve();
    let published = [(1000, 0.6717), (2000, 0.5753), (5000, 0.4635), (10_000, 0.3930), (15_000, 0.3537)];
    for (size, expected) in published {
        let found = curve.miss_ratio(size);
        assert!((found - expected).abs() <= 0.00005, "{size} pages: {found} for {expected}");
    }
    // Samples of fixed size: other page numbers make another sample, and what they tell lies around what is true.
    let sample = |salt: u64| {
        let mut reuse = Reuse::new(Sampling::Blocks(16_384));
        reuse.push(&pages.iter().map(|page| page ^ salt << 32).collect::<Vec<_>>());
        let curve = reuse.curve();
        published.map(|(size, expected)| curve.miss_ratio(size) - expected)
    };
    let errors: Vec<[f64; 5]> = (0..16).map(sample).collect();
    for (k, (size, _)) in published.iter().enumerate() {
        let mean = errors.iter().map(|error| error[k]).sum::<f64>() / 16.0;
        let deviation = (errors.iter().map(|error| (error[k] - mean).powi(2)).sum::<f64>() / 15.0).sqrt();
        assert!(mean.abs() < 3.0 * deviation / 4.0 && deviation < 0.03, "{size} pages: {mean} ± {deviation}");
    }
}
