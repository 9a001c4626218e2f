"""A log as a table: requests of a trace, samples of counters."""

from typing import TYPE_CHECKING, Any

from drivecast.api.workload_value import trace_of, workload

if TYPE_CHECKING:
    import polars as pl

    from drivecast.api.workload_value import Source


def read(source: "Source", **reading: Any) -> "pl.DataFrame":
    """A log as a polars frame, whatever its format and compression.

    Parameters
    ----------
    source
        A path, the prefix of a per-CPU set, a folder, or a URL.
    reading
        How it is read: `event`, `disk`, `interval_s`, `skip_first`, `format`, `csv`, `strict`.

    Returns
    -------
    polars.DataFrame
        Of a trace a row a request: `time_ns`, `op`, `offset_bytes`, `size_bytes`, `stream`, `latency_ns`, `fua`. Of
        counters a row a sample, as `drivecast convert` writes them. `frame.to_arrow()` is the Arrow table.

    Raises
    ------
    InputError
        For a file that is not understood.
    """
    import polars as pl  # noqa: PLC0415 (slow to import)

    from drivecast.stage import trace  # noqa: PLC0415

    load = workload(source, **reading)
    if load.content is None:
        samples = trace.samples([load.text], load.reading)
        if samples is not None:
            return samples
    return pl.DataFrame(trace_of(load).rows())
