"""What windows of one half of a trace give for the other: what a model can promise of another day.

Windows are fitted to the first half and played on the reference devices (`reference`), at the speeds at which the
second half keeps these half busy. Two things set them apart: what the choice of windows loses, and what the workload
itself did otherwise in the second half; the second is all that is left where the validation of the whole is good.
"""

from collections.abc import Callable

import polars as pl

from drivecast import _core
from drivecast.catalog import Catalog
from drivecast.document.validation import Comparison
from drivecast.model import fit_windows, reference
from drivecast.model.validate import ratios
from drivecast.stage import windows_pass

GROUP = "other half"
Progress = Callable[[float, str], None]


def compared(
    trace: _core.Workload, catalog: Catalog, *, within: float, seed: int, update: Progress
) -> list[Comparison]:
    """The outcomes of the second half of a trace, and of windows of the first.

    Raises `InputError` where a half is too short to choose windows from.
    """
    first, second = _halves(trace)
    fitted = fit_windows.fit(
        first,
        "half",
        "",
        catalog,
        within=within,
        seed=seed,
        update=lambda share, what: update(0.7 * share, what),
    )
    played = windows_pass.workload(fitted)
    span = max(each.span_bytes or 0 for each in (first, second))
    parts = []
    for place, (device, own) in enumerate(reference.devices(second, span, catalog)):
        update(0.7 + 0.1 * place, f"playing the first half for the second on the {device.name}")
        found = reference.play(device, played, catalog)
        parts += [
            part.model_copy(update={"name": f"{GROUP}, {part.name}", "judged": False})
            for part in ratios(GROUP, device, own, found)
        ]
    return parts


def _halves(trace: _core.Workload) -> tuple[_core.Workload, _core.Workload]:
    rows = pl.DataFrame(trace.rows())
    middle = round((trace.duration_s or 0.0) * 1e9 / 2)
    first, second = (rows.filter(side) for side in (pl.col("time_ns") < middle, pl.col("time_ns") >= middle))
    second = second.with_columns(time_ns=pl.col("time_ns") - middle)
    return windows_pass.played(first), windows_pass.played(second)
