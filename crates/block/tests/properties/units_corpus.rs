//! No text that fuzzing kept makes a quantity that is none.

#[path = "../../../../fuzz/trials/corpus.rs"]
mod corpus;
#[path = "../../../../fuzz/trials/quantity.rs"]
mod quantity;

#[test]
fn quantities() {
    corpus::replay("quantity", quantity::quantity);
}
