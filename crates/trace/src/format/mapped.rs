//! Tables whose columns a mapping describes: recognised by reading their first lines, and opened.

use super::columns::Columns;
use super::evidence::{self, Finding};
use super::mapping::Mapping;
use crate::decompress::Input;
use crate::description::{Description, Head, Table, Verdict};
use crate::error::TraceError;
use crate::field::Names;
use crate::lines::{Lines, ReadLine, header, probe, reads_all};
use crate::options::Options;
use crate::rows::{RequestRows, Rows};

/// A reader of a table and the header line above it; else what was expected and found.
type Resolved = Result<(Columns, Option<Vec<u8>>), (String, String)>;

fn parsed(table: &Table) -> Mapping {
    Mapping::parse(table.mapping).expect("the mappings of this crate are read by its tests")
}

/// Resolves the columns. The first line is a header where it starts like one and cannot be read.
fn resolve(mapping: &Mapping, count: Option<usize>, head: &[u8], options: &Options) -> Resolved {
    if mapping.by_name() {
        let header = probe(head).next();
        let columns = Columns::new(mapping, count, header, options.interval)?;
        return Ok((columns, header.map(<[u8]>::to_vec)));
    }
    let columns = Columns::new(mapping, count, None, options.interval)?;
    let header = header(head, mapping.separator).filter(|line| columns.clone().read(line).is_err());
    Ok((columns, header.map(<[u8]>::to_vec)))
}

/// Whether a table's format fits the start of a file.
pub(crate) fn fits(format: &Description, table: &Table, head: &Head<'_>) -> Verdict {
    let resolved = resolve(&parsed(table), table.columns, head.bytes, &Options::default());
    let Ok((columns, header)) = resolved else { return Verdict::No };
    let lines: Vec<&[u8]> =
        head.lines.iter().copied().filter(|line| Some(*line) != header.as_deref()).collect();
    match reads_all(columns, lines.iter()) {
        true => (format.fits)(&Head { lines, ..*head }),
        false => Verdict::No,
    }
}

/// Opens tables of a known format: their rows, and units and codes as they were understood.
pub(crate) fn open(
    table: &Table,
    mut inputs: Vec<Input>,
    options: &Options,
) -> Result<(Box<dyn Rows>, Option<String>), TraceError> {
    let mut mapping = parsed(table);
    let mut why = None;
    if let Some(first) = inputs.first_mut().filter(|_| options.format.is_none()) {
        let (file, head) = (first.name.clone(), first.head()?);
        // A header names the columns of its format.
        if header(head, mapping.separator).is_none() && !mapping.by_name() {
            match evidence::judge(&mapping, table.columns, head) {
                Finding::AsFormatted => {}
                Finding::Other { mapping: found, why: because } => (mapping, why) = (found, Some(because)),
                Finding::Doubt { doubt, hint } => return Err(TraceError::Ambiguous { file, doubt, hint }),
            }
        }
    }
    let coding = mapping.coding();
    let rows = open_as(inputs, options, |head| {
        let (mut columns, header) = resolve(&mapping, table.columns, head, options)?;
        if table.assumes_discards {
            columns.assume_discards();
        }
        columns.assume(table.assumed.map(str::to_owned).into_iter().chain(why.clone()));
        Ok((columns, header))
    })?;
    Ok((rows, Some(coding)))
}

/// Opens tables whose columns the caller gives.
pub(crate) fn open_given(
    mapping: &str,
    inputs: Vec<Input>,
    options: &Options,
) -> Result<Box<dyn Rows>, TraceError> {
    let refuse = |(expected, found): (String, String)| TraceError::Choice {
        option: "--csv",
        expected,
        found,
        hint: "for example `--csv 'time=ts:us,op=type:R/W,offset=lba:512,size=len:1'`".to_owned(),
    };
    let mapping = Mapping::parse(mapping).map_err(refuse)?;
    open_as(inputs, options, |head| resolve(&mapping, None, head, options)).map_err(|error| match error {
        TraceError::Set { expected, found, .. } => refuse((expected, found)),
        other => other,
    })
}

fn open_as(
    inputs: Vec<Input>,
    options: &Options,
    resolve: impl Fn(&[u8]) -> Resolved,
) -> Result<Box<dyn Rows>, TraceError> {
    let names = <[Names; 2]>::default();
    RequestRows::open(inputs, options, |file, head| {
        let (mut columns, header) = resolve(head).map_err(|(expected, found)| TraceError::Set {
            path: file.to_owned(),
            expected,
            found,
            hint: "`--csv` sets what the columns are".to_owned(),
        })?;
        columns.share(&names);
        Ok(Lines::new(columns, header, options.strict))
    })
}

/// Units and codes of a table, as they were understood.
pub(crate) fn coding(mapping: &str) -> Option<String> {
    Mapping::parse(mapping).ok().map(|mapping| mapping.coding())
}
