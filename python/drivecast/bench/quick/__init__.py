"""An unknown disk in five minutes: what it carries, its knee, what a commit costs, how even it is."""
