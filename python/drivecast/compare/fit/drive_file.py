"""The drive's file that a fit makes: every figure with its interval, or with why it is assumed.

The file is an ordinary one of the catalog (`docs/reference/catalog.md`), so `--catalog drive.toml` makes the fitted
device one to simulate, to plan with and to compare with. Its table `[held_out]` states the error on runs that it was
not fitted to.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from drivecast.catalog.catalog import Catalog
from drivecast.catalog.device import device_spec
from drivecast.catalog.drive import Drive
from drivecast.catalog.reader import SHEET, faults
from drivecast.catalog.sheet import SsdSheet
from drivecast.catalog.volume import Volume, VolumeSheet, volume_spec
from drivecast.compare.fit.variant import Content, Estimate, Figure
from drivecast.errors import HintedError

DIGITS = 5
"""Significant digits of a fitted figure."""


def rounded(value: float) -> float:
    """A figure as the file has it."""
    return float(f"{value:.{DIGITS}g}")


def figure(estimate: Estimate, to: str) -> Figure:
    """A parameter as a figure: with its interval, or with why it is assumed."""
    value = rounded(estimate.value)
    if estimate.low is None or estimate.high is None:
        return {"value": value, "assumed": estimate.why}
    return {"value": value, "low": rounded(estimate.low), "high": rounded(estimate.high), "fitted": to}


def device(name: str, content: Content, catalog: Catalog) -> Drive | Volume:
    """The device that a file's content describes. Raises `InputError` where the catalog takes no such thing."""
    try:
        sheet = SHEET.validate_python({"sources": {}, **content})
    except ValidationError as error:
        place, what, hint = faults(error)[0]
        reason = f"the fitted device is none that the catalog takes: `{place}`: {what}"
        raise HintedError(reason, hint or "") from error
    path = Path(f"{name}.toml")
    if isinstance(sheet, VolumeSheet):
        return Volume(name, path, sheet)
    rates = catalog.failures.annual_failure_rate
    is_flash = isinstance(sheet, SsdSheet)
    return Drive(
        name,
        path,
        sheet,
        catalog.interfaces.interfaces[sheet.identity.interface],
        catalog.nand.generations[sheet.flash.nand] if isinstance(sheet, SsdSheet) else None,
        rates.ssd if is_flash else rates.hdd,
        catalog.nand.retention,
        {**catalog.nand.sources, **catalog.interfaces.sources, **catalog.failures.sources},
    )


def spec(name: str, content: Content, catalog: Catalog) -> dict[str, Any]:
    """The specification of the device that a file's content describes."""
    made = device(name, content, catalog)
    return volume_spec(made) if isinstance(made, Volume) else device_spec(made)


def name_of(path: Path) -> str:
    """The name under which a catalog knows the file. Raises `InputError` where it cannot be one."""
    name = path.name.removesuffix(".toml")
    if path.suffix != ".toml" or not re.fullmatch(r"[a-z0-9][a-z0-9.\-]*", name):
        raise HintedError(
            f"-o: expected a name of a-z, 0-9, `.` and `-` that ends in `.toml`, found `{path.name}`",
            "the file's name is the name of the drive: `-o my-disk.toml`",
        )
    return name


def _literal(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_literal(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_literal(inner) for inner in value) + "]"
    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    return repr(value)


def _is_figure(value: Any) -> bool:
    return isinstance(value, Mapping) and bool({"value", "typical"} & set(value))


def text(content: Content, heading: str) -> str:
    """A file's content as TOML: plain keys and figures first, then tables within tables."""
    lines = [f"# {line}" if line else "#" for line in heading.splitlines()]

    def table(path: str, rows: Mapping[str, Any]) -> None:
        plain = {
            key: value for key, value in rows.items() if not isinstance(value, Mapping) or _is_figure(value)
        }
        inner = {key: value for key, value in rows.items() if key not in plain}
        if path and (plain or not inner):
            lines.extend(["", f"[{path}]"])
        lines.extend(f"{key} = {_literal(value)}" for key, value in plain.items())
        for key, value in inner.items():
            table(f"{path}.{key}" if path else key, value)

    table("", content)
    return "\n".join(lines) + "\n"
