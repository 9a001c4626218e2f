//! Processors that do not rest while a disk is in use.
//!
//! Model. A thread that is woken on a processor at rest runs as much later as that takes to leave its state: tens of microseconds in a
//! virtual machine, where the host decides. That is on the application's way to the disk and back, for which no
//! design is to blame, so the kernel is to grant a latency of zero (PM QoS, `/dev/cpu_dma_latency`): idle processors
//! then spin. It ends with the descriptor, however we end; and after a second without requests, for the power that it takes. Only
//! root may; without it nothing changes. Source: the kernel's `Documentation/power/pm_qos_interface.rst`.

use drivecast_block::Nanos;
use std::fs::File;
use std::io::{Result, Write};

/// Without a request for so long, processors may rest.
const IDLE: Nanos = Nanos::from_ms(1000);

/// The wish, while it lasts.
#[derive(Default)]
pub(crate) struct Awake {
    wish: Option<File>,
    /// It was denied once, and is not tried again.
    denied: bool,
}

impl Awake {
    /// A request has come.
    pub(crate) fn asked(&mut self) {
        if self.wish.is_none() && !self.denied {
            self.wish = wish().ok();
            self.denied = self.wish.is_none();
        }
    }

    /// None has come for so long.
    pub(crate) fn idle(&mut self, length: Nanos) {
        if length > IDLE {
            self.wish = None;
        }
    }

    /// How long a sleep may be, so that the wish ends in time.
    pub(crate) fn at_most(&self, length: Nanos) -> Nanos {
        if self.wish.is_some() { length.min(IDLE) } else { length }
    }
}

fn wish() -> Result<File> {
    let mut file = File::options().write(true).open("/dev/cpu_dma_latency")?;
    file.write_all(&0_i32.to_ne_bytes())?;
    Ok(file)
}
