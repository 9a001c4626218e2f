//! Counter logs: the first byte chooses how they start, so that every reader is reached.

#![no_main]
mod reading;

const STARTS: [&[u8]; 7] = [
    b"\"(PDH-CSV 4.0)\",\"\\\\H\\PhysicalDisk(0)\\Disk Reads/sec\",\"\\\\H\\PhysicalDisk(0)\\Disk Writes/sec\",\"\\\\H\\PhysicalDisk(0)\\Disk Read Bytes/sec\",\"\\\\H\\PhysicalDisk(0)\\Disk Write Bytes/sec\"\n\"11/21/2026 14:00:00\",",
    b"Linux 6 (h) 11/21/26 (1 CPU)\n\n11/21/26 14:00:00\nDevice r/s w/s rkB/s wkB/s\nsda 1 2 3 4\n",
    b"1795362720\n 8 0 sda 1 0 8 1 1 0 8 1 0 1 1\n",
    b"1795362720\n8:0 rbytes=1 wbytes=1 rios=1 wios=1\n",
    b"{\"status\": \"success\", \"data\": {\"resultType\": \"matrix\", \"result\": [{\"metric\": {\"__name__\": \"node_disk_",
    b"{\"MetricDataResults\": [{\"Label\": \"VolumeReadOps\", \"Timestamps\": [",
    b"{\"sysstat\": {\"hosts\": [{\"statistics\": [{\"timestamp\": {\"date\": \"",
];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((choice, rest)) = bytes.split_first() else { return };
    let mut log = STARTS[usize::from(*choice) % STARTS.len()].to_vec();
    log.extend_from_slice(rest);
    reading::read(log);
});
