//! Which disk of a log is taken, and what the others moved.
//!
//! MODEL. A disk may have several names, one on top of the other: partitions and paths within a disk, disks within an array, both
//! below a mapped volume. Each repeats the bytes of what it lies on, so that they are never added up. Taken is what moved most bytes,
//! then, as long as something on top of it moved the same, what is on top. On top is, of disks with one rank, the higher layer
//! that the kernel's name gives. One moves the same as another where, report by report and by direction, at least 95 of a
//! hundred bytes are common to both; an array, which moves more or less than its members, where both grow and fall together.

use super::reports::{Disk, RANK_SUM, Reports};
use crate::error::TraceError;
use crate::options::Options;
use drivecast_block::Bytes;

/// Sums of disks that a log has itself, such as `_Total`, and machines: taken only where there is nothing else.
pub(crate) const RANK_TOTAL: u8 = 8;
/// Bytes common to two disks of which one lies on the other, of those of either.
const COMMON: f64 = 0.95;
/// The share of a member's bytes that an array has at least: small writes to RAID 5 are three for one.
const ARRAY: f64 = 0.25;
/// Correlation of an array with its members, and the reports that it takes to see one.
const TOGETHER: f64 = 0.95;
const REPORTS_MIN: usize = 10;
/// Names that a note lists.
const SHOWN: usize = 8;

/// What the kernel's name shows of a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Layer {
    Part,
    Disk,
    Array,
    Mapped,
}

/// The letters at the start and the digits at the end; what is between them is empty for `sda1` and `dm-0` is no such name.
fn split(name: &str) -> (&str, &str) {
    name.split_at(name.trim_end_matches(|letter: char| letter.is_ascii_digit()).len())
}

/// The disk within which a partition or path lies, by its name: `sda` of `sda1`, `nvme0n1` of `nvme0n1p2` and `nvme0c1n1`.
fn whole(name: &str) -> Option<String> {
    let (word, rest) = name.split_at(name.find(' ').unwrap_or(name.len()));
    let (stem, number) = split(word);
    // Numbered as the kernel does: a SCSI disk has sixteen minors.
    for mark in ["dev8-", "8:"] {
        let minor = word.strip_prefix(mark).and_then(|minor| minor.parse::<u32>().ok());
        if let Some(minor) = minor.filter(|minor| minor % 16 != 0) {
            return Some(format!("{mark}{}{rest}", minor - minor % 16));
        }
    }
    if number.is_empty() {
        return None;
    }
    if let Some(disk) =
        stem.strip_suffix('p').filter(|disk| disk.ends_with(|last: char| last.is_ascii_digit()))
    {
        return Some(format!("{disk}{rest}"));
    }
    if let Some((controller, namespace)) = word.strip_prefix("nvme").and_then(|word| word.split_once('c')) {
        let (path, namespace) = namespace.split_once('n')?;
        return path.parse::<u32>().is_ok().then(|| format!("nvme{controller}n{namespace}{rest}"));
    }
    let lettered = ["sd", "hd", "vd", "xvd"].iter().any(|kind| {
        stem.strip_prefix(kind)
            .is_some_and(|letters| !letters.is_empty() && letters.bytes().all(|b| b.is_ascii_lowercase()))
    });
    lettered.then(|| format!("{stem}{rest}"))
}

fn layer(name: &str) -> Layer {
    const DISKS: [&str; 16] = [
        "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "dasd", "rbd", "nbd", "pmem", "sr", "loop", "ram",
        "dev8-", "8:", "cciss",
    ];
    const ARRAYS: [&str; 5] = ["md", "dev9-", "9:", "bcache", "drbd"];
    let starts = |kinds: &[&str]| kinds.iter().any(|kind| name.starts_with(kind));
    match () {
        () if whole(name).is_some() => Layer::Part,
        () if starts(&ARRAYS) => Layer::Array,
        () if starts(&DISKS) => Layer::Disk,
        () => Layer::Mapped,
    }
}

impl Reports {
    /// The requested disks, each by its name or a word of it that no other has; else the one described above.
    pub(super) fn choose(&mut self, file: &str, options: &Options) -> Result<Vec<u32>, TraceError> {
        let mut has_rows = vec![false; self.disks.len()];
        self.rows.iter().for_each(|row| has_rows[row.disk as usize] = true);
        let seen: Vec<u32> = (0..self.disks.len() as u32).filter(|disk| has_rows[*disk as usize]).collect();
        let name = |disk: &u32| self.disks[*disk as usize].name.as_str();
        let absent =
            |requested: String, hint: String| TraceError::Absent { file: file.to_owned(), requested, hint };
        let Some(requested) = &options.disk else {
            let Some((disk, below)) = self.busiest(&seen) else {
                return Err(absent("report of a disk".to_owned(), self.hint.to_owned()));
            };
            self.explain_choice(disk, &below);
            return Ok(vec![disk]);
        };
        let find = |requested: &str| {
            if let Some(disk) = seen.iter().find(|disk| name(disk) == requested) {
                return Ok(*disk);
            }
            let has_word =
                |disk: &&u32| name(disk).split_whitespace().any(|word| word.eq_ignore_ascii_case(requested));
            let mut found = seen.iter().filter(has_word);
            match (found.next(), found.next()) {
                (Some(disk), None) => Ok(*disk),
                _ => {
                    let names = seen.iter().map(name).collect::<Vec<_>>().join(", ");
                    Err(absent(format!("disk `{requested}`"), format!("it has {names}")))
                }
            }
        };
        if let Ok(disk) = find(requested) {
            return Ok(vec![disk]);
        }
        let mut chosen = Vec::new();
        for part in requested.split(',') {
            let disk = find(part.trim())?;
            if !chosen.contains(&disk) {
                chosen.push(disk);
            }
        }
        Ok(chosen)
    }

    /// The name of the disk that is taken, of amounts that are counts; none where several were requested.
    pub(crate) fn choice(&mut self, options: &Options) -> Result<Option<String>, TraceError> {
        self.add_up(|_| 1.0);
        match self.choose("", options)?[..] {
            [disk] => Ok(Some(self.disks[disk as usize].name.clone())),
            _ => Ok(None),
        }
    }

    /// What moved most, at the top of its stack, and what lies below it.
    fn busiest(&self, seen: &[u32]) -> Option<(u32, Vec<u32>)> {
        let get = |disk: u32| &self.disks[disk as usize];
        let least = seen.iter().map(|disk| get(*disk).rank).min()?;
        let eligible = |disk: &&u32| get(**disk).rank < RANK_TOTAL || get(**disk).rank == least;
        let busier = |a: &&u32, b: &&u32| {
            let (a, b) = (get(**a), get(**b));
            let bytes = a.bytes.total_cmp(&b.bytes);
            bytes.then(a.requests.total_cmp(&b.requests)).then_with(|| b.name.cmp(&a.name))
        };
        let mut top = *seen.iter().filter(eligible).max_by(busier)?;
        let mut below = Vec::new();
        let place = |disk: u32| (std::cmp::Reverse(get(disk).rank), layer(&get(disk).name));
        while let Some(next) = seen
            .iter()
            .filter(eligible)
            .filter(|disk| place(**disk) > place(top) && self.lies_on(**disk, top))
            .max_by(|a, b| place(**a).cmp(&place(**b)).then_with(|| busier(a, b)))
        {
            below.push(std::mem::replace(&mut top, *next));
        }
        Some((top, below))
    }

    /// Whether one disk moves what the other does.
    pub(super) fn lies_on(&self, above: u32, below: u32) -> bool {
        let bytes = |disk: u32| self.disks[disk as usize].bytes;
        let is_array = layer(&self.disks[above as usize].name) == Layer::Array;
        let near = if is_array { ARRAY } else { COMMON };
        if bytes(above).min(bytes(below)) < (near * bytes(above).max(bytes(below))).max(1.0) {
            return false;
        }
        let (above, below) = (self.series(above), self.series(below));
        let each = above.iter().flatten().zip(below.iter().flatten());
        let (common, all) =
            each.fold((0.0, 0.0), |(common, all), (a, b)| (common + a.min(*b), all + a.max(*b)));
        common >= COMMON * all || is_array && correlation(&above, &below) >= TOGETHER
    }

    /// Bytes read and written in each report.
    fn series(&self, disk: u32) -> Vec<[f64; 2]> {
        let mut series = vec![[0.0; 2]; self.reports.len()];
        for row in self.rows.iter().filter(|row| row.disk == disk) {
            series[row.report as usize] =
                [row.amounts.read_bytes.max(0.0), row.amounts.written_bytes.max(0.0)];
        }
        series
    }

    fn explain_choice(&mut self, chosen: u32, below: &[u32]) {
        if self.disks.len() < 2 {
            return;
        }
        let name = |disk: &u32| format!("`{}`", self.disks[*disk as usize].name);
        let why = match below {
            [] => "the busiest".to_owned(),
            below => {
                let names: Vec<String> = below.iter().map(name).collect();
                format!("which moved the same as the busiest, {}, and lies on it", names.join(" and "))
            }
        };
        let mut others: Vec<u32> = (0..self.disks.len() as u32).filter(|disk| *disk != chosen).collect();
        others.sort_by(|a, b| self.disks[*b as usize].bytes.total_cmp(&self.disks[*a as usize].bytes));
        let more = others.len().saturating_sub(SHOWN);
        others.truncate(SHOWN);
        let total = |disk: &u32| {
            let has = &self.disks[*disk as usize];
            let same = if self.lies_on(chosen, *disk) { "the same data: " } else { "" };
            format!("{} ({same}{:.0} requests, {})", has.name, has.requests, Bytes(has.bytes as u64))
        };
        let shown: Vec<String> = others.iter().map(total).collect();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        self.notes.push(format!(
            "disk {} was taken, {why}; the log also has {}{more} (`--disk` chooses)",
            name(&chosen),
            shown.join(", ")
        ));
    }

    /// Adds up what each disk moved. The factor of a report makes counts of its amounts.
    pub(super) fn add_up(&mut self, factor: impl Fn(usize) -> f64) {
        for row in &self.rows {
            let (disk, factor) = (&mut self.disks[row.disk as usize], factor(row.report as usize));
            let bytes = row.amounts.read_bytes.max(0.0) + row.amounts.written_bytes.max(0.0);
            disk.requests += row.amounts.counted() * factor;
            disk.bytes += bytes * factor;
        }
    }

    /// A disk and the one it is a part of, or that it lies on, have the same bytes twice.
    pub(super) fn refuse_one_on_another(&self, chosen: &[u32]) -> Result<(), TraceError> {
        let name = |disk: u32| self.disks[disk as usize].name.as_str();
        for (place, first) in chosen.iter().enumerate() {
            for second in &chosen[place + 1..] {
                let within =
                    |part: u32, disk: u32| whole(name(part)).is_some_and(|whole| whole == name(disk));
                if !(self.lies_on(*second, *first) || within(*first, *second) || within(*second, *first)) {
                    continue;
                }
                return Err(TraceError::Choice {
                    option: "--disk",
                    expected: "disks that move data of their own".to_owned(),
                    found: format!(
                        "`{}` and `{}`, of which one lies on the other",
                        name(*first),
                        name(*second)
                    ),
                    hint: format!("their bytes would count twice: leave out `{}`", name(*second)),
                });
            }
        }
        Ok(())
    }
}

impl Disk {
    /// Whether it is a sum that was made here.
    pub(super) fn is_made(&self) -> bool {
        self.rank == RANK_SUM
    }
}

fn correlation(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    let pairs: Vec<(f64, f64)> = a.iter().zip(b).map(|(a, b)| (a[0] + a[1], b[0] + b[1])).collect();
    let count = pairs.len() as f64;
    let (mean_a, mean_b) =
        pairs.iter().fold((0.0, 0.0), |(sum_a, sum_b), (a, b)| (sum_a + a / count, sum_b + b / count));
    let sums = pairs.iter().fold((0.0, 0.0, 0.0), |(ab, aa, bb), (a, b)| {
        let (a, b) = (a - mean_a, b - mean_b);
        (ab + a * b, aa + a * a, bb + b * b)
    });
    if pairs.len() < REPORTS_MIN { 0.0 } else { sums.0 / (sums.1 * sums.2).sqrt() }
}
