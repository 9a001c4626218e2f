"""A model of a workload: windows of a trace that represent all of it, or streams fitted to counters."""

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from drivecast import optional_dependency
from drivecast.api import catalog_mapping
from drivecast.api.workload_value import trace_of, workload
from drivecast.document.windows import SUFFIX
from drivecast.errors import HintedError, InputError
from drivecast.stage import model_file, trace, windows_file

if TYPE_CHECKING:
    from drivecast.api.workload_value import Source
    from drivecast.document.model import Model
    from drivecast.document.windows import Windows as Header

Kind = Literal["windows", "streams"]


@dataclass(frozen=True, eq=False)
class Windows:
    """Windows of a trace with their weights: `write` makes the file that all verbs take."""

    archive: windows_file.Archive

    @property
    def header(self) -> "Header":
        """Clusters, weights, the estimated error, remarks."""
        return self.archive.header

    @property
    def error(self) -> float:
        """What p50 and p99 on a design may be off, as estimated."""
        return self.header.error

    def write(self, path: str | PathLike[str]) -> Path:
        """Write the archive, whole or not at all; its name must end in `.windows`."""
        place = Path(path)
        if place.suffix != SUFFIX:
            raise InputError(f"`{place}`: windows are an archive; expected `NAME{SUFFIX}`")
        windows_file.write(place, self.archive)
        return place

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Windows) and windows_file.content(self.archive) == windows_file.content(
            other.archive
        )

    def __hash__(self) -> int:
        return hash(windows_file.fingerprint(self.archive))

    def __repr__(self) -> str:
        header = self.header
        return f"<{len(header.clusters)} clusters of `{header.name}`, error {header.error:.0%}>"


def fit(
    log: "Source",
    *,
    kind: Kind | None = None,
    within: float = 0.1,
    span_bytes: int | None = None,
    progress: Callable[[float, str], None] = lambda _share, _what: None,
    seed: int = 0,
    catalog: catalog_mapping.Paths = (),
    **reading: Any,
) -> "Windows | Model":
    """A model of a log: windows of a trace by default, streams of counters.

    Parameters
    ----------
    log
        A trace or a counter log.
    kind
        `"windows"` or `"streams"`.
    within
        What p50 and p99 on a design may be off, as a fraction; of windows.
    span_bytes
        Size of the data, of counters alone: a trace has its addresses.
    progress, seed, catalog, reading
        As `drivecast.plan` takes them.

    Raises
    ------
    InputError
        For a log that is not understood, for windows of counters, and for windows where scipy is missing.
    """
    from drivecast.model import counters  # noqa: PLC0415 (slow to import)

    value = workload(log, **reading)
    with value.place() as place:
        profile = trace.profile([place], value.reading, progress)
        name = trace.log_name([value.text])
    if profile.source != "trace" or profile.log is None:
        if kind == "windows":
            raise HintedError("windows are cut from a trace, and this log has counters", "kind='streams'")
        return counters.fit(profile, name, span_bytes)
    if span_bytes is not None:
        raise InputError("span_bytes is of a counter log: a trace holds its addresses")
    load = trace_of(value)
    if kind == "streams":
        return model_file.fit(load, name)
    with optional_dependency.named():
        from drivecast.model import fit_windows  # noqa: PLC0415 (slow to import)
    found = fit_windows.fit(
        load,
        name,
        profile.log.hash,
        catalog_mapping.of(catalog),
        within=within,
        seed=seed,
        update=progress,
    )
    return Windows(found)
