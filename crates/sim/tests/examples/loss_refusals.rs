//! What is refused, and by which name.

use crate::chain::{chain_spec, options};
use drivecast_sim::SimError;
use drivecast_sim::loss::{Delay, Options, Slot, Spec, lose};

fn refused(spec: &Spec) -> &'static str {
    match lose(spec, &options(0.1)) {
        Err(SimError::Option { option, .. }) => option,
        other => panic!("{other:?}"),
    }
}

#[test]
fn fields_that_cannot_be_used() {
    let good = chain_spec(4, 1, 1e5, 10.0);
    assert_eq!(refused(&Spec { drives: 65, ..good.clone() }), "drives");
    assert_eq!(refused(&Spec { failures: 4, ..good.clone() }), "failures");
    assert_eq!(refused(&Spec { groups: 0, ..good.clone() }), "groups");
    assert_eq!(refused(&Spec { hours: f64::NAN, ..good.clone() }), "hours");
    assert_eq!(refused(&Spec { rebuild: Delay::fixed(-1.0), ..good.clone() }), "rebuild");
    assert_eq!(refused(&Spec { replace_at: Some(0.0), ..good.clone() }), "replace_at");
    let slot = Slot { age_h: 0.0, wear: 0.0, wear_per_h: vec![(1.0, 1e-5)], replace_first_at: None };
    assert_eq!(refused(&Spec { slots: vec![slot.clone(); 3], ..good.clone() }), "slots");
    assert_eq!(refused(&Spec { slots: vec![slot; 4], ..good.clone() }), "wear_per_h");
    let none = Options { missions_max: 0, ..options(0.1) };
    assert!(matches!(lose(&good, &none), Err(SimError::Option { option: "missions_max", .. })));
}

#[test]
fn a_single_drive_needs_no_chance() {
    let found = lose(&chain_spec(1, 0, 1e6, 10.0), &options(0.01)).unwrap();
    let exact = -(-87_600.0_f64 / 1e6).exp_m1();
    assert!((found.probability.value / exact - 1.0).abs() < 1e-9 && found.relative_error < 1e-9, "{found:?}");
    assert_eq!(found.unreadable_probability.value, 0.0);
}
