"""Whatever a file of observed prices holds, each row is read, or refused with its line."""

from hypothesis import given
from hypothesis import strategies as st

from drivecast.catalog.price_index import Observation, observations

HEAD = "what,class,capacity_tb,usd,day,kind,quantity,currency,source"
CELLS = st.sampled_from(
    [
        "sata",
        "1.92",
        "200",
        "-1",
        "1e999",
        "nan",
        "2026-02-30",
        "2026-03-01",
        "street",
        "USD",
        "usd",
        '"',
        "",
        "\x00",
    ]
) | st.text(max_size=6)
ROWS = st.lists(st.lists(CELLS, min_size=7, max_size=10).map(",".join), max_size=5)


@given(
    rows=ROWS,
    head=st.sampled_from([HEAD, HEAD.replace(",", ";"), ""]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_any_file(rows: list[str], head: str, end: str) -> None:
    for found in observations(end.join([head, *rows])):
        if isinstance(found, Observation):
            assert found.usd > 0
            assert found.capacity_tb > 0
        else:
            assert found[0].startswith("line ")
            assert found[1]


def test_a_row_that_is_right_is_read_and_one_that_is_not_has_its_line() -> None:
    good = "pm893,sata,0.96,120,2025-11-03,street,1,EUR,shop"
    read, refused = observations(f"{HEAD}\n{good}\n{good.replace('120', '0')}\n")
    assert isinstance(read, Observation)
    assert (read.what, read.drive_class, read.usd, read.currency) == ("pm893", "sata", 120, "EUR")
    assert not isinstance(refused, Observation)
    assert refused[0].split(", ") == ["line 3", "usd"]
