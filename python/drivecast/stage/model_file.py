"""A model on disk or by name. The core checks it; here it is a document of plain values."""

import io
import json
from pathlib import Path
from typing import Any

import polars as pl

from drivecast import _core
from drivecast.errors import InputError
from drivecast.files import write_whole

Model = dict[str, Any]

NAMED = Path(__file__).parent / "named"


def named() -> list[str]:
    """The names of the models that come with the program."""
    return sorted(path.stem for path in NAMED.glob("*.toml"))


def find(text: str) -> Path | None:
    """The file of a model that `text` names: a path that ends in `.toml`, or one that comes with the program."""
    if text.endswith(".toml"):
        return Path(text)
    return NAMED / f"{text}.toml" if text in named() else None


def read(path: Path) -> Model:
    """The model in a file.

    Raises `InputError` with the line where it is none.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"no such file: `{path}`") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read `{path}` as a model: {error}") from None
    return dict(json.loads(_core.model_read(text, str(path))))


def generate(model: Model, out: Path, *, seed: int, seconds: float | None = None) -> tuple[int, float]:
    """Write the requests of a pass as Parquet, whole or not at all; how many they are, and what the pass lasts.

    Raises `InputError` for a file that cannot be written.
    """
    played = _core.Workload.model(json.dumps(model), seed=seed, seconds=seconds)
    rows = pl.DataFrame(played.rows())
    content = io.BytesIO()
    rows.write_parquet(content)
    write_whole(out, content.getvalue())
    return len(rows), played.duration_s or 0.0


def write(model: Model) -> str:
    """The TOML of a model."""
    return _core.model_write(json.dumps(model))
