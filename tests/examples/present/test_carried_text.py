"""Databases on attached designs as text: what is attached, what it did, and figures that are of the machine."""

import pytest

import database_result
from drivecast.document.attached import AttachedTarget, Carried, Lateness, late_share, on_time
from drivecast.document.result import Result
from drivecast.document.transactions import findings
from drivecast.present import result_page
from drivecast.present.measured import transactions


def carried(share: float) -> Carried:
    """Of one disk, with figures that have nothing to do with its transactions."""
    return Carried(
        design="intel-x25-e-32gb",
        holds="data",
        elapsed_s=60.0,
        reads_per_s=4100.0,
        writes_per_s=900.0,
        flushes_per_s=100.0,
        read_bytes_per_s=4e6,
        written_bytes_per_s=1e6,
        read_p50_ns=250_000,
        read_p99_ns=1_500_000,
        write_p50_ns=90_000,
        write_p99_ns=3_000_000,
        flush_p50_ns=None,
        flush_p99_ns=None,
        write_amplification=1.5,
        lateness=Lateness(
            requests=100, late=1, p50_ns=0, p99_ns=70_000, p999_ns=8e4, max_ns=9e4, transport_ns=3e4
        ),
        late_share=share,
    )


def on_designs(shares: tuple[float, float]) -> Result:
    """The made-up result, its second target a design that was late by these shares at the two settings."""
    made = database_result.made(repeats=2)
    second = made.targets[1].name
    buffers = {13 << 30, 25 << 30}
    points = [
        point.model_copy(
            update={"attached": [carried(shares[point.settings["flush_at_commit"] == 2])]}
            if point.target == second
            else {}
        )
        for point in made.points
        if point.settings["buffer_bytes"] in buffers
    ]
    disk = AttachedTarget(
        design="intel-x25-e-32gb",
        holds="data",
        size_bytes=10**9,
        usable_bytes=32 * 10**9,
        state="steady",
        fill=1,
        seed=0,
    )
    rows = [made.targets[0], made.targets[1].model_copy(update={"attached": [disk]})]
    return made.model_copy(update={"targets": rows, "points": points, "findings": findings(points)})


def test_what_is_attached_and_what_it_did_is_shown() -> None:
    text = transactions.text(on_designs((0.01, 0.01))).plain
    assert "B: 1 GB of 32 GB attached for data, flash in the steady state of random writes" in text
    assert "data were loaded at full speed, before design time began" in text
    row = next(line for line in text.partition("in ms; late")[2].splitlines() if "13 GiB      1" in line)
    figures = "4,100 900 100 0.25 1.5 0.090 3 – 0.070 1 % 2 of 2"
    assert row.split() == ["B", "data", "13", "GiB", "1", *figures.split()]
    assert "*" not in text


def test_figures_that_were_late_are_of_the_machine() -> None:
    result = on_designs((0.01, 0.2))
    text = transactions.text(result).plain
    rates = text.partition("attached designs")[0].splitlines()
    marked = {line.split()[2]: line.count("*") for line in rates if line.startswith(("  13 GiB", "  25 GiB"))}
    assert marked == {"1": 0, "2": 2}, "the rate of the second target and its ratio, at one of the settings"
    assert "not served on time: more than 5 % of the I/O wait" in " ".join(text.split())
    page = result_page.render(result)
    assert "In 4 of 8 points the attached design was not served on time (/mnt/b, log on /mnt/a)" in page
    assert "Attached designs" in page
    late = [row.on_time for row in result.findings.throughput]
    assert late == [None, None, None, None, True, False, True, False]


def test_a_log_that_is_hardly_waited_for_delays_nothing() -> None:
    data = carried(0.001).model_copy(update={"waited_s": 99.0})
    log = carried(0.2).model_copy(update={"waited_s": 1.0})
    assert late_share([data, log]) == pytest.approx(0.00299)
    assert (log.on_time, on_time([data, log])) == (False, True)
    assert late_share([data, carried(0.2)]) == 0.2, "the larger where waits are unknown"
    assert late_share([]) is None


@pytest.mark.parametrize(("share", "is_on_time"), [(0.05, True), (0.051, False), (None, True)])
def test_a_share_of_the_wait_decides(share: float | None, is_on_time: bool) -> None:
    assert carried(0.0).model_copy(update={"late_share": share}).on_time is is_on_time
