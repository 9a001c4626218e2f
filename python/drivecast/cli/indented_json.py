"""JSON over several lines as `json.dumps(value, indent=2)` writes it, at the speed of its compiled encoder.

With an indent the encoder of the standard library runs in Python, value by value, which takes seconds for the profile
of a day. Here what holds no further list or table is encoded in one call, with line ends for separators.
"""

import json
from functools import cache
from typing import Any


def dumped(value: Any, line: str = "\n") -> str:
    """The value over several lines, two spaces further in at each level; `line` ends one and begins the next."""
    if not isinstance(value, dict | list) or not value:
        return _encoder(", ").encode(value)
    inner = line + "  "
    first, last = "{}" if isinstance(value, dict) else "[]"
    parts = value.values() if isinstance(value, dict) else value
    if not any(isinstance(part, dict | list) for part in parts):
        body = _encoder("," + inner).encode(value)[1:-1]
    elif isinstance(value, dict):
        encode = _encoder(", ").encode
        body = f",{inner}".join(f"{encode(name)}: {dumped(part, inner)}" for name, part in value.items())
    else:
        body = f",{inner}".join(dumped(part, inner) for part in value)
    return f"{first}{inner}{body}{line}{last}"


@cache
def _encoder(between: str) -> json.JSONEncoder:
    return json.JSONEncoder(separators=(between, ": "), ensure_ascii=False, allow_nan=False)
