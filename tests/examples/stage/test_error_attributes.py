"""An error of the core has its place and its hint as attributes, and says the same in its text."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from drivecast import _core
from drivecast.errors import InputError
from drivecast.files import read_text
from drivecast.stage.trace import Reading

ATTRIBUTES = ("path", "line", "column", "byte", "hint")
MSR = "".join(f"12816637200{at:07d},usr,0,Read,{4096 * at},4096,1331\n" for at in range(30))
TRACE = Path("a.csv")


def convert(content: str | bytes) -> Callable[[], object]:
    """Read a log with this content, which is damaged."""

    def convert() -> object:
        TRACE.write_bytes(content.encode() if isinstance(content, str) else content)
        return _core.convert([TRACE], "out.parquet", Reading().to_core())

    return convert


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (lambda: _core.design_drives("raid5(6 * drive"), {"column": 16}),
        (
            lambda: _core.Workload.line("random(4KiB, red=0.7)"),
            {"column": 14, "hint": "did you mean `read`?"},
        ),
        (lambda: _core.model_read("name = ", "m.toml"), {"path": "m.toml", "line": 1}),
        (lambda: _core.convert(["none.csv"], "out.parquet"), {"path": "none.csv", "hint": ...}),
        (convert(MSR + "x,usr,0,Read,0,4096,1\n"), {"path": "a.csv", "line": 31, "hint": ...}),
        (
            convert(""),
            {"path": "a.csv", "hint": "was the recording stopped before anything was written?"},
        ),
        (convert(b"\x07tae" + bytes(16)), {"path": "a.csv", "byte": 0, "hint": ...}),
        (lambda: read_text(Path("none.toml")), {"path": "none.toml"}),
    ],
    ids=["design", "workload", "model", "missing", "line", "empty", "record", "text"],
)
def test_the_place_and_the_hint_are_attributes(
    fault: Callable[[], object],
    expected: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as raised:
        fault()
    found = {name: getattr(raised.value, name) for name in ATTRIBUTES}
    given = {name: value for name, value in found.items() if value is not None}
    assert given == {name: given.get(name) if value is ... else value for name, value in expected.items()}
    assert found["hint"] is None or str(raised.value).endswith(f"hint: {found['hint']}")


def test_an_error_without_a_place_has_the_attributes_too() -> None:
    assert [getattr(InputError("no"), name) for name in ATTRIBUTES] == [None] * len(ATTRIBUTES)
