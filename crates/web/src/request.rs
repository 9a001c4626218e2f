//! Requests as they come: JSON, read once.
//!
//! All that is typed is read from a [`Value`], never from text: each way to read a type is code of its own, and that of the
//! drives is large.

use crate::json;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::Display;

pub(crate) fn parse(request: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(request).map_err(unreadable)
}

/// The members of a request that `T` has.
pub(crate) fn members<T: DeserializeOwned>(request: &Value) -> Result<T, String> {
    json::read(request).map_err(unreadable)
}

fn unreadable(error: impl Display) -> String {
    format!("a call that cannot be read: {error}")
}
