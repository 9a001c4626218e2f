"""What an array does degraded and while it is rebuilt, in words and rows."""

from dataclasses import dataclass

from drivecast.document.array_state import ArrayState
from drivecast.document.plan import Design, Plan
from drivecast.present.answer import shown, wanted
from drivecast.quantity import number
from drivecast.quantity.interval import Span
from drivecast.quantity.year import HOURS_PER_YEAR


@dataclass(frozen=True)
class Row:
    """A design in a state, as it is shown."""

    design: str
    state: str
    lasts: str
    """Of the years of service."""
    read_p99: str
    write_p99: str
    headroom: str


def rows(plan: Plan) -> list[Row]:
    """Return the states of the best designs, a row each."""
    years = wanted(plan, "years") or 1.0
    return [
        Row(
            shown(design.title) if state.condition == "healthy" else "",
            _named(state),
            _lasts(state, years),
            _latency(state.read_p99_ns),
            _latency(state.write_p99_ns),
            _headroom(state),
        )
        for design in plan.ranked()
        for state in design.states or ()
    ]


def summary(plan: Plan, design: Design) -> str:
    """Return what the design does degraded and rebuilding; nothing where that is not known."""
    years = wanted(plan, "years") or 1.0
    parts = []
    for state in design.states or ():
        if state.condition == "healthy":
            continue
        p99s = (("reads", state.read_p99_ns), ("writes", state.write_p99_ns))
        figures = [f"p99 of {op} {number.latency(span.value)}" for op, span in p99s if span is not None]
        figures += [f"headroom {_headroom(state)}" if state.holds else _headroom(state)]
        parts.append(f"{_named(state)} ({_lasts(state, years)}): {', '.join(figures)}")
    return "; ".join(parts)


def _named(state: ArrayState) -> str:
    if state.slowed_to_bytes_per_s is None:
        return state.condition
    return f"{state.condition} at {number.throughput(state.slowed_to_bytes_per_s)}, so that the limits hold"


def _latency(span: Span | None) -> str:
    return number.latency(span.value if span else None)


def _headroom(state: ArrayState) -> str:
    return number.headroom(state.headroom) if state.holds else "misses the limits"


def _lasts(state: ArrayState, years: float) -> str:
    share = state.time_share
    if share is None or share.value is None:
        return "the rest"
    hours = share.value * years * HOURS_PER_YEAR
    lasts = f"{number.significant(hours, 2)} h" if hours >= 1 else f"{number.significant(60 * hours, 2)} min"
    return f"{lasts} in {years:g} years"
