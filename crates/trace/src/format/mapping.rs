//! What the columns of a table in text mean: one line that a person can type.
//!
//! ```text
//! time=ts:us,op=type:R/W,offset=lba:512,size=len:1
//! role=column:coding, parted by commas
//! ```
//!
//! A column is a name of the header line or a number from 1. Roles and codings:
//!
//! | role | coding | without coding |
//! |---|---|---|
//! | `time` when it was issued, `end` when it was completed, `latency`, `gap` from its end to the next | `ns`, `100ns`, `us`, `ms`, `s` | has one |
//! | `offset`, `size` | bytes in a unit: `1`, `512`, `4KiB` | `1` |
//! | `op` | what reads, writes, flushes and discards are called, parted by `/`; several names of one parted by the pipe sign | the usual words |
//! | `stream` | | numbers, or names in order of their coming |
//! | `host` | | the machine of the stream: each has streams of its own |
//! | `keep` | the value of the rows to keep | has one |
//! | `sep` | `,` is written `comma`; `;`, `tab`, `space` | `comma` |
//!
//! `op=*:R` makes every row a read. Without `time` and `end` the requests are one interval apart.

use crate::field::Separator;
use drivecast_block::Op;
use drivecast_block::units::parse_bytes;

/// What a column is to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Skip,
    Time,
    End,
    Latency,
    Gap,
    Offset,
    Size,
    Op,
    Stream,
    Host,
    Keep,
}

const ROLES: [(&str, Role); 10] = [
    ("time", Role::Time),
    ("end", Role::End),
    ("latency", Role::Latency),
    ("gap", Role::Gap),
    ("offset", Role::Offset),
    ("size", Role::Size),
    ("op", Role::Op),
    ("stream", Role::Stream),
    ("host", Role::Host),
    ("keep", Role::Keep),
];

/// Units of time and their nanoseconds.
const TIMES: [(&str, u64); 5] =
    [("ns", 1), ("100ns", 100), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)];

/// The names of operations where the mapping gives none.
const USUAL: &str = "r|read|rd|rs|ra|rsa|rm|rsm/w|write|wr|ws|wm|wsm|wfs/f|flush|sync|fsync|fdatasync/d|ds|discard|trim|unmap";

/// Which column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// From 0.
    Number(usize),
    Name(String),
    /// No column: the coding holds for all rows.
    Every,
}

/// One part of a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) role: Role,
    pub(crate) column: Column,
    /// Nanoseconds or bytes in the unit of the column.
    pub(crate) unit: u64,
    pub(crate) coding: String,
}

/// A whole mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mapping {
    pub(crate) parts: Vec<Part>,
    pub(crate) separator: Separator,
    text: String,
}

impl Mapping {
    /// Reads a mapping; gives what was expected and what was found where it cannot.
    pub(crate) fn parse(text: &str) -> Result<Mapping, (String, String)> {
        let mut mapping =
            Mapping { parts: Vec::new(), separator: Separator::Byte(b','), text: text.to_owned() };
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let refuse = |expected: &str| (expected.to_owned(), format!("`{item}`"));
            let (role, value) = item.split_once('=').ok_or_else(|| refuse("`role=column:coding`"))?;
            if role == "sep" {
                mapping.separator = separator(value)
                    .ok_or_else(|| refuse("`sep=` with comma, tab, space or one character"))?;
                continue;
            }
            let Some((_, role)) = ROLES.iter().find(|(name, _)| *name == role) else {
                let names: Vec<_> = ROLES.iter().map(|(name, _)| *name).chain(["sep"]).collect();
                return Err((format!("one of the roles {}", names.join(", ")), format!("`{role}`")));
            };
            if mapping.parts.iter().any(|part| part.role == *role && *role != Role::Keep) {
                return Err((format!("`{item}` once"), "it twice".to_owned()));
            }
            mapping.parts.push(part(*role, value).map_err(|expected| refuse(&expected))?);
        }
        mapping.check()?;
        Ok(mapping)
    }

    /// What a request cannot do without.
    fn check(&self) -> Result<(), (String, String)> {
        let missing = |role: Role| !self.parts.iter().any(|part| part.role == role);
        let found = || format!("`{}`", self.text);
        for (name, role) in ROLES {
            if matches!(role, Role::Offset | Role::Size | Role::Op) && missing(role) {
                let hint = if role == Role::Op { " (`op=*:R` where all are reads)" } else { "" };
                return Err((format!("a column for `{name}`{hint}"), found()));
            }
        }
        if !missing(Role::Time) && !missing(Role::End) {
            return Err(("`time` or `end`, not both".to_owned(), found()));
        }
        if !missing(Role::Gap) && missing(Role::Latency) {
            return Err(("`latency` beside `gap`".to_owned(), found()));
        }
        Ok(())
    }

    /// Whether a column is given by its name, so that a header is needed.
    pub(crate) fn by_name(&self) -> bool {
        self.parts.iter().any(|part| matches!(part.column, Column::Name(_)))
    }

    /// Whether a column has this role.
    pub(crate) fn has(&self, role: Role) -> bool {
        self.parts.iter().any(|part| part.role == role)
    }

    /// The bytes in a unit of offsets or sizes.
    pub(crate) fn unit(&self, role: Role) -> Option<u64> {
        self.parts.iter().find(|part| part.role == role).map(|part| part.unit)
    }

    /// The same with other bytes in a unit of offsets and sizes.
    pub(crate) fn with_units(&self, offset: u64, size: u64) -> Mapping {
        let mut mapping = self.clone();
        let mut items: Vec<String> = self.text.split(',').map(str::to_owned).collect();
        for (role, name, unit) in [(Role::Offset, "offset=", offset), (Role::Size, "size=", size)] {
            for part in mapping.parts.iter_mut().filter(|part| part.role == role) {
                (part.unit, part.coding) = (unit, unit.to_string());
            }
            for item in items.iter_mut().filter(|item| item.trim_start().starts_with(name)) {
                let column = item.rsplit_once(':').map_or(item.as_str(), |(column, _)| column);
                *item = format!("{column}:{unit}");
            }
        }
        mapping.text = items.join(",");
        mapping
    }

    /// Units and codes, as people read them.
    pub(crate) fn coding(&self) -> String {
        let part = |role| self.parts.iter().find(|part| part.role == role);
        let mut shown = Vec::new();
        for (role, name) in [
            (Role::Time, "time"),
            (Role::End, "end"),
            (Role::Latency, "latency"),
            (Role::Offset, "offset"),
            (Role::Size, "size"),
        ] {
            if let Some(part) = part(role) {
                let unit = match role {
                    Role::Offset | Role::Size => format!("{} B", part.unit),
                    _ => part.coding.clone(),
                };
                shown.push(format!("{name} in {unit}"));
            }
        }
        match part(Role::Op) {
            Some(Part { column: Column::Every, coding, .. }) => {
                shown.push(format!("all requests are `{coding}`"))
            }
            Some(Part { coding, .. }) if coding != USUAL => {
                let mut names = coding.split('/');
                let (read, write) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
                shown.push(format!("`{read}` reads, `{write}` writes"));
            }
            _ => {}
        }
        shown.join(", ")
    }

    /// The mapping as it was typed.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

fn separator(value: &str) -> Option<Separator> {
    Some(match value.as_bytes() {
        b"comma" => Separator::Byte(b','),
        b"tab" | b"\\t" => Separator::Byte(b'\t'),
        b"space" | b"blank" => Separator::Blank,
        [byte] if byte.is_ascii_punctuation() => Separator::Byte(*byte),
        _ => return None,
    })
}

/// One part; what was expected where it is none.
fn part(role: Role, value: &str) -> Result<Part, String> {
    // A name may hold colons; the coding follows the last one.
    let (column, coding) = value.rsplit_once(':').unwrap_or((value, ""));
    let column = match column {
        "" => return Err("a column".to_owned()),
        "*" => Column::Every,
        number if number.bytes().all(|byte| byte.is_ascii_digit()) => Column::Number(
            number
                .parse::<usize>()
                .ok()
                .and_then(|number| number.checked_sub(1))
                .filter(|&n| n < 1000)
                .ok_or("a column number from 1 to 1000")?,
        ),
        name => Column::Name(name.to_owned()),
    };
    if column == Column::Every && role != Role::Op {
        return Err("a column; `*` is for `op`".to_owned());
    }
    let (unit, coding) = match role {
        Role::Time | Role::End | Role::Latency | Role::Gap => {
            let known = TIMES.iter().find(|(name, _)| *name == coding);
            let (name, unit) = known.ok_or("a unit of time behind `:` (ns, 100ns, us, ms or s)")?;
            (*unit, (*name).to_owned())
        }
        Role::Offset | Role::Size if coding.is_empty() => (1, String::new()),
        Role::Offset | Role::Size => {
            let unit = parse_bytes(coding).map_err(|_| "the bytes in a unit behind `:` (1, 512, 4KiB)")?;
            if unit.0 == 0 || unit.0 > 1 << 30 {
                return Err("1 B to 1 GiB in a unit".to_owned());
            }
            (unit.0, coding.to_owned())
        }
        Role::Op if coding.is_empty() && column == Column::Every => {
            return Err("`op=*:R` or `op=*:W`".to_owned());
        }
        Role::Op if coding.is_empty() => (1, USUAL.to_owned()),
        Role::Op => {
            if coding.split('/').count() > 4 {
                return Err("at most four kinds: reads, writes, flushes, discards".to_owned());
            }
            (1, coding.to_owned())
        }
        Role::Keep if coding.is_empty() => return Err("`keep=column:value`".to_owned()),
        Role::Stream | Role::Host | Role::Keep | Role::Skip => (1, coding.to_owned()),
    };
    Ok(Part { role, column, unit, coding })
}

/// What each name of an operation means.
pub(crate) fn names(coding: &str) -> Vec<(Vec<u8>, Op)> {
    let kinds = coding.split('/').zip(Op::ALL);
    kinds
        .flat_map(|(names, op)| names.split('|').map(move |name| (name.trim().as_bytes().to_vec(), op)))
        .filter(|(name, _)| !name.is_empty())
        .collect()
}

/// What every row is.
pub(crate) fn constant(coding: &str) -> Option<Op> {
    names(USUAL).into_iter().find(|(name, _)| name.eq_ignore_ascii_case(coding.as_bytes())).map(|(_, op)| op)
}
