//! No input that fuzzing kept makes the readers of workloads panic, or read back what they wrote as something else.

#[path = "../../../../fuzz/trials/corpus.rs"]
mod corpus;
#[path = "../../../../fuzz/trials/workload.rs"]
mod workload;

#[test]
fn workload_lines() {
    corpus::replay("workload", workload::workload);
}

#[test]
fn models() {
    corpus::replay("model", workload::model);
}

#[test]
fn compact_recordings() {
    corpus::replay("compact", workload::recording);
}
