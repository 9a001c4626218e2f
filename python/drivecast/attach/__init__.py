"""A simulated design as a block device: served, mounted, watched, and taken down."""
