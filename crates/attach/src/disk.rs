//! The disk: a simulated device, its data, and what is in flight.

use crate::data::{Data, SECTOR};
use crate::lateness::{Counter, Lateness};
use crate::ping::PING;
use crate::recent_activity::{Activity, Span, Window};
use crate::{Errno, Kept};
use drivecast_block::random::{Stream, stream};
use drivecast_block::{Bytes, Completion, Device, Nanos, Op, Record, Request};
use drivecast_sim::SimError;
use drivecast_sim::design::{Left, Resolved};
use drivecast_sim::host::Meter;
use drivecast_sim::outcome::Outcome;
use drivecast_sim::raid::Pace;
use drivecast_sim::request_slots::Slots;
use drivecast_sim::run::{self, DiskOptions};
use rand::RngExt;

/// How a disk behaves.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How the design is made.
    pub disk: DiskOptions,
    /// Where its data are.
    pub kept: Kept,
    /// Nanoseconds of the design in one of the clock.
    pub speed: f64,
    /// Share of the reads and writes that fail, after their time.
    pub error_rate: f64,
    /// Whether power may be cut: what is not flushed is then lost, where the design's drives do not protect it.
    pub may_cut: bool,
    /// Whether all that comes is recorded.
    pub record: bool,
}

/// What a program wants.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// The operation.
    pub op: Op,
    /// First byte; a multiple of [`SECTOR`].
    pub offset: u64,
    /// Bytes; a multiple of [`SECTOR`], 0 for a flush.
    pub size: u32,
    /// Complete only when durable.
    pub fua: bool,
    /// Who asks: a connection, a process.
    pub stream: u32,
    /// The front's own handle, given back in the answer.
    pub ticket: u64,
}

/// What has become of it.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// What was asked.
    pub ask: Ask,
    /// Why it failed, if it did.
    pub error: Option<Errno>,
    /// When it came, and when it was complete on the device, in time of the design.
    issued: Nanos,
    at: Nanos,
    /// Whether the device took part: else both times are of the clock.
    is_timed: bool,
}

#[derive(Clone, Copy)]
struct Flight {
    ask: Ask,
    issued: Nanos,
    /// Of a flush, its number in the data.
    flush: u64,
    /// The number that the storage below has to reach; 0: none.
    sync: u64,
}

/// What the device has completed.
#[derive(Clone, Copy)]
struct Over {
    flight: Flight,
    at: Nanos,
    is_timed: bool,
}

/// See the module. Times are those of the clock since the disk was made, unless they are said to be of the design.
pub struct Disk {
    design: Resolved,
    device: run::Disk,
    data: Data,
    settings: Settings,
    /// What the front costs, there and back; none while it is measured: see [`PING`].
    transport: Option<Nanos>,
    flights: Slots<Flight>,
    /// The last event of the device, in time of the design.
    reached: Nanos,
    /// What is answered without the device.
    at_once: Vec<Over>,
    /// Requests that wait for the storage below.
    unsynced: Vec<Over>,
    done: Vec<Completion>,
    errors: Stream,
    fault: Option<String>,
    failed: Vec<usize>,
    rebuild: Bytes,
    meter: Meter,
    lateness: Counter,
    windows: [Window; 2],
    written: u64,
    /// Writes that did not fit into the store.
    refused_full: u64,
    records: Vec<Record>,
}

impl Disk {
    /// The design, ready for use, with its data.
    ///
    /// # Errors
    /// A design that cannot be built; a store that cannot be had.
    pub fn new(design: Resolved, settings: Settings) -> Result<Disk, AttachError> {
        let device = run::Disk::new(&design, &settings.disk)?;
        let is_volatile = settings.may_cut && design.root().is_volatile();
        let data = Data::new(&settings.kept, device.size.0, is_volatile)
            .map_err(|error| AttachError::Store { kept: settings.kept.clone(), error })?;
        Ok(Disk {
            errors: stream(settings.disk.seed, "attach.error"),
            design,
            device,
            data,
            settings,
            transport: None,
            flights: Slots::new(),
            reached: Nanos::ZERO,
            at_once: Vec::new(),
            unsynced: Vec::new(),
            done: Vec::new(),
            fault: None,
            failed: Vec::new(),
            rebuild: Bytes(0),
            meter: Meter::default(),
            lateness: Counter::new(),
            windows: Span::ALL.map(|_| Window::new()),
            written: 0,
            refused_full: 0,
            records: Vec::new(),
        })
    }

    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        self.data.size()
    }

    /// How many drives it is made of.
    pub fn drives(&self) -> usize {
        self.device.unit.drives()
    }

    /// Its data.
    pub fn data(&mut self) -> &mut Data {
        &mut self.data
    }

    /// From now on the device takes its time; the front costs `transport` of the clock, which is taken off.
    pub fn start(&mut self, transport: Nanos) {
        self.transport = Some(transport);
    }

    /// Half of what the front costs, in time of the design.
    fn way(&self) -> Nanos {
        self.of_design(Nanos(self.transport.unwrap_or_default().0 / 2))
    }

    fn of_design(&self, clock: Nanos) -> Nanos {
        Nanos((clock.0 as f64 * self.settings.speed) as u64)
    }

    /// Why a request is refused, as a disk of this size refuses it.
    ///
    /// # Errors
    /// Beyond the end, not on whole sectors, or the disk has failed.
    fn check(&self, ask: &Ask) -> Result<(), Errno> {
        if self.fault.is_some() {
            return Err(Errno::IO);
        }
        if ask.op == Op::Flush {
            return Ok(());
        }
        if !ask.offset.is_multiple_of(SECTOR) || !u64::from(ask.size).is_multiple_of(SECTOR) || ask.size == 0
        {
            return Err(Errno::INVALID);
        }
        if ask.offset.checked_add(ask.size.into()).is_none_or(|end| end > self.size()) {
            return Err(if ask.op == Op::Read { Errno::INVALID } else { Errno::NO_SPACE });
        }
        Ok(())
    }

    /// Takes a request in that came at `now`, with what a write brings; none of one that writes zeros.
    ///
    /// # Errors
    /// As a disk refuses it: see [`Errno`]. Nothing is answered then.
    pub fn ask(&mut self, now: Nanos, ask: Ask, brings: Option<&[u8]>) -> Result<(), Errno> {
        self.check(&ask)?;
        let stored = match (ask.op, brings) {
            (Op::Write, Some(bytes)) => self.data.write(ask.offset, bytes),
            (Op::Write | Op::Discard, _) => self.data.discard(ask.offset, ask.size.into()),
            (Op::Read | Op::Flush, _) => Ok(()),
        };
        // What lies beyond the end was refused above: here it is the store that has no space.
        self.refused_full += u64::from(stored == Err(Errno::NO_SPACE));
        stored?;
        let flush = if ask.op == Op::Flush { self.data.flush() } else { 0 };
        let is_durable = ask.op == Op::Flush || ask.fua && ask.op != Op::Read;
        let sync = if is_durable { self.data.sync() } else { 0 };
        self.submit(now, Flight { ask, issued: now, flush, sync });
        Ok(())
    }

    /// Hands a request to the device.
    fn submit(&mut self, now: Nanos, flight: Flight) {
        if self.transport.is_none() {
            let at = if flight.ask.op == Op::Read { now + PING } else { now };
            self.at_once.push(Over { flight, at, is_timed: false });
            return;
        }
        let ask = flight.ask;
        let issued = Nanos(self.of_design(now).0.saturating_sub(self.way().0)).max(self.reached);
        self.proceed(issued);
        if ask.op == Op::Write {
            self.written += u64::from(ask.size);
        }
        let id = self.flights.insert(Flight { issued, ..flight }).into();
        self.meter.issue(issued);
        let Ask { op, offset, size, fua, stream, .. } = ask;
        let request = Request { id, offset: self.folded(offset, size), size, stream, op, fua };
        self.device.unit.submit(issued, request);
        self.reached = issued;
        if self.settings.record {
            let latency = None;
            self.records.push(Record { time: issued, offset, size, stream, op, fua, latency });
        }
    }

    /// The address on the device, of which only part may be simulated.
    fn folded(&self, offset: u64, size: u32) -> Bytes {
        let capacity = self.device.unit.capacity().0;
        let at = offset % capacity;
        Bytes(at.min(capacity.saturating_sub(size.into())))
    }

    /// When, by the clock, the disk next has something to do.
    pub fn due(&self) -> Option<Nanos> {
        if !self.done.is_empty() {
            return Some(Nanos::ZERO);
        }
        let of_device = self.device.unit.next().map(|at| {
            let at = at.0.saturating_sub(self.way().0);
            Nanos((at as f64 / self.settings.speed) as u64)
        });
        self.at_once.iter().map(|answer| answer.at).chain(of_device).min()
    }

    /// What is to be answered at `now`.
    pub fn advance(&mut self, now: Nanos, answers: &mut Vec<Answer>) {
        for over in std::mem::take(&mut self.unsynced) {
            self.finish(over, answers);
        }
        // Of a disk that has started, none: nothing is allocated then.
        let at_once: Vec<Over> = self.at_once.extract_if(.., |over| over.at <= now).collect();
        for over in at_once {
            self.finish(over, answers);
        }
        if self.transport.is_some() {
            self.proceed(self.of_design(now) + self.way());
        }
        for Completion { id, at } in std::mem::take(&mut self.done) {
            let flight = self.flights.remove(id as u32);
            self.finish(Over { flight, at, is_timed: true }, answers);
        }
    }

    /// Answers what the device has completed, once the storage below has, too.
    fn finish(&mut self, over: Over, answers: &mut Vec<Answer>) {
        let Over { flight: Flight { ask, issued, flush, sync }, at, is_timed } = over;
        if sync > self.data.synced() {
            return self.unsynced.push(over);
        }
        if sync > 0 && self.fault.is_none() {
            let failure = self.data.sync_failure();
            self.fault = failure.map(|error| format!("the file of its data could not be flushed: {error}"));
        }
        self.durable(&ask, flush);
        let fails = is_timed
            && ask.size > 0
            && self.settings.error_rate > 0.0
            && self.errors.random::<f64>() < self.settings.error_rate;
        let error = (fails || self.fault.is_some()).then_some(Errno::IO);
        answers.push(Answer { ask, error, issued, at, is_timed });
    }

    /// A request is complete: what is durable with it outlives a power cut.
    fn durable(&mut self, ask: &Ask, flush: u64) {
        match ask.op {
            Op::Flush => self.data.flushed(flush),
            Op::Write | Op::Discard if ask.fua => self.data.forced(ask.offset, ask.size.into()),
            Op::Read | Op::Write | Op::Discard => {}
        }
    }

    /// An answer was sent at `now`.
    pub fn answered(&mut self, now: Nanos, answer: &Answer) {
        if !answer.is_timed {
            return;
        }
        let known = (self.of_design(now) + self.way()).max(answer.at);
        let Ask { op, size, .. } = answer.ask;
        self.meter.complete(op, size, answer.issued, known);
        let late = Nanos((known.since(answer.at).0 as f64 / self.settings.speed) as u64);
        self.lateness.count(op, late.0);
        for window in &mut self.windows {
            window.count(op, size, known.since(answer.issued).0, late.0);
        }
    }

    /// Lets the device come to a time of the design.
    fn proceed(&mut self, to: Nanos) {
        let unit = &mut self.device.unit;
        while let Some(at) = unit.next().filter(|at| *at <= to) {
            self.reached = self.reached.max(at);
            unit.advance(self.reached, &mut self.done);
        }
        if self.fault.is_none() {
            self.fault = unit.fault();
        }
    }

    /// A drive fails.
    ///
    /// # Errors
    /// No such drive, or one that cannot fail now.
    pub fn fail(&mut self, drive: usize) -> Result<(), String> {
        if self.device.unit.fail(drive)? == Left::Loss {
            self.fault = Some(format!("drive {drive} has failed, and the design does not survive that"));
        }
        self.failed.push(drive);
        Ok(())
    }

    /// Failed drives are rebuilt onto blank ones, at so many bytes a second each.
    ///
    /// # Errors
    /// A rebuild is under way, or nothing has failed.
    pub fn rebuild(&mut self, bytes_per_s: f64) -> Result<(), String> {
        let bytes = self.device.unit.rebuild(self.reached, Pace::Rate(bytes_per_s))?;
        if bytes.0 == 0 {
            return Err("nothing has failed that can be rebuilt".to_owned());
        }
        self.rebuild.0 += bytes.0;
        self.failed.clear();
        Ok(())
    }

    /// A drive takes so many times as long.
    ///
    /// # Errors
    /// No such drive.
    pub fn slow(&mut self, drive: usize, factor: f64) -> Result<(), String> {
        self.device.unit.slow(drive, factor)
    }

    /// Power is cut: what was not flushed is lost where the drives do not protect it, and all that comes after fails. How many bytes were lost.
    ///
    /// # Errors
    /// The store fails.
    pub fn cut(&mut self) -> Result<u64, Errno> {
        self.fault = Some("power was cut".to_owned());
        self.data.cut()
    }

    /// What came since the last call, where it is recorded.
    pub fn records(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.records)
    }

    /// What has been seen since the last look at this span, which ends now.
    pub fn look(&mut self, now: Nanos, span: Span) -> Activity {
        let now = self.of_design(now);
        let counters = self.device.unit.counters();
        let window = &mut self.windows[span as usize];
        let late = window.late.summary(self.transport.unwrap_or_default().0);
        let [read, write, flush] = window.take();
        let host = counters.flash_host_pages;
        let elapsed = now.since(window.since);
        window.since = now;
        Activity {
            elapsed_s: elapsed.as_secs_f64(),
            read,
            write,
            flush,
            late,
            in_flight: self.meter.in_flight(),
            write_amplification: (host > 0).then(|| counters.flash_programmed_pages as f64 / host as f64),
            written_bytes: self.written,
            refused_full: self.refused_full,
            rebuilt_bytes: counters.rebuilt_bytes,
            rebuild_bytes: self.rebuild.0,
            failed: self.failed.clone(),
            fault: self.fault.clone(),
        }
    }

    /// Lateness since it was made.
    pub fn lateness(&self) -> Lateness {
        self.lateness.summary(self.transport.unwrap_or_default().0)
    }

    /// The outcome of its use up to `now`.
    pub fn outcome(&mut self, now: Nanos) -> Outcome {
        let counters = self.device.unit.counters();
        let end = self.of_design(now);
        let meter = std::mem::take(&mut self.meter);
        let measured = meter.finish(end, counters, self.fault.clone());
        self.device.outcome(&self.design, self.settings.disk.seed, &measured)
    }
}

/// Why a disk cannot be made or served.
#[derive(Debug, thiserror::Error)]
pub enum AttachError {
    /// The design.
    #[error(transparent)]
    Design(#[from] SimError),
    /// Its data.
    #[error("cannot hold the data of the disk {}: {error}", place(kept))]
    Store {
        /// Where.
        kept: Kept,
        /// Why.
        error: std::io::Error,
    },
    /// Its front.
    #[error("cannot serve the disk at `{path}`: {error}")]
    Front {
        /// The socket or directory.
        path: String,
        /// Why.
        error: std::io::Error,
    },
}

fn place(kept: &Kept) -> String {
    match kept {
        Kept::Memory(_) => "in memory".to_owned(),
        Kept::File { path, .. } => format!("in `{}`", path.display()),
        Kept::Discard => "nowhere".to_owned(),
    }
}
