"""A profile as a page of its own, in the dress of the plan's report."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from drivecast.document.profile import Profile
from drivecast.files import write_whole
from drivecast.present import drawing, key_figures
from drivecast.present.page import environment


def render(profile: Mapping[str, Any], name: str) -> str:
    """Return the page of a profile of the recording called `name`.

    Raises `InputError` when the document is no profile of this version.
    """
    checked = Profile.check(profile)
    return (
        environment()
        .get_template("profile.html")
        .render(
            name=name,
            profile=checked,
            key_figures=key_figures.rows(checked),
            peak=key_figures.peak(checked),
            workload_figures=[*drawing.of_workload(checked), *drawing.of_detail(checked)],
        )
    )


def draw(profile: Mapping[str, Any], folder: Path) -> list[Path]:
    """Draw each figure of a profile into a file `NAME.svg` in a folder, made if need be; the files."""
    checked = Profile.check(profile)
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for figure in [*drawing.of_workload(checked), *drawing.of_detail(checked)]:
        files.append(folder / f"{figure.name}.svg")
        write_whole(files[-1], figure.svg)
    return files


def write(profile: Mapping[str, Any], name: str, path: Path) -> None:
    """Write the page of a profile, whole or not at all."""
    write_whole(path, render(profile, name))
