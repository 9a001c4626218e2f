"""A comparison as JSON, as rows, and as text for the terminal."""

from dataclasses import asdict
from typing import Any

from drivecast import __version__
from drivecast.compare import words
from drivecast.compare.comparison import Comparison
from drivecast.compare.judge import Figure, Pair
from drivecast.present import terminal
from drivecast.quantity import number

INDENT = "  "


def json(of: Comparison) -> dict[str, Any]:
    """The document that `--output-format json` prints."""
    return {
        "schema_version": 1,
        "version": __version__,
        "seed": of.rule.seed,
        "measured": of.measured.name,
        "prediction": of.prediction,
        "against": "prediction" if of.predicted else "measurement",
        "tolerance": of.rule.tolerance,
        "up_to": of.rule.up_to,
        "outcome": of.outcome,
        "verdict": words.overall(of.pairs, predicted=of.predicted),
        "notes": list(of.notes),
        "points": [
            _point(pair, kind, predicted=of.predicted) for pair, kind in zip(of.pairs, of.kinds, strict=True)
        ],
    }


def _point(pair: Pair, kind: str | None, *, predicted: bool) -> dict[str, Any]:
    one = pair.measured
    return {
        "workload": one.workload,
        "workload_hash": one.workload_hash,
        "kind": kind,
        "target": one.target,
        "against": pair.predicted.target,
        "settings": dict(one.settings),
        "repeats": len(one.outcomes),
        "outcome": pair.outcome,
        "verdict": words.verdict(pair, predicted=predicted),
        "figures": [_figure(figure) for figure in pair.figures],
        "modes": {
            op: {"measured": asdict(ours), "predicted": asdict(theirs)}
            for op, (ours, theirs) in pair.modes.items()
            if len(ours) or len(theirs)
        },
    }


def _figure(one: Figure) -> dict[str, Any]:
    spans = {name: getattr(one, name) for name in ("measured", "predicted", "ratio")}
    found: dict[str, Any] = {"op": one.op, "figure": one.name}
    for name, span in spans.items():
        found |= {name: span.value, f"{name}_low": span.low, f"{name}_high": span.high}
    return {**found, "outcome": one.outcome, "beyond_noise": one.beyond_noise, "resampled": one.resampled}


def rows(of: Comparison) -> list[dict[str, Any]]:
    """One row a figure and point."""
    return [
        {"point": at, "workload": pair.measured.workload, "target": pair.measured.target, **_figure(one)}
        for at, pair in enumerate(of.pairs)
        for one in pair.figures
    ]


def text(of: Comparison) -> str:
    """The tables, and the verdicts; the overall verdict last, where a terminal ends."""
    lines: list[str] = []
    for pair in of.pairs:
        repeats = f", {len(pair.measured.outcomes)} repeats" if len(pair.measured.outcomes) > 1 else ""
        lines += [f"{pair.measured.title} on {pair.measured.target}{repeats}", ""]
        lines += [*table(pair, predicted=of.predicted), ""]
        lines += [INDENT + line for line in words.verdict(pair, predicted=of.predicted)] + [""]
    lines.append(words.overall(of.pairs, predicted=of.predicted))
    return terminal.joined([terminal.clean(line) for line in lines])


def table(pair: Pair, *, predicted: bool) -> list[str]:
    """Figures of one pair in columns; latencies in ms."""
    other = "predicted" if predicted else "other"
    lines = [f"{INDENT}{'':<18}{'measured':>26}{other:>26}{'ratio':>24}"]
    for one in pair.figures:
        cells = cells_of(one)
        lines.append(f"{INDENT}{cells[0]:<18}{cells[1]:>26}{cells[2]:>26}{cells[3]:>24}  {cells[4]}".rstrip())
    return lines


def cells_of(one: Figure) -> tuple[str, str, str, str, str]:
    """Name, both sides with their intervals, the ratio with its own, and the judgement."""
    unit = " ms" if one.name not in ("iops", "throughput_bytes_per_s") else ""
    name = f"{words.OPS[one.op]} {words.NAMES[one.name]}".strip() + unit

    def told(value: float) -> str:
        if one.name == "iops":
            return number.iops(value)
        if unit:
            return number.significant(value / 1e6, 3)
        return number.throughput(value)

    def with_span(span: Any) -> str:
        if span.low is None:
            return told(span.value)
        low, high = told(span.low).split(" ")[0], told(span.high).split(" ")[0]
        return told(span.value) if low == high else f"{told(span.value)} ({low}–{high})"

    ratio = number.significant(one.ratio.value, 3)
    if one.ratio.low is not None and one.ratio.high is not None:
        ratio += f" ({number.significant(one.ratio.low, 3)}–{number.significant(one.ratio.high, 3)})"
    verdict = {"within": "within", "beyond": "off", "untold": "not told", "shown": ""}[one.outcome]
    return name, with_span(one.measured), with_span(one.predicted), ratio, verdict
