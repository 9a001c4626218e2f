"""What a shell shows of groups of verbs: whole sentences, and where a verb is that was looked for elsewhere."""

import pytest

from conftest import invoke

GROUPS = [(), ("bench",), ("cache",), ("catalog",), ("compare",), ("health",), ("model",)]


@pytest.mark.parametrize("group", GROUPS, ids=" ".join)
def test_what_a_verb_is_for_is_a_whole_sentence(group: tuple[str, ...]) -> None:
    listed = invoke(*group, "--help").out.partition("Commands:\n")[2].partition("\n\n")[0]
    assert listed
    assert "..." not in listed


def test_an_example_of_a_help_is_a_line_to_copy() -> None:
    shown = invoke("cache", "--help").out.splitlines()
    assert (
        "    drivecast cache trace.vscsi --sizes 128MiB,256MiB --policies lru,arc,belady --by object" in shown
    )
    prose = shown[2 : next(at for at, line in enumerate(shown) if "Example" in line)]
    assert max(map(len, prose)) <= 100


def test_a_verb_of_a_group_is_found_from_outside() -> None:
    assert "health fleet" in invoke("fleet").err
    assert "result" not in invoke("result").err.partition("Did you mean")[2]
