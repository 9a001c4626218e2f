"""A workload model on disk or by name. Thin over `_core`, which reads, checks and plays it."""

import hashlib
import io
import json
from pathlib import Path

from drivecast import _core
from drivecast.document.model import Model
from drivecast.errors import HintedError
from drivecast.files import exists, read_text, write_whole

NAMED = Path(__file__).parent / "named"


def named() -> list[str]:
    """The names of the models that come with the program."""
    return sorted(path.stem for path in NAMED.glob("*.toml"))


def find(text: str) -> Path | None:
    """The file of a model that `text` names: a path that ends in `.toml`, or one that comes with the program."""
    if text.endswith(".toml"):
        return Path(text)
    return NAMED / f"{text}.toml" if text in named() else None


def shipped(path: Path) -> Path:
    """The file of the model that comes with the program, where `path` is its name and no file here; else `path`."""
    found = find(str(path))
    return path if found is None or exists(path) else found


def load(name: str) -> Model:
    """The model that a path or a name means.

    Raises `InputError` where there is none.
    """
    path = find(name)
    if path is None:
        raise HintedError(f"no model `{name}`; known: {', '.join(named())}", "a file ends in `.toml`")
    return read(path)


def read(path: Path) -> Model:
    """The model in a file.

    Raises `InputError` with the line where it is none.
    """
    return Model.model_validate_json(_core.model_read(read_text(path), str(path)))


def toml(model: Model) -> str:
    """The TOML of a model."""
    return _core.model_write(model.json_text())


def workload(model: Model, *, seed: int, seconds: float | None = None) -> _core.Workload:
    """A pass of the model, of this length or of its own."""
    return _core.Workload.model(model.json_text(), seed=seed, seconds=seconds)


def fit(trace: _core.Workload, name: str) -> Model:
    """The model fitted to a trace."""
    return Model.model_validate_json(trace.fit(name))


def generate(model: Model, out: Path, *, seed: int, seconds: float | None = None) -> tuple[int, float]:
    """Write the requests of a pass as Parquet, whole or not at all; how many they are, and how long the pass is.

    Raises `InputError` for a file that cannot be written.
    """
    played = workload(model, seed=seed, seconds=seconds)
    import polars as pl  # noqa: PLC0415 (slow to import, and few runs need it)

    rows = pl.DataFrame(played.rows())
    content = io.BytesIO()
    rows.write_parquet(content)
    write_whole(out, content.getvalue())
    return len(rows), played.duration_s or 0.0


def digest(model: Model) -> str:
    """Return a hash that shows whether a model is still the one that was played."""
    text = json.dumps(json.loads(model.json_text()), sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
