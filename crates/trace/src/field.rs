//! Fields of a line of text: numbers read digit by digit, without a string in between.
//!
//! A [`Cursor`] walks over one line. What it cannot read stays unread, so the caller can say which field it was.

use std::sync::{Arc, Mutex, PoisonError};

/// What is between two fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separator {
    /// One such byte, blanks around it allowed.
    Byte(u8),
    /// One or more blanks or tabs.
    Blank,
}

/// A place in a line.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    pub(crate) rest: &'a [u8],
}

/// Powers of ten that a 64-bit number holds.
const POWERS: [u64; 20] = {
    let mut powers = [1; 20];
    let mut index = 1;
    while index < 20 {
        powers[index] = powers[index - 1] * 10;
        index += 1;
    }
    powers
};
/// Digits behind the point that count: a nanosecond in a second. More cannot change a time by one nanosecond.
const FRACTION_DIGITS_MAX: usize = 9;

#[inline(always)]
fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

impl<'a> Cursor<'a> {
    #[inline(always)]
    pub(crate) fn new(line: &'a [u8]) -> Cursor<'a> {
        Cursor { rest: line }
    }

    #[inline(always)]
    pub(crate) fn skip_blanks(&mut self) {
        while let [byte, rest @ ..] = self.rest
            && is_blank(*byte)
        {
            self.rest = rest;
        }
    }

    /// Takes `byte` where it is next.
    #[inline(always)]
    pub(crate) fn eat(&mut self, byte: u8) -> bool {
        match self.rest {
            [first, rest @ ..] if *first == byte => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// A decimal number below 2⁶⁴; what follows it is ignored.
    #[inline(always)]
    pub(crate) fn integer(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        let mut at = 0;
        while let Some(eight) = self.rest.get(at..at + 8).and_then(eight_digits)
            && at < 16
        {
            value = value * 100_000_000 + eight;
            at += 8;
        }
        while let Some(byte) = self.rest.get(at) {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            // 19 digits cannot overflow; a twentieth is checked.
            value = match at {
                0..19 => value * 10 + u64::from(digit),
                _ => value.checked_mul(10)?.checked_add(u64::from(digit))?,
            };
            at += 1;
        }
        if at == 0 {
            return None;
        }
        self.rest = &self.rest[at..];
        Some(value)
    }

    /// A decimal number, with a fraction or an exponent or none, times `unit`: rounded down.
    #[inline(always)]
    pub(crate) fn scaled(&mut self, unit: u64) -> Option<u64> {
        let start = self.rest;
        let whole = self.integer()?;
        match self.rest.first() {
            Some(b'.') => {}
            Some(b'e' | b'E') => return self.float(start, unit),
            _ => return whole.checked_mul(unit),
        }
        self.rest = &self.rest[1..];
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let counted = digits.min(FRACTION_DIGITS_MAX);
        let fraction = self.rest[..counted].iter().fold(0, |sum, byte| sum * 10 + u64::from(byte - b'0'));
        self.rest = &self.rest[digits..];
        if matches!(self.rest.first(), Some(b'e' | b'E')) {
            return self.float(start, unit);
        }
        let part = match fraction.checked_mul(unit) {
            Some(product) => product / POWERS[counted],
            None => {
                u64::try_from(u128::from(fraction) * u128::from(unit) / u128::from(POWERS[counted])).ok()?
            }
        };
        whole.checked_mul(unit)?.checked_add(part)
    }

    /// A number with an exponent, which some programs write for what is very short.
    #[cold]
    fn float(&mut self, start: &'a [u8], unit: u64) -> Option<u64> {
        let length = start
            .iter()
            .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-'))
            .count();
        let value: f64 = std::str::from_utf8(&start[..length]).ok()?.parse().ok()?;
        let scaled = value * unit as f64;
        self.rest = &start[length..];
        (scaled >= 0.0 && scaled < u64::MAX as f64).then_some(scaled as u64)
    }

    /// The bytes up to the next separator, blanks at its ends and quotes taken off; the separator stays.
    #[inline(always)]
    pub(crate) fn text(&mut self, separator: Separator) -> &'a [u8] {
        if let [b'"', rest @ ..] = self.rest
            && let Some(length) = memchr::memchr(b'"', rest)
        {
            self.rest = &rest[length + 1..];
            return &rest[..length];
        }
        let end = match separator {
            Separator::Byte(byte) => self.rest.iter().position(|&found| found == byte),
            Separator::Blank => self.rest.iter().position(|&found| is_blank(found)),
        };
        let (field, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        field.trim_ascii_end()
    }

    /// The bytes up to the next blank, after any blanks.
    #[inline(always)]
    pub(crate) fn word(&mut self) -> &'a [u8] {
        self.skip_blanks();
        self.text(Separator::Blank)
    }

    /// Takes the separator; false where something else follows.
    #[inline(always)]
    pub(crate) fn separate(&mut self, separator: Separator) -> bool {
        match separator {
            Separator::Byte(byte) => {
                if self.eat(byte) {
                    self.skip_blanks();
                    return true;
                }
                self.skip_blanks();
                let found = self.eat(byte);
                self.skip_blanks();
                found
            }
            Separator::Blank => {
                let before = self.rest.len();
                self.skip_blanks();
                self.rest.len() < before
            }
        }
    }
}

/// `N` bytes at `at`, which the caller has checked to be there.
#[inline(always)]
pub(crate) fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().expect("a slice of N bytes is an array of N bytes")
}

/// Decimal places of the number at the end of a line; none of a whole one. A comma is a decimal one where its word has no other.
pub(crate) fn places(line: &[u8]) -> usize {
    let digits = line.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let word = line.rsplit(|&byte| is_blank(byte) || byte == b';').next().unwrap_or_default();
    let is_decimal = match line[..line.len() - digits].last() {
        Some(b'.') => true,
        Some(b',') => word.iter().filter(|&&byte| byte == b',').count() == 1,
        _ => false,
    };
    if is_decimal { digits } else { 0 }
}

/// Names as numbers, in order of appearance: of streams, of files. Clones share them, so that one name has one number in all
/// files of a log.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    all: Arc<Mutex<Vec<Vec<u8>>>>,
    /// Those that were needed here, with their numbers.
    known: Vec<(Vec<u8>, u32)>,
}

/// Names that get a number of their own.
const NAMES_MAX: usize = 4096;

impl Names {
    /// The number of a name, known or new; none where the name is empty or there are too many.
    pub(crate) fn number(&mut self, name: &[u8]) -> Option<u32> {
        if let Some((_, number)) = self.known.iter().find(|(known, _)| known == name) {
            return Some(*number);
        }
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.iter().position(|known| known == name);
        if known.is_none() && (all.len() == NAMES_MAX || name.is_empty()) {
            return None;
        }
        let number = known.unwrap_or(all.len());
        if known.is_none() {
            all.push(name.to_vec());
        }
        self.known.push((name.to_vec(), number as u32));
        Some(number as u32)
    }

    /// The name with a number.
    pub(crate) fn name(&self, number: u32) -> Option<String> {
        let found = self.known.iter().find(|(_, known)| *known == number);
        found.map(|(name, _)| String::from_utf8_lossy(name).into_owned())
    }

    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The first eight names.
    pub(crate) fn shown(&self) -> String {
        let shown: Vec<_> =
            self.known.iter().take(8).map(|(name, _)| String::from_utf8_lossy(name)).collect();
        let more = if self.known.len() > shown.len() { ", …" } else { "" };
        shown.join(", ") + more
    }
}

/// The value of eight bytes that are all digits, three multiplications for eight digits.
#[inline(always)]
fn eight_digits(bytes: &[u8]) -> Option<u64> {
    let word = u64::from_le_bytes(bytes.try_into().ok()?);
    let digits = word.wrapping_sub(0x3030_3030_3030_3030);
    // A byte below `0` borrows and sets its high bit; one above `9` does when 0x76 is added.
    if (digits | digits.wrapping_add(0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    Some(fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(text: &str) -> (Option<u64>, usize) {
        let mut cursor = Cursor::new(text.as_bytes());
        (cursor.integer(), cursor.rest.len())
    }

    #[test]
    fn integers() {
        for text in [
            "0",
            "7",
            "12345678",
            "123456789",
            "18446744073709551615",
            "1234567890123456",
            "00000000000000000000000005",
        ] {
            assert_eq!(integer(text), (text.parse().ok(), 0), "{text}");
        }
        assert_eq!(integer("18446744073709551616").0, None);
        assert_eq!(integer("99999999999999999999").0, None);
        assert_eq!(integer("12,5"), (Some(12), 2));
        assert_eq!(integer("1234567/"), (Some(1_234_567), 1));
        assert_eq!(integer("1234567:12345678"), (Some(1_234_567), 9));
        assert_eq!(integer("").0, None);
        assert_eq!(integer("-1").0, None);
    }

    #[test]
    fn every_byte_that_is_no_digit_ends_a_number() {
        for byte in (0..=255_u8).filter(|byte| !byte.is_ascii_digit()) {
            for place in 0..8 {
                let mut text = *b"12345678";
                text[place] = byte;
                assert_eq!(eight_digits(&text), None, "{byte} at {place}");
            }
        }
    }

    #[test]
    fn fractions_and_exponents() {
        let scaled = |text: &str, unit| Cursor::new(text.as_bytes()).scaled(unit);
        assert_eq!(scaled("1.5", 1_000_000_000), Some(1_500_000_000));
        assert_eq!(scaled("0.000122793", 1_000_000_000), Some(122_793));
        assert_eq!(scaled("0.0001227939999", 1_000_000_000), Some(122_793));
        assert_eq!(scaled("663.00000", 1_000), Some(663_000));
        assert_eq!(scaled("7.3902e-05", 1_000_000_000), Some(73_902));
        assert_eq!(scaled("3e2", 10), Some(3_000));
        assert_eq!(scaled("18446744073709551615", 2), None);
        assert_eq!(scaled("1.", 10), Some(10));
        assert_eq!(scaled(".5", 10), None);
    }
}
