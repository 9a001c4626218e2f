//! What the processes of a trace are called: by their numbers, which are the streams of formats that have them.
//!
//! A process may change its name when it begins another program; of several names the last is taken. Only so many
//! numbers are remembered, whatever a file has: those of the processes seen first.

use crate::summary::ProcessSummary;
use std::collections::BTreeMap;

/// Numbers that are remembered.
const NUMBERS_MAX: usize = 4096;

/// The names so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Processes {
    names: BTreeMap<u32, String>,
    last: Option<u32>,
}

impl Processes {
    /// A process did something: its name counts where another did something before.
    #[inline]
    pub(crate) fn see(&mut self, number: u32, name: &[u8]) {
        if self.last != Some(number) {
            self.last = Some(number);
            self.name(number, name);
        }
    }

    /// A process has this name.
    pub(crate) fn name(&mut self, number: u32, name: &[u8]) {
        let name = name.trim_ascii();
        let known = self.names.get(&number);
        let is_new = known.is_none_or(|known| known.as_bytes() != name);
        if is_new && !name.is_empty() && (known.is_some() || self.names.len() < NUMBERS_MAX) {
            self.names.insert(number, String::from_utf8_lossy(name).into_owned());
        }
    }

    /// The processes of several files in one list, by number.
    pub(crate) fn merged<'a>(several: impl Iterator<Item = &'a Processes>) -> Vec<ProcessSummary> {
        let names: BTreeMap<u32, &String> =
            several.flat_map(|processes| &processes.names).map(|(number, name)| (*number, name)).collect();
        let summary = |(stream, name): (u32, &String)| ProcessSummary { stream, name: name.clone() };
        names.into_iter().take(NUMBERS_MAX).map(summary).collect()
    }
}
