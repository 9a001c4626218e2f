"""Log and data apart: the load parted by addresses, streams and disks, and volumes added up."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from drivecast.catalog import Catalog
from drivecast.document.outcome import LatencyHistogram
from drivecast.document.plan import Cost, DataLoss, Life
from drivecast.errors import HintedError, InputError
from drivecast.plan import multi_volume, search, space, volume_split
from drivecast.plan.candidate import Options
from drivecast.plan.requirement import Given
from drivecast.present import page
from drivecast.quantity.interval import Span
from drivecast.stage import trace
from drivecast.stage.design import Design as Design_
from small_traces import GIB, READ, WRITE, Io, blktrace

LINE = "volumes(log=raid1(2 * samsung-pm893-480gb), data=raid5(4 * samsung-pm9a3-960gb, chunk=64KiB))"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small writes in turn in the first gibibyte; reads behind, from 2 GiB on."""
    writes = [Io(1000 * at, WRITE, 4096 * at, 4096) for at in range(100)]
    reads = [Io(1000 * at + 500, READ, 2 * GIB + 1_048_576 * at, 16384) for at in range(50)]
    path = tmp_path_factory.mktemp("volumes") / "log.blktrace.0"
    path.write_bytes(blktrace([*writes, *reads]))
    return path


def parts(
    log: Path, *options: str, names: tuple[str, ...] = ("log", "data")
) -> Iterator[tuple[str, pl.DataFrame]]:
    with volume_split.parted([log], trace.AS_IT_IS, names, volume_split.selectors(options)) as found:
        for part in found:
            yield part.name, pl.read_parquet(part.files[0])


def test_a_line_has_its_volumes_by_name() -> None:
    assert volume_split.volumes(LINE) == {
        "log": "raid1(2 * samsung-pm893-480gb)",
        "data": "raid5(4 * samsung-pm9a3-960gb, chunk=64KiB)",
    }
    assert volume_split.is_of_volumes(LINE)
    assert not volume_split.is_of_volumes("volume(capacity=1TB, iops=3000iops)"), "a cloud disk"


@pytest.mark.parametrize(
    "line",
    ["volumes(raid1(2 * a), data=b)", "volumes(log=a)", "volumes(log=a, log=b)", "volumes(log=, data=b)"],
)
def test_volumes_without_names_of_their_own_are_refused(line: str) -> None:
    with pytest.raises(HintedError, match="volumes"):
        volume_split.volumes(line)


def test_an_address_range_begins_at_zero_of_its_volume(log: Path) -> None:
    found = dict(parts(log, "data=range:2GiB.."))
    assert found["data"].height == 50
    assert found["data"]["offset_bytes"].min() == 0
    assert found["data"]["offset_bytes"].max() == 49 * 1_048_576
    assert found["log"].height == 100, "what is left"
    assert found["data"]["time_ns"].min() == 501_000, "times are those of the whole log"


def test_every_request_is_in_one_volume(log: Path) -> None:
    found = dict(parts(log, "log=range:0..1GiB", "data=range:1GiB.."))
    assert sum(table.height for table in found.values()) == 150


def test_streams_part_a_log(tmp_path: Path, log: Path) -> None:
    """Of two processes that write by turns, one goes to the log, with its flushes."""
    trace.convert([log], tmp_path / "whole.parquet")
    table = pl.read_parquet(tmp_path / "whole.parquet")
    streams = pl.Series("stream", [7, 9] * (table.height // 2), dtype=pl.UInt32)
    table.with_columns(streams).write_parquet(of_two := tmp_path / "of-two.parquet")
    found = dict(parts(of_two, "log=stream:7"))
    assert found["log"]["stream"].unique().to_list() == [7]
    assert found["data"]["stream"].unique().to_list() == [9]
    assert found["log"].height == found["data"].height == table.height // 2


BLKPARSE = "8,16 0 {at} 0.{at:09d} {pid} D {op} {sector} + 8 [{name}]\n"
PROCESSES = ((7, "ib_log_writer", "WS"), (9, "ib_page_flush-0", "W"), (11, "connection", "R"))


@pytest.fixture
def of_mariadb(tmp_path: Path) -> Path:
    """Text of blkparse: thirty requests of a log writer, a page cleaner and a connection, by turns."""
    path = tmp_path / "mariadb.txt"
    rows = ((at, *PROCESSES[at % 3]) for at in range(1, 31))
    path.write_text(
        "".join(
            BLKPARSE.format(at=at, pid=pid, op=op, sector=at * 64, name=name) for at, pid, name, op in rows
        )
    )
    return path


def test_processes_part_a_log_by_their_names(of_mariadb: Path) -> None:
    found = dict(parts(of_mariadb, "log=process:ib_log*"))
    assert found["log"]["stream"].unique().to_list() == [7]
    assert found["data"]["stream"].unique().sort().to_list() == [9, 11]
    both = dict(parts(of_mariadb, "log=process:ib_log*+connection"))
    assert both["data"]["stream"].unique().to_list() == [9]


def test_a_process_that_is_not_there_is_refused_with_those_that_are(of_mariadb: Path) -> None:
    with pytest.raises(HintedError) as refused:
        dict(parts(of_mariadb, "log=process:postgres"))
    assert "`process:postgres`" in refused.value.reason
    assert "ib_log_writer" in refused.value.hint


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        (
            ("log=range:8GiB..9GiB",),
            "`log` gets no requests: `range:8GiB..9GiB` meets none",
            "lie from 0 B to",
        ),
        (("log=range:0..64GiB",), "`data` gets no requests: what the others leave", "their streams"),
        (("log=range:0..1GiB", "data=range:3GiB..4GiB"), "`data` gets no requests", "lie from"),
        (("log=range:0..128KiB", "data=range:2GiB..3GiB"), "150", None),
        (("log=range:2GiB..1GiB",), "the range `2GiB..1GiB` is empty", "FROM..TO"),
        (
            ("log=process:mariadbd",),
            "`process:mariadbd`: the log does not name its processes",
            "stream:NUMBER",
        ),
        (("log=cgroup:7",), "expected range:…, process:…, stream:… or disk:…", "such as"),
        (("wal=range:0..1GiB",), "no design has a volume `wal`; found log, data", None),
        ((), "nothing says which requests go to log and data", "such as"),
        (("log=disk:8:16",), "where a disk is named, each volume has one", "disk:"),
        (("log=range:0..1GiB", "log=stream:1"), "each volume once", "such as"),
    ],
)
def test_parts_that_cannot_be_are_refused(
    log: Path, options: tuple[str, ...], message: str, hint: str | None
) -> None:
    with pytest.raises(InputError) as refused:
        dict(parts(log, *options))
    assert message in str(refused.value)
    assert hint is None or hint in str(refused.value.hint)


def test_volumes_lose_data_where_any_of_them_does() -> None:
    lost = multi_volume.lost([DataLoss(value=chance, low=0.0, high=chance) for chance in (0.1, 0.2)])
    assert lost.value == pytest.approx(1 - 0.9 * 0.8)
    assert lost.low == 0.0
    assert lost.method == "closed form"


def test_costs_and_their_bounds_add_up() -> None:
    log_costs = Cost(total=300.0, purchase=250.0, energy=50.0, low=200.0, high=400.0)
    data_costs = Cost(total=700.0, purchase=600.0, energy=100.0, low=500.0, high=1000.0)
    found = multi_volume.added([log_costs, data_costs])
    assert (found.total, found.purchase, found.energy) == (1000.0, 850.0, 150.0)
    assert (found.low, found.high) == (700.0, 1400.0)


def test_the_volume_that_is_worn_out_first_decides() -> None:
    first, never = Life(value=4.0, low=3.0, high=6.0, limit="media"), Life(limit="none")
    assert multi_volume.least([never, first]) is first
    assert multi_volume.least([never]) is never
    assert multi_volume.least([]) is None


def test_p99_is_that_of_all_requests_together() -> None:
    """Of 990 requests of 1 µs and 30 of 1 ms, eleven in a thousand are slow: neither volume's p99 is that of all."""
    quick = LatencyHistogram([{"op": "write", "latency_ns": 1e3, "count": 990, "quantile": 1.0}])
    slow = LatencyHistogram([{"op": "write", "latency_ns": 1e6, "count": 30, "quantile": 1.0}])
    spans = [Span(low=0.5e3, value=1e3, high=2e3), Span(low=0.5e6, value=1e6, high=2e6)]
    found = multi_volume.p99("write", [quick, slow], spans)
    assert (found.low, found.value, found.high) == (0.5e3, 1e6, 2e6)
    assert multi_volume.p99("write", [quick, quick], spans[:1]).value == 1e3  # type: ignore[union-attr]
    assert multi_volume.p99("read", [quick], []) is None


def test_what_is_left_of_a_load_has_a_name() -> None:
    assert volume_split.volume_names(volume_split.selectors(["log=range:0..1GiB"])) == ("log", "data")
    assert volume_split.volume_names(volume_split.selectors(["wal=range:0..1GiB"])) == ("wal", "rest")
    assert volume_split.volume_names(volume_split.selectors(["a=range:0..1", "b=range:1..2"])) == ("a", "b")
    assert volume_split.volume_names({}) == ()


def test_volumes_of_several_logs_are_refused() -> None:
    for designs, volumes in ((["raid1(2 * a)"], ["log=range:0..1GiB"]), ([LINE], [])):
        with pytest.raises(HintedError):
            volume_split.split(designs, volumes, several_logs=True)
    assert volume_split.split(["raid1(2 * a)", LINE], [], several_logs=False) == ([LINE], ["raid1(2 * a)"])


def test_log_and_data_apart_are_judged_each_by_its_part(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space, "ladders", lambda _: iter(()))
    line = "volumes(log=raid1(2 * samsung-pm893-480gb), data=raid1(2 * samsung-pm9a3-960gb))"
    options = Options(designs=(line,), volumes=("data=range:2GiB..",), peak_window_s=1.0, threads=1)
    given = Given(years=5, growth_per_year=0.1, hours_per_day=0.1, data_loss=1e-3)
    found = search.plan([log], given, options, lambda _share, _what: None)
    (design,) = found.designs
    assert found.winner == line, design.misses
    logs, data = design.volumes
    assert (logs.name, logs.selector, logs.requests) == ("log", "what is left", 100)
    assert (data.name, data.selector, data.requests) == ("data", "range:2GiB..", 50)
    assert logs.read_p99_ns is None, "the log is only written"
    assert data.write_p99_ns is None
    assert design.cost.total == pytest.approx(
        sum(volume.cost.total for volume in design.volumes if volume.cost)
    )
    assert design.count == 4
    assert design.flash == "TLC"
    assert design.headroom == min(volume.headroom for volume in design.volumes if volume.headroom)
    html = page.render(found)
    assert "<h3>Volumes</h3>" in html


def test_log_and_data_apart_are_searched_each_by_its_part(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a design named: the best of each volume, combined; the cheapest is the cheapest of each."""

    def two_drives(catalog: Catalog) -> Iterator[space.Ladder]:
        for name in ("samsung-pm893-480gb", "samsung-pm9a3-960gb"):
            yield (Design_(catalog.get(name), "raid1", 2),)

    monkeypatch.setattr(space, "ladders", two_drives)
    options = Options(volumes=("log=range:0..1GiB",), peak_window_s=1.0, threads=1)
    given = Given(years=5, growth_per_year=0.1, hours_per_day=0.1, data_loss=1e-3)
    found = search.plan([log], given, options, lambda _share, _what: None)
    apart_ = [design for design in found.designs if design.volumes]
    assert {design.line for design in apart_} == {
        f"volumes(log=raid1(2 * {of_log}), data=raid1(2 * {of_data}))"
        for of_log in ("samsung-pm893-480gb", "samsung-pm9a3-960gb")
        for of_data in ("samsung-pm893-480gb", "samsung-pm9a3-960gb")
    }
    assert not any(design.yours for design in apart_)
    whole = {design.line: design for design in found.designs if not design.volumes}
    for design in apart_:
        bought = [whole[volume.line].cost for volume in design.volumes]
        assert design.cost.purchase == pytest.approx(sum(cost.purchase for cost in bought if cost))
    fitting = [design for design in found.designs if design.fits]
    assert found.winner == fitting[0].line
    assert fitting[0].volumes is None, "both loads fit on the drives of one"
    tiers = [design.tier or 0 for design in fitting]
    assert tiers == sorted(tiers), "volumes take part in ties"
    assert tiers[0] == 1
    assert sum(design.chance_cheapest or 0.0 for design in fitting) == pytest.approx(1.0, abs=0.01)
    assert any(design.fits for design in apart_)


def test_volumes_whose_load_no_drive_holds_are_shown_as_missing(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        space, "ladders", lambda catalog: iter([(Design_(catalog.get("samsung-pm893-480gb"), "raid1", 2),)])
    )
    options = Options(volumes=("log=range:0..1GiB",), peak_window_s=1.0, threads=1)
    given = Given(p99_read_ns=1000, p99_write_ns=1000, hours_per_day=0.1, data_loss=1e-3)
    found = search.plan([log], given, options, lambda _share, _what: None)
    assert found.winner is None
    (design,) = [design for design in found.designs if design.volumes]
    assert {miss.volume for miss in design.misses} == {"log", "data"}
