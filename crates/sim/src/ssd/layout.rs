//! From a specification to a drive that fits in memory.
//!
//! A 7.68 TB drive has 2 × 10⁹ mapping units. What decides write amplification is how much flash the data
//! that is being rewritten has to move in, not the drive's size. Three reductions, each with its error in
//! `docs/explanation/ssd.md`:
//!
//! 1. **Cold data out.** Of L pages of data only W are ever written while the drive is simulated. The others
//!    are taken to lie in blocks of their own, fully valid, which greedy never chooses; so L − W is taken out
//!    of both sides: P_eff = P − (L − W). True of data that was written in order and lies together; **not**
//!    of cold pages strewn among hot ones, which one append point never parts (A = 1/(1 − exp(−P/(W A))) + (L −
//!    W) A/P under FIFO). Who wants those mixed writes them while preconditioning, and counts them in W.
//! 2. **Spare capped.** Where P_eff is many times W, A is near 1 and more flash changes little: P_eff is cut
//!    to 16 W, or to four million pages if that is more.
//! 3. **Blocks reduced** where flash was cut away (capped or scaled), so as not to leave a die too few. With
//!    n blocks a die, chance raises A by about 0.75/n; with b′ pages a block instead of many, A falls by
//!    about 2.4/b′ (both at S_f = 0.2, measured). At b′ = 3 n the two cancel, so b′ = √(3 w × pool of a die),
//!    at least 64, for writes of w pages, which share a program and become invalid together: a block has b′/w of
//!    them. An erase is then charged in full once every b/b′ cleanings, so that its load and its stall stay what
//!    they are.
//!
//! The blocks a die keeps free (one, with one stream) are taken out before and put back after, at its own size. Addresses stay the
//! drive's own. Only [`Layout::scaled`] changes the capacity, for synthetic workloads that span a drive too
//! large for memory: both capacities shrink by one factor, dies and times stay.

use super::geometry::PAGES_PER_BLOCK_MAX;
use super::{Geometry, Policy, SpecError};
use crate::spec::SsdSpec;

/// Spare beyond which more changes nothing, as flash over rewritten data.
const POOL_RATIO_MAX: u64 = 16;
/// Of a scaled drive likewise, where more would take too many pages.
const POOL_RATIO_SCALED: u64 = 4;
/// A pool of this many pages is always affordable.
const POOL_PAGES_FREE: u64 = 4 << 20;
/// Pages of a reduced block for each block of a die.
const PAGES_PER_BLOCK_RATIO: u64 = 3;
const PAGES_PER_BLOCK_MIN: u64 = 64;
/// A die is not cut into fewer blocks than this for the sake of large ones: spare of less than a block is none.
const BLOCKS_MIN: u64 = 12;

/// What the workload will do with the drive, in mapping units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preload {
    /// Distinct pages that will be written while the drive is simulated, preconditioning included.
    pub written_pages: u64,
    /// Pages that hold data, these included.
    pub data_pages: u64,
}

impl Preload {
    /// A drive that is full, all of it open to rewriting: what a synthetic workload over the whole drive
    /// needs.
    pub fn whole(spec: &SsdSpec) -> Preload {
        let pages = capacity_pages(spec);
        Preload { written_pages: pages, data_pages: pages }
    }

    /// A drive of which `data_bytes` hold data and `written_bytes` of it will be rewritten.
    pub fn of_bytes(spec: &SsdSpec, written_bytes: u64, data_bytes: u64) -> Preload {
        let unit = u64::from(spec.mapping_bytes.max(1));
        Preload { written_pages: written_bytes.div_ceil(unit), data_pages: data_bytes.div_ceil(unit) }
    }
}

/// A drive as simulated, and the drive as specified.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// Dies and blocks as simulated.
    pub geometry: Geometry,
    /// Addresses, in mapping units.
    pub capacity_pages: u64,
    /// Distinct pages there is flash for without growing.
    pub written_pages: u64,
    /// Mapping units that one program covers.
    pub row_pages: u32,
    /// Mapping units that one array read covers: a flash page on each plane.
    pub read_pages: u32,
    /// Mapping units of an erase block as specified.
    pub block_pages_specified: u64,
    /// Mapping units of flash as specified.
    pub physical_pages_specified: u64,
    /// Simulated capacity over the specified one: 1 unless scaled.
    pub scale: f64,
}

/// The drive's own numbers, in mapping units.
struct Flash {
    dies: u64,
    row: u64,
    /// Rows of flash pages in a program.
    rows_per_program: u64,
    block: u64,
    blocks_per_die: u64,
    capacity: u64,
    /// Blocks of a die that cannot be counted on to hold data.
    reserved: u32,
    /// Of these the ones that stay free.
    free_min: u32,
    append_points: u32,
}

fn capacity_pages(spec: &SsdSpec) -> u64 {
    (spec.logical_bytes as f64 * spec.partition / f64::from(spec.mapping_bytes.max(1))) as u64
}

impl Flash {
    fn of(spec: &SsdSpec) -> Result<Flash, SpecError> {
        super::check::check(spec)?;
        let dies = u64::from(spec.channels) * u64::from(spec.dies_per_channel);
        let row_bytes = u64::from(spec.page_bytes) * u64::from(spec.planes);
        let read = (row_bytes as f64 / spec.compression / f64::from(spec.mapping_bytes)) as u64;
        let rows_per_program = u64::from(spec.pages_per_program);
        let row = read * rows_per_program;
        let block = read * u64::from(spec.pages_per_block);
        let built_in = spec.physical_bytes / (row_bytes * u64::from(spec.pages_per_block) * dies);
        let blocks_per_die = (built_in as f64 * (1.0 - spec.bad_blocks)) as u64;
        let policy = Policy::of(spec, 0);
        let (reserved, append_points) = (policy.reserved_blocks(), policy.append_points());
        let flash = Flash {
            dies,
            row,
            rows_per_program,
            block,
            blocks_per_die,
            capacity: capacity_pages(spec),
            reserved,
            free_min: policy.free_min() as u32,
            append_points,
        };
        SpecError::unless(
            flash.capacity >= dies,
            "logical_bytes",
            "at least one mapping unit a die",
            spec.logical_bytes,
        )?;
        SpecError::unless(
            blocks_per_die >= u64::from(reserved) + 2,
            "physical_bytes",
            format!(
                "at least {} erase blocks of {} bytes on each of {dies} dies",
                reserved + 2,
                flash.block_bytes(spec)
            ),
            spec.physical_bytes,
        )?;
        SpecError::unless(
            flash.share() + flash.row <= flash.effective(),
            "physical_bytes",
            format!(
                "more than the {} bytes in use plus a program and {reserved} blocks of {} bytes on each of {dies} dies",
                flash.capacity * u64::from(spec.mapping_bytes),
                flash.block_bytes(spec)
            ),
            spec.physical_bytes,
        )?;
        Ok(flash)
    }

    fn block_bytes(&self, spec: &SsdSpec) -> u64 {
        self.block * u64::from(spec.mapping_bytes)
    }

    /// Pages that are written, and the pool of a die that they move in: all but the reserved blocks and cold data.
    fn pool(&self, preload: &Preload) -> (u64, u64) {
        let data = preload.data_pages.max(preload.written_pages).min(self.capacity);
        let written = preload.written_pages.min(data);
        (written, self.effective() - (data - written) / self.dies)
    }

    /// The blocks of a die's pool, and their pages.
    fn cut(&self, pool: &Pool) -> (u64, u64) {
        let largest = self.block.min(u64::from(PAGES_PER_BLOCK_MAX));
        let smallest = largest.min(PAGES_PER_BLOCK_MIN);
        let wanted = match pool.cut {
            Some(together) => {
                let most = largest.min(pool.pages / BLOCKS_MIN).max(smallest);
                (PAGES_PER_BLOCK_RATIO * together * pool.pages).isqrt().clamp(smallest, most)
            }
            None => largest,
        };
        let blocks = pool.pages.div_ceil(wanted).max(2);
        (blocks, pool.pages / blocks)
    }

    /// Pages of a die without its reserved blocks.
    fn effective(&self) -> u64 {
        (self.blocks_per_die - u64::from(self.reserved)) * self.block
    }

    /// Data of a die when the drive is full.
    fn share(&self) -> u64 {
        self.capacity.div_ceil(self.dies)
    }
}

/// Flash of a die that written data moves in, without the reserved blocks.
struct Pool {
    pages: u64,
    /// Where it is less than the drive has: pages that are written, and become invalid, together.
    cut: Option<u64>,
}

impl Layout {
    /// The layout for a workload with the drive's own addresses.
    ///
    /// # Errors
    /// A specification that no drive can have, with the field.
    pub fn new(spec: &SsdSpec, preload: &Preload) -> Result<Layout, SpecError> {
        let flash = Flash::of(spec)?;
        let (written, whole) = flash.pool(preload);
        let most = (POOL_RATIO_MAX * written).max(POOL_PAGES_FREE) / flash.dies;
        let pool = whole.min(most.max(flash.row));
        Layout::with_pool(
            &flash,
            flash.capacity,
            written,
            Pool { pages: pool, cut: (pool < whole).then_some(1) },
            1.0,
        )
    }

    /// By how much a drive has to shrink so that about `pages_max` pages are rewritten; 1 if not at all.
    ///
    /// # Errors
    /// A specification that no drive can have, with the field.
    pub fn scale_to(spec: &SsdSpec, pages_max: u64, preload: &Preload) -> Result<f64, SpecError> {
        let flash = Flash::of(spec)?;
        let (written, pool) = flash.pool(preload);
        let pages = written.max(pool * flash.dies / POOL_RATIO_SCALED);
        Ok((pages_max as f64 / pages.max(1) as f64).min(1.0))
    }

    /// The layout of a drive shrunk by a factor, for writes of `write_bytes` on average.
    ///
    /// # Errors
    /// A specification that no drive can have, with the field.
    pub fn scaled(
        spec: &SsdSpec,
        scale: f64,
        preload: &Preload,
        write_bytes: u64,
    ) -> Result<Layout, SpecError> {
        if scale >= 1.0 {
            return Layout::new(spec, preload);
        }
        let flash = Flash::of(spec)?;
        let (written, whole) = flash.pool(preload);
        let together = (write_bytes / u64::from(spec.mapping_bytes)).clamp(1, flash.row);
        let pool = Pool { pages: (whole as f64 * scale) as u64, cut: Some(together) };
        // Whole blocks are a little less than the pool, and an open block, which is half full on average, is more of few blocks
        // than of many: both are large next to the spare, so the data are made to fit.
        let (blocks, pages_per_block) = flash.cut(&pool);
        let half_open = |block: u64| block * u64::from(flash.reserved - flash.free_min) / 2;
        let share = (blocks * pages_per_block + half_open(pages_per_block)) as f64;
        let scale = share / (whole + half_open(flash.block)) as f64;
        let most = (blocks * pages_per_block - flash.row) * flash.dies;
        let written = ((written as f64 * scale) as u64).min(most);
        let capacity = (flash.capacity as f64 * scale) as u64;
        let capacity = if preload.written_pages < flash.capacity { capacity } else { written };
        Layout::with_pool(&flash, capacity, written, pool, capacity as f64 / flash.capacity as f64)
    }

    /// Cuts the pool of each die into blocks.
    fn with_pool(
        flash: &Flash,
        capacity_pages: u64,
        written: u64,
        pool: Pool,
        scale: f64,
    ) -> Result<Layout, SpecError> {
        let (blocks, pages_per_block) = flash.cut(&pool);
        let geometry = Geometry {
            dies: flash.dies as u32,
            blocks_per_die: u32::try_from(blocks + u64::from(flash.reserved)).unwrap_or(u32::MAX),
            pages_per_block: pages_per_block as u32,
        };
        geometry.check(written, flash.row as u32, flash.reserved, flash.append_points)?;
        Ok(Layout {
            geometry,
            capacity_pages,
            written_pages: written,
            row_pages: flash.row as u32,
            read_pages: (flash.row / flash.rows_per_program) as u32,
            block_pages_specified: flash.block,
            physical_pages_specified: flash.blocks_per_die * flash.block * flash.dies,
            scale,
        })
    }
}
