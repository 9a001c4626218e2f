"""The built site (`make docs-site`) in a browser, from its folder, as a reader without a network opens it."""

import re
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT
from needs import needs

SITE = ROOT / "out/site"


@pytest.fixture
def site() -> Path:
    needs("site")
    return SITE


def test_search_answers_without_a_server(chromium: str, site: Path) -> None:
    address = f"{(site / 'index.html').as_uri()}?q=endurance"
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom"]
    offline = ["--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking"]
    done = subprocess.run(
        [chromium, *options, *offline, address], check=True, capture_output=True, text=True, timeout=120
    )
    found = re.search(r'md-search-result__meta">([^<]*)', done.stdout)
    assert int(found[1].split()[0]) > 5, found[1]
    assert 'href="explanation/endurance.html' in done.stdout.replace(f"{site.as_uri()}/", "")
