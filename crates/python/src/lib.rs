//! The binding `drivecast._core`: no logic. Plain objects and Arrow tables cross it, one call a run; the interpreter lock is
//! released for the whole of a call, and nothing crosses per request.

mod assess;
#[cfg(target_os = "linux")]
mod attach;
mod disk;
mod error;
mod eviction;
mod loss;
mod model;
mod object;
mod quantity;
mod read_options;
mod rental;
mod schema;
mod simulate;
#[cfg(target_os = "linux")]
mod target;
mod toml;
mod trace;
mod workload;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use crate::assess::{
        Draw, Drawn, array_loss, bytes_within, closed_loss, complexity, cost_over_years, costing,
        cycles_within, latency_bounds, latency_chance, life, loss_of_any, one_more, redundancy, replacements,
        standings, student, wear_out, years_of_cycles, years_until,
    };
    #[cfg(target_os = "linux")]
    #[pymodule_export]
    use crate::attach::{Attached, read_ns};
    #[pymodule_export]
    use crate::disk::response_times;
    #[pymodule_export]
    use crate::error::{InputError, InvariantError};
    #[pymodule_export]
    use crate::eviction::{Accesses, eviction_policies};
    #[pymodule_export]
    use crate::loss::lose;
    #[pymodule_export]
    use crate::model::{model_read, model_write};
    #[pymodule_export]
    use crate::quantity::{parse_bytes, parse_nanos};
    #[pymodule_export]
    use crate::rental::{
        cap_starting, credits_left, rent_over_years, rental_caps, rental_limits, rental_month,
        rental_smallest, volumes_lost,
    };
    #[pymodule_export]
    use crate::schema::tables;
    #[pymodule_export]
    use crate::simulate::{
        Kept, design_controllers, design_drives, design_shape, simulate, simulate_each, wear,
    };
    #[cfg(target_os = "linux")]
    #[pymodule_export]
    use crate::target::{Stop, replay, target_size};
    #[pymodule_export]
    use crate::toml::toml_json;
    #[pymodule_export]
    use crate::trace::{convert, formats, profile, read, samples};
    #[pymodule_export]
    use crate::workload::{Workload, sequential_share};

    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        crate::error::declare(module.py())
    }
}
