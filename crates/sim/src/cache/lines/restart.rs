//! What the lines hold after the cache has been taken away and set up again.

use super::Lines;
use super::table::DIRTY;
use crate::cache::orders::Orders;
use crate::spec::Restart;

impl Lines {
    /// Takes the cache away and sets it up again; nothing is in flight. What is to be cleaned is ordered.
    pub(in crate::cache) fn restart(&mut self, how: Restart, orders: &mut Orders) {
        match how {
            Restart::Remove => self.clean_all(orders),
            Restart::FastRemove => {}
            Restart::Crash if self.rules.survives => {}
            Restart::Crash => {
                let lines: Vec<u32> = self.table.all();
                let clean = |line: &u32| !self.table.get(*line).is(DIRTY);
                let clean: Vec<u32> = lines.into_iter().filter(clean).collect();
                clean.into_iter().for_each(|line| self.drop_block(line));
            }
        }
    }
}
