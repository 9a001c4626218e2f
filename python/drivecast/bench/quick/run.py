"""A quick look carried out: choose, lay out, measure, and look at what came."""

import time
from pathlib import Path

from drivecast.bench.environment import machine, storage
from drivecast.bench.measure import Engine
from drivecast.bench.quick import plan
from drivecast.bench.quick.choice import START_S, chosen, times
from drivecast.bench.quick.findings import of_quick
from drivecast.bench.quick.noticed import noticed
from drivecast.bench.result import Result
from drivecast.bench.sweep.run import Keep, Measure, begun, carry_out, decides
from drivecast.bench.target import Progress, opened

LATE = 0.97
"""Of the time, what is planned; the rest is for what the plan does not see."""


def look(
    folder: Path,
    within_s: float,
    measure: Measure,
    engine: Engine,
    command: list[str],
    seed: int,
    keep: Keep,
    update: Progress,
) -> Result:
    """Look at the disk behind `folder` within `within_s` seconds.

    Raises `InputError` for a place that cannot be measured; what was measured until then is kept.
    """
    started_s = time.monotonic()
    choice = chosen(folder, within_s)
    with opened(
        str(folder), need_bytes=choice.size_bytes, writes=True, destroy=None, update=update
    ) as target:
        left_s = within_s * LATE - (time.monotonic() - started_s)
        planned = times(left_s, within_s, plan.COUNT)
        jobs = plan.jobs(planned, engine, seed)
        reasons = [
            *choice.reasons,
            f"{plan.COUNT} runs of {planned.run_s:g} s after {planned.ramp_s:g} s unmeasured, and one of "
            f"{planned.jitter_s:g} s: what {within_s / 60:g} minutes allow, {START_S:g} s reckoned for each start",
        ]
        result = begun(
            "quick",
            f"a quick look at {folder}",
            decides(jobs, [str(folder)], choice.size_bytes),
            command,
            seed,
            environment=machine(),
            targets=[{"name": target.name, "bytes": target.bytes, "made": True, **storage(folder)}],
        )
        return carry_out(jobs, [target], measure, result, _judging(keep, reasons), update)


def _judging(keep: Keep, reasons: list[str]) -> Keep:
    """Keeps a result with its findings."""

    def judged(result: Result) -> Result:
        found = of_quick(result.points)
        found |= {"chosen": reasons, "noticed": noticed(result.points, found)}
        return keep(result.model_copy(update={"findings": found}))

    return judged
