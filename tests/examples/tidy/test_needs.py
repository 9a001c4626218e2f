"""Needs of tests: each has its row in the table, and what is missing skips a test, or fails it where it is required."""

import ast
from pathlib import Path

import pytest

from drivecast import files
from needs import INSTALLABLE, NEEDS, ROOT, needs


def test_every_need_that_is_asked_for_has_its_row() -> None:
    asked = [
        argument.value
        for path in (ROOT / "tests").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", getattr(node.func, "attr", "")) in ("needs", "lacks")
        for argument in node.args[: None if getattr(node.func, "id", "") != "lacks" else 1]
        if isinstance(argument, ast.Constant)
    ]
    assert len(asked) > 100
    assert {*asked} - {"no such need"} <= {*NEEDS}
    with pytest.raises(KeyError):
        needs("no such need")


@pytest.mark.parametrize("installable", [True, False])
@pytest.mark.parametrize("required", ["", "1"])
def test_only_what_can_be_installed_fails_a_test(
    installable: bool, required: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"need {installable} {required}"
    monkeypatch.setenv("DRIVECAST_REQUIRE_PROGRAMS", required)
    monkeypatch.setitem(NEEDS, name, (lambda: False, "buy one"))
    if installable:
        monkeypatch.setitem(INSTALLABLE, name, NEEDS[name])
    expected = pytest.fail.Exception if installable and required else pytest.skip.Exception
    with pytest.raises(expected, match=f"needs {name}; buy one"):
        needs(name)


def test_a_program_is_found_where_root_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after `su`, which leaves the PATH of a user."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(files, "_OF_ROOT", str(tmp_path / "sbin"))
    assert files.program("mkfs") is None
    for folder in ("sbin", "bin"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mkfs").touch(0o755)
        assert files.program("mkfs") == str(tmp_path / folder / "mkfs")
