"""Files for those who run the exporter: rules for Prometheus, a dashboard for Grafana, units for systemd.

They are data of the package, valid as they stand; a unit that is written out names the program that wrote it.
"""

import shutil
import sys
from pathlib import Path

from drivecast.errors import InputError

WHAT = {
    "drivecast.rules.yml": "recording and alert rules for Prometheus",
    "drivecast.dashboard.json": "a dashboard for Grafana",
    "drivecast-serve.service": "systemd: the exporter",
    "drivecast-read.service": "systemd: one reading of every drive",
    "drivecast-read.timer": "systemd: that reading, every hour",
}
PROGRAM = "/usr/local/bin/drivecast"
"""Where the units look for the program as they are shipped."""


def text(name: str, program: str | None = None) -> str:
    """The content of a shipped file; a unit starts `program` where one is given."""
    if name not in WHAT:
        raise InputError(f"no shipped file `{name}`; there are {', '.join(f'`{known}`' for known in WHAT)}")
    content = Path(__file__).with_name(name).read_text(encoding="utf-8")
    if program is None or not name.endswith(".service"):
        return content
    # systemd splits at blanks, and takes `%` for one of its specifiers (systemd.service(5), systemd.unit(5)).
    program = program.replace("%", "%%")
    return content.replace(PROGRAM, f'"{program}"' if " " in program else program)


def this_program() -> str:
    """The absolute path of the program that runs."""
    found = shutil.which(sys.argv[0]) or shutil.which("drivecast") or PROGRAM
    return str(Path(found).absolute())
