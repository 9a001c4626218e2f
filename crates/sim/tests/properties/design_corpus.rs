//! No line that fuzzing kept makes the parser of designs panic.

#[path = "../../../../fuzz/trials/corpus.rs"]
mod corpus;
#[path = "../../../../fuzz/trials/design.rs"]
mod design;

#[test]
fn designs() {
    corpus::replay("design", design::design);
}
