//! Models as files: what is read, what is written, what is refused and where.

use drivecast_workload::Model;
use drivecast_workload::model::{Address, Arrivals};

const TEXT: &str = r#"schema_version = 1
name = "pages"
span_bytes = 1_073_741_824
duration_s = 60.0

[[streams]]
name = "pages"
read = 0.2
sizes = [{ bytes = 16384, share = 1.0 }]
address = { pattern = "random", zones = [{ from = 0.0, to = 0.3, share = 0.9 }, { from = 0.3, to = 1.0, share = 0.1 }] }
arrivals = { loop = "open", rate_iops = 120.0, batch = { requests = [[0.5, 1.0], [1.0, 64.0]], spacing_s = 4e-6 } }

[[streams]]
name = "log"
sizes = [{ bytes = 512, share = 3.0 }, { bytes = 4096, share = 1.0 }]
flush = 0.3
align_bytes = 512
address = { pattern = "append", from = 0.0, to = 0.05 }
arrivals = { loop = "closed", iodepth = 1, think_s = 0.001 }

[provenance]
"streams.log.flush" = { assumed = "the log does not tell" }
"#;

fn refused(from: &str, to: &str) -> String {
    assert!(TEXT.contains(from), "{from}");
    Model::read(&TEXT.replacen(from, to, 1), "m.toml").expect_err(to).to_string()
}

#[test]
fn a_model_reads_and_writes_back_the_same() {
    let model = Model::read(TEXT, "m.toml").unwrap();
    assert_eq!(model.streams.len(), 2);
    assert!(matches!(&model.streams[0].address, Address::Random { zones, .. } if zones.len() == 2));
    assert!(matches!(model.streams[1].arrivals, Arrivals::Closed { iodepth: 1, .. }));
    let written = model.to_toml();
    assert_eq!(Model::read(&written, "written").unwrap(), model, "{written}");
    assert_eq!(Model::from_json(&model.to_json()).unwrap(), model);
    assert!(written.lines().all(|line| line.len() <= 120), "{written}");
}

#[test]
fn faults_name_the_line_and_the_nearest_key() {
    let error = refused("read = 0.2", "raed = 0.2");
    assert!(error.starts_with("m.toml, line 8: unknown field `raed`"), "{error}");
    assert!(error.ends_with("hint: did you mean `read`?"), "{error}");
    assert_eq!(
        refused("read = 0.2", "read = 1.5"),
        "m.toml, line 8: stream `pages`: read: expected a fraction from 0 to 1, found `1.5`"
    );
    assert_eq!(
        refused("bytes = 512", "bytes = 500"),
        "m.toml, line 15: stream `log`: sizes: expected a multiple of 512 B up to 1 GiB, found `500`"
    );
    let error = refused("\"append\"", "\"apend\"");
    assert!(error.contains("line 18") && error.contains("did you mean `append`?"), "{error}");
    let error = refused("to = 0.05 }", "to = 0.05, law = \"uniform\" }");
    assert!(error.contains("line 18") && error.contains("`law` goes with pattern `random`"), "{error}");
    let error = refused("[1.0, 64.0]", "[0.9, 64.0]");
    assert!(
        error.contains("line 11") && error.contains("expected 1 as the last share, found `0.9`"),
        "{error}"
    );
    let error = refused("schema_version = 1", "schema_version = 2");
    assert!(error.starts_with("m.toml, line 1: schema_version: expected 1, found `2`"), "{error}");
    let error = refused("name = \"log\"", "name = \"pages\"");
    assert!(error.contains("a name of its own"), "{error}");
    assert!(Model::read("\u{0}\u{1}", "m.toml").unwrap_err().to_string().starts_with("m.toml, line 1:"));
}
