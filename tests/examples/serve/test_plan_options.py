"""The options of a plan are defined once: what is typed, what the API takes and what the form shows are the same."""

import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from pydantic import TypeAdapter, ValidationError

from drivecast.cli.main import app
from drivecast.document.option import defined
from drivecast.document.plan_options import LogOptions, PlanOptions
from drivecast.errors import InputError
from drivecast.plan import requirement
from drivecast.plan.requirement import Given
from drivecast.serve import plan_form
from drivecast.serve.application import described

ROOT = Path(__file__).parents[3]
form = SimpleNamespace(**runpy.run_path(str(ROOT / "scripts/form.py")))
QUOTED = "drive,price,currency,date,supplier\nsamsung-pm893-480gb,90,EUR,2026-01-05,acme\n"


def typed() -> dict[str, Any]:
    """The parameters of `drivecast plan`, by what is typed."""
    command = typer.main.get_command(app).commands["plan"]  # type: ignore[attr-defined]
    return {parameter.opts[0]: parameter for parameter in command.params if parameter.opts[0] != "logs"}


def test_every_option_of_the_command_is_in_the_form_or_has_a_reason() -> None:
    shown = {field.get("flag") or field["off"] for field in form.fields()}
    lacking = {*typed(), "--help"} - shown
    assert lacking == set(form.LEFT_OUT)
    assert shown <= {*typed()}


def test_the_guide_says_what_the_form_lacks() -> None:
    guide = (ROOT / "docs/guides/serve-a-team.md").read_text(encoding="utf-8")
    for flag in form.LEFT_OUT.keys() - {"--help", "--quiet", "--verbose", "--output-format", "--out"}:
        assert f"`{flag}`" in guide


def test_the_form_of_the_page_is_up_to_date() -> None:
    assert form.PLACE.read_text(encoding="utf-8") == form.render(), "run scripts/form.py"


def test_the_api_describes_what_the_form_shows() -> None:
    properties = described().openapi()["components"]["schemas"]["PlanOptions"]["properties"]
    fields = {field["name"]: field for field in form.fields()}
    assert properties.keys() == fields.keys()
    for name, field in fields.items():
        assert properties[name]["title"] == field["label"]
        bounds = next((kind for kind in properties[name].get("anyOf", [properties[name]])), {})
        for said, shown in (("minimum", "low"), ("maximum", "high")):
            assert bounds.get(said) == (float(field[shown]) if shown in field else None), name


def test_each_field_has_a_text_and_what_it_is_by_default() -> None:
    plain = PlanOptions()
    for field, option in zip(form.fields(), sorted(defined(PlanOptions), key=place), strict=True):
        assert field["name"] == option.name
        assert field["help"]
        assert "`--" not in field["help"], "the form calls fields by their labels"
        assert getattr(plain, option.name) == option.default
        if field["kind"] == "choice":
            assert field["choices"][0][0] == "", "the default is what is left empty"


def place(option: Any) -> int:
    return form.GROUPS.index(option.option.group)


def test_every_requirement_is_an_option_and_within_its_bounds() -> None:
    required = [option for option in defined(PlanOptions) if option.option.requires]
    assert sorted(str(option.option.requires) for option in required) == sorted(Given.__dataclass_fields__)
    for option in required:
        high = option.option.high
        if high is None:
            continue
        beyond = Given(**{str(option.option.requires): high * 2})
        with pytest.raises(InputError, match=rf"^{option.flag}: expected"):
            requirement.check(beyond)
        with pytest.raises(InputError, match=rf"^{option.name}: expected"):
            requirement.check(beyond, plan_form.name)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"power": 0}, "power"),
        ({"interval": 0}, "interval"),
        ({"seed": 2**63}, "seed"),
        ({"peak_window": float("nan")}, "peak_window"),
        ({"designs": ["a"] * 65}, "designs"),
        ({"quotes": "x" * 300_000}, "quotes"),
        ({"unknown": 1}, "unknown"),
        ({"where": "moon"}, "where"),
    ],
)
def test_the_api_refuses_what_is_out_of_bounds(given: dict[str, Any], name: str) -> None:
    with pytest.raises(ValidationError) as found:
        TypeAdapter(PlanOptions).validate_python(given)
    assert found.value.errors()[0]["loc"][0] == name


def test_files_are_texts_or_in_a_folder_of_the_server(tmp_path: Path) -> None:
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists/quotes.csv").write_text(QUOTED)
    folders = {"lists": tmp_path / "lists"}
    for quotes in (QUOTED, "lists/quotes.csv"):
        with plan_form.files(PlanOptions(quotes=quotes, history="default"), folders) as whole:
            assert whole.quotes is not None
            assert Path(whole.quotes).read_text() == QUOTED
            assert whole.history == "default"
    for outside in ("/etc/passwd", "lists/../secret", "elsewhere/quotes.csv", "lists"):
        with (
            pytest.raises(InputError, match=r"^quotes: "),
            plan_form.files(PlanOptions(quotes=outside), folders),
        ):
            pass


def test_quoted_prices_are_checked_before_a_plan_waits() -> None:
    plan_form.check(PlanOptions(quotes=QUOTED, rates=("EUR=1.08",)), {})
    for options, found in (
        (
            PlanOptions(quotes=QUOTED.replace("samsung-pm893", "acme-zz"), rates=("EUR=1.08",)),
            "acme-zz-480gb",
        ),
        (PlanOptions(rates=("EUR=much",)), "`EUR=much`"),
    ):
        with pytest.raises(InputError) as error:
            plan_form.check(options, {})
        assert found in str(error.value)


def test_a_plan_reads_as_its_trace_was_read_unless_it_says_otherwise() -> None:
    of_trace = LogOptions(csv="time=a", disk="sdb")
    found = plan_form.over(PlanOptions(disk="sdc", years="3"), of_trace)
    assert (found.csv, found.disk, found.years) == ("time=a", "sdc", "3")
