"""Every example of the help runs as it is printed, on files of the names that it has: none ends in a refusal."""

import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

import cache_samples
import small_traces
import small_windows
from conftest import invoke
from drive_file import alone
from drivecast.stage import windows_file
from help_commands import commands

ELSEWHERE = (
    "attach", "bench", "capture", "serve", "health serve", "health meter", "health report", "health check",
    "health import", "health history", "health prune", "health export", "health compare", "health forecast",
    "health fleet", "health read", "compare", "reproduce", "catalog calibrate", "catalog import", "catalog validate",
    "catalog fit", "catalog check --simulate", "cache trace.vscsi", "model change m.windows -o reports.windows",
    "plan trace.blktrace --cluster",
)  # fmt: skip
"""What needs a device, a server, a history, a measured result or published data; each has tests of its own."""
PLACEHOLDERS = {
    "DRIVE": "samsung-pm9a3-960gb",
    "DISK": "seagate-exos-x20-20tb",
    "DESIGN": "samsung-pm893-480gb",
}
PLACEHOLDERS |= {"a": PLACEHOLDERS["DRIVE"], "b": PLACEHOLDERS["DISK"]}
NAMES = re.compile(r"\b(DRIVE|DISK|DESIGN)\b|(?<=\* )[ab]\b")


def runnable() -> list[str]:
    return [line for line in commands() if not line.removeprefix("drivecast ").startswith(ELSEWHERE)]


MODEL = """schema_version = 1
name = "made"
span_bytes = 1_073_741_824
duration_s = 2.0
[[streams]]
name = "pages"
read = 0.7
sizes = [{ bytes = 4096, share = 1.0 }]
address = { pattern = "random" }
arrivals = { loop = "open", rate_iops = 200.0 }
"""
TEXTS = {
    "t.csv": "ts,type,lba,len\n1,R,8,4096\n2,W,16,4096\n",
    "t.txt": "0.1 x read 4096 512\n0.2 x write 8192 512\n",
    "trace.csv": "time_ns,op,offset_bytes,size_bytes,stream,latency_ns\n"
    + "0,read,4096,8192,7,120000\n" * 200,
    "smart.json": '{"model_name": "ACME ZX", "nvme_total_capacity": 1920383410176, "device": {"protocol": "NVMe"}}',
    "runs.json": '{"jobs": [{"job options": {"rw": "randread", "iodepth": "32"}, "read": {"iops": 4e5}}]}',
    "oltp.toml": MODEL,
    "m.toml": MODEL,
}


def _other(line: str) -> str:
    """A second disk beside `sdb`, with less to do."""
    return line.replace("sdb", "sdc").replace("1920", "1020").replace("3840", "2040")


def make(folder: Path, name: str) -> None:
    """Write a file of this name, of the kind that an example means by it."""
    path = folder / name
    if name in TEXTS:
        path.write_text(TEXTS[name])
    elif path.suffix == ".blktrace":
        small_traces.write(folder, small_traces.mixed(4000, span=64 << 20), name)
    elif path.suffix == ".windows":
        windows_file.write(path, small_windows.archive())
    elif name in {"sar.txt", "sa21.json"}:
        kind = "sar" if name == "sar.txt" else "sadf"
        text = next(
            row["sample"] for row in invoke("formats", kind, "--output-format", "json").json["formats"]
        )
        lines = text.replace("sda", "sdb").splitlines()
        lines = [
            row
            for line in lines
            for row in ([line, _other(line)] if kind == "sar" and "sdb" in line else [line])
        ]
        path.write_text("\n".join(lines) + "\n")
    elif path.suffix == ".txt":
        path.write_text(cache_samples.flashcache_table() + cache_samples.flashcache())
    elif name == "server.icf":
        make(folder, "m.toml")
        invoke("model", "export", "m.toml", "--to", "iometer", "-o", name, cwd=folder)
    elif name == "quotes.csv":
        path.write_text("drive,price,currency,date,supplier\nkioxia-cd8-r-1.92tb,300,EUR,2026-11-01,a\n")
    elif name == "my-drives/":
        path.mkdir()
        (path / "mine.toml").write_text(alone("intel-710-100gb"))


@pytest.mark.parametrize("command", runnable())
def test_an_example_of_the_help_runs(command: str, tmp_path: Path) -> None:
    words = shlex.split(command.partition(" > ")[0].partition(" | ")[0])[1:]
    words = [NAMES.sub(lambda found: PLACEHOLDERS[found[0]], word) for word in words]
    words = [
        f"raid1(2 * {word})" if word in words[:at] else word.replace("scan ", "")
        for at, word in enumerate(words)
    ]
    for before, word in pairwise(words):
        if re.fullmatch(r"[\w.:-]+(\.\w+|/)", word) and before not in {"-o", "--figures"}:
            make(tmp_path, word)
    done = invoke(*words, *(["--time-limit", "3s"] if words[0] == "plan" else []), cwd=tmp_path)
    assert done.code in (0, 1), done.err
