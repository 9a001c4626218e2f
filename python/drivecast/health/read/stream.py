"""Bytes into JSON documents: one, several behind each other, one a line, a list of them; packed or not.

A document that is damaged or ends halfway is reported with its byte offset, and reading continues at the next line that
begins one. Left out: numbers that JSON does not have (`NaN`), which are damage here.
"""

import gzip
import io
import json
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

BYTES_MAX = 1 << 30
"""Unpacked; more is not a log of drives."""
_GZIP = b"\x1f\x8b"


class PackedError(ValueError):
    """What is packed cannot be unpacked."""


@dataclass(frozen=True)
class Damage:
    """Where the text is no JSON, and why."""

    byte: int
    what: str


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"`{name}` is no number of JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def unpack(data: bytes, name: str = "") -> list[tuple[str, bytes]]:
    """The files of an archive by name, or the bytes alone; raises `PackedError` where they are damaged."""
    try:
        if data.startswith(_GZIP):
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
                data = packed.read(BYTES_MAX + 1)
            if len(data) > BYTES_MAX:
                raise PackedError(f"more than {BYTES_MAX >> 30} GiB when unpacked")
        if data[257:262] == b"ustar":
            with tarfile.open(fileobj=io.BytesIO(data)) as archive:
                return [
                    (f"{name}/{member.name}", file.read())
                    for member in archive
                    if member.isfile() and (file := archive.extractfile(member)) is not None
                ]
    except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
        raise PackedError(f"packed and damaged: {error}") from None
    return [(name, data)]


def text_of(data: bytes) -> tuple[str, str]:
    """Return the text and its encoding; a shell of Windows writes UTF-16 where others write UTF-8."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace"), "utf-16"
    return data.decode("utf-8-sig", errors="replace"), "utf-8"


def documents(text: str) -> Iterator[tuple[int, Any] | Damage]:
    """Yield each document with the byte at which it begins, or what is wrong there."""
    at = byte = 0
    while (begin := _next(text, at)) < len(text):
        byte += _bytes(text[at:begin])
        try:
            value, at = _DECODER.raw_decode(text, begin)
        except json.JSONDecodeError as error:
            yield Damage(byte + _bytes(text[begin : error.pos]), _fault(text, error))
            at = _resume(text, begin)
        except (ValueError, RecursionError) as error:
            yield Damage(byte, "nested too deep" if isinstance(error, RecursionError) else str(error))
            at = _resume(text, begin)
        else:
            yield byte, value
        byte += _bytes(text[begin:at])


def _bytes(text: str) -> int:
    return len(text.encode(errors="replace"))


def _next(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n,;\x00\x1e\ufeff":
        at += 1
    return at


def _fault(text: str, error: json.JSONDecodeError) -> str:
    rest = text[error.pos :].strip()
    if not rest or error.msg.startswith("Unterminated"):
        return "the document ends halfway: it was cut off"
    return f"no JSON: {error.msg[:1].lower()}{error.msg[1:]}, found `{rest[:20].splitlines()[0]}`"


def _resume(text: str, at: int) -> int:
    """Return where the next document may begin: a line that opens one."""
    found = [place + 1 for mark in ("\n{", "\n[") if (place := text.find(mark, at)) >= 0]
    return min(found, default=len(text))
