"""The verdict of a validation, kept beside the model: `m.toml` has its own in `m.validation.json`.

It holds for the model as it was, by the hash of its canonical document: an edited model is not validated any more.
"""

import hashlib
import json
from pathlib import Path

from drivecast.errors import InputError
from drivecast.files import write_whole
from drivecast.model.validate import Validation
from drivecast.stage.model_file import Model, read


def keep(path: Path, model: Model, found: Validation) -> Path:
    """Write the verdict beside the model."""
    beside = place(path)
    document = {**found.document(), "model_hash": fingerprint(model)}
    for part in document["parts"]:
        part.pop("curve")
    write_whole(beside, json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    return beside


def demand(path: Path) -> Model:
    """The model in a file that has been held against a trace and passed.

    Raises `InputError` where it has not, or not as it is now.
    """
    model = read(path)
    hint = f"hint: run `drivecast model validate {path} TRACE`, or plan with `--accept-model`"
    beside = place(path)
    try:
        verdict = json.loads(beside.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"`{path}` has not been validated against a trace\n{hint}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read the verdict `{beside}`: {error}\n{hint}") from None
    if verdict.get("model_hash") != fingerprint(model):
        raise InputError(f"`{path}` has changed since it was validated\n{hint}")
    if not verdict.get("valid"):
        failed = [part["name"] for part in verdict.get("parts", []) if part["judged"] and not part["passes"]]
        raise InputError(f"`{path}` failed its validation: {', '.join(failed)}\n{hint}")
    return model


def place(path: Path) -> Path:
    """Where the verdict of a model lies."""
    return path.with_suffix(".validation.json")


def fingerprint(model: Model) -> str:
    """A hash of the model as a document."""
    return hashlib.sha256(json.dumps(model, sort_keys=True).encode()).hexdigest()
