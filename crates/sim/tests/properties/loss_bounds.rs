//! What must hold for any group.

use crate::chain::{chain_spec, options};
use drivecast_sim::loss::{Cause, Clock, Delay, Growth, Options, Replacement, Sectors, Slot, Spec, lose};
use proptest::prelude::*;

fn spec() -> impl Strategy<Value = Spec> {
    let shape = (2..10_usize, 0..4_usize, 1..5_u32, 1e3..2e5_f64);
    let failing = (1e3..1e7_f64, 0.3..6.0_f64, 0.3..3.0_f64, 1.0..8.0_f64);
    let repair = (0.0..1e3_f64, 0.0..1e3_f64, 0.5..3.0_f64, 0..3_u32);
    let wearing = (0.0..1e-4_f64, 0.0..2.0_f64, proptest::option::of(0.1..2.0_f64), any::<bool>());
    (shape, failing, repair, wearing, proptest::option::of(1.0..1e4_f64)).prop_map(
        |(
            (drives, failures, groups, hours),
            (scale, shape, worn, steep),
            (min_h, scale_h, of, spares),
            wear,
            scrub_h,
        )| {
            let (rate, start, replace_at, copied) = wear;
            let slot = |index: usize| Slot {
                age_h: 100.0 * index as f64,
                wear: start * index as f64 / drives as f64,
                wear_per_h: vec![(0.0, rate), (hours / 3.0, 0.5 * rate)],
                replace_first_at: None,
            };
            Spec {
                failures: failures.min(drives - 1),
                groups,
                hours,
                causes: vec![
                    Cause { clock: Clock::Age, scale, shape, share: 0.7 },
                    Cause { clock: Clock::Wear, scale: worn, shape: steep, share: 1.0 },
                ],
                rebuild: Delay { min_h, scale_h, shape: of },
                operator: Delay { min_h: scale_h, scale_h: min_h, shape: of },
                spares,
                sectors: Sectors {
                    latent_per_h: Growth { new: 1e-6, worn: 1e-4, shape: 2.0 },
                    uber: Growth::constant(1e-15),
                    scrub_h,
                    bytes: 512.0,
                },
                slots: (0..drives).map(slot).collect(),
                replace_at,
                replacement: if copied { Replacement::Copied } else { Replacement::Rebuilt },
                ..chain_spec(drives, 1, 1e5, 10.0)
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn chances_are_chances_and_parts_are_less_than_the_whole(spec in spec()) {
        let few = Options { missions_max: 3000, ..options(0.001) };
        let found = lose(&spec, &few).unwrap();
        for estimate in [found.probability, found.failure_probability, found.unreadable_probability, found.degraded_fraction] {
            prop_assert!(0.0 <= estimate.low && estimate.low <= estimate.value && estimate.value <= estimate.high);
            prop_assert!(estimate.value.is_finite() && estimate.low <= 1.0);
        }
        prop_assert!(found.failure_probability.value <= found.probability.value + 1e-12);
        prop_assert!(found.unreadable_probability.value <= found.probability.value + 1e-12);
        prop_assert!(found.lost_bytes.value >= 0.0 && found.missions == 3000);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn threads_change_nothing(spec in spec(), seed: u64) {
        let few = Options { seed, missions_max: 6_000, precision: 1e-9 };
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| lose(&spec, &few).unwrap())
        };
        prop_assert_eq!(on(1), on(3));
    }
}

#[test]
fn a_second_parity_a_spare_and_a_scrub_help() {
    let base = Spec {
        operator: Delay::fixed(72.0),
        rebuild: Delay::fixed(20.0),
        sectors: Sectors {
            latent_per_h: Growth::constant(1e-5),
            uber: Growth::constant(1e-16),
            scrub_h: None,
            bytes: 4096.0,
        },
        ..chain_spec(8, 1, 5e5, 1.0)
    };
    let chance = |spec: &Spec| lose(spec, &options(0.005)).unwrap().probability.value;
    let plain = chance(&base);
    let scrubbed =
        chance(&Spec { sectors: Sectors { scrub_h: Some(168.0), ..base.sectors }, ..base.clone() });
    assert!(scrubbed < 0.2 * plain, "{scrubbed} of {plain}");
    let quiet =
        Spec { sectors: Sectors { latent_per_h: Growth::constant(0.0), ..base.sectors }, ..base.clone() };
    let failed = |spec: &Spec| lose(spec, &options(0.005)).unwrap().failure_probability.value;
    let (without, with) = (failed(&quiet), failed(&Spec { spares: 1, ..quiet.clone() }));
    assert!((without / with - 92.0 / 20.0).abs() < 0.1, "{without} for {with}");
    assert!(failed(&Spec { failures: 2, ..quiet }) < 0.01 * without);
}
