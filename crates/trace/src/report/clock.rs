//! Time stamps as tools write them, and how they lie on one line.
//!
//! MODEL. A stamp is an instant (seconds since 1970, or a date with an offset), or a date and a time of day of some place, or
//! a time of day alone. Dates with slashes or dashes may have the day or the month first: a number above 12 decides, else
//! the order in which the log never runs backwards and is shorter. Times of day alone wrap at midnight, where they step
//! back by more than half a day.
//!
//! Summer time: stamps with the name of a zone (CET, CEST) lie on the clock of the first. Without one, a step that would be of usual
//! length an hour later is the end of summer time, and one an hour earlier its start, in the months and hours in which clocks
//! are set; how sure that is, and the other reading, is said.

use chrono::{DateTime, Datelike, Month, NaiveDate, NaiveTime, Timelike};

/// Nanoseconds in a second.
pub(crate) const NS_PER_S: u64 = 1_000_000_000;
const DAY_S: i64 = 86_400;
pub(crate) const DAY_NS: i64 = DAY_S * NS_PER_S as i64;
const HOUR_NS: i64 = 3600 * NS_PER_S as i64;
/// Beyond the year 2400 there are no logs; keeps sums of nanoseconds far from 2⁶³.
const YEAR_MAX: i64 = 2200;

/// When a report was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stamp {
    /// Nanoseconds since 1970.
    Instant(i64),
    /// The clock on some wall; more than a day behind midnight where it ran on. `summer`: it names a zone's summer time, or
    /// another zone.
    Local { date: Option<Date>, ns_of_day: i64, summer: Option<bool> },
}

/// A date as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Date {
    /// Days since 1970.
    Known(i64),
    /// Two numbers, of which one is the day and one the month.
    Either { first: i64, second: i64, year: i64 },
}

impl Stamp {
    /// The instant of so many seconds since 1970.
    pub(crate) fn of_seconds(seconds: f64) -> Option<Stamp> {
        (0.0..=(YEAR_MAX - 1970) as f64 * 366.0 * DAY_S as f64)
            .contains(&seconds)
            .then(|| Stamp::Instant((seconds * NS_PER_S as f64).round() as i64))
    }
}

/// The stamp in a line, in the notation of any locale.
pub(crate) fn parse(text: &str) -> Option<Stamp> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>()
        && text.bytes().take_while(u8::is_ascii_digit).count() >= 9
    {
        return Stamp::of_seconds(seconds);
    }
    let plain = plain(text);
    let (at, end, mut ns_of_day) = time_of_day(&plain)?;
    let rest = plain[end..].trim_start();
    let upper = plain.to_uppercase();
    let afternoon = upper.contains("PM") || plain.contains("下午") || plain.contains("午後");
    let morning = upper.contains("AM") || plain.contains("上午") || plain.contains("午前");
    let hour = ns_of_day / (3600 * NS_PER_S as i64);
    match (hour, afternoon, morning) {
        (12, false, true) => ns_of_day -= DAY_NS / 2,
        (0..12, true, _) => ns_of_day += DAY_NS / 2,
        _ => {}
    }
    let date = date(&plain[..at]).or_else(|| date(rest)).or_else(|| named_date(&plain));
    match (date, offset_s(rest)) {
        (Some(Date::Known(days)), Some(offset_s)) => {
            Some(Stamp::Instant(days * DAY_NS + ns_of_day - offset_s * NS_PER_S as i64))
        }
        _ => Some(Stamp::Local { date, ns_of_day, summer: summer(&plain) }),
    }
}

/// Whether the name of a zone, as `date` writes it, is one of summer time.
fn summer(text: &str) -> Option<bool> {
    let is_zone =
        |word: &&str| matches!(word.len(), 3..=5) && word.bytes().all(|byte| byte.is_ascii_uppercase());
    let zone =
        text.split_whitespace().find(|word| is_zone(word) && (word.ends_with('T') || *word == "MESZ"))?;
    let named = matches!(zone, "CEST" | "EEST" | "WEST" | "MEST" | "MESZ" | "BST" | "IST");
    Some(named || zone.ends_with("DT"))
}

/// The date in a text without a time.
pub(crate) fn day(text: &str) -> Option<Date> {
    date(&plain(text))
}

/// Chinese and Japanese locales write the units behind the numbers.
fn plain(text: &str) -> String {
    text.chars()
        .map(|letter| match letter {
            '年' | '月' => '-',
            '时' | '時' | '分' => ':',
            '日' | '秒' => ' ',
            other => other,
        })
        .collect()
}

/// Where a time of day begins and ends, and its nanoseconds since midnight. Seconds may be missing.
fn time_of_day(text: &str) -> Option<(usize, usize, i64)> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
    let number = |from: usize, count: usize| text[from..from + count].parse::<i64>().ok();
    for at in 0..bytes.len() {
        let starts = bytes[at].is_ascii_digit() && (at == 0 || !bytes[at - 1].is_ascii_digit());
        let hours = if starts { digits(at) } else { 0 };
        let minute = at + hours + 1;
        if hours == 0 || bytes.get(minute - 1) != Some(&b':') || digits(minute) != 2 {
            continue;
        }
        let (hour, minutes) = (number(at, hours)?, number(minute, 2)?);
        let mut end = minute + 2;
        let (mut seconds, mut fraction) = (0, 0);
        if bytes.get(end) == Some(&b':') && digits(end + 1) == 2 {
            seconds = number(end + 1, 2)?;
            end += 3;
            if matches!(bytes.get(end), Some(b'.' | b',')) {
                let places = bytes[end + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                let counted = places.min(9);
                if counted > 0 {
                    fraction = number(end + 1, counted)? * 10_i64.pow(9 - counted as u32);
                    end += 1 + places;
                }
            }
        }
        if hour < 24 && minutes < 60 && seconds <= 60 {
            let seconds = hour * 3600 + minutes * 60 + seconds;
            return Some((at, end, seconds * NS_PER_S as i64 + fraction));
        }
    }
    None
}

/// The first three numbers with `/`, `-` or `.` between them.
fn date(text: &str) -> Option<Date> {
    text.split(|letter: char| letter.is_whitespace() || letter == 'T' || letter == ',').find_map(|word| {
        let mark = word.chars().find(|letter| matches!(letter, '/' | '-' | '.'))?;
        let mut parts = word.split(mark).filter(|part| !part.is_empty());
        let mut next = || {
            let part = parts.next()?.trim_matches(|letter: char| !letter.is_ascii_digit());
            (part.len() <= 4).then(|| part.parse::<i64>().ok()).flatten().map(|number| (number, part.len()))
        };
        let ((a, width), (b, _), (c, last)) = (next()?, next()?, next()?);
        let century = |year: i64, width: usize| if width <= 2 { year + 2000 } else { year };
        match (width, mark) {
            (4, _) => days(a, b, c).map(Date::Known),
            (_, '.') => days(century(c, last), b, a).map(Date::Known),
            _ => {
                let year = century(c, last);
                (days(year, a, b).or(days(year, b, a)))?;
                Some(Date::Either { first: a, second: b, year })
            }
        }
    })
}

/// A date with the English name of its month, as `date` and `ctime` write it.
fn named_date(text: &str) -> Option<Date> {
    let words = || text.split(|letter: char| letter.is_whitespace() || letter == ',' || letter == '-');
    let month = words().find_map(|word| word.get(..3)?.parse::<Month>().ok())?;
    let numbers: Vec<i64> = words().filter_map(|word| word.parse().ok()).collect();
    let year = numbers.iter().copied().find(|number| (1970..YEAR_MAX).contains(number))?;
    let day = numbers.iter().copied().find(|number| (1..=31).contains(number))?;
    days(year, i64::from(month.number_from_month()), day).map(Date::Known)
}

/// The offset behind a time, in seconds east of Greenwich.
fn offset_s(text: &str) -> Option<i64> {
    let word = text.split_whitespace().next()?;
    if word == "Z" || word == "UTC" || word == "GMT" {
        return Some(0);
    }
    let sign = match word.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits: String = word[1..].chars().filter(char::is_ascii_digit).collect();
    let (hours, minutes) = (digits.get(..2)?.parse::<i64>().ok()?, digits.get(2..4).unwrap_or("00"));
    Some(sign * (hours * 3600 + minutes.parse::<i64>().ok()? * 60))
}

/// Days since 1970 of a date of the Gregorian calendar.
pub(crate) fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let year = i32::try_from(year).ok().filter(|year| (1900..YEAR_MAX as i32).contains(year))?;
    let date = NaiveDate::from_ymd_opt(year, u32::try_from(month).ok()?, u32::try_from(day).ok()?)?;
    Some(i64::from(date.num_days_from_ce() - DateTime::UNIX_EPOCH.num_days_from_ce()))
}

/// The stamps on one line of time, in nanoseconds; none where they are of different kinds.
pub(crate) fn line_up(stamps: &[Stamp]) -> Option<Vec<i64>> {
    let either = || {
        stamps.iter().filter_map(|stamp| match stamp {
            Stamp::Local { date: Some(Date::Either { first, second, .. }), .. } => Some((*first, *second)),
            _ => None,
        })
    };
    if either().any(|(first, _)| first > 12) {
        return in_order(stamps, true);
    }
    if either().any(|(_, second)| second > 12) {
        return in_order(stamps, false);
    }
    let ways = [in_order(stamps, false), in_order(stamps, true)];
    // Fewest steps back, then the shorter log: a month apart is rarer than a day.
    ways.into_iter().flatten().min_by_key(|times| {
        let back = times.windows(2).filter(|pair| pair[1] < pair[0]).count();
        (back, times.last().copied().unwrap_or(0).saturating_sub(times.first().copied().unwrap_or(0)))
    })
}

fn in_order(stamps: &[Stamp], day_first: bool) -> Option<Vec<i64>> {
    let dated = stamps.iter().all(|stamp| !matches!(stamp, Stamp::Local { date: None, .. }));
    let (mut midnight, mut before) = (0_i64, None);
    // On the clock of the first stamp.
    let first = stamps.iter().find_map(|stamp| match stamp {
        Stamp::Local { summer, .. } => *summer,
        Stamp::Instant(_) => None,
    });
    let later = |summer: Option<bool>| match (first, summer) {
        (Some(first), Some(now)) => (i64::from(first) - i64::from(now)) * HOUR_NS,
        _ => 0,
    };
    stamps
        .iter()
        .map(|stamp| match *stamp {
            Stamp::Instant(ns) => Some(ns),
            Stamp::Local { date: Some(date), ns_of_day, summer } if dated => {
                let days = match date {
                    Date::Known(days) => days,
                    Date::Either { first, second, year } if day_first => days(year, second, first)?,
                    Date::Either { first, second, year } => days(year, first, second)?,
                };
                Some(days * DAY_NS + ns_of_day + later(summer))
            }
            Stamp::Local { ns_of_day, summer, .. } => {
                if before.replace(ns_of_day).is_some_and(|before| is_midnight(before, ns_of_day)) {
                    midnight += DAY_NS;
                }
                Some(midnight + ns_of_day + later(summer))
            }
        })
        .collect()
}

/// Whether a clock that steps back does so because a day ended.
pub(crate) fn is_midnight(before_ns: i64, ns: i64) -> bool {
    before_ns - ns > DAY_NS / 2
}

/// Where a clock was set for summer time, and whether ahead.
pub(crate) type ClockSet = (usize, bool);

/// Puts times of a place on one line over the changes of summer time; `is_set` decides of an hour ahead. Where.
pub(crate) fn undo_summer_time(
    stamps: &[Stamp],
    times: &mut [i64],
    is_set: impl Fn(usize, &[i64]) -> bool,
) -> Vec<ClockSet> {
    if stamps.iter().any(|stamp| matches!(stamp, Stamp::Instant(_) | Stamp::Local { summer: Some(_), .. })) {
        return Vec::new();
    }
    let mut forward: Vec<i64> =
        times.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).filter(|step| *step > 0).collect();
    forward.sort_unstable();
    let Some(usual) = forward.get(forward.len() / 2).copied() else { return Vec::new() };
    let near = |step: i64| (step - usual).abs() <= (usual / 2).max(2 * NS_PER_S as i64);
    let (mut found, mut later) = (Vec::new(), 0);
    for number in 1..times.len() {
        // The one before is on the line already, and was on this clock.
        let (before, now) = (times[number - 1] - later, times[number]);
        let step = now.saturating_sub(before);
        times[number] = now.saturating_add(later);
        let moved = if !is_changed_at(before) || near(step) {
            0
        } else if step <= 0 && near(step + HOUR_NS) {
            HOUR_NS
        } else if near(step - HOUR_NS) && is_set(number, times) {
            -HOUR_NS
        } else {
            0
        };
        if moved != 0 {
            found.push((number, moved < 0));
        }
        later += moved;
        times[number] = now.saturating_add(later);
    }
    found
}

/// Whether clocks are set at such a time somewhere: in spring or autumn, between midnight and four o'clock.
fn is_changed_at(local_ns: i64) -> bool {
    let time = DateTime::from_timestamp_nanos(local_ns).naive_utc();
    let is_dated = local_ns >= 3650 * DAY_NS;
    time.hour() < 4 && (!is_dated || matches!(time.month(), 3 | 4 | 9..=11))
}

/// What was done to the clock, with the place of the first such report.
pub(crate) fn explain_set(found: &[ClockSet], at: impl Fn(usize) -> String) -> Option<String> {
    let (number, ahead) = *found.first()?;
    let at = at(number);
    Some(match ahead {
        true => format!(
            "the clock jumps ahead by an hour before {at}: taken as the start of summer time; if the recording paused for an hour there, what happened then is not in it"
        ),
        false => format!(
            "the clock steps back before {at}: taken as the end of summer time; the times behind it count an hour more"
        ),
    })
}

/// A time on that line as people write it, in whole seconds; a time of day where no date is known.
pub(crate) fn show(ns: i64) -> String {
    let time = DateTime::from_timestamp_nanos(ns).naive_utc();
    let clock = time.time().with_nanosecond(0).unwrap_or(NaiveTime::MIN);
    // No log is from the seventies: these are times of day without a date.
    match ns < 3650 * DAY_NS {
        true => clock.to_string(),
        false => format!("{} {clock}", time.date()),
    }
}
