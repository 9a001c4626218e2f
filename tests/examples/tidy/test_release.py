"""The release: what makes a checkout one, and workflows that call verbs which exist."""

import re
import runpy
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from test_tidy import ROOT

from needs import needs

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
ACTIONS = {"actions/checkout", "actions/download-artifact", "actions/upload-artifact"}
"""Those of the platform itself: no other is trusted."""


@pytest.fixture(scope="module")
def release() -> SimpleNamespace:
    return SimpleNamespace(**runpy.run_path(str(ROOT / "scripts/release.py")))


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that is a release."""
    needs("git")
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        monkeypatch.setenv(name, "nobody")
    (tmp_path / "Cargo.toml").write_text('[workspace.package]\nversion = "1.2.3"\n')
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## [1.2.3] - 2026-02-03\n\n- new\n\n## [1.2.2] - 2026-01-01\n"
    )
    commit(tmp_path, "init", "--quiet")
    return tmp_path


def commit(root: Path, *first: str) -> None:
    for arguments in (first, ("add", "."), ("commit", "--quiet", "--message", "x")):
        subprocess.run(["git", *arguments], cwd=root, check=True)


def test_a_release_is_tagged_once(
    release: SimpleNamespace, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert release.main("ready", checkout) == 0
    assert release.git(checkout, "tag") == ""
    assert release.main("tag", checkout) == 0
    assert release.git(checkout, "cat-file", "-t", "v1.2.3") == "tag"
    assert "git push origin HEAD v1.2.3" in capsys.readouterr().out
    assert release.notes(checkout) == "- new"
    assert "v1.2.3 is released" in release.main("ready", checkout)


@pytest.mark.parametrize(
    ("file", "old", "new", "committed", "why"),
    [
        ("CHANGELOG.md", "2026-02-03", "Unreleased", True, "no section `## [1.2.3] - YYYY-MM-DD`"),
        ("Cargo.toml", "1.2.3", "1.2.4", True, "no section `## [1.2.4] - YYYY-MM-DD`"),
        ("CHANGELOG.md", "# Changelog", "# Log", False, "not committed"),
    ],
)
def test_what_is_no_release_is_not_tagged(
    file: str, old: str, new: str, committed: bool, why: str, release: SimpleNamespace, checkout: Path
) -> None:
    path = checkout / file
    path.write_text(path.read_text().replace(old, new))
    if committed:
        commit(checkout, "status")
    assert why in release.main("tag", checkout)
    assert release.git(checkout, "tag") == ""


def steps(path: Path) -> list[dict[str, Any]]:
    jobs = yaml.safe_load(path.read_text())["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_call_verbs_that_exist_and_no_strange_actions(path: Path) -> None:
    verbs = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    runs = " \n".join(step.get("run", "") for step in steps(path))
    called = re.findall(r"\bmake ([a-z-]+)", runs)
    assert set(called) <= verbs
    assert called or ".ci/run" in runs
    assert {step["uses"].partition("@")[0] for step in steps(path) if "uses" in step} <= ACTIONS
    assert "secrets." not in path.read_text()


def test_a_release_has_wheels_of_two_machines() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]
    machines = jobs["package"]["strategy"]["matrix"]["include"]
    assert {each["machine"] for each in machines} == {"x86_64", "aarch64"}
    assert jobs["publish"]["needs"] == "package"
    assert jobs["publish"]["if"] == "github.ref_type == 'tag'"
