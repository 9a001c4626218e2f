"""What a first build lacks is named in a line before it begins, and a build that was interrupted resumes."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from test_tidy import ROOT

SOUND = {
    "apt-get": "",
    "cargo": "",
    "cc": "while read -r _; do :; done",
    "python3": f'exec "{sys.executable}" "$@"',
    "rustc": "echo 'rustc 1.88.0 (6b00bc388 2025-06-23)'",
}
"""Programs that a build needs, as scripts."""
OLD_PYTHON = 'case "$1" in -V) echo Python 3.9.2 ;; *) exit 1 ;; esac'
NO_ENSUREPIP = f'case "$2" in *ensurepip*) exit 1 ;; esac; exec "{sys.executable}" "$@"'


def programs(folder: Path, **instead: str | None) -> Path:
    """A folder of programs that is the whole PATH: sound ones, and others instead or none."""
    folder.mkdir()
    for name, script in (SOUND | instead).items():
        if script is not None:
            (folder / name).write_text(f"#!/bin/sh\n{script}\n")
            (folder / name).chmod(0o755)
    for name in ("cut", "sh", "sort", "uname"):
        (folder / name).symlink_to(shutil.which(name) or "")
    return folder


def run(command: list[str], cwd: Path, **env: str) -> tuple[int, list[str]]:
    """Exit code, and lines of standard error."""
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stderr.splitlines()


@pytest.mark.parametrize(
    ("instead", "named"),
    [
        ({"cargo": None}, ["Rust", "apt-get install"]),
        ({"rustc": "echo 'rustc 1.70.0 (90c541806 2023-05-31)'"}, ["Rust", "1.70.0", "apt-get install"]),
        ({"rustc": "echo 'no default toolchain' >&2; exit 1"}, ["Rust", "rustup default stable"]),
        ({"cc": None}, ["C compiler", "apt-get install"]),
        ({"cc": "exit 1"}, ["C compiler", "apt-get install"]),
        ({"python3": None}, ["Python", "apt-get install"]),
        ({"python3": OLD_PYTHON}, ["Python", "3.9.2", "PYTHON="]),
        ({"python3": OLD_PYTHON, "python3.12": ""}, ["Python", "make PYTHON=python3.12"]),
        ({"python3": NO_ENSUREPIP}, ["ensurepip", "apt-get install python3."]),
    ],
)
def test_what_is_missing_is_named_in_a_line_with_what_installs_it(
    tmp_path: Path, instead: dict[str, str | None], named: list[str]
) -> None:
    path = programs(tmp_path / "bin", **instead)
    status, lines = run(["sh", str(ROOT / "scripts/check-tools.sh")], tmp_path, PATH=str(path))
    assert (status, len(lines)) == (1, 1)
    assert not [part for part in named if part not in lines[0]]


def test_nothing_is_said_where_all_is_there(tmp_path: Path) -> None:
    path = programs(tmp_path / "bin")
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv/.synced").touch()
    assert run(["sh", str(ROOT / "scripts/check-tools.sh")], tmp_path, PATH=str(path)) == (0, [])


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    small = "import check_first_build as check; check.ROOM_BYTES = 1 << 60; check.main()"
    status, lines = run([sys.executable, "-c", small], tmp_path, PYTHONPATH=str(ROOT / "scripts"))
    assert (status, len(lines)) == (1, 1)
    assert "GB of disk" in lines[0]


@pytest.mark.needs("loopback")
@pytest.mark.parametrize(
    ("cargo", "seconds", "env", "named"),
    [
        ("echo '  [6] Could not resolve hostname (…)' >&2; exit 1", 30, {}, ["Cargo", "refused"]),
        ("exit 1", 0.5, {}, []),
        ("", 30, {"PIP_INDEX_URL": "https://mirror.example/simple"}, []),
    ],
    ids=["certain", "slow", "mirror"],
)
def test_only_what_is_certainly_out_of_reach_stops_a_build(
    tmp_path: Path, cargo: str, seconds: float, env: dict[str, str], named: list[str]
) -> None:
    path = programs(tmp_path / "bin", cargo=cargo)
    check = f"import check_first_build as c; c.SETTINGS, c.SECONDS = (), {seconds}; c.main()"
    with socket.socket() as proxy:
        proxy.bind(("127.0.0.1", 0))
        if not named:
            proxy.listen()  # and never answers
        status, lines = run(
            [sys.executable, "-c", check],
            ROOT,
            PYTHONPATH=str(ROOT / "scripts"),
            PATH=f"{path}{os.pathsep}{os.environ['PATH']}",
            HOME=str(tmp_path),
            HTTPS_PROXY=f"http://127.0.0.1:{proxy.getsockname()[1]}",
            **env,
        )
    assert (status, len(lines)) == (bool(named), bool(named))
    assert not [part for part in named if part not in lines[0]]


def test_packages_of_an_interrupted_installation_are_installed_again(tmp_path: Path) -> None:
    """Else uv takes what is there by half for installed."""
    packages = tmp_path / ".venv/lib/python3.11/site-packages"
    for package in ("numpy", "uvicorn", "uv", "pip-25.0.dist-info", "drivecast.pth"):
        (packages / package).mkdir(parents=True)
    uv = programs(tmp_path / ".venv/bin", uv="exit 1") / "uv"
    for name in ("pyproject.toml", "uv.lock", ".venv/.uv-0", "scripts/check-tools.sh"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    install = ["make", "-f", str(ROOT / "Makefile"), ".venv/.synced", "UV_VERSION=0"]

    assert run(install, tmp_path, PATH=os.environ["PATH"])[0]
    assert not (tmp_path / ".venv/.synced").exists()
    uv.write_text("#!/bin/sh\n")
    assert run(install, tmp_path, PATH=os.environ["PATH"]) == (0, [])
    assert (tmp_path / ".venv/.synced").exists()
    assert {package.name for package in packages.iterdir()} == {"uv", "pip-25.0.dist-info", "drivecast.pth"}
