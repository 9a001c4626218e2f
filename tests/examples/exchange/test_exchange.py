"""Models to other tools and back: what is written, what is lost, and what is refused with its line."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from agreed import agreed_refusals
from drivecast import exchange
from drivecast.document.model import Closed, Open, Random, Sequential
from drivecast.errors import InputError
from drivecast.exchange import TOOLS, detect

MODEL = """\
schema_version = 1
name = "oltp"
span_bytes = 1_073_741_824
duration_s = 30.0

[[streams]]
name = "pages"
read = 0.7
sizes = [{ bytes = 16384, share = 0.667 }, { bytes = 4096, share = 0.333 }]
[streams.address]
pattern = "random"
zones = [{ from = 0.0, to = 0.25, share = 0.9 }, { from = 0.25, to = 1.0, share = 0.1 }]
[streams.arrivals]
loop = "open"
rate_iops = 120.0
rate_over_time = { period_s = 10.0, steps = [[0.0, 2.0], [5.0, 1.0]] }
"""


def read(tool: str, text: str, span: int | None = None) -> Any:
    reader = TOOLS[tool].read
    assert reader is not None
    found = reader(text, "file", span)
    return found.model("m", "file"), found.notes


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "oltp.toml"
    path.write_text(MODEL)
    return path


@pytest.mark.parametrize("tool", TOOLS)
def test_losses_are_listed_in_the_file_and_as_notes(
    model: Path, tmp_path: Path, drivecast: Callable[..., Any], tool: str
) -> None:
    out = tmp_path / "out"
    run = drivecast("model", "export", model, "--to", tool, "-o", out)
    assert run.code == 0, run.err
    lost = [line.removeprefix("note: ") for line in run.err.splitlines() if "lost: stream `pages`:" in line]
    assert lost
    assert all(line in out.read_text() for line in lost)


def test_a_fio_job(model: Path, drivecast: Callable[..., Any]) -> None:
    run = drivecast(
        "model", "export", model, "--to", "fio", "--target", "/dev/sdz", "--output-format", "json"
    )
    lines = run.json["text"].splitlines()
    for line in (
        "filename=/dev/sdz",
        "rw=randrw",
        "rwmixread=70",
        "bssplit=16k/67:4k/33",
        "random_distribution=zoned_abs:90/256m:10/768m",
        "rate_iops=84,36",
        "rate_process=poisson",
    ):
        assert line in lines
    assert len(run.json["losses"]) == 2


def test_a_fio_job_becomes_a_model_file(tmp_path: Path, drivecast: Callable[..., Any]) -> None:
    job = tmp_path / "web.fio"
    job.write_text("[global]\nfilename=/dev/sdz\nsize=1g\nnorandommap\n[logs]\nrw=write\nbs=64k\n")
    out = tmp_path / "web.toml"
    run = drivecast("model", "import", job, "-o", out)
    assert run.code == 0, run.err
    assert 'pattern = "sequential"' in out.read_text()
    back = drivecast("model", "export", out, "--to", "fio")
    assert "rw=write\nbs=64k" in back.out


def test_a_fault_ends_with_its_line_and_no_file(tmp_path: Path, drivecast: Callable[..., Any]) -> None:
    job = tmp_path / "bad.fio"
    job.write_text("[a]\nsize=1g\nzonemode=zbd\n")
    run = drivecast("model", "import", job, "-o", tmp_path / "out.toml")
    assert run.code == 2
    assert "bad.fio:3: " in run.err
    assert "`zonemode`" in run.err
    assert not (tmp_path / "out.toml").exists()


def test_fio_sections_inherit() -> None:
    model, _ = read(
        "fio",
        "; a comment\n[global]\nsize=64m\nbs=8k\nioengine=libaio\niodepth=4\n[a]\nfilename=x\nrw=randread\n"
        "[global]\nbs=16K\n[b]\nfilename=x\nrw=randrw\nrwmixwrite=30\nnumjobs=3\n",
    )
    a, b = model.streams
    assert (a.sizes[0].bytes, a.read, a.arrivals.iodepth) == (8192, 1.0, 4)
    assert (b.sizes[0].bytes, b.read, b.arrivals.iodepth) == (16384, 0.7, 12)
    assert model.span_bytes == 64 << 20


def test_fio_files_lie_one_after_the_other() -> None:
    model, _ = read("fio", "[a]\nrw=randread\nsize=1m\nnumjobs=2\n[b]\nrw=read\nsize=2m\n")
    assert model.span_bytes == 4 << 20
    assert [stream.name for stream in model.streams] == ["a", "a-2", "b"]
    assert [stream.zones[0].from_ for stream in model.streams] == [0.0, 0.25, 0.5]


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("4k", 4096),
        ("4ki", 4000),
        ("0x1000", 4096),
        ("1m", 1 << 20),
        ("4kb\nkb_base=1000", 4000),
        ("4096", 4096),
    ],
)
def test_fio_units(text: str, size: int) -> None:
    model, _ = read("fio", f"[a]\nsize=1g\nbs=512\nrw=read\noffset={text}\nfilename=x\n")
    assert model.streams[0].zones[0].from_ * model.span_bytes == pytest.approx(size)


def test_with_a_file_size_fio_goes_on_to_its_end() -> None:
    model, _ = read("fio", "[a]\nfilesize=4m\noffset=1m\nsize=1m\nrw=randread\n")
    zone = model.streams[0].zones[0]
    assert (zone.from_, zone.to, model.span_bytes) == (0.25, 1.0, 4 << 20)


def test_fio_times() -> None:
    model, _ = read("fio", "[a]\nsize=1g\nruntime=2m\nthinktime=300\n")
    assert model.duration_s == 120
    assert model.streams[0].arrivals == Closed(iodepth=1, think_s=0.0003)


def test_fio_rates_and_splits() -> None:
    model, _ = read("fio", "[a]\nsize=1g\nrw=randread\nbssplit=4k/50:8k/:16k/\nrate=1m\n")
    stream = model.streams[0]
    assert [size.share for size in stream.sizes] == [0.5, 0.25, 0.25]
    assert isinstance(stream.arrivals, Open)
    assert stream.arrivals.rate_iops == pytest.approx((1 << 20) / 8192)


def test_what_fio_can_and_a_model_cannot() -> None:
    texts = (
        "size=1g\n",
        "[a]\nrw=randread\n",
        "[a]\nsize=1g\nrw=sideways\n",
        "[a]\nsize=1g\nbs=4k,8k\nrw=randrw\n",
        "[a]\nsize=1g\nbssplit=4k/50:8k/40\n",
        "[a]\nsize=1g\n[b]\nsize=1g\nstonewall\n",
        "[a]\nsize=20%\n",
        "[a]\nsize=1g\nrw=randread\nrandom_distribution=pareto:0.2\n",
        "[a]\nsize=${NO_SUCH}\n",
        "[a]\nsize=1g\nrw=write\nverify=crc32c\n",
        "[a]\nsize=1g\ninclude other.fio\n",
    )
    agreed_refusals("exchange-fio.txt", [partial(read, "fio", text) for text in texts])


SPECIFICATION = """\
Version 1.1.0
'ACCESS SPECIFICATIONS =========
'Access specification name,default assignment
\tFile Server,NONE
'size,% of size,% reads,% random,delay,burst,align,reply
\t512,10,80,100,0,1,0,0
\t65536,90,80,100,0,1,4096,0
'END access specifications
Version 1.1.0
"""


def test_an_iometer_specification_alone() -> None:
    even = SPECIFICATION.replace(",4096,0", ",0,0")
    model, notes = read("iometer", even, 1 << 30)
    stream = model.streams[0]
    assert (stream.name, stream.read, stream.align_bytes) == ("File Server", 0.8, 512)
    assert isinstance(stream.address, Random)
    assert stream.arrivals == Closed(iodepth=1)
    assert any("no workers" in note for note in notes)


def test_iometer_faults() -> None:
    even = SPECIFICATION.replace(",4096,0", ",0,0")
    edits = [
        ("65536,90", "65536,80"),
        (",0,1,0,0", ",0,1,0,512"),
        ("512,10,80", "512,10"),
        ("'END access", "'OTHER"),
    ]
    texts = [SPECIFICATION, *(even.replace(*edit) for edit in edits)]
    agreed_refusals("exchange-iometer.txt", [partial(read, "iometer", text) for text in texts])


PROFILE = """\
<Profile>
  <TimeSpans>
    <TimeSpan>
      <Duration>10</Duration>
      <Targets>
        <Target>
          <Path>a.dat</Path>
          <FileSize>1073741824</FileSize>
          <WriteRatio>25</WriteRatio>
          <Random>8192</Random>
          <BlockSize>8192</BlockSize>
          <ThreadsPerFile>2</ThreadsPerFile>
          <Distribution><Percent>
            <Range IO="90">10</Range><Range IO="0">10</Range><Range IO="10">80</Range>
          </Percent></Distribution>
        </Target>
      </Targets>
    </TimeSpan>
  </TimeSpans>
</Profile>
"""


def test_a_diskspd_profile() -> None:
    model, _ = read("diskspd", PROFILE)
    stream = model.streams[0]
    assert (stream.read, stream.arrivals) == (0.75, Closed(iodepth=4))
    assert [(round(zone.from_, 6), round(zone.to, 6), zone.share) for zone in stream.zones] == [
        (0.0, 0.1, 0.9),
        (0.2, 1.0, 0.1),
    ]


def test_diskspd_faults() -> None:
    edits = [
        ("<Duration>", "<ThreadCount>4</ThreadCount><Duration>"),
        ("<Random>8192</Random>", "<StrideSize>4096</StrideSize>"),
        ("<Random>8192</Random>", ""),
        ("<Path>a.dat</Path>", "<Path>a.dat</Path><ThinkTime>5</ThinkTime>"),
        ("<FileSize>1073741824</FileSize>", ""),
        ("<WriteRatio>25", "<WriteRatio>125"),
        ("</Profile>", ""),
        ("<Profile>", "<!DOCTYPE x><Profile>"),
    ]
    tries = [partial(read, "diskspd", PROFILE.replace(*edit)) for edit in edits]
    agreed_refusals("exchange-diskspd.txt", tries)


def test_the_profile_is_laid_out_as_diskspd_checks_it(model: Path, drivecast: Callable[..., Any]) -> None:
    """The elements that its schema requires once, ranges that cover the target, and whole percents."""
    root = ElementTree.fromstring(  # noqa: S314 (our own document)
        drivecast("model", "export", model, "--to", "diskspd", "-q").out
    )
    assert [child.tag for child in root] == ["Progress", "ResultFormat", "Verbose", "TimeSpans"]
    target = root.find("TimeSpans/TimeSpan/Targets/Target")
    assert len({child.tag for child in target}) == len(target)
    ranges = [(int(part.get("IO", "")), int(part.text or "")) for part in target.iter("Range")]
    assert ranges == [(90, 256 << 20), (10, 768 << 20)]
    assert target.findtext("Throughput") == "120"


def test_runs_by_chance_are_a_table() -> None:
    model, _ = read(
        "diskspd",
        PROFILE.replace("<Random>8192</Random>", "<Random>8192</Random><RandomRatio>20</RandomRatio>"),
    )
    address = model.streams[0].address
    assert isinstance(address, Sequential)
    assert model.streams[0].run_requests() == pytest.approx(5.0)


def test_vdbench_holds_zones_and_poisson_arrivals(model: Path, drivecast: Callable[..., Any]) -> None:
    text = drivecast("model", "export", model, "--to", "vdbench", "-q").out
    assert "range=(0,25),skew=90.000000" in text
    assert "range=(25,100),skew=10.000000" in text
    assert "iorate=120,distribution=exponential,elapsed=30" in text


def test_fio_jobs_as_people_write_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "common.inc").write_text("[global]\ndirect=1\nsize=50%\nfilename=/dev/sdx\n")
    path = tmp_path / "people.job"
    path.write_text(
        "# a comment\ninclude common.inc\n[warm]\nrw=write\nbs=2300\nverify=md5\ndo_verify=0\n"
        "[load]\nstonewall\nrw=randrw\nbsrange=3k-9k\nrate_iops=${RATE}\n[user]\nrw=randread\nthinktime=4000\nthinktime_blocks=4\n"
    )
    monkeypatch.setenv("RATE", "1k")
    warm, notes = exchange.read(path, None, 1 << 30, phase=1)
    assert ([stream.name for stream in warm.streams], warm.span_bytes) == (["warm"], 1 << 30)
    assert [size.bytes for size in warm.streams[0].sizes] == [2560]
    assert "job `warm`: requests are widened to whole sectors of 512 B" in notes
    assert (warm.streams[0].address.zones[0].from_, warm.streams[0].address.zones[0].to) == (0, 0.5)
    load, _ = exchange.read(path, None, 1 << 30, phase=2)
    assert [stream.name for stream in load.streams] == ["load", "user"]
    assert [size.bytes for size in load.streams[0].sizes] == list(range(3072, 9217, 512))
    assert load.streams[1].arrivals == Closed(iodepth=1, think_s=0.001)
    with pytest.raises(InputError, match=r"people\.job:13: expected a phase from 1 to 2"):
        exchange.read(path, None, 1 << 30, phase=3)


def test_formats_are_known_by_name(tmp_path: Path) -> None:
    assert detect(tmp_path / "A.ICF") == "iometer"
    with pytest.raises(InputError) as refused:
        detect(tmp_path / "job.txt")
    assert "`--from`" in str(refused.value)


def test_many_losses_are_counted_on_the_terminal_and_listed_in_the_file(
    drivecast: Callable[..., Any], tmp_path: Path
) -> None:
    fitted, out = tmp_path / "m.toml", tmp_path / "m.fio"
    recording = Path(__file__).parents[3] / "examples/mariadb-oltp/mariadb-oltp.blktrace"
    assert drivecast("model", "fit", recording, "-o", fitted).code == 0
    run = drivecast("model", "export", fitted, "--to", "fio", "-o", out)
    notes = [line for line in run.err.splitlines() if line.startswith("note: lost: ")]
    lost = [line for line in out.read_text().splitlines() if line.startswith("# lost: ")]
    assert len(notes) == 9
    assert notes[-1].startswith(f"note: lost: {len(lost) - 8} more")
