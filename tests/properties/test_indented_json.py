"""Documents over several lines are what the standard library writes, byte by byte."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivecast.cli import indented_json

PLAIN = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
DOCUMENT = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)


@given(DOCUMENT)
def test_as_the_standard_library_writes_it(document: Any) -> None:
    assert indented_json.dumped(document) == json.dumps(document, indent=2, ensure_ascii=False)


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        indented_json.dumped({"rows": [{"iops": math.nan}]})
