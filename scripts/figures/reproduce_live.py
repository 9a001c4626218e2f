"""Writes `docs/reference/reproduce-live.md` from results that `drivecast reproduce --live --journal DIR` has stored.

    python scripts/figures/reproduce_live.py DIR ["what else used the machine"]

Results are read anew, so that reasons that were found afterwards are in the page.
"""

import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from drivecast.document.live_reproduction import LiveDescribed, LivePoint, LiveReproduction
from drivecast.document.result import Result, read
from drivecast.present.live_reproduction import UNJUDGED, verdict
from drivecast.present.reproduction import rounded
from drivecast.quantity import number
from drivecast.reproduce.live import LIVE, LiveExperiment
from drivecast.reproduce.live.study import reproduction

PLACE = Path(__file__).parents[2] / "docs/reference/reproduce-live.md"
HEAD = """# Published experiments, run with a database

Written by `scripts/figures/reproduce_live.py` from what `drivecast reproduce --live --journal DIR` stored; how it is
run and judged is described in `docs/explanation/reproduce.md`. Published are the ratios of the named documents; ours
are measured, with a real server on attached designs. In bold: more than 25 % off.
"""


def page(results: list[tuple[LiveExperiment, Result]], beside: str) -> str:
    """The page."""
    found = reproduction(results, results[0][1].seed)
    parts = [HEAD, *_run(found, results, beside), f"{verdict(found)}.", ""]
    for experiment in found.experiments:
        parts += [*_experiment(found, experiment), ""]
    return "\n".join(parts).rstrip() + "\n"


def _run(found: LiveReproduction, results: list[tuple[LiveExperiment, Result]], beside: str) -> Iterator[str]:
    machine = found.environment
    programs = ", ".join(str(version) for version in machine["programs"].values())
    long = ", ".join(
        f"{_minutes(result):.0f} minutes for `{experiment.name}`" for experiment, result in results
    )
    yield f"Run on {datetime.fromisoformat(found.started or ''):%Y-%m-%d}, seed {found.seed}: {long}."
    yield (
        f"{machine['processors']} processors, {number.binary_size(machine['memory_bytes'])} of memory, Linux "
        f"{machine['kernel']}; {programs}. {beside}".rstrip()
    )
    yield ""


def _minutes(result: Result) -> float:
    return (
        datetime.fromisoformat(result.ended or "") - datetime.fromisoformat(result.started)
    ).total_seconds() / 60


def _experiment(found: LiveReproduction, experiment: LiveDescribed) -> Iterator[str]:
    yield f"## {experiment.title} (`{experiment.name}`)\n"
    yield f"Read in: {'; '.join(experiment.documents)}.\n"
    yield f"Assumed: {'; '.join(experiment.conditions)}.\n"
    yield "| what scaling changed | effect |\n|---|---|"
    yield from (f"| {change.what} | {change.effect} |" for change in experiment.changes)
    yield ""
    yield from _ratios(found, experiment.name)
    points = [point for point in found.points if point.experiment == experiment.name]
    yield from _points(points)


def _ratios(found: LiveReproduction, name: str) -> Iterator[str]:
    rows = [row for row in found.rows if row.experiment == name]
    if rows:
        yield "| transactions of | published | ours | ours over published | served on time? | why |"
        yield "|---|---:|---:|---:|---|---|"
    for row in rows:
        ours = rounded(row.ours)
        if row.low is not None and row.high is not None:
            ours += f" ({rounded(row.low)} to {rounded(row.high)})"
        ratio = f"{row.ratio:.2f}" if row.within else f"**{row.ratio:.2f}**"
        carried = "yes" if row.judged else "no: not judged"
        yield f"| {row.quantity} | {rounded(row.published)} | {ours} | {ratio} | {carried} | {row.why} |"
    yield ""
    for ordering in found.orderings:
        if ordering.experiment == name:
            mark = "not judged" if not ordering.judged else "right" if ordering.right else "**wrong**"
            yield f"- {mark}: {ordering.statement} ({ordering.ours})"
    yield ""


def _points(points: list[LivePoint]) -> Iterator[str]:
    yield (
        "Rates and latencies are in time of the design; *late* is the share of the server's wait for its disks that "
        "was lateness.\n"
    )
    yield (
        "| setup | data | log | speed | pool | transactions/s | reads/s | writes/s | flushes/s | outstanding "
        "| read p50, p99 | late | device busy | processors | served on time? |"
    )
    yield "|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|"
    for point in points:
        cells = (
            point.setup,
            f"`{point.design}`",
            f"`{point.log}`" if point.log else "with the data",
            f"{point.speed:g}",
            number.binary_size(point.buffer_bytes),
            rounded(point.per_s),
            number.iops(point.reads_per_s),
            number.iops(point.writes_per_s),
            number.iops(point.flushes_per_s),
            f"{point.outstanding or 0:.0f}",
            f"{number.latency(point.read_p50_ns)}, {number.latency(point.read_p99_ns)}",
            f"{point.late_share or 0:.1%}",
            f"{point.busy or 0:.0%}",
            f"{point.processors or 0:.0%}",
            "yes" if point.unjudged is None else UNJUDGED[point.unjudged],
        )
        yield f"| {' | '.join(cells)} |"
    yield ""


def main() -> None:
    """Write it."""
    folder = Path(sys.argv[1])
    files = [(experiment, folder / f"{name}.json") for name, experiment in LIVE.items()]
    results = [(experiment, read(path)) for experiment, path in files if path.exists()]
    beside = sys.argv[2] if len(sys.argv) > 2 else ""
    PLACE.write_text(
        page([(experiment, result) for experiment, result in results if result.complete], beside)
    )


if __name__ == "__main__":
    main()
