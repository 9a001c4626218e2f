//! What a workload does to the flash of a design, without a clock.
//!
//! Model: the drives' translation layers are filled with the workload's footprint, aged by its writes (copies and parity
//! included) until write amplification is steady (`steady`), and then measured over [`BATCHES`] further batches, each of
//! a footprint's worth of pages. The interval is that of batch means: mean ± t · s / √k, at 95 %. It covers chance,
//! not what the model leaves out.

use super::steady::{self, Flash, Pages, Writes};
use super::{Remap, Workload, contents, writes};
use crate::design::spread::Spread;
use crate::design::{Contents, Resolved};
use crate::error::SimError;
use crate::ssd::Ssd;
use drivecast_block::{Bytes, Device, Op, Request};
use serde::Serialize;

/// Batches measured after settling.
const BATCHES: usize = 10;
/// Student's t for 95 %, two-sided, with `BATCHES - 1` degrees of freedom.
const STUDENT_T: f64 = 2.262;

/// How to wear.
#[derive(Clone, Debug, Default)]
pub struct WearOptions {
    /// Seed of all that is random.
    pub seed: u64,
    /// At least this share of each drive holds data.
    pub fill: f64,
    /// What to do with requests behind the end of the design.
    pub remap: Remap,
}

/// What the flash of a design did in steady state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Wear {
    /// The version of this shape.
    pub schema_version: u32,
    /// The design as written.
    pub design: String,
    /// The seed.
    pub seed: u64,
    /// Pages programmed over pages written by the host of the flash, all drives together.
    pub write_amplification: f64,
    /// Lower end of its 95 % interval.
    pub write_amplification_low: f64,
    /// Upper end.
    pub write_amplification_high: f64,
    /// Whether it had settled before it was measured.
    pub steady: bool,
    /// Pages written by the host of the flash, measured part.
    pub host_pages: u64,
    /// Pages copied by garbage collection.
    pub copied_pages: u64,
    /// Blocks erased.
    pub erases: u64,
    /// Erasures a block since it was new, mean over all blocks simulated.
    pub erase_count_mean: f64,
    /// The most of any block.
    pub erase_count_max: u32,
    /// The share of each drive that holds data, at least.
    pub fill: f64,
    /// Simulated over specified capacity; 1 unless scaled.
    pub scale: f64,
    /// Drives.
    pub members: usize,
    /// Bytes written to the drives over bytes written by the host: copies and parity.
    pub parity_factor: f64,
    /// Bytes written by the host: in one pass of the trace, or in the measured part of a synthetic workload.
    pub host_bytes_written: u64,
    /// Bytes written meanwhile to the drive that is written most.
    pub member_host_bytes_max: u64,
    /// Drive by drive.
    pub drives: Vec<DriveWear>,
}

/// One drive's share of a [`Wear`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DriveWear {
    /// Its name in the design.
    pub drive: String,
    /// Its own write amplification.
    pub write_amplification: f64,
    /// Bytes written to it.
    pub written_bytes: u64,
    /// Erasures a block since it was new, mean over the blocks simulated.
    pub erase_count_mean: f64,
    /// The most of any block.
    pub erase_count_max: u32,
}

/// The drives of a design under the arrays' address maps.
struct Fleet {
    spread: Spread,
    drives: Vec<Ssd>,
    written: Vec<u64>,
    host_written: u64,
}

impl Flash for Fleet {
    fn age(&mut self, request: Request) {
        let Fleet { spread, drives, written, host_written } = self;
        if request.op == Op::Write {
            *host_written += u64::from(request.size);
        }
        spread.apply(request.op, request.offset.0, request.size, &mut |drive, offset, size| {
            if request.op == Op::Write {
                written[drive] += u64::from(size);
            }
            drives[drive].age(Request { offset: Bytes(offset), size, ..request });
        });
    }

    fn pages(&self) -> Pages {
        let mut sum = Pages::default();
        for pages in self.drives.iter().map(pages) {
            sum.host += pages.host;
            sum.copied += pages.copied;
            sum.erases += pages.erases;
        }
        sum
    }
}

fn pages(drive: &Ssd) -> Pages {
    let counters = drive.counters();
    Pages {
        host: counters.flash_host_pages,
        copied: counters.flash_copied_pages,
        erases: counters.flash_erases,
    }
}

/// Wears the flash of a design by a workload.
///
/// # Errors
/// A design that cannot be built or has disks, a workload that does not fit it, or writes nothing.
pub fn wear(design: &Resolved, workload: &Workload, options: &WearOptions) -> Result<Wear, SimError> {
    let contents = contents(design, workload, options.fill, options.remap)?;
    let (drives, scale) = design.flash(&contents, options.seed)?;
    let capacities: Vec<Bytes> = drives.iter().map(|drive| drive.capacity()).collect();
    let spread = Spread::new(design.root(), &capacities);
    let capacity = spread.capacity(&capacities);
    let footprint = contents.pages(&capacities);
    let mut fleet = Fleet { spread, written: vec![0; drives.len()], drives, host_written: 0 };
    let mut writes = writes(workload, capacity, options.seed)?;
    if writes.is_empty() {
        return Err(SimError::NoWrites { design: design.line().to_owned() });
    }
    let settled = steady::settle(&mut fleet, &mut writes, footprint);
    let measured = Measured::take(&mut fleet, &mut writes, settled.batch);
    if let Contents::Footprints { drives, .. } = &contents {
        let Workload::Records(records) = workload else { unreachable!("footprints are those of records") };
        fleet.written = drives.iter().map(|drive| drive.written().0).collect();
        fleet.host_written = records.iter().filter(|r| r.op == Op::Write).map(|r| u64::from(r.size)).sum();
    }
    Ok(measured.into_wear(design, &fleet, options, settled.steady, scale))
}

/// The part after settling.
struct Measured {
    batches: Vec<f64>,
    all: Pages,
    drives: Vec<Pages>,
}

impl Measured {
    fn take(fleet: &mut Fleet, writes: &mut Writes, batch: u64) -> Measured {
        fleet.written.fill(0);
        fleet.host_written = 0;
        let before = fleet.pages();
        let each: Vec<Pages> = fleet.drives.iter().map(pages).collect();
        let batches =
            (0..BATCHES).map(|_| steady::batch(fleet, writes, batch).write_amplification()).collect();
        let drives =
            fleet.drives.iter().zip(each).map(|(drive, before)| pages(drive).since(before)).collect();
        Measured { batches, all: fleet.pages().since(before), drives }
    }

    /// Half the width of the interval of batch means.
    fn half_width(&self) -> f64 {
        let count = self.batches.len() as f64;
        let mean = self.batches.iter().sum::<f64>() / count;
        let variance = self.batches.iter().map(|wa| (wa - mean).powi(2)).sum::<f64>() / (count - 1.0);
        STUDENT_T * (variance / count).sqrt()
    }

    fn into_wear(
        self,
        design: &Resolved,
        fleet: &Fleet,
        options: &WearOptions,
        steady: bool,
        scale: f64,
    ) -> Wear {
        let counts = || fleet.drives.iter().flat_map(|drive| drive.ftl().erase_counts());
        let blocks = counts().count().max(1);
        let write_amplification = self.all.write_amplification();
        let half_width = self.half_width();
        Wear {
            schema_version: crate::outcome::SCHEMA_VERSION,
            design: design.line().to_owned(),
            seed: options.seed,
            write_amplification,
            write_amplification_low: (write_amplification - half_width).max(1.0),
            write_amplification_high: write_amplification + half_width,
            steady,
            host_pages: self.all.host,
            copied_pages: self.all.copied,
            erases: self.all.erases,
            erase_count_mean: counts().map(|count| f64::from(*count)).sum::<f64>() / blocks as f64,
            erase_count_max: counts().copied().max().unwrap_or(0),
            fill: options.fill,
            scale,
            members: fleet.drives.len(),
            parity_factor: fleet.written.iter().sum::<u64>() as f64 / fleet.host_written.max(1) as f64,
            host_bytes_written: fleet.host_written,
            member_host_bytes_max: fleet.written.iter().copied().max().unwrap_or(0),
            drives: self.drive_wear(design, fleet),
        }
    }

    fn drive_wear(&self, design: &Resolved, fleet: &Fleet) -> Vec<DriveWear> {
        let drives = design.root().drives();
        let rows = drives.iter().zip(&fleet.drives).zip(self.drives.iter().zip(&fleet.written));
        rows.map(|(((name, _), drive), (pages, written))| {
            let counts = drive.ftl().erase_counts();
            let sum: f64 = counts.iter().map(|count| f64::from(*count)).sum();
            DriveWear {
                drive: (*name).to_owned(),
                write_amplification: pages.write_amplification(),
                written_bytes: *written,
                erase_count_mean: sum / counts.len().max(1) as f64,
                erase_count_max: counts.iter().copied().max().unwrap_or(0),
            }
        })
        .collect()
    }
}
