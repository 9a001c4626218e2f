"""A profile as a page of its own, in the dress of the plan's report."""

from pathlib import Path

from drivecast.document.profile import Profile
from drivecast.files import write_whole
from drivecast.present import drawing, key_figures
from drivecast.present.page import environment


def render(profile: Profile, name: str) -> str:
    """Return the page of a profile of the recording called `name`."""
    return (
        environment()
        .get_template("profile.html")
        .render(
            name=name,
            profile=profile,
            key_figures=key_figures.rows(profile),
            peak=key_figures.peak(profile),
            workload_figures=[*drawing.of_workload(profile), *drawing.of_detail(profile)],
        )
    )


def draw(profile: Profile, folder: Path) -> list[Path]:
    """Draw each figure of a profile into a file `NAME.svg` in a folder, which is made if missing; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for figure in [*drawing.of_workload(profile), *drawing.of_detail(profile)]:
        files.append(folder / f"{figure.name}.svg")
        write_whole(files[-1], figure.svg)
    return files


def write(profile: Profile, name: str, path: Path) -> None:
    """Write the page of a profile, whole or not at all."""
    write_whole(path, render(profile, name))
