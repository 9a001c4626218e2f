//! A drive of the catalog, and what a line changes of it: `name[partition=0.5, write_cache=off, wear=0.8]`.

use super::drive;
use crate::spec::DriveSpec;
use drivecast_block::line::{LineError, Term, nearest};
use std::collections::BTreeMap;

/// A setting, and its position in the line.
type Setting<T> = Option<(usize, T)>;

/// A drive by its name in the catalog.
#[derive(Clone, Debug)]
pub(super) struct CatalogDrive {
    pub(super) name: String,
    at: usize,
    partition: Option<f64>,
    credits: Setting<f64>,
    write_cache: Setting<bool>,
    wear: Setting<f64>,
    data_age: Setting<f64>,
}

impl CatalogDrive {
    /// Reads a drive and its options.
    pub(super) fn parse(term: &Term) -> Result<CatalogDrive, LineError> {
        let partition = drive::partition(term)?;
        let credits = term.fraction("credits_at_start")?;
        let write_cache = term.choice("write_cache", &drive::SWITCH)?;
        let wear = term.fraction("wear")?;
        let data_age = term.fraction("data_age")?;
        term.finish()?;
        let at = |key| term.error_at(key, "").at;
        Ok(CatalogDrive {
            name: term.name.clone(),
            at: term.at,
            partition,
            credits: credits.map(|share| (at("credits_at_start"), share)),
            write_cache: write_cache.map(|is_on| (at("write_cache"), is_on)),
            wear: wear.map(|share| (at("wear"), share)),
            data_age: data_age.map(|share| (at("data_age"), share)),
        })
    }

    /// Looks the drive up and changes what the line changes.
    pub(super) fn find(
        &self,
        line: &str,
        drives: &BTreeMap<String, DriveSpec>,
    ) -> Result<DriveSpec, LineError> {
        let CatalogDrive { name, .. } = self;
        let refuse = |at, message, hint| Err(LineError { line: line.to_owned(), at, message, hint });
        let Some(spec) = drives.get(name) else {
            let hint = nearest(name, drives.keys().map(String::as_str));
            let hint = hint.map(|name| format!("did you mean `{name}`?"));
            return refuse(self.at, format!("no drive `{name}` in the catalog"), hint);
        };
        let mut spec = spec.clone();
        if let Some(partition) = self.partition {
            *spec.partition_mut() = partition;
        }
        if let Some((at, share)) = self.credits
            && !spec.start_with(share)
        {
            return refuse(at, format!("credits_at_start: `{name}` is no volume that keeps credits"), None);
        }
        match (self.write_cache, &mut spec) {
            (None, _) => {}
            (Some((_, is_on)), DriveSpec::Hdd(disk)) => disk.write_cache = is_on,
            (Some((_, is_on)), DriveSpec::Ssd(ssd)) => ssd.write_through = !is_on,
            (Some((at, _)), DriveSpec::Volume(_)) => {
                return refuse(at, format!("write_cache: `{name}` is no drive"), None);
            }
        }
        for (key, setting) in [("wear", self.wear), ("data_age", self.data_age)] {
            let Some((at, share)) = setting else { continue };
            let DriveSpec::Ssd(ssd) = &mut spec else {
                return refuse(at, format!("{key}: `{name}` is no flash drive"), None);
            };
            if ssd.worn_retry_rate == 0.0 {
                let hint = "the catalog knows it of three-bit and four-bit cells".to_owned();
                return refuse(
                    at,
                    format!("{key}: not known how it slows the reads of `{name}`"),
                    Some(hint),
                );
            }
            *(if key == "wear" { &mut ssd.wear } else { &mut ssd.data_age }) = share;
        }
        Ok(spec)
    }
}
