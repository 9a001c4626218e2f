"""`drivecast cache status` on texts, as tests run it: its group is made once, which is what takes time."""

import functools
import json
import os
from pathlib import Path
from typing import Any

import click
import typer
from click.testing import CliRunner

import conftest
from conftest import Run
from drivecast.cli import cache


@functools.cache
def verbs() -> click.Command:
    """The verbs of `drivecast cache`, as the program has them."""
    assert conftest.app.registered_groups, "the program guards its verbs"
    return typer.main.get_group(cache.app)


def run(*arguments: str) -> Run:
    """`drivecast cache` in this process."""
    done = CliRunner(env=conftest.QUIET).invoke(verbs(), arguments, prog_name="drivecast cache")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Run(done.exit_code, done.stdout, done.stderr)


class Shown:
    """The verb on texts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def json(self, *texts: str, options: tuple[str, ...] = ()) -> Any:
        """The document."""
        return json.loads(self.out(*texts, options=("--output-format", "json", *options)))

    def out(self, *texts: str, options: tuple[str, ...] = ()) -> str:
        """What is printed."""
        done = run("status", *self.files(texts), *options)
        assert done.code == 0, done.err
        return done.out

    def fails(self, *texts: str, options: tuple[str, ...] = ()) -> str:
        """The error."""
        done = run("status", *self.files(texts), *options)
        assert done.code == 2, done.out
        assert not done.out
        return done.err

    def files(self, texts: tuple[str, ...]) -> list[str]:
        """The texts as files, an hour apart."""
        paths = []
        for number, text in enumerate(texts):
            path = self.folder / f"sample-{number}.txt"
            path.write_text(text)
            os.utime(path, (1_700_000_000 + 3600 * number,) * 2)
            paths.append(str(path))
        return paths
