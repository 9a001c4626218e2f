"""A small design that is attached at once and loads of fio on it."""

DESIGN = "raid1(2 * ssd(logical=128MiB, pages_per_block=64))"
NOW = (DESIGN, "--state", "fresh")


def fio(**options: str | int) -> list[str]:
    """A command that runs fio over NBD."""
    given = {"rw": "randrw", "bs": "4k", "iodepth": 4, "size": "16m", **options}
    words = " ".join(f"--{name}={value}" for name, value in given.items())
    return ["sh", "-c", f'exec fio --name=j --ioengine=nbd --uri="$DRIVECAST_NBD" {words}']
