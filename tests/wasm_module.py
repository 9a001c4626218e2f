"""The WebAssembly modules as the page runs them: in Node, from their files, a call at a time."""

import json
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Self

BUILT = Path(__file__).parents[1] / "python/drivecast/present/web"
JUDGE, SIMULATOR = BUILT / "judge.wasm.gz", BUILT / "simulator.wasm.gz"
LOADER = Path(__file__).with_suffix(".mjs")


class CoreError(Exception):
    """A sentence of the module: why it cannot do what it was asked."""


def lacking() -> str | None:
    """What is not built, and how it is; none where both are there."""
    if JUDGE.exists() and SIMULATOR.exists():
        return None
    return "the WebAssembly modules are not built; `make wasm` builds them"


class WasmModule:
    """One instance of each, with a recording in compact form, or none."""

    def __init__(self, node: str, recording: Path | None = None, simulator: Path = SIMULATOR) -> None:
        command = [node, str(LOADER), str(JUDGE), str(simulator), *([str(recording)] if recording else [])]
        self._node = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ms = 0.0
        """Time of the latest call."""
        self.cpu_ms = 0.0
        """Of the processor, for it and for what V8 compiled meanwhile."""
        self.memory_bytes = 0
        """Of the instance that answered, after it."""

    def call(self, name: str, **members: Any) -> Any:
        """The answer of a call; raises `CoreError` for a refusal."""
        assert self._node.stdin is not None
        assert self._node.stdout is not None
        print(json.dumps({"call": name, **members}), file=self._node.stdin, flush=True)
        line = self._node.stdout.readline()
        assert line, "the module trapped: Node says why on stderr"
        answer = json.loads(line)
        self.ms, self.cpu_ms, self.memory_bytes = answer["ms"], answer["cpu_ms"], answer["memory"]
        if "error" in answer:
            raise CoreError(answer["error"])
        return answer["ok"]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._node.stdin is not None
        assert self._node.stdout is not None
        self._node.stdin.close()
        self._node.wait(timeout=60)
        self._node.stdout.close()
