"""How fast we simulate a drive beside MQSim, the event simulator of SSDs that papers use most; paired in one run.

Method: one drive as both can describe it (8 channels of 8 dies, 2 planes, 8 KiB pages, 256 pages a block, 16 GiB of
flash, 7 % over-provisioning, NVMe), 75 % of it filled, 8 KiB random requests over half of it at queue depth 32. Each
program is timed at two lengths of run and the difference counts, so that setting up costs neither. Runs alternate;
medians are printed.
MQSim is not ours and not part of the project: name a binary in `MQSIM`, or this bench says that it was skipped.
"""

import os
import statistics
import subprocess
import tempfile
import time
import xml.etree.ElementTree as ET
from pathlib import Path

from drivecast.catalog import load
from drivecast.stage import simulate

ROUNDS = 3
PEER_REQUESTS = (50_000, 150_000)
OUR_REQUESTS = (200_000, 2_200_000)
DESIGN = (
    "ssd(logical=15GiB, over_provisioning=0.07, mapping=8KiB, page=8KiB, pages_per_block=256, channels=8, "
    "dies_per_channel=8, planes=2, read=75us, program=750us, erase=3.8ms, channel_throughput=333MB/s, "
    "link_throughput=4GB/s)"
)
DEVICE = {
    "Block_No_Per_Plane": "64",
    "CMT_Capacity": "67108864",  # the whole map in memory, as ours
}
FLOW = {
    "Priority_Class": "HIGH",
    "Device_Level_Data_Caching_Mode": "WRITE_CACHE",
    "Channel_IDs": "0,1,2,3,4,5,6,7",
    "Chip_IDs": "0,1,2,3",
    "Die_IDs": "0,1",
    "Plane_IDs": "0,1",
    "Initial_Occupancy_Percentage": "75",
    "Working_Set_Percentage": "50",
    "Synthetic_Generator_Type": "QUEUE_DEPTH",
    "Address_Distribution": "RANDOM_UNIFORM",
    "Percentage_of_Hot_Region": "0",
    "Generated_Aligned_Addresses": "true",
    "Address_Alignment_Unit": "16",
    "Request_Size_Distribution": "FIXED",
    "Average_Request_Size": "16",
    "Variance_Request_Size": "0",
    "Seed": "798",
    "Average_No_of_Reqs_in_Queue": "32",
    "Intensity": "32768",
    "Stop_Time": "0",
}


def peer_seconds(program: Path, folder: Path, requests: int, read_percent: int) -> float:
    """One run of MQSim, in wall-clock seconds. Its own parameter file lies beside its binary."""
    device = ET.parse(program.parent / "ssdconfig.xml")  # noqa: S314 - the peer's own file
    for element in device.iter():
        element.text = DEVICE.get(element.tag, element.text)
    device.write(folder / "device.xml")
    flow = ET.Element("MQSim_IO_Scenarios")
    synthetic = ET.SubElement(ET.SubElement(flow, "IO_Scenario"), "IO_Flow_Parameter_Set_Synthetic")
    asked = {"Read_Percentage": str(read_percent), "Total_Requests_To_Generate": str(requests)}
    for key, value in (FLOW | asked).items():
        ET.SubElement(synthetic, key).text = value
    ET.ElementTree(flow).write(folder / "flow.xml")
    start = time.perf_counter()
    subprocess.run(
        [program, "-i", folder / "device.xml", "-w", folder / "flow.xml"],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    return time.perf_counter() - start


def our_seconds(requests: int, read_percent: int) -> float:
    """One of our runs, in wall-clock seconds."""
    load_line = simulate.workload(f"random(8KiB, read={read_percent / 100}, iodepth=32, span=0.5)")
    options = simulate.Options(seed=1, requests=requests, fill=0.75)
    start = time.perf_counter()
    simulate.simulate(DESIGN, load_line, CATALOG, options)
    return time.perf_counter() - start


def rate(lengths: tuple[int, int], seconds: tuple[float, float]) -> float:
    """Requests a second between a short and a long run."""
    return (lengths[1] - lengths[0]) / (seconds[1] - seconds[0])


def compare(program: Path, read_percent: int) -> None:
    """Alternate the two programs and print the medians."""
    peer, ours = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for _ in range(ROUNDS):
            short, long = (peer_seconds(program, folder, n, read_percent) for n in PEER_REQUESTS)
            peer.append(rate(PEER_REQUESTS, (short, long)))
            short, long = (our_seconds(n, read_percent) for n in OUR_REQUESTS)
            ours.append(rate(OUR_REQUESTS, (short, long)))
    their_rate, our_rate = statistics.median(peer), statistics.median(ours)
    print(
        f"peer MQSim, random 8 KiB {read_percent} % reads depth 32: {our_rate / 1e6:.2f} M requests/s against "
        f"{their_rate / 1e6:.3f} M, {our_rate / their_rate:.0f} times (whole program, medians of {ROUNDS} pairs)"
    )


CATALOG = load()


def main() -> None:
    """Compare where there is something to compare with."""
    program = os.environ.get("MQSIM")
    if program is None:
        print("peer MQSim: skipped: build github.com/CMU-SAFARI/MQSim and name its binary in MQSIM")
        return
    for read_percent in (100, 0):
        compare(Path(program), read_percent)


if __name__ == "__main__":
    main()
