"""What of a server is set, in words that mean the same on every kind of server.

| here | MariaDB, MySQL | PostgreSQL |
|---|---|---|
| `buffer_bytes` | `innodb_buffer_pool_size` | `shared_buffers` |
| `flush_at_commit` 1, 2 | `innodb_flush_log_at_trx_commit` 1, 2 | `synchronous_commit` on, off |
| `doublewrite` | `innodb_doublewrite` | `full_page_writes` |
| `io_capacity` | `innodb_io_capacity`, and twice that as its maximum | none |
| `flush_method` | `innodb_flush_method` | none: always through the page cache |
| `log_bytes` | `innodb_log_file_size` | `max_wal_size` |
"""

from dataclasses import dataclass

from drivecast.document.findings import Setting

MIB = 1 << 20
LOG_BYTES_MIN = 96 * MIB
LOG_BYTES_MAX = 4096 * MIB


@dataclass(frozen=True)
class Tuning:
    """The settings of a server for some points."""

    buffer_bytes: int
    log_bytes: int
    flush_at_commit: int = 1
    doublewrite: bool = True
    io_capacity: int | None = None
    flush_method: str | None = None
    further: tuple[tuple[str, str], ...] = ()
    """Settings by the server's own names, which come last and so win."""

    def settings(self) -> dict[str, Setting]:
        """What was chosen, by names, without what does not apply."""
        names = ("buffer_bytes", "flush_at_commit", "doublewrite", "io_capacity", "flush_method")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


def log_bytes(data_bytes: int) -> int:
    """The log's size where none is given: a quarter of the data, from 96 MiB to 4 GiB (assumed)."""
    return max(LOG_BYTES_MIN, min(LOG_BYTES_MAX, data_bytes // 4)) // MIB * MIB
