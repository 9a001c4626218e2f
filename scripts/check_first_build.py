"""What a first build needs besides tools: room on the disk, and registries of packages. Names in a line what it lacks.

A registry is out of reach only if that is certain at once: no address for its name, no route, nothing that listens.
One that is slow, or refuses us, may yet serve the program that fetches from it, which then says itself what is wrong.
"""

import errno
import os
import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from socket import gaierror
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

ROOM_BYTES = 2_600_000_000
"""What `make demo` leaves in a fresh checkout, most of it in `.venv`, `target` and `web/node_modules`."""
SECONDS = 1.2
CERTAIN = {errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH}
SETTINGS = (
    "/etc/pip.conf",
    "~/.pip/pip.conf",
    "~/.config/pip/pip.conf",
    "/etc/uv/uv.toml",
    "~/.config/uv/uv.toml",
)
ANOTHER_WAY = re.compile(
    r"^((PIP|UV)_\w*(INDEX|LINKS|PROXY|CONFIG|OFFLINE)|ALL_PROXY$|all_proxy$"
    r"|[ \[]*[a-z-]*(index|links|proxy|offline))",
    re.MULTILINE,
)
"""A variable or a line of those files: an index, a folder of packages or a proxy that only pip and uv know of."""
OF_CURL = re.compile(r"^ *\[[567]\] ([^(\n]*)", re.MULTILINE)
"""What Cargo quotes where the proxy's or the registry's address is not found, or nothing listens there."""


def packages_of_python() -> str | None:
    """Why the registry of `uv.lock` cannot be reached; nothing where pip and uv have another way."""
    files = [text.read_text() for name in SETTINGS if (text := Path(name).expanduser()).is_file()]
    if ANOTHER_WAY.search("\n".join([*os.environ, *files])):
        return None
    packages = tomllib.loads(Path("uv.lock").read_text(encoding="utf-8"))["package"]
    registry = next(address for package in packages if (address := package["source"].get("registry")))
    try:
        urlopen(Request(registry, method="HEAD"), timeout=SECONDS).close()  # noqa: S310 — https, says the lock
    except URLError as error:
        if isinstance(error.reason, gaierror) or getattr(error.reason, "errno", None) in CERTAIN:
            return f"{urlsplit(registry).hostname}: {error.reason}"
    except OSError:
        pass
    return None


def packages_of_rust() -> str | None:
    """Why Cargo cannot reach its registry, if it still needs it."""
    command = ["cargo", "fetch", "--locked", "--offline", "--quiet"]
    if subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0:
        return None
    packages = tomllib.loads(Path("Cargo.lock").read_text(encoding="utf-8"))["package"]
    small = next(
        f"{package['name']}@{package['version']}" for package in packages if package["name"] == "cfg-if"
    )
    asked = subprocess.run(
        ["cargo", "info", "--quiet", small],
        env=os.environ | {"CARGO_NET_RETRY": "0", "CARGO_HTTP_TIMEOUT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    found = OF_CURL.findall(asked.stderr)
    return f"Cargo: {found[-1].strip()}" if asked.returncode and found else None


def unreachable() -> list[str]:
    """Why registries cannot be reached, as far as they have answered in time."""
    pool = ThreadPoolExecutor()
    asked = [pool.submit(packages_of_python), pool.submit(packages_of_rust)]
    return [why for answer in wait(asked, timeout=SECONDS).done if (why := answer.result())]


def main() -> None:
    """Check, and end at once, whatever is still being asked."""
    free = shutil.disk_usage(".").free
    lacking = None
    if free < ROOM_BYTES and not Path(".venv").exists() and "CARGO_TARGET_DIR" not in os.environ:
        lacking = f"{ROOM_BYTES / 1e9} GB of disk here: make room, {free / 1e9:.1f} GB are free"
    elif why := unreachable():
        lacking = f"a network to fetch packages from ({'; '.join(why)}): connect it, or set HTTPS_PROXY, and run again"
    if lacking:
        print(f"missing: {lacking}", file=sys.stderr, flush=True)
    os._exit(1 if lacking else 0)


if __name__ == "__main__":
    main()
