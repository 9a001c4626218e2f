//! The named mixes: sizes, read fractions and zones as published.

use super::{Pattern, SizeShare, WorkloadSpec, Zone};

/// JESD219 enterprise, weights in percent (table as printed in the endurance review of Tom's Hardware, 2012).
const JESD219_SIZES: &[(u32, u32)] = &[
    (512, 4),
    (1024, 1),
    (1536, 1),
    (2048, 1),
    (2560, 1),
    (3072, 1),
    (3584, 1),
    (4096, 67),
    (8192, 10),
    (16_384, 7),
    (32_768, 3),
    (65_536, 3),
];

/// JESD219 enterprise: 50 % of the requests to the first 5 % of the addresses, 30 % to the next 15 %, 20 % to the rest
/// (same table). The standard scatters the zones, as `placement=scattered` does.
pub(super) const JESD219_ZONES: [Zone; 3] = [
    Zone { from: 0.0, to: 0.05, share: 0.5 },
    Zone { from: 0.05, to: 0.2, share: 0.3 },
    Zone { from: 0.2, to: 1.0, share: 0.2 },
];

/// Iometer's mixes, weights in percent (as printed by Tom's Hardware with its Iometer results, 2012).
const DATABASE_SIZES: &[(u32, u32)] = &[(8192, 1)];
const FILESERVER_SIZES: &[(u32, u32)] =
    &[(512, 10), (1024, 5), (2048, 5), (4096, 60), (8192, 2), (16_384, 4), (32_768, 4), (65_536, 10)];
const WEBSERVER_SIZES: &[(u32, u32)] = &[
    (512, 22),
    (1024, 15),
    (2048, 8),
    (4096, 23),
    (8192, 15),
    (16_384, 2),
    (32_768, 6),
    (65_536, 7),
    (131_072, 1),
    (524_288, 1),
];

/// The names that a line may begin with; `hotcold` takes its two fractions from the line.
pub(super) const NAMES: [(&str, Pattern); 8] = [
    ("random", Pattern::Random),
    ("sequential", Pattern::Sequential),
    ("hotcold", Pattern::HotCold { hot: 0.2, share: 0.8 }),
    ("zipf", Pattern::Zipf { theta: 0.8 }),
    ("jesd219", Pattern::Jesd219),
    ("iometer-database", Pattern::IometerDatabase),
    ("iometer-fileserver", Pattern::IometerFileserver),
    ("iometer-webserver", Pattern::IometerWebserver),
];

/// The sizes of a named mix; `None` where the line gives them.
pub(super) fn sizes(pattern: Pattern) -> Option<Vec<SizeShare>> {
    let table = match pattern {
        Pattern::Random | Pattern::Sequential | Pattern::HotCold { .. } | Pattern::Zipf { .. } => {
            return None;
        }
        Pattern::Jesd219 => JESD219_SIZES,
        Pattern::IometerDatabase => DATABASE_SIZES,
        Pattern::IometerFileserver => FILESERVER_SIZES,
        Pattern::IometerWebserver => WEBSERVER_SIZES,
    };
    let shares = table.iter();
    Some(
        shares
            .map(|&(size_bytes, weight)| SizeShare {
                size_bytes,
                weight,
                read_fraction: None,
                sequential_fraction: None,
            })
            .collect(),
    )
}

/// The read fraction where the line does not give one. JESD219's 40:60 is `assumed`: the standard is not public.
pub(super) const fn read_fraction(pattern: Pattern) -> f64 {
    match pattern {
        Pattern::Jesd219 => 0.4,
        Pattern::IometerDatabase => 0.67,
        Pattern::IometerFileserver => 0.8,
        _ => 1.0,
    }
}

impl WorkloadSpec {
    /// The zones that get any requests.
    pub(crate) fn zones(&self) -> Vec<Zone> {
        let mut zones = match self.pattern {
            Pattern::HotCold { hot, share } => {
                vec![Zone { from: 0.0, to: hot, share }, Zone { from: hot, to: 1.0, share: 1.0 - share }]
            }
            Pattern::Jesd219 => JESD219_ZONES.to_vec(),
            _ => vec![Zone { from: 0.0, to: 1.0, share: 1.0 }],
        };
        zones.retain(|zone| zone.share > 0.0);
        zones
    }
}
