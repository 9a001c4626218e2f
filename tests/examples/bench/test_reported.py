"""Results of other programs: known by their content, read to the figures that they state."""

import json
from pathlib import Path

import pytest

from drivecast.bench.reported import read
from drivecast.compare.comparison_side import read as side
from drivecast.errors import InputError
from drivecast.present import result_text

DISKSPD = """\
Command Line: diskspd.exe -b8K -d10 -o4 -t2 -r -w25 -L test.dat

Results for timespan 1:
***
actual test time:	10.00s
Read IO
thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file
     0 |       122880000 |        15000 |      11.72 |    1500.00 |    1.500 |     1.000 | test.dat (1GiB)
total:         122880000 |        15000 |      11.72 |    1500.00 |    1.500 |     1.000

Write IO
thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file
     0 |        40960000 |         5000 |       3.91 |     500.00 |    3.500 |     1.000 | test.dat (1GiB)
total:          40960000 |         5000 |       3.91 |     500.00 |    3.500 |     1.000

total:
  %-ile |  Read (ms) | Write (ms) | Total (ms)
   50th |      1.400 |      3.300 |      1.600
   99th |      4.000 |      9.000 |      7.000
    max |      8.000 |     20.000 |     20.000
"""
DISKSPD_XML = """<Results><TimeSpan><TestTimeSeconds>10.00</TestTimeSeconds>
<Latency><AverageReadMilliseconds>1.5</AverageReadMilliseconds>
<Bucket><Percentile>99</Percentile><ReadMilliseconds>4.0</ReadMilliseconds></Bucket></Latency>
<Thread><Id>0</Id><Target><ReadBytes>122880000</ReadBytes><ReadCount>15000</ReadCount>
<WriteBytes>40960000</WriteBytes><WriteCount>5000</WriteCount></Target></Thread></TimeSpan></Results>
"""
PGBENCH = """\
pgbench (16.1)
starting vacuum...end.
transaction type: <builtin: TPC-B (sort of)>
scaling factor: 10
query mode: simple
number of clients: 8
number of threads: 2
maximum number of tries: 1
duration: 10 s
number of transactions actually processed: 12000
number of failed transactions: 0 (0.000%)
latency average = 6.667 ms
initial connection time = 12.000 ms
tps = 1200.500000 (without initial connection time)
"""
SYSBENCH = """\
sysbench 1.0.20 (using bundled LuaJIT 2.1.0-beta2)

Running the test with following options:
Number of threads: 4

SQL statistics:
    queries performed:
        read:                            14000
    transactions:                        1000   (100.00 per sec.)
    ignored errors:                      2      (0.20 per sec.)

General statistics:
    total time:                          10.0000s

Latency (ms):
         min:                                    5.00
         avg:                                   40.00
         max:                                   90.00
         95th percentile:                       60.00
"""
ELBENCHO = """\
OPERATION   RESULT TYPE         FIRST DONE   LAST DONE
=========== ================    ==========   =========
WRITE       Elapsed time      :      1.900s      2.000s
            IOPS              :        5100        5000
            Throughput MiB/s  :        19.9        19.5
            Total MiB         :          37          39
            IO latency        : [ min=10us avg=200us max=1.2ms ]
READ        Elapsed time      :      900ms      1.000s
            IOPS              :       10100       10000
            Throughput MiB/s  :        39.9        39.0
            Total MiB         :          37          39
"""


def fio(*jobs: dict[str, object], version: str = "fio-3.40") -> str:
    return json.dumps(
        {
            "fio version": version,
            "timestamp": 1795362720,
            "global options": {"rw": "randwrite", "bs": "4k"},
            "jobs": jobs,
        }
    )


def job(requests: int, p99: int, **more: object) -> dict[str, object]:
    clat = {"mean": 2e6, "max": 16_000_000, "N": requests, "percentile": {"99.000000": p99}}
    write = {"io_bytes": requests * 4096, "runtime": 10_000, "total_ios": requests, "clat_ns": clat}
    return {"jobname": "job", "write": write, "job options": {"iodepth": "8"}, **more}


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "result"
    path.write_text(text)
    return path


def test_jobs_of_fio_at_once_are_a_point_with_the_longest_of_their_quantiles(tmp_path: Path) -> None:
    text = f"job: (g=0): rw=randwrite\nfio-3.40\n{fio(job(32_000, 4_000_000), job(64_000, 5_000_000))}\n\njob: err= 0\n"
    (point,) = read(written(tmp_path, text)).points
    assert point.workload == "random(4KiB, read=0, iodepth=8)"
    assert (point.outcome.iops, point.outcome.latency("write", "q0.99")) == (9600, 5_000_000)
    assert any("longest of any job" in note for note in point.notes)


def test_groups_of_fio_follow_each_other(tmp_path: Path) -> None:
    text = fio(job(10_000, 1), job(20_000, 1, groupid=1))
    assert [point.outcome.iops for point in read(written(tmp_path, text)).points if point.outcome] == [
        1000,
        2000,
    ]


def test_diskspd_as_text_and_as_xml(tmp_path: Path) -> None:
    for text in (DISKSPD, DISKSPD_XML):
        (point,) = read(written(tmp_path, text)).points
        found = point.outcome
        assert (found.iops, found.read.iops, found.write.iops) == (2000, 1500, 500)
        assert (found.host_read_bytes, found.latency("read", "mean"), found.latency("read", "q0.99")) == (
            122_880_000,
            1.5e6,
            4e6,
        )


def test_elbencho_has_a_point_a_phase(tmp_path: Path) -> None:
    writes, reads = (point.outcome for point in read(written(tmp_path, ELBENCHO)).points)
    assert (writes.write.iops, writes.duration_s, round(writes.latency("write", "mean") or 0)) == (
        5000,
        2,
        200_000,
    )
    assert (reads.read.iops, reads.host_read_bytes, reads.latency("read", "mean")) == (10_000, 39 << 20, None)


def test_databases_have_transactions(tmp_path: Path) -> None:
    for text, per_s, errors, latency in (
        (PGBENCH, 1200.5, 0, {"mean": 6_667_000.0}),
        (SYSBENCH, 100, 2, {"mean": 4e7, "max": 9e7, "q0.95": 6e7}),
    ):
        (point,) = read(written(tmp_path, text)).points
        assert (point.transactions.per_s, point.transactions.errors) == (per_s, errors)
        assert point.transactions.latency_ns == latency


def test_they_are_shown_and_compared_like_ours(tmp_path: Path) -> None:
    path = written(tmp_path, fio(job(96_000, 5_000_000)))
    assert "9,600" in str(result_text.text(read(path)))
    (run,) = side(path).runs
    assert (run.workload, run.outcomes[0].iops) == ("random(4KiB, read=0, iodepth=8)", 9600)


@pytest.mark.parametrize("text", [DISKSPD, DISKSPD_XML, PGBENCH, SYSBENCH, ELBENCHO, fio(job(1000, 1))])
def test_cut_anywhere_a_result_is_refused_or_has_the_figures_that_are_left(tmp_path: Path, text: str) -> None:
    whole = read(written(tmp_path, text))
    figures = {
        (number, at) for number, point in enumerate(whole.points) for at in _figures(point.model_dump())
    }
    for at in range(0, len(text) - 1, 3):
        try:
            part = read(written(tmp_path, text[:at]))
        except InputError:
            continue
        for number, point in enumerate(part.points):
            assert {(number, figure) for figure in _figures(point.model_dump())} <= figures, at


def _figures(value: object, name: str = "") -> set[tuple[str, float]]:
    """Numbers by name, without those that nothing states."""
    if isinstance(value, dict):
        return {figure for key, inner in value.items() for figure in _figures(inner, f"{name}.{key}")}
    return {(name, float(value))} if isinstance(value, int | float) and value else set()
