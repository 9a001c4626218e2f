"""The page: whole, safe, without a network, and honest where something is missing."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from drivecast.document.plan import Plan
from drivecast.document.profile import Profile
from drivecast.errors import InputError
from drivecast.present import page, style
from drivecast.quantity import number
from real_plan import document, page_that_nothing_fits, plan

HOSTILE = "<script>alert('&')</script>\"><img src=x onerror=y>"


@cache
def rendered() -> str:
    return page.render(plan())


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures without their drawing, which takes most of the time and which these tests do not look at."""
    monkeypatch.setattr(style, "to_svg", lambda _chart: "<svg/>")


def test_the_page_is_one_file_that_asks_for_nothing() -> None:
    html = re.sub(r'xmlns(:\w+)?="[^"]*"|url\(data:font/woff2;base64,[\w+/=]+\)', "", rendered())
    assert not re.search(r"\bsrc=|<script|<link|@import|url\((?!#)", html, re.IGNORECASE)
    styles = re.findall(r"<style.*?</style>", html, re.DOTALL)
    for loads in (*re.findall(r"<[^>]*>", html), *styles):
        assert not re.search(r"https?:|//[a-z]", loads, re.IGNORECASE), "a source may be named, not fetched"


def test_every_reference_inside_the_page_has_its_target_and_no_id_comes_twice() -> None:
    ids = re.findall(r'\bid="([^"]+)"', rendered())
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"url\(#([^)]+)\)", rendered())) <= set(ids)


def test_names_are_text_never_markup() -> None:
    made = document()
    made["workload"].update(name=HOSTILE, hours_like=HOSTILE)
    made["designs"][4].update(title=HOSTILE, why=HOSTILE, line=HOSTILE)
    made.update(winner=HOSTILE, command=HOSTILE)
    made["requirements"][0].update(why=HOSTILE, display=HOSTILE)
    made["assumptions"][0].update(name=HOSTILE, value=HOSTILE, source=HOSTILE)
    html = page.render(Plan.check(made))
    assert "<script" not in html
    assert "<img" not in html
    assert html.count("&lt;script&gt;") >= 9


@pytest.mark.usefixtures("undrawn")
def test_where_nothing_fits_the_page_says_so_and_shows_what_the_nearest_miss() -> None:
    html = page_that_nothing_fits()
    first = html.partition("</section>")[0]
    assert "Nothing fits" in first
    assert "&gt; 0.05 ms" in first
    assert 'id="figure-headroom"' in html
    assert "Buy " not in html


def test_a_counter_log_is_announced_with_what_is_assumed() -> None:
    made = document()
    made["workload"]["profile"].update(
        source="counters",
        heat_map=None,
        sizes=None,
        read_latency_ns=None,
        write_latency_ns=None,
        working_set_bytes=None,
        sequential_fraction=0.0,
        provenance={"sequential_fraction": "assumed"},
    )
    html = page.render(Plan.check(made))
    assert "Counters only" in html.partition("</section>")[0]
    assert 'id="figure-heat-map"' not in html
    assert "Counters only" not in rendered()


@pytest.mark.usefixtures("undrawn")
def test_a_design_without_wear_latency_or_cost_leaves_dashes() -> None:
    made = document()
    winner = next(design for design in made["designs"] if design["rank"] == 1)
    for key in (
        "read_p99_ns",
        "write_p99_ns",
        "outcome",
        "write_amplification",
        "headroom",
        "life_media_years",
        "life_warranty_years",
        "dwpd_used",
        "dwpd_rated",
        "annual_failure_rate",
        "data_loss",
        "unreadable_probability",
        "cost",
        "power_w",
        "energy_kwh",
        "warranty_end",
        "media_end",
        "retention_months",
        "sensitivity",
    ):
        winner[key] = None
    winner["life_years"] = {"value": None, "low": None, "high": None, "limit": "none"}
    html = page.render(Plan.check(made))
    assert "no wear" in html
    assert "None" not in html
    assert not re.search(r"\bnan\b", html, re.IGNORECASE)


@pytest.mark.usefixtures("undrawn")
def test_a_plan_with_nothing_simulated_still_makes_a_page() -> None:
    made = document()
    pruned = [design for design in made["designs"] if design["verdict"] == "pruned"]
    made.update(designs=pruned, winner=None, nearest=[], flips=[], beside=None)
    assert "Ruled out before simulation" in page.render(Plan.check(made))


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"schema_version": 2}, "`schema_version`"),
        ({"schema_version": None}, "`schema_version`"),
        ({"designs": [{"title": "x"}]}, "`designs.0.line`"),
        ({"workload": 3}, "`workload`"),
    ],
)
def test_a_document_that_is_no_plan_is_an_input_error_that_names_the_place(
    change: dict[str, Any], place: str
) -> None:
    with pytest.raises(InputError) as refused:
        Plan.check(document() | change)
    assert place in str(refused.value)


def test_the_page_is_written_whole(tmp_path: Path) -> None:
    page.write(plan(), tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == rendered()
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_the_page_of_a_profile_has_the_figures_and_the_key_figures() -> None:
    html = page.render_profile(plan().workload.profile, HOSTILE)
    assert "<script" not in html
    for name in ("iops", "throughput", "queue-depth", "block-size", "heat-map"):
        assert f'id="figure-{name}"' in html
    assert number.size(plan().workload.profile.write_bytes_per_day) in html


@pytest.mark.parametrize(
    "lacking",
    [
        *({key: None} for key in ("seconds", "sizes", "heat_map", "peak_window", "read_latency_ns")),
        {"interarrival": None},
        {"duration_s": 0.0, "requests": 0},
    ],
    ids=" ".join,
)
@pytest.mark.usefixtures("undrawn")
def test_a_profile_may_lack_any_of_its_parts_or_be_of_nothing(lacking: dict[str, Any]) -> None:
    found = document()["workload"]["profile"] | lacking
    profile = Profile.model_validate({name: value for name, value in found.items() if value is not None})
    assert "Key figures" in page.render_profile(profile, "recorded")


def test_what_is_put_into_a_page_is_escaped_and_has_no_secrets() -> None:
    """In every template: none says that something is safe, and one place lets text in."""
    for template in (Path(page.__file__).parent / "templates").iterdir():
        assert not re.search(r"\|\s*safe\b|autoescape", template.read_text()), template.name
    shown = page.environment().from_string("{{ text }}|{{ text|code }}|<p title='{{ text }}'>")
    html = shown.render(text=f"{HOSTILE}' https://ann:hunter2@example.invalid `\x1b[31m\u202e`")
    assert not set('<>"\x1b\u202e') & set(
        html.replace("<p title='", "").replace("'>", "").replace("<code>", "").replace("</code>", "")
    )
    assert html.count("'") == 2
    assert "hunter2" not in html
