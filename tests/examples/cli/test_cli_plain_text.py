"""What is printed and written is fit to be: no secrets, no control characters, no formulas, no floods."""

import csv
import io
import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

from drivecast import plain_text
from drivecast.cli import main, verb
from drivecast.cli.verb import OutputFormat
from drivecast.source import prometheus

Program = Callable[..., Any]
WORD = "hunter2"
ADDRESSES = [
    f"https://ann:{WORD}@example.invalid/log.gz",
    f"https://ann:{WORD}@example.invalid:8443/log.gz?range=1h",
    f"https://:{WORD}@example.invalid/log",
    f"https://{WORD}@example.invalid/log",
    f"HTTPS://ann:{WORD}@EXAMPLE.invalid/log",
    f"https:/ann:{WORD}@example.invalid/log",
    f"http://ann:x@{WORD}@example.invalid/log",
    f"http://ann:x/{WORD}@example.invalid/log",
    f"http://ann:x?{WORD}@example.invalid/log",
    f"http://ann:x#{WORD}@example.invalid/log",
    f"http://ann:1234{WORD}@example.invalid",
    f"prometheus+http://ann:{WORD}@example.invalid:9090?device=sda",
    f"prometheus+https:/ann:{WORD}@example.invalid:9090?device=sda",
    f"prometheus+http://{WORD}@example.invalid:9090",
    f"postgresql://ann:{WORD}@example.invalid/fleet",
    f"postgresql+psycopg://ann:{WORD}@example.invalid:5432/fleet",
    f"postgresql://example.invalid/fleet?user=ann&password={WORD}",
    f"postgresql://example.invalid/fleet?sslmode=require&sslpassword={WORD}",
    f"postgresql://ann:{WORD}@h1.invalid:5432,h2.invalid:5432/fleet",
    f"host=example.invalid user=ann password={WORD} dbname=fleet",
    f"host=example.invalid password='{WORD} and more' dbname=fleet",
    f"host=example.invalid PASSWORD = {WORD}",
    f"https://b.s3.invalid/log?X-Amz-Credential=AK&X-Amz-Signature={WORD}&X-Amz-Expires=60",
    f"https://b.s3.invalid/log?AWSAccessKeyId=AK&Signature={WORD}",
    f"https://a.blob.invalid/c/log?sv=2024&sig={WORD}",
    f"https://storage.invalid/log?X-Goog-Signature={WORD}",
    f"https://example.invalid/log?token={WORD}",
    f"https://example.invalid/log?{WORD}1",
    f"https://example.invalid/log?p%61ssword={WORD}",
    f"https://example.invalid/log?a=1;key={WORD}",
    f"https://example.invalid/log#access_token={WORD}",
    f"s3://key:{WORD}@bucket/log",
    f"ftp://ann:{WORD}@example.invalid/log",
    f"sftp://ann:{WORD}@example.invalid/log",
    f"redis://:{WORD}@example.invalid",
]
SCHEMES = {re.split("[:=]", address.lower())[0]: address for address in ADDRESSES}
"""The last of each: what opens it is another library."""
OTHERS = [
    f"https://{WORD}:x-oauth-basic@example.invalid/log",
    f"//ann:{WORD}@example.invalid/log",
    f"ann:{WORD}@example.invalid:5432/fleet",
    f"https:\\/\\/ann:{WORD}@example.invalid",
    f"https%3A%2F%2Fann%3A{WORD}%40example.invalid",
    f"https://example.invalid/?to=https://ann:{WORD}@other.invalid",
    f"Max retries exceeded with url: /log?sig={WORD}&a=1",
    f"https://example.invalid/log?a=b&amp;token={WORD}",
    f"Authorization: Bearer {WORD}",
    f"{{'Authorization': 'Basic {WORD}'}}",
    f"Cookie: session={WORD}",
    f"X-Auth-Token: {WORD}",
    f'{{"password": "{WORD}"}}',
    f"{{'password': '{WORD}'}}",
    f"psql --password {WORD}",
    f"PGPASSWORD={WORD} psql",
    f"password=a\\'{WORD} host=x",
    f"AccountName=a;AccountKey={WORD}==;EndpointSuffix=x",
    f"SharedAccessSignature=sv=1&sig={WORD}",
    f"aws_secret_access_key = {WORD}",
    f"private_key={WORD}",
    f"sslkey={WORD}",
]
"""What libraries and people write beside addresses."""
HARMLESS = [
    "prometheus+http://example.invalid:9090?device=sda&start=-7d&end=now",
    "http://localhost:9090/metrics",
    "http://[::1]:9090/x@y",
    "postgresql://ann@example.invalid/fleet?sslmode=require",
    "raid10(4 * samsung-pm893-480gb): p99 2.5 ms",
    "trace.csv: line 3: expected time=ts:us, found `key=5`",
    "a ratio of 1:2 at 16:00",
]


@pytest.mark.parametrize("address", [*ADDRESSES, *OTHERS])
def test_secrets_are_hidden(address: str) -> None:
    for text in (address, f"cannot read `{address}`: refused", f"({address}), {address}"):
        hidden = plain_text.redacted(text)
        assert WORD not in hidden
        assert plain_text.redacted(hidden) == hidden


@pytest.mark.parametrize(
    ("address", "told"),
    [
        (f"s3://key:{WORD}@bucket/log", f"Invalid bucket name `key:{WORD}@bucket`"),
        (f"https://ann:{WORD}%2F1@example.invalid", f"no host {WORD}/1"),
        (f"https://example.invalid/?sig={WORD}", f"parameters: {WORD}"),
    ],
)
def test_errors_of_libraries_repeat_no_secret_of_an_address(address: str, told: str) -> None:
    assert WORD in told
    assert WORD not in plain_text.redacted(told, address)


@pytest.mark.parametrize("piece", ["a.", "a:", "https://", "?a=", "token", "password=", "a:b@", "%3A", "\\'"])
def test_a_long_text_takes_no_minutes(piece: str) -> None:
    """The patterns once took minutes for a name of 80 KB."""
    began = time.process_time()
    plain_text.redacted((piece * 30_000)[:30_000] + "@ token")
    assert time.process_time() - began < 5


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_stays(text: str) -> None:
    assert plain_text.redacted(text) == text


@pytest.mark.parametrize("address", SCHEMES.values())
@pytest.mark.parametrize(
    "arguments",
    [("profile", "{}"), ("simulate", "samsung-pm893-960gb", "-w", "{}"), ("health", "read", "{}")],
)
def test_no_verb_prints_a_secret(
    drivecast: Program, arguments: tuple[str, ...], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prometheus, "PAUSE_S", 0.0)
    done = drivecast(*(argument.format(address) for argument in arguments))
    assert done.code == 2
    assert WORD not in done.out + done.err


@pytest.mark.parametrize("address", [text for text in ADDRESSES if "postgresql" in text or "host=" in text])
def test_no_history_prints_a_secret(
    drivecast: Program, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = drivecast("health", "history", "--history", address)
    assert done.code == 2
    assert WORD not in done.out + done.err


def test_a_document_holds_no_secret(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    row = {"source": f"from https://ann:{WORD}@example.invalid/x", "quote": f'password={WORD}"', "n": 1.5}
    document = {"rows": [row], **row}
    verb.emit(document, OutputFormat.JSON, text=str, out=tmp_path / "out.json")
    verb.emit(document, OutputFormat.CSV, text=str)
    verb.emit(document, OutputFormat.TEXT, text=lambda: str(row))
    printed = capsys.readouterr().out + (tmp_path / "out.json").read_text()
    assert WORD not in printed
    assert json.loads((tmp_path / "out.json").read_text())["rows"][0]["n"] == 1.5


@pytest.mark.parametrize(
    "text", ["=cmd|' /C calc'!A0", "+1+2", "-2+3+cmd", "@SUM(1)", "\t=1+1", " =1", "\r=1"]
)
def test_a_spreadsheet_runs_nothing(capsys: pytest.CaptureFixture[str], text: str) -> None:
    verb.emit({"serial": text, "count": -5, "number": "-5.5e3"}, OutputFormat.CSV, text=str)
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 1
    assert rows[0]["serial"].startswith("'") or rows[0]["serial"].startswith("?")
    assert (rows[0]["count"], rows[0]["number"]) == ("-5", "-5.5e3")


OBEYED = [chr(code) for code in (*range(9), *range(11, 32), *range(0x7F, 0xA0), 0x2028, 0x202E, 0x2066)]


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_nothing_that_a_terminal_obeys(
    capsys: pytest.CaptureFixture[str], output_format: OutputFormat
) -> None:
    name = "".join(OBEYED)
    verb.emit({"name": name, "more": "\x1b[31mred"}, output_format, text=lambda: f"{name}\n\x1b[31mred")
    verb.note(name)
    printed = "".join(capsys.readouterr())
    assert not set(printed) & set(OBEYED)
    if output_format is OutputFormat.JSON:
        assert json.loads(printed[: printed.rindex("}") + 1])["name"] == name


def test_messages_have_an_end(capsys: pytest.CaptureFixture[str]) -> None:
    verb.guarded(lambda: [verb.note("n" * 10_000) for _ in range(10_000)])()  # type: ignore[arg-type, return-value]
    err = capsys.readouterr().err
    assert len(err) < 60_000
    long = plain_text.message("\n".join(["a reason"] * 1_000 + ["hint: what to do"]))
    assert len(long.splitlines()) == plain_text.LINES_MAX + 1
    assert long.endswith("hint: what to do")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "out of memory"),
        (RecursionError(), "too deep"),
        (OSError(28, "No space", "x"), "disk is full"),
    ],
)
def test_the_machine_refuses(capsys: pytest.CaptureFixture[str], error: Exception, said: str) -> None:
    def work() -> None:
        raise error

    with pytest.raises(typer.Exit) as ended:
        verb.guarded(work)()
    assert ended.value.exit_code == 2
    assert said in capsys.readouterr().err


def test_a_fault_is_told_in_a_line_without_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        raise ValueError(f"https://ann:{WORD}@example.invalid \x1b[31m")
    except ValueError as error:
        line = main.fault(error)
        monkeypatch.setenv(main.TRACEBACK, "1")
        whole = main.fault(error)
    assert "this is a fault of drivecast" in line
    assert len(line.splitlines()) == 2
    assert "Traceback" in whole
    assert not {WORD, "\x1b"} & {part for part in (WORD, "\x1b") if part in line + whole}


@pytest.mark.parametrize(
    "words",
    [
        ("--seed", "9" * 30),
        ("--requests", "9" * 30),
        ("--duration", "1e300"),
        ("--duration", "inf"),
        ("--fill", "nan"),
    ],
)
def test_numbers_that_no_run_has(drivecast: Program, words: tuple[str, str]) -> None:
    done = drivecast("simulate", "samsung-pm893-960gb", "-w", "random(4KiB, rate=1iops)", *words)
    assert done.code == 2
    assert words[0].strip("-") in done.err
