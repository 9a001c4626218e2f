"""`drivecast bench sweep`: what is asked, plans carried out point by point, and the real fio."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from agreed import agreed_refusals
from bench_engines import Kept
from conftest import Run
from drivecast.bench.campaign import Place, carry_out
from drivecast.bench.job import Job
from drivecast.bench.journal import Journal, begun
from drivecast.bench.progress import Progress
from drivecast.bench.sweep.schedule import Request, planned, swept
from drivecast.bench.target import Target
from drivecast.document.result import Point, Result
from drivecast.errors import InputError

TARGETS = [Target(Path("x"), name, 1 << 30, may_write=True, made=True) for name in ("a", "b")]
LOAD = "random(4KiB, read=1)"


def measured(job: Job, target: Target, update: Progress) -> Point:
    """A target that serves four at once, in 1 ms each."""
    update(0.5, "")
    depth = (job.iodepth or 1) * job.threads
    iops = min(depth, 4) * 1000.0
    side = {
        "requests": 100,
        "iops": iops,
        "latency_ns": {"mean": depth / iops * 1e9, "q0.99": 2e6, "q0.95": 1.5e6},
    }
    outcome = {"iops": iops, "throughput_bytes_per_s": iops * 4096, "duration_s": 1.0, "read": side}
    return Point(
        target=target.name,
        settings=dict(job.settings),
        workload=job.workload,
        started="2026-01-01T00:00:00+00:00",
        outcome=outcome,
    )


def empty() -> Result:
    return begun("sweep", "t", {}, 0, {})


def quiet(_share: float, _what: str) -> None:
    pass


def test_targets_are_measured_side_by_side_and_kept_after_each_point() -> None:
    jobs = planned(Request("depth", (LOAD,), "1,8")).jobs
    kept = Kept()

    whole = carry_out(jobs, TARGETS, measured, Journal(empty(), kept.keep, planned=4), quiet)
    assert [(point.target, point.settings["iodepth"]) for point in whole.points] == [
        ("a", 1),
        ("b", 1),
        ("a", 8),
        ("b", 8),
    ]
    assert whole.complete
    assert whole.partial is None
    assert [(len(stored.points), stored.complete, bool(stored.partial)) for stored in kept[:3]] == [
        (1, False, True),
        (2, False, True),
        (3, False, True),
    ]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), InputError("the disk is gone\nhint: look for it")])
def test_what_ends_a_sweep_early_leaves_a_partial_result_to_go_on_with(error: BaseException) -> None:
    jobs = planned(Request("depth", (LOAD,), "1,2,4")).jobs
    kept = Kept()

    def failing(job: Job, target: Target, update: Progress) -> Point:
        if job.iodepth == 2:
            raise error
        return measured(job, target, update)

    with pytest.raises(type(error)):
        carry_out(jobs, TARGETS[:1], failing, Journal(empty(), kept.keep, planned=3), quiet)
    assert not kept[-1].complete
    assert kept[-1].ended is not None
    assert str(kept[-1].partial).endswith("after 1 of 3 points")
    assert "hint" not in str(kept[-1].partial)
    seen = []

    def counting(job: Job, target: Target, update: Progress) -> Point:
        seen.append(job.iodepth)
        return measured(job, target, update)

    assert carry_out(jobs, TARGETS[:1], counting, Journal(kept[-1], kept.keep, planned=3), quiet).complete
    assert seen == [2, 4]


def test_a_place_given_twice_or_too_small_is_refused(tmp_path: Path) -> None:
    sweep = planned(Request("depth", (LOAD,), "1"))
    places = [Place((str(tmp_path),) * 2, 1 << 30), Place((str(tmp_path),), 1 << 20)]
    tries = [
        partial(swept, sweep, place, empty(), measured, lambda result: result, quiet) for place in places
    ]
    agreed_refusals("sweep-places.txt", tries, {str(tmp_path): "FOLDER"})


def test_what_cannot_be_asked_is_refused_by_the_name_of_its_option() -> None:
    requests = [
        Request("depth", values="0"),
        Request("depth", values="1,x"),
        Request("depth", values=""),
        Request("depth", values="99999"),
        Request("threads", values="4096"),
        Request("depth", sizes="4KiB"),
        Request("matrix", values="1"),
        Request("matrix", (LOAD,)),
        Request("matrix", mixes="1.5"),
        Request("matrix", sizes="4KiB,7"),
        Request("matrix", sizes="4Kib,big"),
        Request("depth", ("rndom(4KiB)",)),
        Request("depth", engine="psync"),
        Request("sync", engine="psync"),
        Request("jitter", repeats=2),
    ]
    agreed_refusals("sweep-options.txt", [partial(planned, request) for request in requests])


def test_defaults_are_what_people_expect() -> None:
    depths = planned(Request("depth"))
    assert [job.iodepth for job in depths.jobs[:9]] == [1, 2, 4, 8, 16, 32, 64, 128, 256]
    assert sum(job.length_s for job in depths.jobs) == 2 * 9 * 35
    assert {job.threads for job in planned(Request("threads")).jobs} == {2**at for at in range(9)}
    assert len(planned(Request("matrix")).jobs) == 8 * 5
    hours = planned(Request("warmup", runtime=3600))
    assert [(job.runtime_s, job.ramp_s) for job in hours.jobs] == [(600, 5)] + 5 * [(600, 0)]
    assert len({job.seed for job in hours.jobs}) == 6


def arguments(tmp_path: Path, *more: str) -> list[str]:
    (tmp_path / "disk").mkdir(exist_ok=True)
    given = ["--on", "disk", "-w", LOAD, "--size", "16MiB", "--ramp", "0", "--runtime", "0.5"]
    return ["bench", "sweep", "depth", *given, "-o", "r.json", "--report", "r.html", *more]


@pytest.mark.needs("fio")
def test_a_real_sweep_gives_a_result_a_page_and_nothing_left(
    tmp_path: Path, drivecast: Callable[..., Run]
) -> None:
    command = arguments(tmp_path, "--values", "1,8")
    done = drivecast(*command, cwd=tmp_path)
    assert done.code == 0, done.err
    result = json.loads((tmp_path / "r.json").read_text())
    assert result["complete"]
    assert result["kind"] == "sweep"
    assert result["findings"]["knees"][0]["iops_max"] > 0
    assert result["environment"]["fio"].startswith("fio-")
    page = (tmp_path / "r.html").read_text()
    assert "depth 8" in page
    assert "<script" not in page
    assert "figure-depth-sweep" in page
    assert not list((tmp_path / "disk").iterdir())
    again = drivecast(*command, cwd=tmp_path)
    assert again.code == 2
    assert "complete" in again.err
    assert "--fresh" in again.err
    shown = drivecast("bench", "show", "r.json", "-o", "s.html", cwd=tmp_path)
    assert shown.out.removesuffix("  page    s.html\n") in done.out
    assert (tmp_path / "s.html").read_text() == page
