"""The one way out of a verb, and the options that every verb shares."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.core import TyperGroup

from drivecast.cli.main import app
from drivecast.cli.verb import OutputFormat, emit
from drivecast.document.part import Part

SERVERS = {"health serve", "serve"}
"""Verbs that run until they are interrupted, and print no document."""


class Inner(Part):
    p99: float


class Outer(Part):
    name: str
    read: Inner
    points: list[int]


DOCUMENT = Outer(name="ä", read=Inner(p99=1.5), points=[1, 2])


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_json_is_the_document_itself_and_out_has_the_same_bytes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    emit(DOCUMENT, OutputFormat.JSON, text=lambda: "unused", out=tmp_path / "x.json")
    text = printed(capsys)
    assert json.loads(text) == {"name": "ä", "read": {"p99": 1.5}, "points": [1, 2]}
    assert (tmp_path / "x.json").read_text() == text


def test_csv_is_the_document_as_a_row_or_the_rows_with_nested_values_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    emit(DOCUMENT, OutputFormat.CSV, text=lambda: "unused")
    assert printed(capsys) == "name,read.p99\nä,1.5\n"
    emit(DOCUMENT, OutputFormat.CSV, text=lambda: "unused", rows=lambda: [DOCUMENT, {"name": "b"}])
    assert printed(capsys) == "name\nä\nb\n"


def test_json_lines_are_the_document_or_the_rows_with_what_is_nested_in_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = '{"name": "ä", "read": {"p99": 1.5}, "points": [1, 2]}\n'
    emit(DOCUMENT, OutputFormat.JSONL, text=lambda: "unused")
    assert printed(capsys) == line
    emit(DOCUMENT, OutputFormat.JSONL, text=lambda: "unused", rows=lambda: [DOCUMENT, {"name": "b\n"}])
    assert printed(capsys) == line + '{"name": "b\\n"}\n'


def test_text_is_made_only_when_wanted_and_ends_with_one_newline(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("a\nb", "a\nb\n", ["a", "b"]):
        emit(DOCUMENT, OutputFormat.TEXT, text=lambda text=text: text)  # type: ignore[misc]
        assert printed(capsys) == "a\nb\n"
    emit(DOCUMENT, OutputFormat.JSON, text=lambda: 1 / 0)  # type: ignore[arg-type,return-value]


def verbs(command: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(command, TyperGroup):
        for inner, of in command.commands.items():
            yield from verbs(of, f"{name} {inner}".strip())
    else:
        yield name, command


def options(command: Any) -> set[str]:
    return {text for parameter in command.params for text in parameter.opts}


def test_every_verb_takes_the_output_format_quiet_and_verbose() -> None:
    every = dict(verbs(typer.main.get_command(app)))
    assert len(every) > 40
    assert {name for name, verb in every.items() if "--output-format" not in options(verb)} == SERVERS
    assert not {name for name, verb in every.items() if not options(verb) >= {"--quiet", "--verbose"}}
