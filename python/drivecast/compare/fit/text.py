"""A fit as a page of text: parameters with intervals, what the data cannot tell, residuals, errors held out."""

from collections.abc import Sequence

from drivecast.compare.fit import accuracy
from drivecast.compare.fit.fit import Fit, not_told, residuals
from drivecast.compare.fit.observation import Observation
from drivecast.compare.fit.parameter import Estimate
from drivecast.document.measurement import OPS
from drivecast.quantity import number

QUANTILES = {"q0.5": "p50", "q0.9": "p90", "q0.99": "p99", "q0.999": "p99.9"}
SCALES = {"ns": number.latency, "B/s": number.throughput, "1/s": number.iops}


def _name(quantity: str) -> str:
    op, dot, quantile = quantity.partition(".")
    return f"{op} {QUANTILES.get(quantile, quantile)}" if dot else quantity.upper()


def _value(unit: str, value: float) -> str:
    scale = SCALES.get(unit)
    return scale(value) if scale else f"{number.significant(value)} {unit}".strip()


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns as wide as what stands in them, the first to the left."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    lines = []
    for row in (head, *rows):
        cells = [
            cell.ljust(width) if i in (0, len(row) - 1) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  " + "  ".join(cells).rstrip())
    return lines


def _parameters(estimates: Sequence[Estimate]) -> list[str]:
    rows = [
        (
            one.parameter.name,
            _value(one.parameter.unit, one.value),
            f"{_value(one.parameter.unit, one.low or 0)} to {_value(one.parameter.unit, one.high or 0)}",
            one.parameter.meaning,
        )
        for one in estimates
        if one.is_fitted
    ]
    return table(("fitted", "value", "95 % interval", ""), rows)


def _ratios(observation: Observation, simulated: dict[str, float], name: str) -> str:
    """Simulated over measured; reads and writes together: what is furthest off."""
    keys = [name] if name == "iops" else [f"{op}.{name}" for op in OPS]
    found = [
        simulated[key] / observation.figures[key]
        for key in keys
        if key in simulated and key in observation.figures
    ]
    return f"{max(found, key=lambda ratio: max(ratio, 1 / ratio)):.2f}" if found else "-"


def _runs(fit: Fit, *, held_out: bool) -> list[str]:
    names = ("iops", "q0.5", "q0.9", "q0.99", "q0.999")
    rows = [
        (one.label, number.iops(one.figures["iops"]), *(_ratios(one, simulated, name) for name in names))
        for one, held, simulated in residuals(fit)
        if held == held_out
    ]
    return table(("simulated over measured", "measured", "IOPS", "p50", "p90", "p99", "p99.9"), rows)


def _errors(fit: Fit) -> list[str]:
    noise = accuracy.noise([*fit.split.fitted, *fit.split.held_out])
    rows = [
        (
            _name(one.quantity),
            str(one.settings),
            number.percent(one.median),
            number.percent(one.worst),
            f"{one.within} of {one.settings}",
            number.percent(noise[one.quantity]) if one.quantity in noise else "-",
            one.worst_setting,
        )
        for one in fit.errors
    ]
    return table(("held out", "settings", "median", "worst", "within 20 %", "noise", "worst at"), rows)


def _cannot_tell(fit: Fit) -> list[str]:
    lines = []
    for one in not_told(fit):
        value = "none" if one.value == 0 else _value(one.parameter.unit, one.value)
        lines.append(
            f"  {one.parameter.name} ({one.parameter.meaning}): {value} is assumed; {one.parameter.told_by} would tell"
        )
    for first, second, correlation in fit.refined.together:
        what = "sum" if correlation < 0 else "ratio"
        lines.append(f"  {first} and {second} apart: the data tell their {what} better than either")
    return ["the data cannot tell:", *lines] if lines else []


def text(fit: Fit) -> str:
    """The whole page."""
    others = [f"{name} {rms:.2f}" for name, rms in fit.variants.items()]
    chosen = f", chosen of {', '.join(others)} (residuals in tolerances)" if len(others) > 1 else ""
    parts = [
        [
            f"{fit.target.name} as a {fit.kind}: {fit.why_kind}",
            f"{fit.variant}{chosen}",
            f"fitted to {len(fit.split.fitted)} settings; held out: {len(fit.split.held_out)}, {fit.split.rule}",
        ],
        _parameters(fit.refined.estimates),
        _cannot_tell(fit),
        _runs(fit, held_out=False),
        _runs(fit, held_out=True) if fit.split.held_out else [],
        _errors(fit) if fit.errors else ["nothing was held out, so the error is not known"],
        [_verdict(fit)] if fit.errors else [],
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _verdict(fit: Fit) -> str:
    judged = [one for one in fit.errors if one.quantity.endswith(("q0.5", "q0.99"))]
    whole, within = sum(one.settings for one in judged), sum(one.within for one in judged)
    repeats = max((one.runs for one in [*fit.split.fitted, *fit.split.held_out]), default=1)
    noise = "" if repeats > 1 else "; nothing was run twice, so how much of it is noise is not known"
    return f"of held-out p50 and p99, {within} of {whole} lie within 20 %{noise}"
