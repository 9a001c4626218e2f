"""A guest of QEMU on a design: it finds a disk of the design's size, and what it writes it reads."""

from pathlib import Path

import pytest

import drivecast as dc
import guest
from attached import DESIGN

pytestmark = pytest.mark.needs("attached")

USE = """
[ -b /dev/vda ] || echo "no disk"
echo "sectors $(cat /sys/block/vda/size) name $(cat /sys/block/vda/serial) rings $(ls /sys/block/vda/mq | wc -l)"
dd if=/dev/urandom of=/tmp/data bs=64k count=16 2>/dev/null
dd if=/tmp/data of=/dev/vda bs=64k seek=3 conv=fsync 2>/dev/null
echo 3 > /proc/sys/vm/drop_caches
dd if=/dev/vda bs=64k skip=3 count=16 2>/dev/null | cmp - /tmp/data && echo same data
dd if=/dev/vda of=/dev/null bs=64k seek=999999 count=1 2>/dev/null
"""


def test_a_guest_reads_what_it_wrote_and_flushes(tmp_path: Path) -> None:
    socket = tmp_path / "guest"
    with dc.attach(DESIGN, size="64MiB", state="fresh", vhost_user=socket) as disk:
        assert disk.vhost_user == socket
        assert disk.uri is None
        said = guest.run(tmp_path, socket, USE)
    assert "sectors 131072 name drivecast rings 2" in said
    assert "same data" in said
    assert not socket.exists()
    outcome = disk.outcome
    assert outcome.attached.front == "vhost-user"
    assert outcome.lateness.transport_ns == 0
    assert outcome.lateness.requests > 2
