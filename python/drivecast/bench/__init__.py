"""Real runs on real files and disks, reported like simulated ones."""
