"""Drives as rows, samples packed."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

FIGURES = (
    "host_written_bytes",
    "host_read_bytes",
    "nand_written_bytes",
    "wear_ratio",
    "spare_ratio",
    "media_errors",
    "reallocated_sectors",
    "power_on_hours",
    "power_cycles",
    "temperature_c",
)
"""As they were at this revision."""


def upgrade() -> None:
    """From nothing."""
    op.create_table(
        "health_source",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("figures", sa.Text, nullable=False, unique=True),
    )
    op.create_table(
        "health_drive",
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
        *(sa.Column(name, sa.Double) for name in FIGURES),
        sa.UniqueConstraint("origin", "begins_s"),
    )
    op.create_table(
        "health_segment",
        sa.Column("bucket", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("month", sa.Text, primary_key=True),
        sa.Column("samples", sa.Integer, nullable=False),
        sa.Column("first_s", sa.BigInteger, nullable=False),
        sa.Column("last_s", sa.BigInteger, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute("ALTER TABLE health_segment ALTER data SET STORAGE EXTERNAL")  # it is compressed already


def downgrade() -> None:
    """To nothing."""
    for table in ("health_segment", "health_drive", "health_source"):
        op.drop_table(table)
