"""What is known of the drives that people buy was read in documents that one can look up."""

import pytest

from bundled import CATALOG
from drivecast.catalog.stated import assumed_share, figures

READ = [
    "samsung-pm9a3-1.92tb",
    "samsung-pm9a3-3.84tb",
    "samsung-pm893-480gb",
    "samsung-pm893-960gb",
    "samsung-pm893-3.84tb",
    "micron-7450-pro-7.68tb",
    "wd-ultrastar-hc580-24tb",
]
"""Drives on sale of whose stated figures at most three in ten are assumed; the bundled plan's winner is one."""


@pytest.mark.parametrize("name", READ)
def test_at_most_three_stated_figures_in_ten_are_assumed(name: str) -> None:
    assert assumed_share(CATALOG.get(name)) <= 0.30


@pytest.mark.parametrize("name", READ)
def test_each_document_behind_a_stated_figure_is_a_link(name: str) -> None:
    drive = CATALOG.get(name)
    documents = {figure.document for _, figure in figures(drive)} - {None, "label", "ncq"}
    assert documents
    assert [key for key in documents if key and "https://" not in drive.sheet.sources[key]] == []
