"""What the documentation site is built with: checks that find faults, links that can be followed, pages of the code."""

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import typer

from conftest import ROOT
from drivecast.cli.main import app

REPOSITORY = "https://git.example/drivecast"


@pytest.fixture
def part(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A module of the site's scripts by name."""
    monkeypatch.syspath_prepend(ROOT / "scripts/site")
    names: list[str] = ["root_pages"]

    def load(name: str) -> ModuleType:
        names.append(name)
        return importlib.import_module(name)

    yield load
    for name in names:
        sys.modules.pop(name, None)


def page(folder: Path, name: str, body: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"<!doctype html><html><body>{body}</body></html>")


def faults(part: Any, folder: Path) -> list[str]:
    check = part("check")
    return [*check.faults(check.opened(folder, "https://docs.example/drivecast", REPOSITORY))]


def test_a_site_whose_links_lead_somewhere_is_fine(part: Any, tmp_path: Path) -> None:
    page(
        tmp_path,
        "index.html",
        '<a href="a/b.html#there">b</a> <a href="#here" id="here">x</a> <img src="x.svg">',
    )
    page(
        tmp_path, "a/b.html", '<h2 id="there">there</h2> <a href="/drivecast/">home</a> <a href="../">up</a>'
    )
    page(
        tmp_path,
        "404.html",
        f'<a href="{REPOSITORY}/blob/main/README.md#it">a file</a> <pre>- a list\n$$</pre>',
    )
    (tmp_path / "x.svg").write_text("<svg/>")
    assert faults(part, tmp_path) == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="b.html">b</a>', "index.html: link to b.html: no such file"),
        ('<a href="#x">x</a>', "index.html: link to #x: no such place in that page"),
        ('<a href="index.html#x">x</a>', "index.html: link to index.html#x: no such place in that page"),
        ('<a href="/elsewhere/">x</a>', "index.html: link to /elsewhere/: no such file"),
        ('<a href="http:/x">x</a>', "index.html: link to http:/x: no address"),
        ('<a href="gopher://x.example/">x</a>', "index.html: link to gopher://x.example/: no address"),
        (
            f'<a href="{REPOSITORY}/blob/main/nowhere.md">x</a>',
            f"index.html: link to {REPOSITORY}/blob/main/nowhere.md: no such file in the repository",
        ),
        ('<img src="a.svg">', "index.html: link to a.svg: no such file"),
        ('<script src="https://cdn.example/x.js"></script>', "index.html: loads https://cdn.example/x.js"),
        ('<img src="//cdn.example/x.png">', "index.html: loads //cdn.example/x.png"),
        (
            '<link rel="preload stylesheet" href="https://fonts.example/css">',
            "index.html: loads https://fonts.example/css",
        ),
        ("<style>@import 'https://x.example/y.css';</style>", "index.html: loads https://x.example/y.css"),
        ('<p style="background: url(//x.example/y)">x</p>', "index.html: loads //x.example/y"),
        ("<p>such as\n- this\n- that</p>", "index.html: left as it was typed: such as - this - that"),
        ("<p>$$x^2$$</p>", "index.html: left as it was typed: $$x^2$$"),
        ("<math><mi>a</mi><mo>&amp;</mo></math>", "index.html: left as it was typed: &"),
        ("<p>::: drivecast</p>", "index.html: left as it was typed: ::: drivecast"),
        ("<p>a\n| b | c |</p>", "index.html: left as it was typed: a | b | c |"),
    ],
)
def test_a_fault_of_a_site_is_found(part: Any, tmp_path: Path, body: str, fault: str) -> None:
    page(tmp_path, "index.html", body)
    assert faults(part, tmp_path) == [fault]


def test_a_style_sheet_that_loads_is_found(part: Any, tmp_path: Path) -> None:
    page(tmp_path, "index.html", "")
    (tmp_path / "a.css").write_text("@font-face { src: url(data:x), url('https://fonts.example/a.woff2') }")
    assert faults(part, tmp_path) == ["a.css: loads https://fonts.example/a.woff2"]


def test_no_pages_are_a_fault(part: Any, tmp_path: Path) -> None:
    assert len(faults(part, tmp_path)) == 1


def followable(part: Any, markdown: str, where: str = "guides/a.md") -> str:
    pages = {
        "index.md",
        "guides/a.md",
        "reference/schema/index.md",
        "project/changelog.md",
        "decisions/README.md",
    }
    return part("links").followable(markdown, where, pages, REPOSITORY)


def test_a_link_out_of_the_site_leads_to_the_repository(part: Any) -> None:
    assert followable(part, "[log](../../examples/perfmon/db1.csv)") == (
        f"[log]({REPOSITORY}/blob/main/examples/perfmon/db1.csv)"
    )
    assert followable(part, "[here](../../catalog/)") == f"[here]({REPOSITORY}/tree/main/catalog)"


def test_a_link_within_the_site_stays(part: Any) -> None:
    assert followable(part, "[s](../reference/schema/) [d](../decisions/README.md#x)") == (
        "[s](../reference/schema/index.md) [d](../decisions/README.md#x)"
    )
    assert followable(part, "[a](docs/guides/a.md), [c](CHANGELOG.md)", "project/changelog.md") == (
        "[a](../guides/a.md), [c](changelog.md)"
    )
    assert followable(part, "[x](https://x.example/) [y](#y)") == "[x](https://x.example/) [y](#y)"


def test_a_file_that_is_named_can_be_followed(part: Any) -> None:
    source = f"({REPOSITORY}/blob/main/crates/block/src/line.rs)"
    assert followable(part, "see `crates/block/src/line.rs`.") == f"see [`crates/block/src/line.rs`]{source}."
    assert followable(part, "see `CHANGELOG.md`") == "see [`CHANGELOG.md`](../project/changelog.md)"
    for as_it_was in (
        "```sh\ncat `crates/block/src/line.rs` [x](y)\n```",
        "    cat `crates/block/src/line.rs`",
        "[`crates/block/src/line.rs`](https://x.example/)",
        "`crates/nowhere.rs`",
        "`a](b)`",
    ):
        assert followable(part, as_it_was) == as_it_was


def test_a_link_to_a_file_that_is_not_there_is_a_warning(part: Any, caplog: pytest.LogCaptureFixture) -> None:
    assert followable(part, "[x](../../nowhere.csv)") == "[x](../../nowhere.csv)"
    assert "`nowhere.csv`" in caplog.text


def verbs(command: Any) -> Iterator[Any]:
    """All verbs, those within groups, too."""
    inside = getattr(command, "commands", None)
    if inside is None:
        yield command
    else:
        for inner in inside.values():
            yield from verbs(inner)


def test_every_option_of_every_verb_has_its_place(part: Any) -> None:
    text = "".join(part("command_pages").pages().values())
    found = [*verbs(typer.main.get_command(app))]
    options = [
        option
        for verb in found
        for parameter in verb.params
        if not getattr(parameter, "hidden", False)
        for option in parameter.opts
        if option.startswith("--")
    ]
    assert len(options) > 300, "the finder finds nothing"
    assert text.count("<dt id=") == len(options) + len(found), "every verb has --help as well"
    assert 'id="health-report--subject"' in text
    assert 'id="compare--tolerance"' in text, "a group whose name alone is a verb"


def test_every_document_has_a_page_and_its_schema(part: Any) -> None:
    pages = part("schema_pages").pages()
    schemas = {
        name.rpartition("/")[2]: json.loads(text) for name, text in pages.items() if name.endswith(".json")
    }
    assert len(schemas) > 30
    assert len(pages) == 2 * len(schemas) + 1
    index = pages["reference/schema/index.md"]
    assert all(f"({name})" in index for name in schemas)
    outcome = pages["reference/schema/outcome.md"]
    assert "| array of [LatencyBucket](#latencybucket) |" in outcome
    assert "## LatencyBucket {: #latencybucket }" in outcome
    assert schemas["outcome.json"]["properties"]["latencies"]["items"] == {"$ref": "#/$defs/LatencyBucket"}
    rent = schemas["plan.json"]["$defs"]["Rent"]["properties"]
    assert rent["credits_least"]["description"] == "The smallest share over the log."
    assert "description" not in rent["provider"], "its name says enough"


def test_tables_and_what_drives_report_have_pages_made_of_their_definitions(part: Any) -> None:
    (tables,) = part("tables_page").pages().values()
    assert "## `trace`\n" in tables
    assert "| `latency_ns` | uint64 | yes | time to completion, where the trace has completions |" in tables
    (figures,) = part("smart_page").pages().values()
    assert "| Samsung, SATA (840 to 870, SM843T to PM897) | ● |" in figures
    assert "| `host_written_bytes` | 241" in figures


def test_every_notebook_has_a_page_of_its_cells(part: Any) -> None:
    pages = part("notebook_pages").pages()
    files = [*(ROOT / "examples/notebooks").glob("*.ipynb")]
    assert {f"notebooks/{file.stem}.md" for file in files} == {*pages}
    fleet = pages["notebooks/wear-of-a-fleet.md"]
    assert fleet.startswith("# The wear of a fleet")
    assert "```python\nfrom pathlib import Path" in fleet
    assert fleet.index("](../../examples/notebooks/wear-of-a-fleet.ipynb)") < fleet.index("```python")
    links = part("links")
    there = links.followable(
        "[x](../examples/notebooks/wear-of-a-fleet.ipynb)", "index.md", {*pages}, REPOSITORY
    )
    assert there == "[x](notebooks/wear-of-a-fleet.md)"


def test_documents_of_the_catalog_are_links_that_can_be_followed(part: Any) -> None:
    sources = part("source_pages")
    (text,) = sources.pages().values()
    row = next(line for line in text.splitlines() if line.startswith("| `samsung-pm9a3` | heise"))
    assert row.endswith(
        "| heise online 4720224, Samsung PM9A3, [heise.de](https://www.heise.de/-4720224) | `sequential_read_mb_s` |"
    )
    assert text.count("](http") > 100
    files = [*(ROOT / "catalog/drives").glob("*.toml")]
    assert sum(f"| `{file.stem}` |" in text for file in files) > 0.8 * len(files)
    assert "from memory" not in text, "what is assumed has no document"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "A | sheet, https://a.example/x.pdf, https://b.example/y.",
            r"A \| sheet, [a.example](https://a.example/x.pdf), [b.example](https://b.example/y)",
        ),
        ("data (github.com/who/what): fio", "data: fio, [github.com](https://github.com/who/what)"),
        ("read, nowhere", "read, nowhere"),
    ],
)
def test_a_document_is_its_title_and_its_addresses(part: Any, text: str, shown: str) -> None:
    sources = part("source_pages")
    assert sources.document(text, sources.addresses(text)) == shown
