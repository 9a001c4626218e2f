"""A validation, stored next to its model: that of `m.toml` is `m.validation.json`.

It is of the model as it was, by the hash of its canonical document: a model that was edited is no longer validated.
"""

import hashlib
import json
from pathlib import Path

from drivecast.document.model import Model
from drivecast.document.validation import Validation
from drivecast.errors import HintedError, InputError, MissingError
from drivecast.files import read_text, write_whole


class Stored(Validation):
    """A validation with the hash of its model."""

    model_hash: str


def store(path: Path, model_hash: str, found: Validation) -> None:
    """Write the validation next to the model, without curves."""
    content = found.model_dump(mode="json", exclude={"parts": {"__all__": {"curve"}}})
    document = {**content, "model_hash": model_hash}
    write_whole(place(path), json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def demand(path: Path, model_hash: str) -> None:
    """Demand that the model in a file was compared with a trace, and is valid.

    Raises `InputError` where it was not, or has changed since.
    """
    hint = f"run `drivecast model validate {path} TRACE`, or plan with `--accept-model`"
    try:
        stored = Stored.model_validate_json(read_text(place(path)))
    except MissingError:
        raise HintedError(f"`{path}` has not been validated against a trace", hint) from None
    except (InputError, ValueError) as error:
        raise HintedError(f"cannot read the validation `{place(path)}`: {error}", hint) from None
    if stored.model_hash != model_hash:
        raise HintedError(f"`{path}` has changed since it was validated", hint)
    if stored.failures:
        failed = ", ".join(part.name for part in stored.failures)
        raise HintedError(f"`{path}` failed its validation: {failed}", hint)


def place(path: Path) -> Path:
    """Where the validation of a model is."""
    return path.with_suffix(".validation.json")


def fingerprint(model: Model) -> str:
    """A hash of the model as a document."""
    return hashlib.sha256(json.dumps(model.stated(), sort_keys=True).encode()).hexdigest()
