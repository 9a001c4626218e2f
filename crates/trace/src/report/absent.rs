//! Reports without the disk: it was idle and is left out, or nothing is known of it.
//!
//! MODEL. Some tools leave out idle disks when asked (`iostat -z`, `sar -z`). A log that shows a disk at rest anywhere does not: there a report
//! without the disk knows nothing of it, and its time is left out. In any other log of such a tool its time passed, and the disk
//! did nothing. Both are said.

use super::disk_report::DiskReport;
use super::reports::{Reports, Row};
use super::sequence::Places;

impl Reports {
    /// Gives rows without requests to reports that leave out the disk because it was idle; else lists them as lost.
    pub(super) fn complete(&mut self, disk: u32, places: &Places<'_>) -> Vec<String> {
        let name = self.disks[disk as usize].name.clone();
        let (mut has, mut any) = (vec![false; self.reports.len()], vec![false; self.reports.len()]);
        let (mut reset, mut shows_idle) = (Vec::new(), false);
        for row in &self.rows {
            any[row.report as usize] = true;
            shows_idle |= row.amounts.is_idle();
            if row.disk == disk {
                has[row.report as usize] = true;
                if row.amounts.fell() {
                    reset.push(row.report as usize);
                }
            }
        }
        let idle = self.leaves_out_idle && !shows_idle;
        let without: Vec<usize> = (0..self.reports.len())
            .filter(|at| {
                !has[*at] && !self.reports[*at].left_out && (idle || any[*at] || !self.reports[*at].opens)
            })
            .collect();
        let (idle, lost): (Vec<usize>, Vec<usize>) =
            without.into_iter().partition(|at| idle && !self.reports[*at].damaged);
        let all = self.reports.len();
        let mut losses = Vec::new();
        if let Some(first) = lost.first() {
            let (count, at) = (lost.len(), places.at(*first));
            losses.push(format!(
                "{count} of {all} reports have no figures of `{name}`, the first at {at}: what it did then is unknown, and their time is left out"
            ));
        }
        if let Some(first) = reset.first() {
            let (count, at) = (reset.len(), places.at(*first));
            losses.push(format!(
                "{count} reports have negative rates, the first at {at}: a counter started anew; they are taken as nothing"
            ));
        }
        if let Some(first) = idle.first() {
            let (count, at) = (idle.len(), places.at(*first));
            self.notes.push(format!(
                "{count} of {all} reports leave out `{name}`, the first at {at}, and none of the log shows a disk at rest: it was idle then (`-z`)"
            ));
            let nothing = |report: usize| Row { report: report as u32, disk, amounts: DiskReport::default() };
            self.rows.extend(idle.into_iter().map(nothing));
            self.rows.sort_by_key(|row| row.report);
        }
        losses
    }
}
