"""SNIA's tests, whatever a drive does and wherever they are cut off: they end, and say what is true."""

import contextlib

from hypothesis import given, settings
from hypothesis import strategies as st

from bench_engines import SPAN, Kept, Scripted, begun
from drivecast.bench.job import Job
from drivecast.bench.pts import steady
from drivecast.bench.pts.procedure import run
from drivecast.bench.pts.pts_run import Tools
from drivecast.bench.pts.specification import Choice, planned
from drivecast.document.findings import SteadyState
from drivecast.document.result import Result

PLAN = planned(Choice("throughput", rounds_max=9), SPAN)
levels = st.lists(st.floats(min_value=50, max_value=150), min_size=9, max_size=9)


def played(engine: Scripted, start: Result) -> tuple[Result | None, Result]:
    """The end, if it was reached, and what was kept last."""
    kept = Kept()
    done = None
    with contextlib.suppress(KeyboardInterrupt):
        tools = Tools(engine.measure, engine.purge)
        done = run(PLAN, engine.target, start, tools, kept.keep, lambda _share, _what: None)
    return done, kept[-1]


def told(done: Result, level: list[float]) -> None:
    """Each part's verdict is the rule's on the values of its last stretch, and nothing was measured behind it."""
    rule = steady.sought({"y": level})
    assert isinstance(done.findings, SteadyState)
    for part in done.findings.parts:
        assert (part.reached, part.rounds) == (rule.reached, rule.rounds)
        assert part.variables[0].values == level[: rule.rounds]
        window = rule.windows["y"]
        assert part.window == (window.first, window.last)
        assert part.variables[0].mean == window.mean
    assert done.findings.reached == rule.reached
    assert done.complete


@given(levels)
@settings(max_examples=40)
def test_the_verdict_is_that_of_the_rule(level: list[float]) -> None:
    def figure(job: Job) -> float:
        return level[int(job.settings.get("round", 1)) - 1]

    done, kept = played(Scripted(figure), begun())
    assert done is not None
    assert kept == done
    told(done, level)


@given(levels, st.lists(st.integers(min_value=0, max_value=40), max_size=3), st.booleans())
@settings(max_examples=40)
def test_interruptions_lose_nothing_that_counts(level: list[float], cuts: list[int], made: bool) -> None:
    def figure(job: Job) -> float:
        return level[int(job.settings.get("round", 1)) - 1]

    so_far = begun()
    for cut in cuts:
        done, so_far = played(Scripted(figure, made=made, fails_at=cut), so_far)
        if done is not None:
            break
        assert (so_far.complete, so_far.partial) == (False, "interrupted")
        # What is kept can be read again as it was.
        assert Result.model_validate_json(so_far.model_dump_json()) == so_far
    before = len(so_far.points)
    done, _ = played(Scripted(figure, made=made), so_far)
    told(done, level)
    assert [point.settings for point in done.points[:before]] == [point.settings for point in so_far.points]
