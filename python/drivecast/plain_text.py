"""Text from elsewhere, made fit to print and to keep: without control characters, secrets, formulas or end.

Names, lines and addresses come from logs, drives, servers and other people. What a terminal obeys (control characters,
signs that turn the direction of writing), what a spreadsheet runs (`=cmd|…`) and what opens a door (a password in a
URL) must not pass through. Left out: secrets that stand alone, without a name or an address around them.
"""

import re
from typing import Any
from urllib.parse import unquote

LINE_MAX = 1_000
"""Characters of a line of a message."""
LINES_MAX = 40
"""Lines of a message."""
HIDDEN = "***"
_WITHOUT_TEXT = frozenset([int, float, bool, type(None)])
"""Most of what a long document holds; left alone, it costs no call."""
_SECRET_MIN = 3
"""Characters of a secret that is looked for by itself: shorter ones are in too many words."""

_ABOVE = "\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
_OBEYED = re.compile(rf"[\x00-\x08\x0b-\x1f{_ABOVE}]")
_IN_A_CELL = re.compile(rf"[\x00-\x1f{_ABOVE}]")
_BEGINS_A_FORMULA = tuple("=+-@")

_HARMLESS = frozenset(
    [
        "user",
        "host",
        "hostaddr",
        "port",
        "dbname",
        "database",
        "sslmode",
        "connect_timeout",
        "application_name",
        "target_session_attrs",
        "charset",
        "range",
        "start",
        "end",
        "step",
        "query",
        "match",
        "instance",
        "job",
        "device",
        "labels",
        "lookback",
        "at",
        "timeout",
        "versionid",
        "region",
    ]
)
"""Parameters of URLs that are no secrets; of any other nobody knows."""
# Each begins at a mark (`:`, `?`, a name) and reaches a bounded way: a hostile name of a megabyte costs no minutes.
_USER = re.compile(
    r"(?P<before>(?<=[a-z0-9+.-]):/{1,3}[^/\s:@\[`'\"]{0,500}):(?!\d+(?:[/?#,]|$))[^\s`'\"]{0,500}@", re.I
)
_TOKEN = re.compile(r"(?P<before>(?:(?<=http)|(?<=https)):/{1,3})[^/\s:@\[`'\"?#]{1,500}@", re.I)
_AS_USER = re.compile(r"(?P<before>:/{1,3})[^/\s:@]{1,500}(?=:x-oauth-basic@)", re.I)
"""A token may stand where a user does."""
_PAIR = re.compile(r"(?P<before>(?<=[\w%]):)[^\s`'\"/@:,;()]{3,500}@(?=[\w\[])")
_ENCODED = re.compile(r"(?P<before>%3A(?!%2F))[^\s%]{1,500}(?=%40)", re.I)
_QUERY = re.compile(
    r"(?P<address>(?:(?<=[a-z0-9+.-]):|(?<=[\s'\"`]))/[^\s?`'\"]{0,2000})\?(?P<query>[^\s`'\"]*)", re.I
)
_HEADER = re.compile(
    r"(?P<before>\b(?:authorization|cookie)['\"]?\s{0,9}[:=]\s{0,9})(?P<value>'[^']*'|\"[^\"]*\"|[^'\"\n]+)",
    re.I,
)
_NAMED = re.compile(
    r"(?P<before>(?:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|"
    r"private[_-]?key|secret[_-]?key|sslkey|signature|credential|\bsig)['\"]?"
    r"(?:\s{0,9}[=:]\s{0,9}|(?<=--password)\s{1,9}))"
    r"(?P<value>'[^']*'|\"[^\"]*\"|(?:\\.|[^\s&;,'\"`\\])+)",
    re.I,
)
_HINTS = re.compile(
    r":/|@|%40|\?[\w%.-]*=|passw|passphrase|pwd|secret|token|key|signature|credential|sig=|authorization|cookie",
    re.I,
)


def visible(text: str) -> str:
    """The text with `?` for each sign that a terminal would obey; line ends and tabs stay."""
    return _OBEYED.sub("?", text)


def cell(value: object) -> object:
    """A value for a CSV: without secrets and line ends, and with a quote before what a spreadsheet would run."""
    if not isinstance(value, str):
        return value
    text = redacted(_IN_A_CELL.sub("?", value))
    return f"'{text}" if text.lstrip().startswith(_BEGINS_A_FORMULA) and not _is_number(text) else text


def document(value: Any) -> Any:
    """A part of a JSON document without secrets in its strings."""
    match value:
        case str():
            return redacted(value)
        case dict():
            return {
                name: inner if type(inner) in _WITHOUT_TEXT else document(inner)
                for name, inner in value.items()
            }
        case list() | tuple():
            return [inner if type(inner) in _WITHOUT_TEXT else document(inner) for inner in value]
    return value


def escaped(json_text: str) -> str:
    """JSON with the signs escaped that a terminal obeys and JSON allows, such as those from U+0080 to U+009F."""
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", json_text)


def message(text: str) -> str:
    """A message for people: visible, without secrets, and of a length that can be read."""
    lines = redacted(visible(text)).split("\n")
    more = len(lines) - LINES_MAX
    if more > 1:
        # What to do is said last.
        lines = [*lines[: LINES_MAX - 1], f"… and {more:,} more lines", lines[-1]]
    return "\n".join(map(_cut, lines))


def secrets(address: str) -> list[str]:
    """What `redacted` hides of an address, as written and decoded: libraries repeat parts of it in their errors."""
    first, *pieces = redacted(address).split(HIDDEN)
    at, found = len(first), []
    for piece in pieces:
        end = address.find(piece, at) if piece else len(address)
        found.append(address[at:end])
        at = end + len(piece)
    return [text for secret in found for text in (secret, unquote(secret)) if len(text) >= _SECRET_MIN]


def redacted(text: str, of: str = "") -> str:
    """The text, with `***` for passwords and tokens in addresses (`user:…@`, `?name=…`) and beside their names.

    A path makes one slash of the two of a URL, and is redacted alike.
    A parameter of a URL stays only where it is known to be no secret: signatures have many names. What is secret in the
    address `of` is hidden wherever it stands.
    """
    for secret in secrets(of) if of else ():
        text = text.replace(secret, HIDDEN)
    if not _HINTS.search(text):
        return text
    text = _AS_USER.sub(rf"\g<before>{HIDDEN}", text)
    text = _USER.sub(rf"\g<before>:{HIDDEN}@", text)
    text = _TOKEN.sub(rf"\g<before>{HIDDEN}@", text)
    text = _QUERY.sub(lambda found: f"{found['address']}?{_parameters(found['query'])}", text)
    text = _PAIR.sub(rf"\g<before>{HIDDEN}@", text)
    text = _ENCODED.sub(rf"\g<before>{HIDDEN}", text)
    return _NAMED.sub(_quoted, _HEADER.sub(_quoted, text))


def _quoted(found: re.Match[str]) -> str:
    """A name and what hides its value, in quotes where it had some."""
    quote = found["value"][0] if found["value"][0] in "'\"" else ""
    return f"{found['before']}{quote}{HIDDEN}{quote}"


def _parameters(query: str) -> str:
    """The part of a URL behind `?`, its fragment included."""
    parts = re.split("([&;#])", query)
    return "".join(_parameter(part) if number % 2 == 0 else part for number, part in enumerate(parts))


def _parameter(part: str) -> str:
    name, sign, _ = part.partition("=")
    if not sign:
        return part if part.isalpha() and len(part) < 20 else HIDDEN if part else ""
    return part if name.lower().rstrip("[]") in _HARMLESS else f"{name}={HIDDEN}"


def _cut(line: str) -> str:
    return line if len(line) <= LINE_MAX else f"{line[: LINE_MAX - 1]}…"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
