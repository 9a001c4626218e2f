"""The one renderer of tables: alignment, limits, notes, and what names may do to a terminal."""

from drivecast.present import grid


def shown(lines: list[grid.Text]) -> list[str]:
    return [line.plain for line in lines]


def test_text_goes_left_and_figures_go_right_below_heads_of_several_lines() -> None:
    rows = [("pm893", "97,000", "0.25"), ("a", None, "1.3")]
    assert shown(grid.table(("<drive", "IOPS", "p99\nread ms"), rows, indent=2)) == [
        "                     p99",
        "  drive    IOPS  read ms",
        "  pm893  97,000     0.25",
        "  a           –      1.3",
    ]


def test_without_heads_there_is_no_heading_and_pairs_leave_out_what_is_unknown() -> None:
    assert shown(grid.pairs([("life", "11 y"), ("wear", None), ("write amplification", "1.4")])) == [
        "  life                 11 y",
        "  write amplification  1.4",
    ]


def test_the_widest_column_of_text_gives_way_and_figures_never_do() -> None:
    rows = [("raid10(24 * seagate-exos-15e900-600gb)", "1,000,000", "why")]
    (line,) = shown(grid.table(("<", "", "<"), rows, width=30))
    assert line == "raid10(24 * s…  1,000,000  why"
    assert len(line) == 30


def test_blank_rows_notes_and_styles_keep_their_place() -> None:
    rows = [grid.Row(("1", "x"), "bold", ["   because"]), None, ("10", "y")]
    lines = grid.table(("", "<name"), rows)
    assert shown(lines) == ["    name", " 1  x", "   because", "", "10  y"]
    assert [line.style for line in lines] == ["dim", "bold", "", "", ""]


def test_what_a_terminal_would_obey_is_replaced_and_wide_letters_count_twice() -> None:
    assert shown(grid.table(("<name", "n"), [("a\x1b[31m", 1000), ("中文", 1)])) == [
        "name        n",
        "a?[31m  1,000",
        "中文        1",
    ]


def test_no_line_ends_in_blanks_and_a_page_is_its_lines() -> None:
    lines = grid.table(("<a", "<b"), [("x", ""), ("long", "y")])
    assert grid.page(["head", *lines]).plain == "head\na     b\nx\nlong  y"


def test_a_paragraph_is_broken_with_a_hanging_indent() -> None:
    assert grid.wrapped("one two three", 9, indent=2, hanging=2) == ["  one two", "    three"]
