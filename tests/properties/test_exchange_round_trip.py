"""What a format can hold comes back equal: model, export, import, model."""

import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drivecast.document.model import Closed, Model, Open, Random, Sequential, Size, Stream, Zone
from drivecast.exchange import TOOLS
from drivecast.exchange.losses import percents

SPAN = 1 << 30
UNIT = 1 << 20


@st.composite
def sized(draw: st.DrawFn, most: int) -> list[Size]:
    count = draw(st.integers(1, most))
    powers = draw(st.lists(st.integers(9, 18), min_size=count, max_size=count, unique=True))
    shares = percents(draw(st.lists(st.integers(1, 20), min_size=count, max_size=count)))
    return [Size(bytes=1 << power, share=share / 100) for power, share in zip(powers, shares, strict=True)]


@st.composite
def zoned(draw: st.DrawFn, most: int) -> list[Zone]:
    edges = sorted(draw(st.sets(st.integers(0, 1023), min_size=1, max_size=most)) | {1024})
    shares = percents(draw(st.lists(st.integers(1, 9), min_size=len(edges) - 1, max_size=len(edges) - 1)))
    cuts = zip(edges, edges[1:], shares, strict=False)
    return [Zone(from_=a * UNIT / SPAN, to=b * UNIT / SPAN, share=share / 100) for a, b, share in cuts]


@st.composite
def streams(draw: st.DrawFn, tool: str) -> Stream:
    read = draw(st.integers(0, 100)) / 100
    sizes = draw(sized(1 if tool == "diskspd" else 5))
    pattern = draw(st.sampled_from(["random", "runs", "pass"]))
    zones = draw(zoned(1 if tool == "iometer" or pattern == "pass" else 4))
    depth = draw(st.integers(1, 64))
    think = draw(st.sampled_from([0, 0, 1, 7])) / 1000
    address: Random | Sequential = Random(zones=zones)
    if pattern != "random":
        runs = sizes[0].bytes * draw(st.sampled_from([4.0, 16.0])) if pattern == "runs" else None
        if runs and tool == "fio" and len(sizes) > 1:
            sizes = [Size(bytes=sizes[0].bytes, share=1.0)]
        address = Sequential(zones=zones, run_bytes=runs if tool == "fio" else None)
        zones_held = zones if address.run_bytes else [Zone(from_=zones[0].from_, to=1.0, share=1.0)]
        address = address.model_copy(update={"zones": zones_held})
        depth = 1 if think else depth
    arrivals: Closed | Open = Closed(iodepth=depth, think_s=think)
    if tool == "fio" and draw(st.booleans()):
        reads, writes = draw(st.integers(1, 5000)), draw(st.integers(1, 5000))
        read = draw(st.sampled_from([0.0, 1.0, reads / (reads + writes)]))
        arrivals = Open(rate_iops=float(reads + writes))
    align = draw(st.sampled_from([512, 4096, 65536]))
    if tool == "diskspd" and isinstance(address, Sequential):
        align = sizes[0].bytes
    return Stream(name="s", read=read, sizes=sizes, align_bytes=align, address=address, arrivals=arrivals)


@st.composite
def models(draw: st.DrawFn, tool: str) -> Model:
    count = draw(st.integers(1, 3))
    names = {"diskspd": "target-{}"}.get(tool, "stream {}")
    made = [draw(streams(tool)).model_copy(update={"name": names.format(n + 1)}) for n in range(count)]
    return Model(name="m", span_bytes=SPAN, duration_s=float(draw(st.integers(1, 9999))), streams=made)


@pytest.mark.parametrize("tool", ["fio", "iometer", "diskspd"])
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_what_is_held_comes_back(tool: str, data: st.DataObject) -> None:
    model = data.draw(models(tool))
    text, _ = TOOLS[tool].export(model, "disk.dat")
    reader = TOOLS[tool].read
    assert reader is not None
    back = reader(text, f"m.{tool}", None).model("m", f"m.{tool}")
    assert len(back.streams) == len(model.streams)
    assert (back.span_bytes, back.duration_s) == (model.span_bytes, model.duration_s)
    for stream, two in zip(model.streams, back.streams, strict=True):
        assert two.name == stream.name
        assert two.read == pytest.approx(stream.read, abs=1e-12)
        assert two.align_bytes == stream.align_bytes
        assert [(size.bytes, round(size.share, 9)) for size in two.sizes] == [
            (size.bytes, round(size.share, 9)) for size in stream.sizes
        ]
        if isinstance(stream.arrivals, Open):
            assert isinstance(two.arrivals, Open)
            assert two.arrivals.rate_iops == pytest.approx(stream.arrivals.rate_iops)
        else:
            assert two.arrivals == stream.arrivals
        assert type(two.address) is type(stream.address)
        assert two.run_requests() == stream.run_requests()
        assert [(zone.from_, zone.to, round(zone.share, 9)) for zone in two.zones] == [
            (zone.from_, zone.to, round(zone.share, 9)) for zone in stream.zones
        ]


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=70).filter(lambda shares: sum(shares) > 1e-3))
def test_percents_sum_to_100(shares: list[float]) -> None:
    whole = percents(shares)
    assert sum(whole) == 100
    assert all(abs(got - 100 * share / sum(shares)) <= 1 for got, share in zip(whole, shares, strict=True))


@pytest.mark.needs("fio")
@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_fio_takes_every_job(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    file = tmp_path_factory.mktemp("job") / "m.fio"
    file.write_text(TOOLS["fio"].export(data.draw(models("fio")), "disk.dat")[0])
    done = subprocess.run(
        ["fio", "--parse-only", str(file)], capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
