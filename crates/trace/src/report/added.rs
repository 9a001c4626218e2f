//! Several disks of a log added up, report by report.

use super::amounts::Amounts;
use super::reports::{RANK_SUM, Reports, Row};
use crate::error::TraceError;

/// Disks with the same bytes in so many of a hundred reports lie on each other.
const SAME_PERCENT: usize = 99;

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
        let mut sums: Vec<Option<Amounts>> = vec![None; self.reports.len()];
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

    /// A volume repeats the bytes of the disk below it, so that their sum would count them twice.
    fn refuse_one_on_another(&self, chosen: &[u32]) -> Result<(), TraceError> {
        let bytes = |disk: u32| -> Vec<(u32, f64, f64)> {
            let rows = self.rows.iter().filter(|row| row.disk == disk);
            rows.map(|row| (row.report, row.amounts.read_bytes, row.amounts.written_bytes)).collect()
        };
        for (place, first) in chosen.iter().enumerate() {
            let below = bytes(*first);
            let moved = below.iter().any(|(_, read, written)| read + written > 0.0);
            for second in chosen[place + 1..].iter().filter(|_| moved) {
                let above = bytes(*second);
                let same = below.iter().zip(&above).filter(|(a, b)| a == b).count();
                if same * 100 >= below.len().max(above.len()) * SAME_PERCENT {
                    let name = |disk: u32| self.disks[disk as usize].name.as_str();
                    return Err(TraceError::Choice {
                        option: "--disk",
                        expected: "disks that move data of their own".to_owned(),
                        found: format!(
                            "`{}` and `{}`, with the same bytes in {same} of {} reports",
                            name(*first),
                            name(*second),
                            above.len()
                        ),
                        hint: format!("one is a volume on the other: leave out `{}`", name(*second)),
                    });
                }
            }
        }
        Ok(())
    }
}
