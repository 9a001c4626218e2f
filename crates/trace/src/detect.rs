//! Which format a file is in, recognised by its content alone.

use crate::archive;
use crate::decompress::Input;
use crate::description::{Description, Evidence, Head, Reading, Verdict};
use crate::error::{Place, TraceError};
use crate::foreign;
use crate::format::{mapped, table};
use crate::options::Options;
use crate::parquet;
use crate::registry::{FORMATS, names};

/// The format of a file.
pub(crate) fn detect(input: &mut Input, options: &Options) -> Result<&'static Description, TraceError> {
    let (file, name) = (input.name.clone(), input.base_name.clone());
    let bytes = input.head()?;
    if bytes.is_empty() {
        return Err(TraceError::Empty { file });
    }
    // The members of an archive are files of their own by now, and not looked into again.
    if archive::detect(bytes) {
        let (expected, found) = ("a log".to_owned(), "a tar archive inside a tar archive".to_owned());
        let hint = "unpack the outer one, and give what it holds".to_owned();
        return Err(TraceError::Record { file, at: Place::Byte(0), expected, found, hint });
    }
    let head = Head::new(&name, bytes);
    if let Some(chosen) = chosen(options, &head)? {
        return Ok(chosen);
    }
    for evidence in [Evidence::Signature, Evidence::Shape] {
        if evidence == Evidence::Shape {
            foreign::refuse_known(&file, head.bytes)?;
        }
        let formats = FORMATS.iter().copied().chain([&parquet::FORMAT]);
        for format in formats.filter(|format| format.evidence == evidence) {
            match (format.fits)(&head) {
                Verdict::Yes => return Ok(format),
                Verdict::Unreadable { expected, found, hint } => {
                    let (at, hint) = (Place::Byte(0), hint.to_owned());
                    return Err(TraceError::Record { file, at, expected, found, hint });
                }
                Verdict::No | Verdict::Ambiguous { .. } => {}
            }
        }
    }
    by_lines(&file, &head)?.ok_or_else(|| foreign::error(file, &name, bytes))
}

/// The format that the caller names: of the forms that share the name the one that fits the content, else the first.
fn chosen(options: &Options, head: &Head<'_>) -> Result<Option<&'static Description>, TraceError> {
    if options.csv.is_some() {
        return Ok(Some(&table::CSV));
    }
    let Some(name) = &options.format else { return Ok(None) };
    let mut forms = FORMATS.iter().copied().filter(|format| format.name == name && !format.is_binary());
    if let Some(format) =
        forms.clone().find(|format| (format.fits)(head) == Verdict::Yes).or_else(|| forms.next())
    {
        return Ok(Some(format));
    }
    let known = names(|format| !format.is_binary());
    let is_binary = FORMATS.iter().any(|format| format.name == name) || *name == parquet::FORMAT.name;
    Err(TraceError::Choice {
        option: "--format",
        expected: format!("one of {}", known.join(", ")),
        found: format!("`{name}`"),
        hint: match drivecast_block::line::nearest(name, known.iter().copied()) {
            _ if is_binary => {
                "leave `--format` out: binary formats are detected by their first bytes".to_owned()
            }
            Some(near) => format!("did you mean `{near}`?"),
            None => "`drivecast formats` describes them".to_owned(),
        },
    })
}

/// The format that the first lines fit; an error where they fit several, or do not settle how to read them.
fn by_lines(file: &str, head: &Head<'_>) -> Result<Option<&'static Description>, TraceError> {
    let (mut fitting, mut doubts) = (Vec::new(), Vec::new());
    for format in FORMATS.iter().copied().filter(|format| format.evidence == Evidence::Lines) {
        let verdict = match &format.reading {
            Reading::Table(table) => mapped::fits(format, table, head),
            _ => (format.fits)(head),
        };
        match verdict {
            Verdict::No | Verdict::Unreadable { .. } => {}
            Verdict::Yes => fitting.push(format),
            Verdict::Ambiguous { doubt, hint } => doubts.push((doubt, hint)),
        }
    }
    let ambiguous =
        |doubt: String, hint: String| TraceError::Ambiguous { file: file.to_owned(), doubt, hint };
    match (&fitting[..], doubts.into_iter().next()) {
        ([format], _) => Ok(Some(format)),
        ([], None) => Ok(None),
        ([], Some((doubt, hint))) => Err(ambiguous(doubt.into_owned(), hint.to_owned())),
        (several, _) => {
            let quoted = |flag: &str| -> Vec<_> {
                several.iter().map(|format| format!("`{flag}{}`", format.name)).collect()
            };
            Err(ambiguous(
                format!("the first lines fit the formats {}", quoted("").join(" and ")),
                format!("choose: {}", quoted("--format ").join(" or ")),
            ))
        }
    }
}
