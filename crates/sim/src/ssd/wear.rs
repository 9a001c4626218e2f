//! Wear without time: write a workload until write amplification is steady.
//!
//! Writes are applied with [`Device::age`], in windows of half a drive write or more each; the write
//! amplification of a window is what flash took over what the host sent. It is steady once, over the last
//! eight windows, the later four differ from the earlier four by less than the tolerance, or by less than two
//! standard errors of that difference, as far as the later four show (a transient in the earlier ones must
//! not pass for chance). From there on windows are batch means: their mean is the result, and mean ± t₀.₉₇₅(n
//! − 1) s/√n its interval. Windows are added until the interval is as narrow as the tolerance.
//!
//! Left out: correlation between neighbouring windows, which half a drive write makes small (the blocks of
//! one window are cleaned within the next few).

use drivecast_block::math;
use drivecast_block::{Bytes, Counters, Device, Op, Request};

/// Windows that are compared for a trend.
const TREND_WINDOWS: usize = 8;
/// Requests drawn before their turn, so that the memory they will touch is on its way: as many as hide it.
const AHEAD: usize = 16;
/// Requests without a byte written after which the workload is taken to write nothing.
const PATIENCE: u64 = 1 << 24;

/// When to call write amplification steady.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Host bytes of a window: at least half of what the workload rewrites.
    pub window_bytes: u64,
    /// Drift over eight windows, and half width of the interval, as a share of the result.
    pub tolerance: f64,
    /// Windows after which to stop and say that it was not steady.
    pub windows_max: usize,
}

impl Options {
    /// Windows of `window_bytes`, half a per cent, at most 400 windows.
    pub const fn new(window_bytes: u64) -> Options {
        Options { window_bytes, tolerance: 0.005, windows_max: 400 }
    }
}

/// What steady writing does to flash.
#[derive(Clone, Debug, PartialEq)]
pub struct Wear {
    /// Pages programmed for each page that the host wrote; below 1 only where the drive compresses.
    pub write_amplification: f64,
    /// Lower end of its 95 % interval.
    pub write_amplification_low: f64,
    /// Upper end.
    pub write_amplification_high: f64,
    /// Whether it became steady and the interval as narrow as requested.
    pub steady: bool,
    /// Windows written, the unsteady first ones included.
    pub windows: usize,
    /// Host bytes written in the steady windows.
    pub written_bytes: u64,
    /// Pages written to flash for the host in the steady windows, parity and mirrors included.
    pub flash_host_pages: u64,
    /// Pages copied in the steady windows.
    pub flash_copied_pages: u64,
    /// Blocks erased in the steady windows, of the size specified.
    pub flash_erases: u64,
}

impl Wear {
    /// That of so many drives, each of which was written as these were.
    pub(crate) fn of_copies(self, copies: u64) -> Wear {
        Wear {
            flash_host_pages: self.flash_host_pages * copies,
            flash_copied_pages: self.flash_copied_pages * copies,
            flash_erases: self.flash_erases * copies,
            ..self
        }
    }
}

/// Writes the first `bytes` of a device in order, as a fresh drive is filled.
pub fn fill(device: &mut dyn Device, bytes: u64) {
    const STEP: u64 = 128 << 10;
    for offset in (0..bytes).step_by(STEP as usize) {
        let size = STEP.min(bytes - offset) as u32;
        device.age(Request { id: 0, offset: Bytes(offset), size, stream: 0, op: Op::Write, fua: false });
    }
}

/// Writes what `workload` gives, over and over, until write amplification is steady. None if the flash is written
/// nothing, or the device fails. Before a cache the workload also reads, which counts for the windows as writing does: it is
/// the cache's I/O that is measured.
pub fn measure(
    device: &mut dyn Device,
    mut workload: impl FnMut() -> Request,
    options: &Options,
) -> Option<Wear> {
    let mut workload = Drawn { ring: std::array::from_fn(|_| workload()), at: 0, draw: workload };
    let mut windows: Vec<Window> = Vec::new();
    let mut steady_from = None;
    while windows.len() < options.windows_max {
        windows.push(Window::write(device, &mut workload, options.window_bytes)?);
        if device.fault().is_some() {
            return None;
        }
        let trend = windows.len().checked_sub(TREND_WINDOWS);
        if steady_from.is_none() {
            steady_from = trend.filter(|&from| is_level(&windows[from..], options.tolerance));
        }
        if let Some(from) = steady_from {
            let (mean, half) = interval(&windows[from..]);
            if half <= options.tolerance * mean {
                return written(&windows, summary(&windows, from, true));
            }
        }
    }
    let from = steady_from.unwrap_or(windows.len() / 2);
    written(&windows, summary(&windows, from, false))
}

/// The summary, unless these windows wrote nothing to flash.
fn written(windows: &[Window], found: Wear) -> Option<Wear> {
    let (first, last) = (windows.first()?.before, windows.last()?.after);
    (last.flash_host_pages > first.flash_host_pages).then_some(found)
}

/// A workload some requests ahead of itself.
struct Drawn<W> {
    ring: [Request; AHEAD],
    at: usize,
    draw: W,
}

impl<W: FnMut() -> Request> Drawn<W> {
    /// The next request; the device hears of a later one.
    fn next(&mut self, device: &dyn Device) -> Request {
        let next = std::mem::replace(&mut self.ring[self.at], (self.draw)());
        device.expect(&self.ring[self.at]);
        self.at = (self.at + 1) % AHEAD;
        next
    }
}

/// One window.
#[derive(Clone, Copy, Debug)]
struct Window {
    bytes: u64,
    before: Counters,
    after: Counters,
}

impl Window {
    fn write(
        device: &mut dyn Device,
        workload: &mut Drawn<impl FnMut() -> Request>,
        bytes_min: u64,
    ) -> Option<Window> {
        let before = device.counters();
        let (mut bytes, mut idle) = (0, 0);
        while bytes < bytes_min {
            let request = workload.next(device);
            device.age(request);
            if matches!(request.op, Op::Write | Op::Read) && request.size > 0 {
                bytes += u64::from(request.size);
                idle = 0;
            } else {
                idle += 1;
                if idle == PATIENCE {
                    return None;
                }
            }
        }
        Some(Window { bytes, before, after: device.counters() })
    }

    fn amplification(&self) -> f64 {
        let host = self.after.flash_host_pages - self.before.flash_host_pages;
        let programmed = self.after.flash_programmed_pages - self.before.flash_programmed_pages;
        // A cache may serve a window without writing to its flash.
        if host == 0 { 1.0 } else { programmed as f64 / host as f64 }
    }
}

/// Whether the later half of the windows is where the earlier half was.
fn is_level(windows: &[Window], tolerance: f64) -> bool {
    let (early, late) = windows.split_at(windows.len() / 2);
    let ((a, _), (b, variance)) = (moments(early), moments(late));
    let chance = 2.0 * (2.0 * variance / early.len() as f64).sqrt();
    (a - b).abs() <= (tolerance * b).max(chance)
}

/// Mean and variance of write amplification over windows.
fn moments(windows: &[Window]) -> (f64, f64) {
    let n = windows.len() as f64;
    let mean = windows.iter().map(Window::amplification).sum::<f64>() / n;
    let squares: f64 = windows.iter().map(|window| math::powi(window.amplification() - mean, 2)).sum();
    (mean, squares / (n - 1.0).max(1.0))
}

/// Mean and half width of the 95 % interval. Student's quantile as 1.96 + 2.8/(n − 1), within 1 % from n = 6
/// on.
fn interval(windows: &[Window]) -> (f64, f64) {
    let n = windows.len() as f64;
    let (mean, variance) = moments(windows);
    let quantile = 1.96 + 2.8 / (n - 1.0).max(1.0);
    (mean, quantile * (variance / n).sqrt())
}

fn summary(windows: &[Window], from: usize, steady: bool) -> Wear {
    let steady_windows = &windows[from..];
    let (mean, half) = interval(steady_windows);
    let (before, after) = (steady_windows[0].before, steady_windows[steady_windows.len() - 1].after);
    Wear {
        write_amplification: mean,
        write_amplification_low: (mean - half).max(if mean < 1.0 { 0.0 } else { 1.0 }),
        write_amplification_high: mean + half,
        steady,
        windows: windows.len(),
        written_bytes: steady_windows.iter().map(|window| window.bytes).sum(),
        flash_host_pages: after.flash_host_pages - before.flash_host_pages,
        flash_copied_pages: after.flash_copied_pages - before.flash_copied_pages,
        flash_erases: after.flash_erases - before.flash_erases,
    }
}
