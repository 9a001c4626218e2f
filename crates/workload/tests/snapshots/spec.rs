//! How workloads are printed, as line and as JSON.

use drivecast_workload::WorkloadSpec;

#[test]
fn canonical_lines() {
    let lines = [
        "random(4KiB)",
        "random( 4096 , read=70%, iodepth=32, span=1.0)",
        "random(3*512B, 1MiB, read=0, rate=2k, iodepth=8, align=4096)",
        "random(3*512B[read=1, sequential=0.5], 1MiB, read=0, sequential=90%)",
        "sequential(1536B, read=0, trim=0.05)",
        "hotcold(4KiB, read=0)",
        "jesd219(span=0.5)",
        "iometer-database",
        "iometer-fileserver(iodepth=16)",
        "iometer-webserver",
    ];
    let printed =
        lines.map(|line| WorkloadSpec::parse(line).unwrap_or_else(|error| panic!("{error}")).to_string());
    insta::assert_snapshot!(printed.join("\n"));
}

#[test]
fn the_document_of_a_workload() {
    let spec = WorkloadSpec::parse("hotcold(9 * 4KiB, 64KiB, hot=0.2, share=0.8, read=0.3, iodepth=16)");
    insta::assert_json_snapshot!(spec.unwrap_or_else(|error| panic!("{error}")));
}
