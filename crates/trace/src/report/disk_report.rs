//! What one report holds of one disk, in the same units whatever the source.

/// What rows count by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Per {
    Second,
    Interval,
}

/// One disk in one report. Requests and bytes by [`Per`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct DiskReport {
    pub(crate) reads: f64,
    pub(crate) writes: f64,
    pub(crate) flushes: Option<f64>,
    pub(crate) read_bytes: f64,
    pub(crate) written_bytes: f64,
    /// Requests joined to a neighbour, which are not among the others.
    pub(crate) reads_merged: Option<f64>,
    pub(crate) writes_merged: Option<f64>,
    pub(crate) queue_depth: Option<f64>,
    pub(crate) read_latency_ns: Option<f64>,
    pub(crate) write_latency_ns: Option<f64>,
    pub(crate) utilization: Option<f64>,
}

impl DiskReport {
    /// Requests split between reads and writes in proportion to the bytes; evenly where nothing moved.
    pub(crate) fn split(mut self, requests: f64) -> DiskReport {
        let bytes = self.read_bytes + self.written_bytes;
        let share = if bytes > 0.0 { self.read_bytes / bytes } else { 0.5 };
        self.reads = requests * share;
        self.writes = requests - self.reads;
        self
    }

    /// The sum of two disks. Latency is the mean over their requests; a machine is as busy as its busiest disk, which is
    /// the least that can be said of both.
    pub(crate) fn plus(&self, other: &DiskReport) -> DiskReport {
        let sum = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a + b).or(a).or(b);
        let mean = |(a, of_a): (Option<f64>, f64), (b, of_b): (Option<f64>, f64)| match (a, b) {
            (Some(a), Some(b)) if of_a + of_b > 0.0 => Some((a * of_a + b * of_b) / (of_a + of_b)),
            _ => a.or(b),
        };
        DiskReport {
            reads: self.reads + other.reads,
            writes: self.writes + other.writes,
            flushes: sum(self.flushes, other.flushes),
            read_bytes: self.read_bytes + other.read_bytes,
            written_bytes: self.written_bytes + other.written_bytes,
            reads_merged: sum(self.reads_merged, other.reads_merged),
            writes_merged: sum(self.writes_merged, other.writes_merged),
            queue_depth: sum(self.queue_depth, other.queue_depth),
            read_latency_ns: mean((self.read_latency_ns, self.reads), (other.read_latency_ns, other.reads)),
            write_latency_ns: mean(
                (self.write_latency_ns, self.writes),
                (other.write_latency_ns, other.writes),
            ),
            utilization: self.utilization.zip(other.utilization).map(|(a, b)| a.max(b)),
        }
    }

    /// All requests; what fell counts as none.
    pub(crate) fn counted(&self) -> f64 {
        self.reads.max(0.0) + self.writes.max(0.0) + self.flushes.unwrap_or(0.0).max(0.0)
    }

    /// Whether nothing moved.
    pub(crate) fn is_idle(&self) -> bool {
        self.counted() + self.read_bytes.max(0.0) + self.written_bytes.max(0.0) == 0.0
    }

    /// Whether a counter was reset since the report before, which shows as a negative rate.
    pub(crate) fn fell(&self) -> bool {
        let writes = self.writes + self.flushes.unwrap_or(0.0);
        [self.reads, writes, self.read_bytes, self.written_bytes].iter().any(|amount| *amount < 0.0)
    }

    /// Takes the flushes out of the writes, where Linux counts them, and their time out of what waits. `depth` is of
    /// flushes alone, as the counters have it a second time.
    pub(crate) fn without_flushes(
        mut self,
        flushes: f64,
        flush_latency_ns: Option<f64>,
        depth: f64,
    ) -> DiskReport {
        let writes = self.writes - flushes;
        self.flushes = Some(flushes);
        self.queue_depth = self.queue_depth.map(|all| (all - depth).max(0.0));
        if let (Some(flush), Some(write)) = (flush_latency_ns, self.write_latency_ns) {
            self.write_latency_ns = Some(((self.writes * write - flushes * flush) / writes).max(0.0));
        }
        self.writes = writes;
        self
    }
}
