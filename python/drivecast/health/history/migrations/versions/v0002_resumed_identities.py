"""A drive may answer again after another one answered under its serial number."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """From one identity after another."""
    op.add_column("health_drive", sa.Column("continues", sa.Integer))


def downgrade() -> None:
    """To one identity after another: what was resumed becomes a further one with the next import."""
    op.drop_column("health_drive", "continues")
