//! Several disks of a log added up, report by report.

use super::disk_report::DiskReport;
use super::reports::{RANK_SUM, Reports, Row};
use crate::error::TraceError;

impl Reports {
    /// One disk for several: its rows are their sums, report by report.
    pub(super) fn together(&mut self, chosen: &[u32]) -> Result<u32, TraceError> {
        if let [disk] = chosen {
            return Ok(*disk);
        }
        self.refuse_one_on_another(chosen)?;
        let names: Vec<&str> = chosen.iter().map(|disk| self.disks[*disk as usize].name.as_str()).collect();
        let name = names.join("+");
        self.notes.push(format!("disks {} were added up", names.join(", ")));
        let mut sums: Vec<Option<DiskReport>> = vec![None; self.reports.len()];
        for row in self.rows.iter().filter(|row| chosen.contains(&row.disk)) {
            let sum = &mut sums[row.report as usize];
            *sum = Some(sum.map_or(row.amounts, |sum| sum.plus(&row.amounts)));
        }
        let disk = self.disk(&name, RANK_SUM);
        let rows = sums.into_iter().enumerate().filter_map(|(report, amounts)| {
            amounts.map(|amounts| Row { report: report as u32, disk, amounts })
        });
        self.rows.extend(rows);
        Ok(disk)
    }
}
