//! Quantities and how people write them.
//!
//! Time and bytes are whole numbers: [`Nanos`] since the start of a trace or run, [`Bytes`] for sizes, addresses and
//! capacities. 1 kB = 10³ bytes, 1 KiB = 2¹⁰ bytes; a suffix decides which, and every printer says which it used.
//! Rates and fractions are `f64`.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// A point in simulated or recorded time, or a span of it, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanos(pub u64);

impl Nanos {
    /// The end of time: later than any event.
    pub const MAX: Nanos = Nanos(u64::MAX);
    /// Time zero.
    pub const ZERO: Nanos = Nanos(0);

    /// A span of `us` microseconds.
    pub const fn from_us(us: u64) -> Nanos {
        Nanos(us * 1_000)
    }

    /// A span of `ms` milliseconds.
    pub const fn from_ms(ms: u64) -> Nanos {
        Nanos(ms * 1_000_000)
    }

    /// A span of `s` seconds, rounded to the nearest nanosecond; negative and NaN become zero.
    pub fn from_secs_f64(s: f64) -> Nanos {
        Nanos((s * 1e9).round() as u64)
    }

    /// This span in seconds.
    #[must_use]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// The span from `earlier` to `self`, zero if `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Nanos) -> Nanos {
        Nanos(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Nanos {
    type Output = Nanos;
    #[inline]
    fn add(self, other: Nanos) -> Nanos {
        Nanos(self.0 + other.0)
    }
}

impl AddAssign for Nanos {
    #[inline]
    fn add_assign(&mut self, other: Nanos) {
        self.0 += other.0;
    }
}

impl Sub for Nanos {
    type Output = Nanos;
    #[inline]
    fn sub(self, other: Nanos) -> Nanos {
        Nanos(self.0 - other.0)
    }
}

impl fmt::Display for Nanos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            n if n >= 1_000_000_000 => write!(f, "{:.3} s", n as f64 / 1e9),
            n if n >= 1_000_000 => write!(f, "{:.3} ms", n as f64 / 1e6),
            n if n >= 1_000 => write!(f, "{:.1} us", n as f64 / 1e3),
            n => write!(f, "{n} ns"),
        }
    }
}

/// A size, an address or a capacity in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

impl Bytes {
    /// `n` KiB.
    pub const fn kib(n: u64) -> Bytes {
        Bytes(n << 10)
    }

    /// `n` MiB.
    pub const fn mib(n: u64) -> Bytes {
        Bytes(n << 20)
    }

    /// `n` GiB.
    pub const fn gib(n: u64) -> Bytes {
        Bytes(n << 30)
    }
}

/// Exactly in the unit that gives the smallest number if that is below 10,000, else in decimal units to two places.
impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DECIMAL: [(u64, &str); 4] =
            [(1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
        const BINARY: [(u64, &str); 4] =
            [(1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
        let units = BINARY.into_iter().chain(DECIMAL);
        let exact = units.filter(|(unit, _)| self.0 >= *unit && self.0.is_multiple_of(*unit));
        if let Some((unit, name)) =
            exact.max_by_key(|(unit, _)| *unit).filter(|(unit, _)| self.0 / unit < 10_000)
        {
            return write!(f, "{} {name}", self.0 / unit);
        }
        match DECIMAL.iter().find(|(unit, _)| self.0 >= *unit) {
            Some((unit, name)) => write!(f, "{:.2} {name}", self.0 as f64 / *unit as f64),
            None => write!(f, "{} B", self.0),
        }
    }
}

/// Why a written quantity is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found `{found}`")]
pub struct QuantityError {
    /// What would have been accepted, with an example.
    pub expected: &'static str,
    /// The text as written.
    pub found: String,
}

/// A size: `4096`, `8KiB`, `300GB`, `7.68TB`. Without a suffix: bytes.
///
/// # Errors
/// Not a number with a known suffix, negative, or more than 2⁶⁴ − 1 bytes.
pub fn parse_bytes(text: &str) -> Result<Bytes, QuantityError> {
    const EXPECTED: &str = "a size such as 4096, 64KiB or 300GB";
    let scale = |suffix: &str| {
        Some(match suffix.to_ascii_lowercase().as_str() {
            "" | "b" => 1,
            "kb" => 1_000,
            "mb" => 1_000_000,
            "gb" => 1_000_000_000,
            "tb" => 1_000_000_000_000,
            "pb" => 1_000_000_000_000_000,
            "k" | "kib" => 1 << 10,
            "m" | "mib" => 1 << 20,
            "g" | "gib" => 1 << 30,
            "t" | "tib" => 1 << 40,
            _ => return None,
        })
    };
    whole(text, scale, EXPECTED).map(Bytes)
}

/// A time: `75us`, `5ms`, `2s`, `15min`, `8h`, `30d`, `3y` (365 days).
///
/// # Errors
/// Not a number with a known suffix (a suffix is required), negative, or more than 2⁶⁴ − 1 ns (584 years).
pub fn parse_nanos(text: &str) -> Result<Nanos, QuantityError> {
    const EXPECTED: &str = "a time such as 75us, 5ms, 60s or 3y";
    const SECOND: u64 = 1_000_000_000;
    let scale = |suffix: &str| {
        Some(match suffix.to_ascii_lowercase().as_str() {
            "ns" => 1,
            "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
            "ms" => 1_000_000,
            "s" => SECOND,
            "min" => 60 * SECOND,
            "h" => 3_600 * SECOND,
            "d" => 86_400 * SECOND,
            "y" => 365 * 86_400 * SECOND,
            _ => return None,
        })
    };
    whole(text, scale, EXPECTED).map(Nanos)
}

/// A fraction in [0, 1]: `0.3` or `30%`.
///
/// # Errors
/// Not a number, or outside [0, 1].
pub fn parse_fraction(text: &str) -> Result<f64, QuantityError> {
    const EXPECTED: &str = "a fraction from 0 to 1, such as 0.3 or 30%";
    let refuse = || QuantityError { expected: EXPECTED, found: text.to_owned() };
    // Divided, not multiplied by 0.01: 70% is then the number nearest to 0.7, as 0.7 is.
    let fraction = match text.trim().strip_suffix('%') {
        Some(percent) => plain(percent.trim()).map(|number| number / 100.0),
        None => plain(text.trim()),
    };
    fraction.filter(|fraction| *fraction <= 1.0).ok_or_else(refuse)
}

/// A rate of operations, in operations per second: `1850iops`, `1850`, `2k`.
///
/// # Errors
/// Not a number with a known suffix, or negative.
pub fn parse_iops(text: &str) -> Result<f64, QuantityError> {
    const EXPECTED: &str = "a rate such as 1850iops";
    let refuse = || QuantityError { expected: EXPECTED, found: text.to_owned() };
    let (digits, suffix) = split(text);
    let scale = match suffix.to_ascii_lowercase().as_str() {
        "" | "iops" => 1.0,
        "k" | "kiops" => 1e3,
        _ => return Err(refuse()),
    };
    plain(digits).map(|number| number * scale).ok_or_else(refuse)
}

/// A rate of bytes, in bytes per second: `25MB/s`, `1GiB/s`.
///
/// # Errors
/// Not a size followed by `/s`.
pub fn parse_bytes_per_s(text: &str) -> Result<f64, QuantityError> {
    const EXPECTED: &str = "a throughput such as 25MB/s";
    let refuse = || QuantityError { expected: EXPECTED, found: text.to_owned() };
    let size = text.trim().strip_suffix("/s").ok_or_else(refuse)?;
    parse_bytes(size).map(|bytes| bytes.0 as f64).map_err(|_| refuse())
}

/// The leading digits and points of a quantity, and its suffix.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let digits = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    (&text[..digits], text[digits..].trim())
}

/// A non-negative number below 2⁶⁴ without sign or exponent.
fn plain(text: &str) -> Option<f64> {
    let is_plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let number: f64 = if is_plain { text.parse().ok()? } else { return None };
    (number < u64::MAX as f64).then_some(number)
}

/// A quantity in whole units: exact where it is written without a point, rounded to the nearest otherwise.
fn whole(
    text: &str,
    scale: impl Fn(&str) -> Option<u64>,
    expected: &'static str,
) -> Result<u64, QuantityError> {
    let (digits, suffix) = split(text);
    let value = scale(suffix).and_then(|scale| {
        if digits.contains('.') {
            let value = (plain(digits)? * scale as f64).round();
            (value < u64::MAX as f64).then_some(value as u64)
        } else {
            digits.parse::<u64>().ok()?.checked_mul(scale)
        }
    });
    value.ok_or_else(|| QuantityError { expected, found: text.to_owned() })
}
