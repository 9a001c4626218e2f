//! Quantities as people write and read them.

use drivecast_block::units::*;

#[test]
fn sizes() {
    for (text, bytes) in [
        ("0", 0),
        ("4096", 4_096),
        ("512B", 512),
        ("4k", 4_096),
        ("64KiB", 65_536),
        ("8kb", 8_000),
        ("300GB", 300_000_000_000),
        ("7.68TB", 7_680_000_000_000),
        ("1.5 MiB", 1_572_864),
        (" 2G ", 2 << 30),
        ("1PB", 1_000_000_000_000_000),
        ("9007199254740993", 9_007_199_254_740_993),
        ("18446744073709551615", u64::MAX),
    ] {
        assert_eq!(parse_bytes(text), Ok(Bytes(bytes)), "{text}");
    }
}

#[test]
fn sizes_that_are_none() {
    for text in [
        "",
        " ",
        "KiB",
        "-1",
        "-4KiB",
        "+4KiB",
        "4 4",
        "4KiBs",
        "4XB",
        "1e3",
        "nan",
        "NaN",
        "inf",
        "1..5",
        ".",
        "1,5",
        "٤",
        "18446744073709551616",
        "17000000TiB",
        "99999PB",
        "4µB",
    ] {
        let error = parse_bytes(text).expect_err(text);
        assert_eq!(error.found, text, "the error cites what was written");
        assert!(error.to_string().contains("64KiB"), "and shows what would do: {error}");
    }
}

#[test]
fn times() {
    for (text, ns) in [
        ("75us", 75_000),
        ("75µs", 75_000),
        ("75μs", 75_000),
        ("5ms", 5_000_000),
        ("0.5ms", 500_000),
        ("2s", 2_000_000_000),
        ("15min", 900_000_000_000),
        ("8h", 28_800_000_000_000),
        ("30d", 2_592_000_000_000_000),
        ("3y", 94_608_000_000_000_000),
        ("7ns", 7),
    ] {
        assert_eq!(parse_nanos(text), Ok(Nanos(ns)), "{text}");
    }
    for text in ["", "5", "-5ms", "5m", "5 parsecs", "600y", "nan s", "infs"] {
        assert!(parse_nanos(text).is_err(), "{text}");
    }
}

#[test]
fn fractions() {
    for (text, value) in [("0", 0.0), ("0.3", 0.3), ("30%", 0.3), ("100%", 1.0), ("1", 1.0), ("70 %", 0.7)] {
        assert!((parse_fraction(text).expect(text) - value).abs() < 1e-15, "{text}");
    }
    for text in ["", "1.1", "101%", "-0.1", "%", "nan", "30%%"] {
        assert!(parse_fraction(text).is_err(), "{text}");
    }
}

#[test]
fn rates() {
    assert_eq!(parse_iops("1850iops"), Ok(1_850.0));
    assert_eq!(parse_iops("2k"), Ok(2_000.0));
    assert_eq!(parse_bytes_per_s("25MB/s"), Ok(25e6));
    assert_eq!(parse_bytes_per_s(" 1GiB/s "), Ok(1_073_741_824.0));
    for text in ["", "25MB", "25/s/s", "/s", "-1MB/s"] {
        let error = parse_bytes_per_s(text);
        assert!(error.is_err(), "{text} is {error:?}");
    }
    assert!(parse_iops("-5").is_err());
}

#[test]
fn printing() {
    for (bytes, text) in [
        (0, "0 B"),
        (999, "999 B"),
        (4_096, "4 KiB"),
        (4_000, "4 kB"),
        (300_000_000_000, "300 GB"),
        (1 << 40, "1 TiB"),
        (1_500_000_001, "1.50 GB"),
    ] {
        assert_eq!(Bytes(bytes).to_string(), text);
    }
    for (ns, text) in [
        (0, "0 ns"),
        (999, "999 ns"),
        (75_000, "75.0 us"),
        (5_250_000, "5.250 ms"),
        (2_000_000_000, "2.000 s"),
    ] {
        assert_eq!(Nanos(ns).to_string(), text);
    }
}

#[test]
fn spans() {
    assert_eq!(Nanos(3).since(Nanos(5)), Nanos::ZERO);
    assert_eq!(Nanos(5).since(Nanos(3)), Nanos(2));
    assert_eq!(Nanos::from_secs_f64(1.5), Nanos(1_500_000_000));
    assert_eq!(Nanos::from_secs_f64(-1.0), Nanos::ZERO);
    assert_eq!(Nanos::from_secs_f64(f64::NAN), Nanos::ZERO);
    assert_eq!(Nanos::from_secs_f64(f64::INFINITY), Nanos::MAX);
}
