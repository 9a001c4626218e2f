"""smartctl, run: which drives there are, what each says, and starting its workload timer anew.

It is run with argument lists, never a shell; with `sudo` as `sudo -n`, which fails rather than asks. A drive that
sleeps is left asleep (`-n standby`). Needs smartctl 7.0, the first that writes JSON.
"""

import json
import re
import subprocess
from dataclasses import dataclass
from typing import Any

from drivecast.document.record import Unread
from drivecast.errors import HintedError, InputError
from drivecast.files import program
from drivecast.health.read.normalise import unread
from drivecast.health.smart_data import SmartData

TIMEOUT_S = 60
_LEAST = (7, 0)
_INSTALL = "`apt-get install smartmontools`, `dnf install smartmontools` or `brew install smartmontools`"
_SUDOERS = "`sudo visudo -f /etc/sudoers.d/smartctl` with the line `{user} ALL=(root) NOPASSWD: {program}`"


class SmartctlError(HintedError):
    """smartctl cannot be run at all; says which command helps."""


@dataclass(frozen=True)
class Device:
    """One drive as smartctl addresses it."""

    name: str
    kind: str | None = None
    """`-d`, such as `megaraid,3`; none: smartctl finds out."""

    @property
    def place(self) -> str:
        """How messages name it."""
        return f"{self.name} {self.kind}" if self.kind and "," in self.kind else self.name

    @property
    def arguments(self) -> list[str]:
        """What smartctl is given for it."""
        return [*(["-d", self.kind] if self.kind else []), self.name]


@dataclass(frozen=True)
class Smartctl:
    """The program, with or without `sudo`."""

    sudo: bool = False
    program: str = "smartctl"

    def _run(self, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
        found = program(self.program)
        if found is None and not self.sudo:
            raise SmartctlError(f"there is no `{self.program}` on the path", _INSTALL)
        command = [*(["sudo", "-n", self.program] if self.sudo else [str(found)]), *arguments]
        try:
            return subprocess.run(
                command, capture_output=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT_S, check=False
            )
        except FileNotFoundError as error:
            hint = "run this as root without `--sudo`" if self.sudo else _INSTALL
            raise SmartctlError(f"there is no `{error.filename}` on the path", hint) from None
        except PermissionError as error:
            raise SmartctlError(f"cannot run `{error.filename}`: {error.strerror}") from None

    def _answer(self, *arguments: str) -> dict[str, Any]:
        """Return the JSON of a run; raises `SmartctlError` where there is none: it is too old, or sudo refuses."""
        done = self._run(*arguments)
        try:
            found = json.loads(done.stdout.decode(errors="replace"))
            if isinstance(found, dict):
                return found
        except (ValueError, RecursionError):
            pass
        raise SmartctlError(*self._why(done))

    def _why(self, done: "subprocess.CompletedProcess[bytes]") -> tuple[str, str]:
        """What went wrong, and what helps."""
        answer = (done.stdout + b"\n" + done.stderr).decode(errors="replace").strip()
        refusal = re.search(r"^sudo: .*", done.stderr.decode(errors="replace"), re.MULTILINE)
        if self.sudo and done.returncode and refusal:
            permit = _SUDOERS.format(user="USER", program=program(self.program) or "/usr/sbin/smartctl")
            hint = _INSTALL if "not found" in refusal[0] else permit
            return f"`sudo -n` refuses: {refusal[0].strip()}", hint
        version = re.search(r"smartctl (\d+)\.(\d+)", answer)
        if version and (int(version[1]), int(version[2])) < _LEAST:
            what = f"smartctl {version[1]}.{version[2]} is too old: JSON came with 7.0"
            return what, f"{_INSTALL}, or read it elsewhere and give the file"
        first = answer.splitlines()[0][:120] if answer else "nothing"
        what = f"smartctl answered no JSON (exit status {done.returncode}): {first}"
        return what, "run `smartctl -x -j` by hand"

    def scan(self) -> tuple[list[Device], list[Unread]]:
        """Return the drives that smartctl finds, and those that it could not open."""
        answer = self._answer("--scan-open", "-j")
        found: list[Device] = []
        closed: list[Unread] = []
        rows = answer.get("devices")
        for row in rows if isinstance(rows, list) else []:
            name = row.get("name") if isinstance(row, dict) else None
            if not isinstance(name, str):
                continue
            kind = row.get("type") if isinstance(row.get("type"), str) else None
            error = row.get("open_error")
            if not isinstance(error, str):
                found.append(Device(name, kind))
            elif "permission" in error.lower():
                hint = f"`drivecast health read {name} --sudo`"
                closed.append(Unread(name, f"not permitted: {error}", hint))
            else:
                closed.append(Unread(name, error, f"run `smartctl -x {name}` by hand"))
        return found, closed

    def read(self, device: Device) -> SmartData | Unread:
        """Return what one drive reports."""
        try:
            answer = self._answer("-x", "-j", "-n", "standby", *device.arguments)
        except subprocess.TimeoutExpired:
            hint = f"`dmesg` may report why; `smartctl -i {device.name}` asks for less"
            return Unread(device.place, f"did not answer within {TIMEOUT_S} s", hint)
        except SmartctlError as error:
            return unread(device.place, error)
        return SmartData(answer)

    def reset_timer(self, device: Device, test: str) -> None:
        """Start the workload timer anew; raises `InputError` where the drive refuses."""
        try:
            done = self._run("-t", test, *device.arguments)
        except subprocess.TimeoutExpired:
            raise InputError(
                f"`{device.place}` did not answer within {TIMEOUT_S} s; its timer may have been reset"
            ) from None
        if done.returncode & 0b111:
            answer = (done.stdout + done.stderr).decode(errors="replace").strip().splitlines() or [""]
            raise HintedError(
                f"`{device.place}` did not reset its timer (exit status {done.returncode}): {answer[-1]}",
                "`--no-reset` measures by differences",
            )
