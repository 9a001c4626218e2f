//! A design of a call, with the drives and controllers that it names: those of the call, or else those that the report carries.

use crate::json::Error;
use crate::{Session, json};
use drivecast_sim::design::{Design, Resolved};
use drivecast_sim::spec::{ControllerSpec, DriveSpec};
use serde::Deserialize;
use serde::de::Error as _;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The members of a call that name a design.
#[derive(Deserialize)]
pub(crate) struct Named {
    /// As a line.
    design: String,
    /// Specifications by name.
    #[serde(default)]
    drives: Map<String, Value>,
    #[serde(default)]
    controllers: Map<String, Value>,
}

impl Named {
    pub(crate) fn resolve(&self, session: &Session) -> Result<Resolved, String> {
        let play = &session.play;
        resolve(&self.design, [&self.drives, &self.controllers], [&play["drives"], &play["controllers"]])
    }
}

/// A line with the drives and controllers that the report carries.
pub(crate) fn resolved(line: &str, drives: &Value, controllers: &Value) -> Result<Resolved, String> {
    resolve(line, [&Map::new(), &Map::new()], [drives, controllers])
}

/// A line with drives of the call and the controllers that the report carries.
pub(crate) fn resolved_with(
    line: &str,
    drives: &Map<String, Value>,
    play: &Value,
) -> Result<Resolved, String> {
    resolve(line, [drives, &Map::new()], [&play["drives"], &play["controllers"]])
}

fn resolve(line: &str, given: [&Map<String, Value>; 2], carried: [&Value; 2]) -> Result<Resolved, String> {
    let design = Design::parse(line).map_err(|error| error.to_string())?;
    let drives: BTreeMap<String, DriveSpec> =
        specs(design.drive_names(), given[0], carried[0], "drive", drive)?;
    let controllers: BTreeMap<String, ControllerSpec> =
        specs(design.controller_names(), given[1], carried[1], "controller", json::read)?;
    design.resolve_with(&drives, &controllers).map_err(|error| error.to_string())
}

/// Of each name its specification; what has none is refused by the design, which knows what it needs.
fn specs<T>(
    names: impl IntoIterator<Item = impl AsRef<str>>,
    given: &Map<String, Value>,
    carried: &Value,
    kind: &str,
    read: impl Fn(&Value) -> Result<T, Error>,
) -> Result<BTreeMap<String, T>, String> {
    let mut specs = BTreeMap::new();
    for name in names {
        let name = name.as_ref();
        let Some(found) = given.get(name).or_else(|| carried.get(name)) else { continue };
        let spec =
            read(found).map_err(|error| format!("{kind} `{name}` is not a device specification: {error}"))?;
        specs.insert(name.to_owned(), spec);
    }
    Ok(specs)
}

/// As [`DriveSpec`] reads itself, but the `kind` before the rest: serde reads all of it into a form of its own to find the kind,
/// and each type of drive from there once more, which is a thirtieth of the module.
fn drive(found: &Value) -> Result<DriveSpec, Error> {
    let mut fields = found.clone();
    let kind = fields.as_object_mut().and_then(|fields| fields.remove("kind"));
    match kind.as_ref().and_then(Value::as_str) {
        Some("ssd") => json::read(&fields).map(DriveSpec::Ssd),
        Some("hdd") => json::read(&fields).map(DriveSpec::Hdd),
        Some("volume") => json::read(&fields).map(DriveSpec::Volume),
        Some(other) => Err(Error::unknown_variant(other, &["ssd", "hdd", "volume"])),
        None => Err(Error::missing_field("kind")),
    }
}
