//! The options of CacheLib with Navy, named after those of its configuration.

use super::option::{nothing_dirty, set, small};
use crate::design::assumed::{Assumed, assume};
use crate::spec::{Admission, CacheLibSpec};
use drivecast_block::Bytes;
use drivecast_block::line::{LineError, Term};

/// Objects that `reject-first` remembers, unless the line says how many. Assumed.
const ENTRIES: u32 = 1_000_000;

#[derive(Clone, Copy)]
enum Policy {
    All,
    Random,
    RejectFirst,
    DynamicRandom,
}

/// Reads them.
pub(super) fn cachelib(term: &Term, assumed: &mut Vec<Assumed>) -> Result<CacheLibSpec, LineError> {
    let mut spec = CacheLibSpec::default();
    nothing_dirty(term, "policy=cachelib", &["mode", "dirty_thresh_pct", "writeback_percent"])?;
    if !term.has("ram") {
        assume(assumed, "cache.ram".to_owned(), spec.ram);
    }
    if !term.has("object") {
        assume(assumed, "cache.object".to_owned(), Bytes(spec.object.into()));
    }
    set(&mut spec.ram, term.bytes("ram"))?;
    set(&mut spec.object, small(term, "object"))?;
    set(&mut spec.small_item_max, small(term, "small_item_max"))?;
    set(&mut spec.bucket, small(term, "bucket"))?;
    set(&mut spec.bucket_bloom, small(term, "bucket_bloom"))?;
    set(&mut spec.region, small(term, "region"))?;
    set(&mut spec.lru, term.choice("eviction", &[("lru", true), ("fifo", false)]))?;
    if let Some(hits) = term.integer("reinsertion_hits")? {
        spec.reinsertion_hits = (hits > 0).then(|| u8::try_from(hits).unwrap_or(u8::MAX));
    }
    spec.admission = admission(term, assumed)?;
    Ok(spec)
}

fn admission(term: &Term, assumed: &mut Vec<Assumed>) -> Result<Admission, LineError> {
    let policies = [
        ("all", Policy::All),
        ("random", Policy::Random),
        ("reject-first", Policy::RejectFirst),
        ("dynamic-random", Policy::DynamicRandom),
    ];
    let policy = term.choice("admission", &policies)?.unwrap_or(Policy::All);
    let of = [
        ("admission_probability", "random"),
        ("reject_first_entries", "reject-first"),
        ("write_per_day", "dynamic-random"),
    ];
    let name = term.text("admission").unwrap_or("all").to_owned();
    if let Some((key, policy)) = of.iter().find(|(key, policy)| term.has(key) && *policy != name) {
        let message = format!("{key}: means nothing with admission={name}");
        let hint = format!("give admission={policy}, or leave {key} out");
        return Err(LineError { hint: Some(hint), ..term.error_at(key, message) });
    }
    let needs = |key: &str| term.error_at("admission", format!("admission={name} needs {key}=…"));
    match policy {
        Policy::All => Ok(Admission::All),
        Policy::Random => {
            let probability = term.fraction("admission_probability")?;
            probability.map(Admission::Random).ok_or_else(|| needs("admission_probability"))
        }
        Policy::DynamicRandom => {
            term.bytes("write_per_day")?.map(Admission::Budget).ok_or_else(|| needs("write_per_day"))
        }
        Policy::RejectFirst => {
            let entries = term.integer("reject_first_entries")?;
            if entries.is_none() {
                assume(assumed, "cache.reject_first_entries".to_owned(), ENTRIES);
            }
            Ok(Admission::RejectFirst(entries.unwrap_or(ENTRIES)))
        }
    }
}
