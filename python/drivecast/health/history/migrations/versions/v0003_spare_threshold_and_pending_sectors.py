"""Two figures more: the spare at which a drive expects to fail, and sectors that wait to be replaced."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

FIGURES = ("spare_threshold_ratio", "pending_sectors")


def upgrade() -> None:
    """From ten figures; segments that lack the new ones are read as if they held nothing."""
    for name in FIGURES:
        op.add_column("health_drive", sa.Column(name, sa.Double))


def downgrade() -> None:
    """To ten figures; segments keep what they hold of the others."""
    for name in FIGURES:
        op.drop_column("health_drive", name)
