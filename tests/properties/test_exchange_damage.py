"""Whatever a job file holds, reading it gives a model that the core takes, or an `InputError` that says where."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drivecast import _core
from drivecast.document.model import Append, Closed, Model, Open, Random, Sequential, Size, Stream, Zone
from drivecast.errors import InputError
from drivecast.exchange import TOOLS

MODEL = Model(
    name="m",
    span_bytes=1 << 30,
    duration_s=60.0,
    streams=[
        Stream(
            name="a",
            read=0.5,
            sizes=[Size(bytes=4096, share=0.5), Size(bytes=8192, share=0.5)],
            address=Random(zones=[Zone(from_=0.0, to=0.5, share=0.9), Zone(from_=0.5, to=1.0, share=0.1)]),
            arrivals=Open(rate_iops=100),
        ),
        Stream(
            name="b",
            flush=0.1,
            sizes=[Size(bytes=512, share=1.0)],
            address=Append(from_=0.5, to=1.0),
            arrivals=Closed(iodepth=2, think_s=0.01),
        ),
        Stream(
            name="c",
            read=1.0,
            sizes=[Size(bytes=65536, share=1.0)],
            address=Sequential(run_bytes=[(0.5, 65536.0), (1.0, 1e6)]),
            arrivals=Closed(iodepth=8),
        ),
    ],
)
TOKENS = {
    "fio": [
        "bs=", "rw=randrw:8", "numjobs=9999999", "size=100%", "bssplit=4k/:8k/", "rate_iops=,5", "[x]", "[", "=", ":",
        "random_distribution=zoned:50/10", "zipf:nan", "bsrange=1-1p", "${X}", "thinktime=1e9", "filesize=0", "/",
        "offset_increment=1p", "rate=1", "kb_base=1000", "percentage_random=7", "runtime=9d", "\nsize=512\n",
    ],
    "iometer": [
        "'", "\t", ",", "'End worker", "'END access specifications", "4096,100,50,7,3,2,0,0", "DISABLED",
        "'Worker", "CYCLE_TARGETS", "'ACCESS SPECIFICATIONS", "'MANAGER LIST", "9999999999999",
    ],
    "diskspd": [
        "<", ">", "</Target>", "<Random>512</Random>", "<RandomRatio>7</RandomRatio>", "&amp;", "&x;", "<!--",
        "<BlockSize>513</BlockSize>", "<Target/>", '<Range IO="0">0</Range>', "<!DOCTYPE a>", "<a:Target>", "true",
        "<ThreadsPerFile>9</ThreadsPerFile>", "<Throughput>1</Throughput>",
    ],
}  # fmt: skip
ANY = ["", "\n", "0", "-1", "9" * 30, "nan", "é", "\0", "١", " ", "x" * 2000]


def judged(tool: str, text: str) -> None:
    reader = TOOLS[tool].read
    assert reader is not None
    try:
        model = reader(text, "file", None).model("m", "file")
        _core.model_read(_core.model_write(model.json_text()), "model")
    except InputError as error:
        message = str(error)
    else:
        message = "file: read"
    assert re.match(r"file(:\d+)?: ", message), message


@pytest.mark.parametrize("tool", ["fio", "iometer", "diskspd"])
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_damaged_files(tool: str, data: st.DataObject) -> None:
    text, _ = TOOLS[tool].export(MODEL, "disk.dat")
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 12))
        text = text[:at] + data.draw(st.sampled_from([*TOKENS[tool], *ANY])) + text[at + cut :]
    judged(tool, text)


@pytest.mark.parametrize("tool", ["fio", "iometer", "diskspd"])
@given(text=st.text())
def test_any_text(tool: str, text: str) -> None:
    judged(tool, text)


@given(st.dictionaries(st.sampled_from(sorted(["bs", "bssplit", "rw", "rate_iops", "iodepth", "offset", "numjobs"])),
                       st.from_regex(r"[0-9a-z:/,%]{0,8}", fullmatch=True)))  # fmt: skip
def test_any_fio_values(options: dict[str, str]) -> None:
    judged("fio", "[job]\nsize=1g\n" + "\n".join(f"{key}={value}" for key, value in options.items()))


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_model_is_written(data: st.DataObject) -> None:
    """Any model the core takes has a file for every tool, with its losses told in one line each."""
    table = st.just(5.0) | st.just([(0.3, 0.0), (1.0, 9e5)]) | st.just([(0.5, 1e3), (1.0, 2e6)])
    zones = st.lists(
        st.tuples(st.integers(0, 99), st.integers(1, 50), st.floats(0.01, 9)).map(
            lambda z: Zone(from_=z[0] / 100, to=min(1.0, (z[0] + z[1]) / 100), share=z[2])
        ),
        min_size=1,
        max_size=5,
    )
    address = st.one_of(
        st.builds(Random, zones=zones),
        st.builds(Random, zones=zones, law=st.just("zipf"), exponent=st.floats(0, 10)),
        st.builds(Sequential, zones=zones, run_bytes=table, interleaved=st.integers(1, 9)),
        st.builds(Sequential, zones=zones),
        st.just(Append(from_=0.2, to=0.21)),
    )
    arrivals = st.one_of(
        st.builds(Closed, iodepth=st.integers(1, 65_536), think_s=st.floats(0, 100)),
        st.builds(Open, rate_iops=st.floats(1e-6, 1e9), gaps=st.none() | table),
    )
    share = st.sampled_from([0.0, 0.003, 0.5, 1.0])
    size = st.builds(Size, bytes=st.integers(1, 256).map(lambda n: 512 * n), share=st.floats(0.01, 5))
    stream = st.builds(
        Stream, name=st.text(min_size=1), read=share, trim=share, sizes=st.lists(size, min_size=1, max_size=70),
        align_bytes=st.sampled_from([512, 4096, 1 << 20]), address=address, arrivals=arrivals,
    )  # fmt: skip
    made = data.draw(st.lists(stream, min_size=1, max_size=3, unique_by=lambda stream: stream.name))
    model = Model(
        name=data.draw(st.text()), span_bytes=data.draw(st.integers(1 << 18, 1 << 50)), streams=made
    )
    for tool in TOOLS.values():
        text, losses = tool.export(model, "disk.dat")
        assert text
        assert losses
        if tool.title != "Iometer configuration":
            assert text.count("lost:") >= len(losses)
