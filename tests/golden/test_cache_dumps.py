"""Two published dumps of FlashCache's counters: what is said of them satisfies the identities of the counters.

Figures: issues 108 and 158 of facebookarchive/flashcache.
"""

import pytest

import cache_samples as samples
from drivecast.caching import explanation, sample_period, source_file
from drivecast.caching.cache_sample import Source
from drivecast.document.cache_status import CacheStatus

BLOCK = 4096
CLOSE = 2e-4
"""The dumps hold to 0.02 %."""
DUMPS = {108: samples.ISSUE_108, 158: samples.ISSUE_158}


def status(issue: int) -> CacheStatus:
    source = Source(f"issue {issue}", samples.flashcache(DUMPS[issue]))
    (sample,) = source_file.of_source(source)
    return explanation.explain(sample_period.of_one(sample, sample_period.Given()), explanation.Known())


@pytest.mark.parametrize("issue", DUMPS)
def test_the_six_identities_hold(issue: int) -> None:
    checks = status(issue).checks
    assert len(checks) == 6
    assert all(check.holds and check.deviation < CLOSE for check in checks), checks


@pytest.mark.parametrize("issue", DUMPS)
def test_the_causes_of_writes_add_up_to_what_the_drive_was_written(issue: int) -> None:
    counts, found = DUMPS[issue], status(issue)
    total = sum(row.bytes.value or 0 for row in found.traffic.drive_written)
    assert total == pytest.approx(counts["ssd writes"] * BLOCK, rel=CLOSE)
    assert found.write_amplification.value == pytest.approx(
        counts["ssd writes"] / counts["writes"], rel=CLOSE
    )
    assert sum(row.share or 0 for row in found.traffic.drive_written) == pytest.approx(1)
    assert sum(row.per_host_write or 0 for row in found.traffic.drive_written) == pytest.approx(
        found.write_amplification.value
    )


@pytest.mark.parametrize("issue", DUMPS)
def test_traffic_of_the_other_devices(issue: int) -> None:
    counts, traffic = DUMPS[issue], status(issue).traffic
    hits, cleanings = counts["read hits"], counts["cleanings"]
    assert traffic.drive_read_bytes == pytest.approx((hits + cleanings) * BLOCK, rel=CLOSE)
    assert traffic.disk_read_bytes == pytest.approx((counts["reads"] - hits) * BLOCK, rel=CLOSE)
    assert traffic.disk_written_bytes == pytest.approx(
        (cleanings + counts["uncached writes"]) * BLOCK, rel=CLOSE
    )


def test_what_the_dumps_say() -> None:
    """Figures worked out by hand from the counters."""
    small, large = status(108), status(158)
    assert small.requests.read_hit_ratio == pytest.approx(0.5019, abs=5e-5)
    assert small.requests.write_hit_ratio == pytest.approx(0.3843, abs=5e-5)
    assert small.requests.dirty_write_hit_ratio == pytest.approx(0.1185, abs=5e-5)
    assert small.requests.uncached_ratio == pytest.approx(0.1757, abs=5e-5)
    assert small.write_amplification.value == pytest.approx(1.3286, abs=2e-4)
    assert small.dirty.bytes == 12_324 * BLOCK
    assert small.dirty.known == "derived"
    assert small.dirty.run_bytes == pytest.approx(34.29 * BLOCK, rel=1e-3)
    assert large.requests.read_hit_ratio == pytest.approx(0.6313, abs=5e-5)
    assert large.requests.write_hit_ratio == pytest.approx(0.9160, abs=5e-5)
    assert large.write_amplification.value == pytest.approx(1.3991, abs=3e-4)
    assert large.traffic.requests_per_request == pytest.approx(1.1906, abs=5e-5)
    assert large.dirty.bytes == 5_392_626 * BLOCK


def test_what_limits_them() -> None:
    """Issue 108 has many requests that are not whole blocks, issue 158 sets without a clean block."""
    small = {limit.kind: limit for limit in status(108).limits}
    assert small["not-whole-blocks"].share == pytest.approx(0.1748, abs=5e-5)
    assert small["cleaned-early"].found == pytest.approx(1.1496, abs=5e-5)
    assert "no-clean-block" not in small
    large = {limit.kind: limit for limit in status(158).limits}
    assert large["no-clean-block"].share == pytest.approx(0.00841, abs=5e-6)
    assert large["metadata-writes"].share == pytest.approx(0.0783, abs=5e-5)
    assert "cleaned-early" not in large
