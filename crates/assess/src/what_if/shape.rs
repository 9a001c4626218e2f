//! A design as it is written on the command line, and in words.

use crate::facts::{Design, Drive};
use crate::redundancy::Level;

/// A design in words, as the plan has it.
#[must_use]
pub fn title(drive: &Drive, design: &Design) -> String {
    let part = if design.partition == 1.0 {
        String::new()
    } else {
        format!(", {:.0}% partitioned", design.partition * 100.0)
    };
    let drives = format!("{} × {} ({})", design.count, drive.title, drive.flash);
    let Some(group) = design.redundancy().filter(|_| design.level != Level::Single) else {
        return format!("{drives}{part}");
    };
    let groups = match design.level {
        Level::Raid10 if group.drives > 2 => format!(" of {} copies", group.drives),
        Level::Raid50 | Level::Raid60 => format!(" in {} groups", group.groups),
        _ => String::new(),
    };
    let spares = match design.spares {
        0 => String::new(),
        1 => ", 1 hot spare".to_owned(),
        many => format!(", {many} hot spares"),
    };
    let level = design.level.name().trim_start_matches("raid");
    format!("{drives}, RAID {level}{groups}{spares}{part}")
}

/// A design as it is written on the command line. None where its drives do not make equal groups that are large enough.
#[must_use]
pub fn line(drive: &str, design: &Design) -> Option<String> {
    let group = design.redundancy()?;
    let part =
        if design.partition == 1.0 { String::new() } else { format!("[partition={}]", design.partition) };
    let drive = format!("{drive}{part}");
    if design.level == Level::Single {
        return (design.count == 1 && design.spares == 0).then_some(drive);
    }
    let chunk = match design.chunk_kib.filter(|_| design.level != Level::Raid1) {
        Some(kib) if kib % 1024 == 0 => format!(", chunk={}MiB", kib / 1024),
        Some(kib) => format!(", chunk={kib}KiB"),
        None => String::new(),
    };
    if design.level == Level::Raid10 && group.drives > 2 {
        return (design.spares == 0)
            .then(|| format!("raid0({} * raid1({} * {drive}){chunk})", group.groups, group.drives));
    }
    let groups = match design.level {
        Level::Raid50 | Level::Raid60 => format!(", groups={}", group.groups),
        _ => String::new(),
    };
    let spares = if design.spares > 0 { format!(", spares={}", design.spares) } else { String::new() };
    Some(format!("{}({} * {drive}{groups}{chunk}{spares})", design.level.name(), design.count))
}

/// The same without its spares, which do nothing while nothing has failed.
#[must_use]
pub fn serving(drive: &str, design: &Design) -> Option<String> {
    if design.spares == 0 {
        return Some(design.line.clone());
    }
    line(drive, &Design { spares: 0, count: design.in_use(), ..design.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(level: Level, in_use: u32, spares: u32, groups: Option<u32>) -> Option<String> {
        let count = in_use + spares;
        let design =
            Design { line: String::new(), level, count, spares, groups, partition: 1.0, chunk_kib: None };
        line("x", &design)
    }

    #[test]
    fn lines_are_those_of_the_command_line() {
        assert_eq!(of(Level::Single, 1, 0, None).as_deref(), Some("x"));
        assert_eq!(of(Level::Raid5, 4, 1, None).as_deref(), Some("raid5(5 * x, spares=1)"));
        assert_eq!(of(Level::Raid50, 8, 0, Some(2)).as_deref(), Some("raid50(8 * x, groups=2)"));
        assert_eq!(of(Level::Raid10, 6, 0, Some(2)).as_deref(), Some("raid0(2 * raid1(3 * x))"));
        assert_eq!(of(Level::Raid10, 5, 0, None), None);
        assert_eq!(of(Level::Raid6, 3, 0, None), None);
    }
}
