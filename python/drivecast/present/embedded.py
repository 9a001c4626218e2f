"""What a report carries so that it answers further questions itself: the page's script, the simulator, and its data.

All of it is inside the one file: data as gzip in base64, in elements that no browser runs, and one script, which alone
may run, since the page's policy names its hash. Without scripts, and on paper, the report is as it is without them.
"""

import gzip
from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from markupsafe import Markup

from drivecast.document.report_payload import ReportPayload

BUILT = Path(__file__).parent / "web"
"""Where `make web` puts what it builds; a wheel has it."""
SCRIPT, STYLE = "what-if.js", "what-if.css"
JUDGE, SIMULATOR = "judge.wasm.gz", "simulator.wasm.gz"
"""The modules of the page and of its workers, compressed where they are built, once and well."""

COMPRESSION = 6
"""Of gzip: with 9 a report is 0.6 % smaller, and takes a quarter of a second longer to write."""


@dataclass(frozen=True)
class Embedded:
    """The parts as a template puts them in."""

    policy: str
    """What the page may load and run, as the content of `Content-Security-Policy`."""
    style: Markup
    script: Markup
    data: list[tuple[str, str, Markup]]
    """Of each part its element's name, its type, and its content, in whose letters nobody looks for a password."""


def lacking() -> str | None:
    """What a report lacks because it was not built, and how it is; none where all is there."""
    missing = [name for name in (SCRIPT, STYLE, JUDGE, SIMULATOR) if not (BUILT / name).is_file()]
    if not missing:
        return None
    return (
        f"the report cannot answer questions itself: {', '.join(missing)} not built; `make web` builds them"
    )


def of(carried: ReportPayload | None) -> Embedded | None:
    """What goes into a report; none where nothing is carried, or the page is not built."""
    if carried is None or lacking() is not None:
        return None
    script, style = ((BUILT / name).read_text("utf-8") for name in (SCRIPT, STYLE))
    script = script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
    data = [
        ("what-if-carried", "application/json", _packed(carried.document.encode())),
        ("what-if-judge", "application/wasm", _worded((BUILT / JUDGE).read_bytes())),
    ]
    if carried.plays:
        data.append(("what-if-simulator", "application/wasm", _worded((BUILT / SIMULATOR).read_bytes())))
    if carried.recording is not None:
        data.append(("what-if-recording", "application/octet-stream", _packed(carried.recording)))
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return Embedded(_policy(digest), Markup(style), Markup(script), data)  # noqa: S704 (built here, without input)


def _packed(content: bytes) -> Markup:
    return _worded(gzip.compress(content, COMPRESSION, mtime=0))


def _worded(content: bytes) -> Markup:
    return Markup(b64encode(content).decode())  # noqa: S704 (letters, digits and three signs)


def _policy(digest: str) -> str:
    rules = {
        "default-src": "'none'",
        "script-src": f"'sha256-{digest}' 'wasm-unsafe-eval'",
        "worker-src": "blob:",
        "style-src": "'unsafe-inline'",
        "font-src": "data:",
        "img-src": "data: blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())
