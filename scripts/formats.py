"""Writes the tables of `docs/reference/formats.md` from the descriptions that the reader itself uses."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from drivecast.stage import trace

PLACE = Path(__file__).parents[1] / "docs/reference/formats.md"


def table(head: str, rows: list[str]) -> Iterator[str]:
    """A table in Markdown."""
    yield head
    yield "|---" * (head.count("|") - 1) + "|"
    yield from rows


def sample(form: dict[str, Any]) -> Iterator[str]:
    """The first lines of a log, and the mapping that reads it where it is a plain table."""
    mapping = f" `--csv '{form['mapping']}'`" if form["mapping"] else ""
    yield f"\n**{form['title']}**{mapping}\n"
    yield f"```text\n{form['sample']}```"


def traces(known: list[dict[str, Any]]) -> Iterator[str]:
    """The text between the marks of traces."""
    rows = [
        f"| {form['title']} | {'—' if form['binary'] else code(form['name'])} | {form['detected_by']} | {form['row']} "
        f"| {form['stream']} | {form['latency']} |"
        for form in known
    ]
    yield from table("| format | `--format` | detected by | a row is | `stream` | `latency_ns` |", rows)
    yield "\nSamples, and of plain tables the mapping that reads them:"
    for form in known:
        if not form["binary"]:
            yield from sample(form)


def counters(known: list[dict[str, Any]]) -> Iterator[str]:
    """The text between the marks of counters."""
    rows = []
    for form in known:
        together = [f"{what} of reads and writes together" for what in form["merged"]]
        rows.append(
            f"| {form['title']} | {code(form['name'])} | {form['record']} | {form['detected_by']} | {form['interval']} "
            f"| {'; '.join([', '.join(form['measures']), *together])} | {form['assumed']} |"
        )
    head = (
        "| source | `--format` | how to record it | detected by | interval | it reports | assumed, left out |"
    )
    yield from table(head, rows)
    yield "\nSamples:"
    for form in known:
        yield from sample(form)


def code(name: str) -> str:
    """A literal in Markdown."""
    return f"`{name}`"


def render(text: str) -> str:
    """The page with its tables written anew."""
    known = trace.formats()
    for kind, write in (("trace", traces), ("counters", counters)):
        begin, end = f"<!-- {kind}: begin -->\n", f"<!-- {kind}: end -->"
        before, rest = text.split(begin)
        after = rest.split(end)[1]
        body = "\n".join(write([form for form in known if form["kind"] == kind]))
        text = f"{before}{begin}{body}\n\n{end}{after}"
    return text


if __name__ == "__main__":
    PLACE.write_text(render(PLACE.read_text()))
