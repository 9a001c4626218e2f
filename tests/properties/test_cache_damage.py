"""Whatever a file of statistics holds, it is explained or refused: never a traceback, never an absurd figure."""

import math
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cache_samples as samples
from drivecast.caching import explanation, sample_period, source_file
from drivecast.caching.cache_sample import Sample, Source
from drivecast.errors import InputError
from drivecast.present import cache_status, grid

TEXTS = [*samples.WHOLE.values(), samples.open_cas_table(bar="║"), samples.writecache({})]
GIVEN = sample_period.Given(uptime_s=3600.0)


def read(text: str) -> list[Sample]:
    try:
        return list(source_file.of_source(Source("a.txt", text)))
    except InputError as error:
        hinted(error)
        return []


def hinted(error: InputError) -> None:
    """Check that an error says where and what to do."""
    assert "a.txt" in str(error)
    assert str(error).count("hint: ") == 1


def ratios(value: Any, name: str = "") -> Iterator[float]:
    """Every share in a document."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ratios(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from ratios(inner, name)
    elif isinstance(value, int | float) and (name.endswith("_ratio") or name == "share"):
        yield value


def explain(samples_of: list[Sample]) -> None:
    for sample in samples_of:
        try:
            found = explanation.explain(
                sample_period.of_one(sample, GIVEN), explanation.Known(backing_bytes_per_s=1e6)
            )
        except InputError:
            continue
        document = found.model_dump(mode="json")
        assert all(0 <= ratio <= 1 and math.isfinite(ratio) for ratio in ratios(document))
        assert grid.page(cache_status.lines(found)).plain


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(TEXTS), st.data())
def test_damaged_bytes(text: str, data: st.DataObject) -> None:
    content = bytearray(text.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    explain(read(content.decode(errors="replace")))


@settings(max_examples=150)
@given(st.sampled_from(TEXTS), st.data())
def test_any_number_anywhere(text: str, data: st.DataObject) -> None:
    words = text.split(" ")
    at = data.draw(st.integers(0, len(words) - 1))
    numbers = st.sampled_from(
        ["0", "-1", "18446744073709551615", "18446744073709551616", "9" * 5000, "1e999", "nan", ""]
    )
    words[at] = data.draw(numbers)
    explain(read(" ".join(words)))


@pytest.mark.parametrize("text", TEXTS)
def test_a_file_cut_anywhere_is_refused_or_says_what_it_says_whole(text: str) -> None:
    """No figure of a cut file differs from that of the whole one, but for the last number, which may be shorter."""
    (whole,) = read(text)
    for at in range(0, len(text) - 1, 7):
        for part in read(text[:at]):
            differing = {name for name, value in part.counters.items() if value != whole.counters[name]}
            assert len(differing) <= 1


@given(st.text(max_size=300))
def test_any_text(text: str) -> None:
    explain(read(text))


@settings(max_examples=100)
@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS), st.data())
def test_two_samples_are_a_period_or_refused(first: str, last: str, data: st.DataObject) -> None:
    words = last.split(" ")
    at = data.draw(st.integers(0, len(words) - 1))
    words[at] = data.draw(st.sampled_from([words[at], "1", "99999999999999"]))
    for before in read(first):
        for after in read(" ".join(words)):
            try:
                period = sample_period.of_two(before, after, sample_period.Given(between_s=60.0))
                found = explanation.explain(period, explanation.Known())
            except InputError as error:
                hinted(error)
                continue
            assert before.kind == after.kind
            assert all(0 <= ratio <= 1 for ratio in ratios(found.model_dump(mode="json")))
            assert all((row.bytes.value or 0) >= 0 for row in found.traffic.drive_written)
