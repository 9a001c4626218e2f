//! One die: what it does now, and what waits for it.
//!
//! A die does one thing at a time: read, program or erase its array, or hold its register for the channel.
//! Host reads go first. Behind them comes work in the background: the copies of garbage collection that are
//! due, erases, host programs. So that reads cannot starve programs, one piece of work is let through, and
//! not suspended, after every [`READS_IN_TURN`] reads that went ahead of it (assumed; drives do not publish
//! their rule).
//!
//! Garbage collection is done by the translation layer at once, but its work is owed: it falls due in
//! proportion as the pages that the cleaning made space for are written, so that host programs and copies
//! alternate as they do in a drive whose cleaning keeps pace. The erase falls due with the last copy.

use drivecast_block::Nanos;
use std::collections::VecDeque;

/// Reads that may go ahead of waiting work before it gets its turn.
pub(super) const READS_IN_TURN: u32 = 16;

/// Who waits for what a read finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    /// The command in this slot.
    Command(u32),
    /// The segment of this number that is read ahead of the host.
    Ahead(u32),
}

/// A host read of pages that lie in one row of a die.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadJob {
    pub(super) reader: Reader,
    /// Bytes the host wants.
    pub(super) bytes: u32,
    /// Where they lie.
    pub(super) page: PageType,
}

/// What decides how long an array read takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageType {
    /// A page of the main flash: lower, middle or upper, counted from 0.
    Main(u8),
    /// A page of the pSLC cache.
    Cached,
}

/// A row of host data to be programmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// The row of this number in the write buffer.
    Main(u32),
    /// The same, into the pSLC cache.
    Cached(u32),
    /// Pages folded out of the pSLC cache, which are in no buffer.
    Folded,
}

/// What a die does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Idle,
    /// Host data from the array to the register.
    Read,
    /// Host data in the register, on or waiting for the channel.
    ReadOut,
    /// Pages to be copied, from the array to the register; or the old content of a page partly overwritten.
    CopyRead,
    /// A row of the pSLC cache to be folded, from the array to the register.
    FoldRead,
    /// What either of these read, on or waiting for the channel.
    CopyOut,
    /// Data for a program, on or waiting for the channel.
    ProgramIn,
    Program,
    Erase,
    /// Stopping a program or erase to make way for a read.
    Suspending,
}

/// Work that garbage collection has caused.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cleaning {
    pub(super) copies: u32,
    /// Array reads that fetch them.
    pub(super) reads: u32,
    pub(super) erases: u32,
}

#[derive(Debug)]
pub(super) struct Die {
    pub(super) phase: Phase,
    pub(super) channel: u16,
    /// Whether the program at hand is one of garbage collection.
    pub(super) copying: bool,
    /// Whether the work at hand may not be suspended.
    pub(super) held: bool,
    /// When the array is done.
    pub(super) until: Nanos,
    /// The read at hand.
    pub(super) job: ReadJob,
    /// The row of the host program at hand.
    pub(super) row: Row,
    /// Time of the transfer that waits for the channel.
    pub(super) transfer: Nanos,
    /// A suspended program or erase and the time it still needs.
    pub(super) paused: Option<(Phase, Nanos)>,
    /// How often the program or erase at hand was suspended.
    pub(super) suspensions: u32,
    /// Reads that went ahead of work.
    pub(super) streak: u32,
    pub(super) reads: VecDeque<ReadJob>,
    /// Rows of host data to program.
    pub(super) rows: VecDeque<Row>,
    /// Work of garbage collection that is not yet due.
    pub(super) owed: Cleaning,
    /// Host pages over which it falls due.
    pub(super) span: u32,
    pub(super) due: Cleaning,
    /// Copies that fell due since the last host program was sent here.
    pub(super) fallen_copies: u32,
    /// Rows of the pSLC cache to be read for folding.
    pub(super) folds: u32,
    /// Pages of the cache folded and not yet counted as an erase.
    pub(super) folded_pages: u64,
    /// Copies read and not yet programmed.
    pub(super) held_copies: u32,
    /// Cleaned pages not yet counted as an erase of a block of the specified size.
    pub(super) erased_pages: u64,
}

impl Die {
    pub(super) fn new(channel: u16) -> Die {
        Die {
            phase: Phase::Idle,
            channel,
            copying: false,
            held: false,
            until: Nanos::ZERO,
            job: ReadJob { reader: Reader::Command(0), bytes: 0, page: PageType::Main(0) },
            row: Row::Folded,
            transfer: Nanos::ZERO,
            paused: None,
            suspensions: 0,
            streak: 0,
            reads: VecDeque::with_capacity(8),
            rows: VecDeque::with_capacity(8),
            owed: Cleaning::default(),
            span: 0,
            due: Cleaning::default(),
            fallen_copies: 0,
            folds: 0,
            folded_pages: 0,
            held_copies: 0,
            erased_pages: 0,
        }
    }

    /// Whether anything but host reads waits, for programs of `row_pages`.
    pub(super) fn has_work(&self, row_pages: u32) -> bool {
        self.paused.is_some()
            || self.due.reads > 0
            || self.due.erases > 0
            || self.folds > 0
            || self.held_copies >= row_pages
            || !self.rows.is_empty()
    }

    /// A block was cleaned; the work falls due over the next `span` host pages. What is owed from before is due now, or
    /// with several append points `together` with it: one may need space before another has used up its own.
    pub(super) fn owe(&mut self, work: Cleaning, span: u32, together: bool) {
        if !together {
            self.fall_due(self.owed);
            self.span = 0;
        }
        self.fall_due(Cleaning { erases: self.owed.erases, ..Cleaning::default() });
        self.owed.copies += work.copies;
        self.owed.reads += work.reads;
        self.owed.erases = work.erases;
        self.span += span;
    }

    /// Host pages were sent to this die: their share of the work owed falls due.
    pub(super) fn pay(&mut self, pages: u32) {
        if pages >= self.span {
            self.fall_due(self.owed);
            self.span = 0;
            return;
        }
        let share = |owed: u32| (u64::from(owed) * u64::from(pages)).div_ceil(u64::from(self.span)) as u32;
        let part = Cleaning { copies: share(self.owed.copies), reads: share(self.owed.reads), erases: 0 };
        self.fall_due(part);
        self.span -= pages;
    }

    fn fall_due(&mut self, part: Cleaning) {
        self.owed.copies -= part.copies;
        self.owed.reads -= part.reads;
        self.owed.erases -= part.erases;
        self.fallen_copies += part.copies;
        self.add_due(part);
    }

    /// Work that is due now.
    pub(super) fn add_due(&mut self, part: Cleaning) {
        self.due.copies += part.copies;
        self.due.reads += part.reads;
        self.due.erases += part.erases;
    }
}
