"""The tables, once; the revisions in `migrations` lead up to them.

    health_source     what the figures of many drives rest on
    health_drive      one row a drive: who it is, where it was last seen, its newest figures
    health_segment    samples: one row for 256 drives and a month, their columns a Parquet file

A serial number whose counters go back is another drive from then on: a row of `health_drive` with the same `origin`
and a later `begins_s`; where the first answers again, a row that says whom it `continues`. Samples carry the origin,
so that nothing stored moves when an import changes what is known.
"""

import sqlalchemy as sa

from drivecast.document.record import NAMES

VERSIONS = ("0001", "0002", "0003")
"""Revisions in their order; the last is what this program writes."""
VERSION_TABLE = "health_version"
DRIVES_PER_SEGMENT = 256

metadata = sa.MetaData()

source = sa.Table(
    "health_source",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("figures", sa.Text, nullable=False, unique=True),
)

drive = sa.Table(
    "health_drive",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("origin", sa.Integer, nullable=False),
    sa.Column("begins_s", sa.BigInteger, nullable=False),
    sa.Column("reason", sa.Text),
    sa.Column("serial", sa.Text, nullable=False, index=True),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("capacity_bytes", sa.BigInteger),
    sa.Column("firmware", sa.Text, nullable=False),
    sa.Column("bus", sa.Text, nullable=False),
    sa.Column("rotating", sa.Boolean, nullable=False),
    sa.Column("vendor", sa.Text, nullable=False),
    *(sa.Column(name, sa.Text) for name in ("catalog", "host", "device", "group_name")),
    sa.Column("source", sa.Integer, sa.ForeignKey("health_source.id"), nullable=False),
    sa.Column("first_seen_s", sa.BigInteger, nullable=False),
    sa.Column("last_seen_s", sa.BigInteger, nullable=False),
    sa.Column("hours_seen_s", sa.BigInteger),
    sa.Column("passed", sa.Boolean),
    *(sa.Column(name, sa.Double) for name in NAMES),
    sa.Column("continues", sa.Integer),
    sa.UniqueConstraint("origin", "begins_s"),
)

segment = sa.Table(
    "health_segment",
    metadata,
    sa.Column("bucket", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("month", sa.Text, primary_key=True),
    sa.Column("samples", sa.Integer, nullable=False),
    sa.Column("first_s", sa.BigInteger, nullable=False),
    sa.Column("last_s", sa.BigInteger, nullable=False),
    sa.Column("data", sa.LargeBinary, nullable=False),
)
