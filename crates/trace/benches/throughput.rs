//! How fast logs are read, on one core: `cargo bench -p drivecast-trace`.
//!
//! Files of a stated size are written to the temporary folder, read once to warm the page cache, then read to the end five
//! times; the least processor time of the thread counts. blktrace records are all records in the files (a Q, D and C for
//! each request); requests stay in flight for 32 others, so matching does its work.

#[path = "../../workload/benches/clock/mod.rs"]
mod clock;

use clock::{Clock, peak_mb};
use drivecast_trace::{Options, convert, open};
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const REQUESTS: u64 = 2_000_000;
const LINES: u64 = 4_000_000;
const RUNS: u32 = 5;
const IN_FLIGHT: u64 = 32;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = tempfile::TempDir::new()?;
    let set = write_blktrace(directory.path())?;
    let csv = write_msr(directory.path())?;
    let (records, csv_bytes) = (REQUESTS * 3, std::fs::metadata(&csv)?.len());
    let method = format!("page cache, processor time of 1 core, best of {RUNS}");

    let seconds = best(|| read(&set))?;
    println!(
        "blktrace: {:.1} M records/s (2 files, {records} records, {} MB; {method})",
        records as f64 / seconds / 1e6,
        records * 48 / 1_000_000
    );
    let seconds = best(|| read(&csv))?;
    println!(
        "msr csv: {:.0} MB/s ({LINES} lines, {} MB; {method})",
        csv_bytes as f64 / seconds / 1e6,
        csv_bytes / 1_000_000
    );
    for (name, options, line) in texts() {
        let path = directory.path().join("text_lat.1.log");
        let bytes = write_lines(&path, line)?;
        let seconds = best(|| read_as(&path, &options))?;
        println!(
            "{name}: {:.0} MB/s, {:.1} M lines/s ({LINES} lines, {} MB; {method})",
            bytes as f64 / seconds / 1e6,
            LINES as f64 / seconds / 1e6,
            bytes / 1_000_000
        );
    }
    let out = directory.path().join("out.parquet");
    let to_parquet = |from: &PathBuf| -> Result<u64, Box<dyn std::error::Error>> {
        convert(std::slice::from_ref(from), &out, &Options::default(), &mut |_| ControlFlow::Continue(()))?;
        Ok(std::fs::metadata(&out)?.len())
    };
    let seconds = best(|| to_parquet(&set))?;
    println!("blktrace to parquet: {:.1} M records/s ({method})", records as f64 / seconds / 1e6);
    let parquet_bytes = to_parquet(&set)?;
    let seconds = best(|| read(&out))?;
    println!(
        "parquet: {:.1} M rows/s ({REQUESTS} rows, {:.1} bytes/row; {method})",
        REQUESTS as f64 / seconds / 1e6,
        parquet_bytes as f64 / REQUESTS as f64
    );
    let seconds = best(|| to_parquet(&csv))?;
    println!("msr csv to parquet: {:.0} MB/s ({method})", csv_bytes as f64 / seconds / 1e6);
    println!("reading_memory: {:.0} MB (peak resident of all the above)", peak_mb());
    Ok(())
}

type Line = fn(u64) -> String;

/// The other text formats: a name, how to read it, and its lines.
fn texts() -> [(&'static str, Options, Line); 6] {
    let plain = Options::default;
    let mapped =
        Options { csv: Some("time=1:us,op=3:R/W,offset=4:512,size=5:512".to_owned()), ..Options::default() };
    [
        ("csv by a mapping", mapped, |index| {
            let (op, sector) = (if index % 3 == 0 { 'R' } else { 'W' }, scramble(index) % (1 << 31));
            format!(
                "{},host{},{op},{sector},{}",
                1_500_000_000_000_000 + index * 11,
                index % 4,
                8 << (index % 5)
            )
        }),
        ("alibaba csv", plain(), |index| {
            let (op, offset) = (if index % 3 == 0 { 'R' } else { 'W' }, scramble(index) % (1 << 27) * 4096);
            format!(
                "{},{op},{offset},{},{}",
                index % 900,
                4096 << (index % 5),
                1_577_808_144_360_767 + index * 9
            )
        }),
        ("spc csv", plain(), |index| {
            let (op, sector) = (if index % 3 == 0 { 'R' } else { 'W' }, scramble(index) % (1 << 25));
            format!(
                "{},{sector},{},{op},{}.{:06}",
                index % 20,
                512 << (index % 7),
                index / 122,
                index % 122 * 8196
            )
        }),
        ("mqsim text", plain(), |index| {
            format!("{} {} {} 16 {}", index * 315_000, index % 16, scramble(index) % (1 << 29), index % 2)
        }),
        ("fio latency log", plain(), |index| {
            let offset = scramble(index) % (1 << 22) * 4096;
            format!("{}, {}, {}, 4096, {offset}, 0", index / 20, 20_000 + scramble(index) % 90_000, index % 2)
        }),
        ("blkparse text", plain(), |index| {
            let (action, which) = (['Q', 'D', 'C'][(index % 3) as usize], index / 3);
            let (ns, sector) = (index * 1_700, scramble(which) % (1 << 31) * 8);
            format!(
                "  8,16   1 {index:8} {:5}.{:09} 13084  {action}  WS {sector} + 8 [0]",
                ns / 1_000_000_000,
                ns % 1_000_000_000
            )
        }),
    ]
}

fn write_lines(path: &Path, line: Line) -> std::io::Result<u64> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    for index in 0..LINES {
        writeln!(file, "{}", line(index))?;
    }
    file.flush()?;
    Ok(std::fs::metadata(path)?.len())
}

fn read(path: &Path) -> Result<u64, Box<dyn std::error::Error>> {
    read_as(path, &Options::default())
}

fn read_as(path: &Path, options: &Options) -> Result<u64, Box<dyn std::error::Error>> {
    let mut trace = open(&[path.to_owned()], options)?;
    let (mut batch, mut rows) = (Vec::new(), 0);
    while trace.fill(&mut batch)? {
        rows += batch.len() as u64;
    }
    Ok(rows)
}

fn best<T>(
    mut run: impl FnMut() -> Result<T, Box<dyn std::error::Error>>,
) -> Result<f64, Box<dyn std::error::Error>> {
    run()?;
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Clock::now();
        std::hint::black_box(run()?);
        best = best.min(start.elapsed_s());
    }
    Ok(best)
}

/// A scrambled number: addresses that look random and are the same in every run.
fn scramble(index: u64) -> u64 {
    let mixed = (index ^ (index >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

fn write_blktrace(directory: &Path) -> std::io::Result<PathBuf> {
    let file = |cpu: u64| std::fs::File::create(directory.join(format!("bench.{cpu}"))).map(BufWriter::new);
    let mut files = [file(0)?, file(1)?];
    let mut sequence = [0_u32; 2];
    let mut put = |time: u64, kind: u32, index: u64| {
        let cpu = (scramble(index / 8) & 1) as usize;
        sequence[cpu] += 1;
        let write = if scramble(index) & 4 == 0 { 1 } else { 2 };
        let mut record = Vec::with_capacity(48);
        record.extend(0x6561_7407_u32.to_le_bytes());
        record.extend(sequence[cpu].to_le_bytes());
        record.extend(time.to_le_bytes());
        record.extend((scramble(index) % (1 << 28) * 8).to_le_bytes());
        for word in [4096 << (index % 3), write << 16 | kind, 1234, 8 << 20, cpu as u32] {
            record.extend(word.to_le_bytes());
        }
        record.extend([0; 4]);
        files[cpu].write_all(&record)
    };
    for step in 0..REQUESTS + IN_FLIGHT {
        let time = 1_000_000_000 + step * 5_000;
        if step < REQUESTS {
            put(time, 1, step)?;
            put(time + 900, 7, step)?;
        }
        if let Some(index) = step.checked_sub(IN_FLIGHT) {
            put(time + 2_000, 8, index)?;
        }
    }
    files.iter_mut().try_for_each(Write::flush)?;
    Ok(directory.join("bench"))
}

fn write_msr(directory: &Path) -> std::io::Result<PathBuf> {
    let path = directory.join("bench.csv");
    let mut file = BufWriter::new(std::fs::File::create(&path)?);
    for index in 0..LINES {
        let (time, offset) = (128_166_372_000_000_000 + index * 7_000, scramble(index) % (1 << 24) * 4096);
        let kind = if index % 3 == 0 { "Read" } else { "Write" };
        writeln!(
            file,
            "{time},hm,1,{kind},{offset},{},{}",
            4096 << (index % 5),
            400 + scramble(index) % 90_000
        )?;
    }
    file.flush()?;
    Ok(path)
}
