"""The bundled catalog comes as it was last read, as long as nothing of it has changed."""

from pathlib import Path

import pytest

from drivecast.catalog import bundled, catalog, compiled, load, shown


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "drivecast/catalog"


def test_what_was_kept_is_what_was_read(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = load()
    assert state.exists()
    monkeypatch.setattr(catalog, "_load", lambda _: pytest.fail("read anew"))
    kept = load()
    assert (kept.drives_hash, kept.prices_hash) == (read.drives_hash, read.prices_hash)
    assert kept.drives.keys() == read.drives.keys()
    assert shown(kept, "samsung-pm9a3-1.92tb") == shown(read, "samsung-pm9a3-1.92tb")


@pytest.mark.parametrize("damage", [b"", b"x" * 31, b"x" * 4096])
def test_a_damaged_file_is_read_anew(state: Path, damage: bytes) -> None:
    whole = load()
    made_of = compiled.digest(bundled())
    state.write_bytes(damage)
    assert load().drives_hash == whole.drives_hash
    state.write_bytes(made_of + damage)
    assert load().drives_hash == whole.drives_hash
    assert state.stat().st_size > 100_000, "and kept again"


def test_a_changed_file_has_another_digest(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("a = 1")
    before = compiled.digest(tmp_path)
    assert compiled.digest(tmp_path) == before
    (tmp_path / "a.toml").write_text("a = 2")
    assert compiled.digest(tmp_path) != before


def test_a_folder_that_cannot_be_written_changes_nothing(state: Path) -> None:
    state.parent.parent.mkdir(exist_ok=True)
    state.parent.write_text("a file where the folder would be")
    assert load().drives
