"""A profile as a page of its own, in the dress of the plan's report."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from drivecast.files import write_whole
from drivecast.report import document, drawing, key_figures
from drivecast.report.page import environment


def render(profile: Mapping[str, Any], name: str) -> str:
    """Return the page of a profile of the recording called `name`.

    Raises `InputError` when the document is no profile of this version.
    """
    checked = document.profile(profile)
    return (
        environment()
        .get_template("profile.html")
        .render(
            name=name,
            profile=checked,
            key_figures=key_figures.rows(checked),
            peak=key_figures.peak(checked),
            workload_figures=drawing.of_workload(checked),
        )
    )


def write(profile: Mapping[str, Any], name: str, path: Path) -> None:
    """Write the page of a profile, whole or not at all."""
    write_whole(path, render(profile, name))
