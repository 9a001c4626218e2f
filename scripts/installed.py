"""Run every verb of an installed drivecast, in an empty folder of a fresh environment without the checkout.

    python scripts/installed.py dist/drivecast-*.whl [dist/drivecast-*.tar.gz]

Each file is installed into an environment of its own, without extras, all at once. All verbs of the first run there:
most of them to their result, those that need a disk of their own or a database to the error that says so. Of another
file those run that are mostly compiled; all else is held to be the same, byte for byte. A verb without a line here
fails, and so do a file of the checkout that is not installed and a missing extra that is not named.

A source distribution is unpacked with its times and compiled into `target` of the checkout: cargo finds what it has
compiled of the same sources, compiles the rest, and misses what was not packed.
"""

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
UV = ROOT / ".venv/bin/uv"
BESIDE = ROOT / "python/drivecast.data/data"
"""What is installed next to the program."""
EXTRAS = ("scipy",)
"""What `model fit` needs, installed only after it has been seen to name it."""
LACKING = {
    "fit": ["model", "fit", "log.csv", "-o", "model.windows"],
    "http": ["profile", "http://127.0.0.1:9/log.csv"],
    "postgres": ["health", "history", "--history", "postgresql://nobody@127.0.0.1:9/none"],
    "s3": ["profile", "s3://bucket/log.csv"],
    "serve": ["serve", "--port", "0", "--data", "served"],
}
"""What names each extra, where it is not installed."""
DRIVE, TINY = "samsung-pm893-960gb", "ssd(logical=1GiB, spare_factor=0.2)"
SHORT = ["--peak-window", "2", "--capacity", "1GB"]
ROUGH = ["--within", "50%"]
LINE = "random(4KiB, read=0.5, rate=500iops)"
IDLE = "random(4KiB, read=0.5, rate=100iops)"
"""What any disk carries, however busy its machine is."""

VERBS: list[tuple[int, str, list[str]]] = [
    (0, "formats", []),
    (0, "convert", ["trace", "-o", "trace.parquet"]),
    (0, "profile", ["log.csv", "-o", "profile.html"]),
    (0, "plan", ["log.csv", *SHORT, "--budget", "4000", "-o", "report.html"]),
    (0, "simulate", [TINY, "-w", LINE, "--requests", "5000", "-o", "outcome.json"]),
    (0, "wear", [TINY, "-w", LINE]),
    (0, "versus", [DRIVE, "samsung-pm9a3-960gb", "-w", "log.csv", *SHORT, "-o", "versus.html"]),
    (0, "reliability", ["raid5(8 * samsung-pm893-960gb)", "--write-per-day", "2TB", "--years", "5"]),
    (0, "reproduce", ["intel-it-sums"]),
    (0, "reproduce", ["--live", "--list"]),
    (0, "catalog list", []),
    (0, "catalog show", [DRIVE]),
    (0, "catalog part", ["MZQL21T9HCJR-00A07"]),
    (0, "catalog add", ["--from-smart", "smart.json", "-o", "drive.toml"]),
    (0, "catalog check", []),
    (0, "catalog rating", [DRIVE]),
    (0, "catalog quotes", ["-o", "quotes.csv"]),
    (0, "catalog fit", ["intel-710-200gb"]),
    (2, "catalog import", ["empty"]),
    (2, "catalog validate", [DRIVE, "empty"]),
    (2, "catalog calibrate", [DRIVE, "empty"]),
    (0, "model list", []),
    (0, "model show", ["tpcc-innodb"]),
    (0, "model fit", ["log.csv", *ROUGH, "-o", "model.windows"]),
    (1, "model validate", ["model.windows", "log.csv"]),
    (0, "model generate", ["tpcc-innodb", "-o", "generated.parquet", "--seconds", "5"]),
    (0, "model change", ["model.windows", "--rate", "2", "-o", "twice.windows"]),
    (0, "model join", ["model.windows", "twice.windows", *ROUGH, "-o", "joined.windows"]),
    (0, "model anonymize", ["model.windows", "-o", "anonymous.windows"]),
    (0, "model export", ["tpcc-innodb", "--to", "fio", "-o", "job.fio"]),
    (0, "model import", ["job.fio", "--span", "100GB", "-o", "imported.toml"]),
    (
        0,
        "bench run",
        [IDLE, "--on", "disk", "--size", "64MiB", "--ramp", "0", "--runtime", "2", "-o", "result.json"],
    ),
    (0, "bench show", ["result.json"]),
    (2, "bench quick", ["no-such-folder"]),
    (2, "bench sweep", ["depth", "--on", "no-such-folder"]),
    (2, "bench pts", ["--on", "no-such-folder"]),
    (2, "bench replay", ["trace", "--on", "no-such-folder"]),
    (2, "bench database", ["sysbench", "--on", "no-such-folder"]),
    (1, "compare", ["result.json", DRIVE, "--history", "errors.jsonl"]),
    (0, "compare history", ["--history", "errors.jsonl"]),
    (2, "compare fit", ["result.json", "-o", "fitted.toml"]),
    (0, "cache", ["log.csv"]),
    (0, "cache status", ["cache.txt"]),
    (0, "health read", ["smart.json"]),
    (0, "health import", ["smart.json", "--history", "fleet.sqlite3"]),
    (0, "health history", ["--history", "fleet.sqlite3"]),
    (0, "health forecast", ["--history", "fleet.sqlite3"]),
    (0, "health fleet", ["--history", "fleet.sqlite3"]),
    (0, "health report", ["--history", "fleet.sqlite3"]),
    (3, "health check", ["--history", "fleet.sqlite3"]),
    (0, "health export", ["-o", "samples.parquet", "--history", "fleet.sqlite3"]),
    (0, "health prune", ["--keep-days", "100000", "--history", "fleet.sqlite3"]),
    (0, "health files", []),
    (2, "health compare", ["empty"]),
    (1, "health meter", ["--before", "smart.json", "--after", "smart-later.json"]),
    (2, "serve", ["--folder", "nowhere"]),
    (0, "attach", ["samsung-pm9a3-960gb", "--size", "64MB", "--state", "fresh", "--", "true"]),
    (0, "health serve", ["--listen", "127.0.0.1:0", "--history", "fleet.sqlite3"]),
    (2, "capture", ["no-such-device", "--seconds", "1", "-o", "captured.parquet"]),
]
"""The exit code that is expected, the verb, and what follows it."""

COMPILED = ("formats", "convert", "profile", "simulate", "wear", "catalog fit", "model generate", "cache")
"""Verbs of which most is the compiled core."""

RESULT = {"compare": "compare result", "cache": "cache curve"}
"""What a group does that is called without the name of a verb."""

LEAVES = """
import json, typer
from drivecast.cli.main import app
def leaves(command, path):
    for name, child in getattr(command, "commands", {}).items():
        yield from leaves(child, [*path, name])
    if not getattr(command, "commands", {}):
        yield " ".join(path)
print(json.dumps(list(leaves(typer.main.get_command(app), []))))
"""


def smart(hours: int, written: int) -> str:
    """A report of a drive that does not exist."""
    table = {
        "id": 241,
        "name": "Total_LBAs_Written",
        "value": 99,
        "worst": 99,
        "thresh": 0,
        "raw": {"value": written},
    }
    return json.dumps(
        {
            "json_format_version": [1, 0],
            "smartctl": {"version": [7, 3], "argv": ["smartctl", "-x", "-j", "/dev/sda"], "exit_status": 0},
            "local_time": {"time_t": 1_795_000_000 + 3_600 * hours},
            "device": {"name": "/dev/sda", "type": "sat", "protocol": "ATA"},
            "smart_status": {"passed": True},
            "model_name": "SAMSUNG MZ7L3480HCHQ-00A07",
            "serial_number": "S1",
            "user_capacity": {"bytes": 480_103_981_056},
            "power_on_time": {"hours": 1_000 + hours},
            "ata_smart_attributes": {"revision": 1, "table": [table]},
        }
    )


def requests(seconds: int = 10, iops: int = 20) -> str:
    """A log of a load that no drive is busy with: what is tried is the program, not a drive."""
    stream, at, rows = random.Random(0), 0.0, []
    while at < seconds:
        ticks, op = 128_166_372_000_000_000 + int(at * 1e7), stream.choice(["Read", "Read", "Write"])
        rows.append(f"{ticks},host,0,{op},{4096 * stream.randrange(1 << 14)},4096,1000\n")
        at += stream.expovariate(iops)
    return "".join(rows)


def inputs(folder: Path) -> None:
    """What verbs read: the bundled recording, a short log, and reports of a drive."""
    log = "mariadb-oltp.blktrace"
    (folder / "trace").mkdir()
    for part in sorted((ROOT / "examples/mariadb-oltp").glob(f"{log}.*")):
        shutil.copy(part, folder / "trace")
    (folder / "disk").mkdir()
    (folder / "empty").touch()
    shutil.copy(ROOT / "examples/caches/flashcache-158.txt", folder / "cache.txt")
    (folder / "log.csv").write_text(requests())
    (folder / "smart.json").write_text(smart(0, 10_000_000))
    (folder / "smart-later.json").write_text(smart(2, 20_000_000))


def environment(folder: Path, package: Path) -> Path:
    """A fresh environment with the package; the folder of its programs."""
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, folder / "env"], check=True)
    if package.name.endswith(".tar.gz"):
        with tarfile.open(package) as packed:
            packed.extractall(folder / "source", filter="data")
        install(folder, str(folder / "source" / package.name.removesuffix(".tar.gz")))
    else:
        install(folder, str(package.resolve()))
    return folder / "env/bin"


def install(folder: Path, *packages: str) -> None:
    """Packages, into its environment."""
    given = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target")}
    command = [UV, "pip", "install", "--quiet", "--python", folder / "env/bin/python", *packages]
    subprocess.run(command, check=True, cwd=folder, env=given)


def served(command: list[str | Path], folder: Path) -> subprocess.CompletedProcess[str]:
    """A run of the exporter, ended as systemd ends it once it listens."""
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as running:
        first = running.stderr.readline() if running.stderr else ""
        running.send_signal(signal.SIGTERM)
        return subprocess.CompletedProcess(command, running.wait(60), "", first)


def tried(programs: Path, folder: Path, verb: str, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """A run of a verb, with nothing of the checkout in its environment."""
    command: list[str | Path] = [programs / "drivecast", *verb.split(), *arguments]
    if verb == "health serve":
        return served(command, folder)
    home = {"HOME": str(folder), "PATH": f"{programs}:/usr/sbin:/usr/bin:/sbin:/bin"}
    return subprocess.run(command, cwd=folder, env=home, capture_output=True, text=True, check=False)


def faults(package: Path, verbs: Collection[str]) -> tuple[list[str], dict[str, str]]:
    """What is wrong with a package, having run these verbs, and `hashes` of what it installs."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name) / "work"
        work.mkdir()
        inputs(work)
        programs = environment(Path(name), package)
        found = [*unknown(programs, work), *left_out(programs), *unnamed(programs, work)]
        install(Path(name), *EXTRAS)
        for usual, verb, arguments in VERBS:
            if verb not in verbs:
                continue
            code = usual
            began = time.monotonic()
            if verb == "compare history" and not (work / "errors.jsonl").exists():
                code = 2  # the run before was too noisy to be kept: there is no log, which is said
            done = tried(programs, work, verb, arguments)
            kind = package.suffix.removeprefix(".")
            print(f"{kind}  {time.monotonic() - began:5.1f} s  {done.returncode}  {verb}", flush=True)
            if done.returncode != code or "Traceback" in done.stderr:
                given = " ".join([verb, *arguments])
                found.append(f"{kind}: `{given}`: code {done.returncode} for {code}: {done.stderr[-600:]}")
        return found, hashes(programs)


def hashes(programs: Path) -> dict[str, str]:
    """What is installed of the package and next to the program, but for the core and what Python compiles."""
    package = package_folder(programs)
    share = programs.parent / "share"
    return {
        str(path.relative_to(folder)): hashlib.blake2b(path.read_bytes()).hexdigest()
        for folder in (package, share)
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in (".so", ".pyc")
    }


def package_folder(programs: Path) -> Path:
    """Where the package is installed."""
    place = [programs / "python", "-c", "import drivecast; print(drivecast.__path__[0])"]
    return Path(
        subprocess.run(place, cwd=programs, capture_output=True, text=True, check=True).stdout.strip()
    )


def unknown(programs: Path, work: Path) -> list[str]:
    """Verbs that no line runs, as messages; the program starts as a module, too."""
    module = [programs / "python", "-m", "drivecast", "--version"]
    print(subprocess.run(module, cwd=work, capture_output=True, text=True, check=True).stdout.strip())
    listed = subprocess.run(
        [programs / "python", "-c", LEAVES], cwd=work, capture_output=True, text=True, check=True
    )
    return [
        f"no line runs `{verb}`"
        for verb in set(json.loads(listed.stdout)) - {RESULT.get(verb, verb) for _, verb, _ in VERBS}
    ]


def left_out(programs: Path) -> list[str]:
    """What the checkout has of the package, and of what is next to the program, and is not installed, as messages."""
    package = package_folder(programs)
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT / "python/drivecast", capture_output=True, text=True, check=True
    ).stdout.splitlines()
    made = [path for path in BESIDE.rglob("*") if path.is_file()]
    pages = sum(path.suffix == ".1" for path in made)
    return [
        *(f"{file} is not installed" for file in tracked if not (package / file).is_file()),
        *(
            f"{path} is not installed"
            for path in made
            if not (programs.parent / path.relative_to(BESIDE)).is_file()
        ),
        *([] if pages > 15 else [f"{pages} manual pages: `make dist` writes them"]),
    ]


def unnamed(programs: Path, work: Path) -> list[str]:
    """Extras that are missing, and that what needs them does not name, as messages."""
    said = {extra: tried(programs, work, arguments[0], arguments[1:]) for extra, arguments in LACKING.items()}
    return [
        f"extra {extra}: code {done.returncode}: {done.stderr[-600:]}"
        for extra, done in said.items()
        if done.returncode != 2 or f"pip install 'drivecast[{extra}]'" not in done.stderr
    ]


if __name__ == "__main__":
    first, *others = map(Path, sys.argv[1:])
    with ThreadPoolExecutor() as both:
        whole = both.submit(faults, first, {verb for _, verb, _ in VERBS})
        rest = [(other, both.submit(faults, other, COMPILED)) for other in others]
        problems, expected = whole.result()
        for other, job in rest:
            found, installed = job.result()
            differing = sorted({name for name, _ in installed.items() ^ expected.items()})
            problems += [*found, *(f"{other.name}: {name} is not as in {first.name}" for name in differing)]
    sys.exit("\n".join(problems) or 0)
