//! Numbers in [0, 1) that fill it evenly: what is rare in a recording comes as often in each pass of its model.
//!
//! A Kronecker sequence, multiples of an irrational number modulo 1 from a random beginning: among n numbers, those in any
//! interval differ from its share by less than about ln n, not by √n as independent draws do (Niederreiter 1992). The step is
//! not the golden ratio for all: two sequences with one step would rise and fall together.

use super::Quantiles;
use drivecast_block::random::Stream;
use rand::RngExt;

/// Fractional parts of the square roots of the first primes: irrational, and independent of each other over the rationals.
const STEPS: [f64; 8] = [
    0.414_213_562_373_095_1,
    0.732_050_807_568_877_2,
    0.236_067_977_499_789_8,
    0.645_751_311_064_590_7,
    0.316_624_790_355_399_8,
    0.605_551_275_463_989_1,
    0.123_105_625_617_660_6,
    0.358_898_943_540_673_6,
];

/// One such sequence.
#[derive(Clone, Debug)]
pub(super) struct LowDiscrepancy {
    at: f64,
    step: f64,
}

impl LowDiscrepancy {
    /// The sequence of one of eight steps.
    pub(super) fn new(kind: usize, random: &mut Stream) -> LowDiscrepancy {
        LowDiscrepancy { at: random.random::<f64>(), step: STEPS[kind % STEPS.len()] }
    }

    /// The next number.
    #[inline]
    pub(super) fn next(&mut self) -> f64 {
        self.at += self.step;
        self.at -= f64::from(u8::from(self.at >= 1.0));
        self.at
    }

    /// A value of a table.
    #[inline]
    pub(super) fn draw(&mut self, table: &Quantiles) -> f64 {
        if table.0.len() == 1 { table.0[0].1 } else { table.value(self.next()) }
    }
}
