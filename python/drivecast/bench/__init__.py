"""Real runs on real files and disks, told in the same words as simulated ones."""
