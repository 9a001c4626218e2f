"""Options that several verbs of `bench` share."""

from pathlib import Path
from typing import Annotated

import typer

On = Annotated[
    list[str],
    typer.Option(
        "--on",
        help="Where to run: a directory (a file is made in it and removed), a file, or a block device. Repeatable.",
    ),
]
Destroy = Annotated[
    list[str] | None,
    typer.Option(
        "--destroy", help="A target's full name again, where all it holds may be overwritten. Repeatable."
    ),
]
Threads = Annotated[
    int, typer.Option("--threads", min=1, max=1024, help="Threads that each run the workload.")
]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Begin anew, whatever `--out` holds, instead of going on with it.")
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="Keep the result here after every point; the same command goes on."),
]
Report = Annotated[Path | None, typer.Option("--report", help="Also write it as an HTML page here.")]
