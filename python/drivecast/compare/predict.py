"""The other side, simulated: each run's own workload on a design, under the same conditions.

A line's `span` is a fraction of what it works on, so it is set to the measured span over the design's capacity. A line
is played for as long as it was measured; a trace or model in the part, at the speed and depth of the run's settings
(`start_s`, `length_s`, `speedup`, `iodepth`). Flash begins as a file that was made for the run leaves it (written
once, in order), else in the steady state of the workload; another state can be requested.

The prediction's interval spans the same run with flash times at the slow and the fast end of their published range,
where a drive of the design has flash of the catalog. Left out: what the simulator does not model.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from drivecast import _core
from drivecast.catalog import Catalog, Corner
from drivecast.document.comparison import Run, Side
from drivecast.document.outcome import Outcome
from drivecast.errors import HintedError
from drivecast.stage import model_file
from drivecast.stage.design import shape
from drivecast.stage.simulate import Options, State, is_line, recast, simulate
from drivecast.stage.simulate import workload as open_workload
from drivecast.stage.trace import AS_IT_IS, Reading

Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class Conditions:
    """How the design is run; `None` takes what was measured."""

    catalog: Catalog
    state: State | None = None
    fill: float = 1.0
    duration_s: float | None = None
    workload: str | None = None
    """What was run, where the measurement does not state it."""
    reading: Reading = AS_IT_IS
    corners: bool = True
    """Whether to run the slow and the fast end of flash times too."""


@dataclass(frozen=True)
class Predicted:
    """One run as simulated."""

    run: Run
    corners: Sequence[Outcome]
    """Outcomes with flash times at either end; none where there is no such range."""


def predict(measured: Side, design: str, given: Conditions, update: Progress) -> list[Predicted | None]:
    """Every run of the measured side on `design`; none for what no line holds: a database, and a log with its flushes.

    Raises `InputError` for a design, workload or span that cannot be simulated.
    """
    usable = shape(design, given.catalog).usable_bytes
    corners: tuple[Corner, ...] = (
        ("slow", "fast") if given.corners and _has_flash(design, given.catalog) else ()
    )
    found: list[Predicted | None] = []
    whole = len(measured.runs) * (1 + len(corners))
    for place, run in enumerate(measured.runs):
        line = given.workload or run.workload
        if run.is_database or _flushes(line, run):
            found.append(None)
            continue
        if line is None:
            raise HintedError(
                f"`{measured.name}` does not state what was run",
                "`--workload` names the trace, model or line",
            )
        _same_model(line, run)
        options = _options(line, run, given, seed=measured.seed or 0)
        line, options = _settled(line, run, usable, design, options)
        load = load_of(line, run, given.reading, seed=options.seed)
        outcomes = []
        for at, corner in enumerate(("typical", *corners)):
            update((place * (1 + len(corners)) + at) / whole, line)
            outcomes.append(simulate(design, load, given.catalog, options, corner=corner))
        simulated = replace(run, target=design, workload=line, outcomes=outcomes[:1], notes=())
        found.append(Predicted(simulated, outcomes[1:]))
    return found


def _flushes(line: str | None, run: Run) -> bool:
    """Whether a line was run with flushes, which it does not hold: a commit waits for them."""
    return line is not None and is_line(line) and bool(run.outcomes[0].flush.requests)


def _same_model(line: str, run: Run) -> None:
    """Raise `InputError` where the model of that name is no longer the one that was measured."""
    if run.workload_hash is None or is_line(line) or model_file.find(line) is None:
        return
    found = model_file.digest(model_file.load(line))
    if found != run.workload_hash:
        raise HintedError(
            f"`{line}` is not the model that was measured: hash {found[:12]} now, {run.workload_hash[:12]} then",
            "name the model that was measured with `--workload`",
        )


def _number(run: Run, name: str) -> float | None:
    """A number among a run's settings."""
    value = run.settings.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _options(line: str, run: Run, given: Conditions, *, seed: int) -> Options:
    # The depth is that of each thread.
    depth = (_number(run, "iodepth") or 0.0) * (_number(run, "threads") or 1.0)
    requests = _number(run, "requests")
    speedup, length_s = _number(run, "speedup") or 1.0, _number(run, "length_s")
    ramp_s = (_number(run, "ramp_s") or 0.0) * speedup
    # A trace that was played to its end is simulated to its end, however much earlier or later that is.
    is_trace = not is_line(line) and model_file.find(line) is None
    lasted = _number(run, "duration_s") if is_trace else run.outcomes[0].duration_s
    return Options(
        seed=seed,
        duration_s=given.duration_s or lasted or None,
        requests=round(requests) if requests else None,
        speedup=speedup,
        start_s=(_number(run, "start_s") or 0.0) + ramp_s,
        length_s=length_s and length_s - ramp_s,
        iodepth=round(depth) if depth else None,
        own_depth=bool(run.settings.get("own_depth")),
        fill=given.fill,
        state=given.state or ("laid-out" if run.made else "steady"),
    )


def load_of(line: str, run: Run, reading: Reading = AS_IT_IS, *, seed: int = 0) -> _core.Workload:
    """The workload of a run as it was played: a trace packed, and with its idle time cut, where that was done."""
    load = open_workload(line, reading=reading, seed=seed)
    return recast(load, pack=bool(run.settings.get("pack")), idle_s=_number(run, "idle_s"))


def _settled(line: str, run: Run, usable: int, design: str, options: Options) -> tuple[str, Options]:
    """The workload as it must be written for the design, and the options that apply to it."""
    if not is_line(line):
        return line, options
    # Depth and speed of a line are its own.
    options = replace(options, iodepth=None, speedup=1.0, start_s=0.0, length_s=None)
    if run.span_bytes is None:
        return line, options
    if run.span_bytes > usable * 1.001:
        raise HintedError(
            f"`{design}` holds {usable / 1e9:,.1f} GB, and {run.span_bytes / 1e9:,.1f} GB were worked on: "
            "not the same workload",
            "compare with a larger design",
        )
    return with_span(line, run.span_bytes / usable), options


def with_span(line: str, share: float) -> str:
    """A workload line on this share of the device, in place of its own span."""
    # A line has no exponents, and a file on a large drive is a small part of it.
    return with_setting(line, "span", format(Decimal(f"{min(share, 1.0):.9g}"), "f"))


def with_setting(line: str, name: str, value: str) -> str:
    """A workload line with one setting in place of what it had."""
    if "(" not in line:
        return f"{line}({name}={value})"
    found = re.sub(rf"\b{name}\s*=\s*[^,)]+", f"{name}={value}", line)
    if found != line or re.search(rf"\b{name}\s*=", line):
        return found
    head, _, _ = line.rstrip().rpartition(")")
    return f"{head}{'' if head.rstrip().endswith('(') else ', '}{name}={value})"


def _has_flash(design: str, catalog: Catalog) -> bool:
    known = (catalog.drives.get(name) for name in _core.design_drives(design))
    return any(drive is not None and drive.is_flash for drive in known)
