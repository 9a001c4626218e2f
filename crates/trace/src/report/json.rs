//! JSON documents in counter logs: an input as a reader, and values that several sources share.

use super::text::LARGEST;
use crate::decompress::Input;
use crate::error::{Place, TraceError};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::io::Read;

/// The content as a reader; an error of reading is stored, for serde cannot carry it.
pub(crate) struct Reader<'a> {
    pub(crate) input: &'a mut Input,
    pub(crate) error: Option<TraceError>,
}

impl Read for Reader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.input.fill(buffer).map_err(|error| {
            let message = error.to_string();
            self.error = Some(error);
            std::io::Error::other(message)
        })
    }
}

/// All documents of a file, one behind the other, as saved by several runs of a tool.
pub(crate) fn documents<T: DeserializeOwned>(
    input: &mut Input,
    expected: &str,
    hint: &str,
) -> Result<Vec<T>, TraceError> {
    let name = input.name.clone();
    let mut content = Reader { input, error: None };
    let outcome: Result<Vec<T>, serde_json::Error> = {
        let reader = std::io::BufReader::with_capacity(64 * 1024, &mut content);
        serde_json::Deserializer::from_reader(reader).into_iter::<T>().collect()
    };
    if let Some(error) = content.error {
        return Err(error);
    }
    outcome.map_err(|error| TraceError::Record {
        file: name,
        at: Place::Line(error.line() as u64),
        expected: expected.to_owned(),
        found: error.to_string(),
        hint: if error.is_eof() {
            "the document is cut off; export it again".to_owned()
        } else {
            hint.to_owned()
        },
    })
}

/// What follows the documents belongs to the content that is hashed.
pub(crate) fn drain(input: &mut Input) -> Result<(), TraceError> {
    let mut rest = [0; 4096];
    while input.fill(&mut rest)? > 0 {}
    Ok(())
}

/// A number, with or without quotes.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Number {
    Plain(f64),
    Quoted(String),
}

impl Number {
    /// Its value; NaN, what is no number and what no counter reaches are none.
    pub(crate) fn value(&self) -> Option<f64> {
        match self {
            Number::Plain(value) => Some(*value),
            Number::Quoted(text) => text.parse().ok(),
        }
        .filter(|value| value.abs() < LARGEST)
    }
}
