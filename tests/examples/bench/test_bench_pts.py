"""SNIA's tests as they are run: what is measured when, when it ends, and how it goes on after an interruption."""

from typing import Any

import pytest

from bench_engines import SPAN, Kept, Scripted, begun
from drivecast.bench.job import Job
from drivecast.bench.pts import specification
from drivecast.bench.pts.procedure import run
from drivecast.bench.pts.pts_run import Tools
from drivecast.bench.pts.purge import erased
from drivecast.bench.pts.specification import KIB, Choice, Plan, expected_s, planned
from drivecast.document.result import Point, Result, TargetRow


def play(plan: Plan, engine: Scripted, points: list[Point] | None = None) -> tuple[Result, list[Result]]:
    kept = Kept()
    done = run(
        plan,
        engine.target,
        begun(points),
        Tools(engine.measure, engine.purge),
        kept.keep,
        lambda _s, _w: None,
    )
    return done, kept


def cut_off(plan: Plan, engine: Scripted) -> Result:
    """What is kept of a run that is interrupted."""
    kept = Kept()
    with pytest.raises(KeyboardInterrupt):
        run(plan, engine.target, begun(), Tools(engine.measure, engine.purge), kept.keep, lambda _s, _w: None)
    return kept[-1]


def settling(job: Job) -> float:
    """A drive that is slower in its first two rounds."""
    return 1000.0 if job.settings.get("round", 0) in (1, 2) else 100.0


def growing(job: Job) -> float:
    return 2.0 ** int(job.settings.get("round", 0))


def test_a_round_of_the_iops_test_has_the_cells_of_the_specification() -> None:
    """The span is purged and written twice before the first."""
    engine = Scripted(lambda _job: 100.0)
    done, kept = play(planned(Choice("iops"), SPAN), engine)
    filled = engine.jobs[0]
    assert (filled.workload, filled.bytes_at_most) == ("sequential(128KiB, read=0, iodepth=32)", 2 * SPAN)
    assert engine.purges == 1
    assert set(engine.spans) == {SPAN}
    rounds = [job for job in engine.jobs if job.settings["stage"] == "round"]
    assert len(rounds) == 5 * 7 * 8
    sizes = ("1024KiB", "128KiB", "64KiB", "32KiB", "16KiB", "8KiB", "4KiB", "512B")
    mixes = ("1", "0.95", "0.65", "0.5", "0.35", "0.05", "0")
    expected = [f"random({size}, read={mix}, iodepth=32)" for mix in mixes for size in sizes]
    assert [job.workload for job in rounds[:56]] == expected
    assert {job.runtime_s for job in rounds} == {60.0}
    # After preconditioning, each round, and the end.
    assert [len(stored.points) for stored in kept] == [1, 57, 113, 169, 225, 281, 281]
    assert done.complete


def test_the_rounds_end_with_the_window() -> None:
    done, _ = play(planned(Choice("iops"), SPAN), Scripted(settling))
    (part,) = done.findings.parts
    assert (part.reached, part.rounds, part.window, part.ended_by) == (True, 7, (3, 7), "steady")
    assert [variable.name for variable in part.variables] == ["0/100 4 KiB", "65/35 64 KiB", "100/0 1024 KiB"]
    assert all(variable.mean == 100 for variable in part.variables)
    assert len(part.matrix) == 56
    assert {(cell.iops, cell.latency_ns_mean, cell.latency_ns_max) for cell in part.matrix} == {
        (100, 1e7, 2e7)
    }
    assert done.findings.follows is False
    assert done.findings.deviations == ["discarded"]


def test_throughput_is_tested_for_each_block_size_apart() -> None:
    engine = Scripted(lambda _job: 100.0)
    play(planned(Choice("throughput"), SPAN), engine)
    assert engine.purges == 2
    lines = list(dict.fromkeys(job.workload for job in engine.jobs if job.settings["stage"] == "round"))
    assert lines == [
        f"sequential({size}, read={read}, iodepth=32)" for size in ("1024KiB", "128KiB") for read in (1, 0)
    ]


def test_latency_has_one_outstanding_and_ends_with_a_distribution() -> None:
    engine = Scripted(lambda _job: 100.0)
    play(planned(Choice("latency", threads=4), SPAN), engine)
    rounds = [job for job in engine.jobs if job.settings["stage"] == "round"]
    assert len(rounds) == 5 * 9
    assert {job.threads for job in rounds} == {1}
    assert all("iodepth=1)" in job.workload for job in rounds)
    # Preconditioning is not what is measured, and does not crawl.
    assert engine.jobs[0].workload == "sequential(128KiB, read=0, iodepth=32)"
    # No cell of any round repeats the addresses of another.
    assert len({job.seed for job in rounds}) == len(rounds)
    last = engine.jobs[-1]
    assert (last.settings["stage"], last.runtime_s) == ("histogram", 1200)
    assert last.workload == "random(4KiB, read=0, iodepth=1)"


def test_write_saturation_is_not_preconditioned_and_looks_at_every_31st_minute() -> None:
    engine = Scripted(lambda job: 100.0 if int(job.settings.get("round", 0)) % 31 == 0 else 130.0)
    done, _ = play(planned(Choice("saturation"), SPAN), engine)
    (part,) = done.findings.parts
    assert part.variables[0].values == [100] * 5
    assert {job.settings["stage"] for job in engine.jobs} == {"round", "histogram"}
    assert (part.rounds, part.window, part.ended_by) == (155, (31, 155), "steady")
    assert part.series[-1].written_bytes == 155 * 4 * KIB
    assert part.cliff is None


def test_write_saturation_ends_when_four_spans_are_written() -> None:
    small = 8 * KIB
    done, _ = play(planned(Choice("saturation"), small), Scripted(growing))
    (part,) = done.findings.parts
    assert (part.rounds, part.ended_by) == (8, "capacity")


def test_a_run_that_is_cut_off_keeps_its_rounds_and_goes_on() -> None:
    plan = planned(Choice("throughput"), SPAN)
    kept = cut_off(plan, Scripted(settling, fails_at=1 + 2 * 3 + 1))
    # The fourth round was cut off in its middle: three are kept.
    assert len(kept.points) == 7
    assert (kept.complete, kept.partial) == (False, "interrupted")

    again = Scripted(lambda _job: 100.0)
    done, _ = play(plan, again, kept.points)
    first, second = done.findings.parts
    # The device is still preconditioned, but it has rested: its rounds are counted anew.
    assert again.purges == 1
    assert [job.settings["stage"] for job in again.jobs[:2]] == ["round", "round"]
    assert (first.stretch, first.rounds, first.purge) == (2, 5, "not repeated")
    assert (second.stretch, second.purge) == (1, "blkdiscard")
    assert any("interrupted" in text for text in done.findings.deviations)


def test_a_file_that_went_with_the_process_is_preconditioned_again() -> None:
    plan = planned(Choice("latency"), SPAN)
    kept = cut_off(plan, Scripted(settling, made=True, fails_at=10))
    again = Scripted(lambda _job: 100.0, made=True)
    play(plan, again, kept.points)
    assert again.purges == 1
    assert again.jobs[0].settings["stage"] == "precondition"


def test_write_saturation_begins_anew() -> None:
    plan = planned(Choice("saturation"), SPAN)
    kept = cut_off(plan, Scripted(settling, fails_at=40))
    again = Scripted(lambda _job: 100.0)
    done, _ = play(plan, again, kept.points)
    assert again.purges == 1
    assert done.findings.parts[0].rounds == 155


def test_what_is_whole_is_not_run_again() -> None:
    plan = planned(Choice("throughput"), SPAN)
    done, _ = play(plan, Scripted(settling))
    again = Scripted(settling)
    play(plan, again, done.points)
    assert again.jobs == []


def test_tables_are_kept_of_the_window_alone() -> None:
    done, _ = play(planned(Choice("throughput"), SPAN), Scripted(settling))
    rounds = [
        point
        for point in done.points
        if point.settings["part"] == "throughput, 1024 KiB" and "round" in point.settings
    ]
    told = {
        int(point.settings["round"]): len(point.outcome.latencies if point.outcome else ())
        for point in rounds
    }
    assert told == {1: 0, 2: 0, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1}


def test_blocks_smaller_than_a_sector_are_left_out_and_told() -> None:
    plan = planned(Choice("latency"), SPAN, sector_bytes=4096)
    assert len(plan.parts[0].cells) == 6
    done, _ = play(plan, Scripted(settling))
    assert any("0.5 KiB" in text for text in done.findings.deviations)


@pytest.mark.parametrize("test", ["iops", "throughput", "latency", "saturation"])
def test_the_quick_plan_ends_within_the_hour_and_says_what_it_is_not(test: Any) -> None:
    plan = planned(Choice(test, quick=True), specification.QUICK_SPAN_BYTES)
    low, high = expected_s(plan)
    assert 0 < low <= high <= 3600
    done, _ = play(planned(Choice(test, quick=True), SPAN), Scripted(settling))
    assert done.findings.quick
    assert done.findings.deviations[0].startswith("the quick plan")
    tracked = {cell for part in plan.parts for cell in part.tracked}
    assert tracked <= {cell for part in plan.parts for cell in part.cells}


def test_how_long_a_test_takes_is_known_before() -> None:
    # 56 cells of a minute in 5 to 25 rounds, behind 1 GB at 500 MB/s, twice.
    assert expected_s(planned(Choice("iops"), 10**9)) == (4 + 5 * 3360, 4 + 25 * 3360)


def test_a_run_can_be_all_that_the_specification_asks() -> None:
    engine = Scripted(lambda _job: 100.0)
    plan = planned(Choice("iops"), SPAN)
    tools = Tools(engine.measure, erased(engine.purge))
    done = run(plan, engine.target, begun(), tools, lambda result: result, lambda _s, _w: None)
    assert (done.findings.follows, done.findings.deviations) == (True, [])
    assert engine.purges == 0


def test_a_file_and_a_part_of_a_device_are_told() -> None:
    whole = begun()
    for place, words in (
        ({"name": "x", "kind": "file", "bytes": SPAN}, "the target is a file"),
        ({"name": "x", "kind": "device", "bytes": 4 * SPAN}, "the active range is 25% of the device"),
        (
            {
                "name": "x",
                "kind": "device",
                "bytes": SPAN,
                "disks": [{"queue": {"write_cache": "write back"}}],
            },
            "volatile write cache is on",
        ),
    ):
        engine = Scripted(lambda _job: 100.0)
        start = whole.model_copy(update={"targets": [TargetRow(**place)]})
        tools = Tools(engine.measure, erased(engine.purge))
        done = run(
            planned(Choice("iops"), SPAN),
            engine.target,
            start,
            tools,
            lambda result: result,
            lambda _s, _w: None,
        )
        (told,) = done.findings.deviations
        assert words in told
        assert not done.findings.follows


@pytest.mark.parametrize(("step_s", "kept_at"), [(60, [1, 2, 3, 4, 5, 6, 7]), (20, [3, 6, 7]), (10, [5, 7])])
def test_write_saturation_is_kept_each_minute(step_s: float, kept_at: list[int]) -> None:
    plan = planned(Choice("saturation", quick=True, step_s=step_s, rounds_max=7), SPAN)
    _, kept = play(plan, Scripted(growing))
    assert [len(stored.points) for stored in kept] == [*kept_at, 7]
