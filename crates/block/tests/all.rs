//! Tests of the vocabulary, in one binary: examples and properties.

#[path = "examples/line.rs"]
mod line_examples;
#[path = "properties/line.rs"]
mod line_properties;
#[path = "examples/math.rs"]
mod math_examples;
#[path = "properties/math.rs"]
mod math_properties;
#[path = "examples/random.rs"]
mod random_examples;
#[path = "examples/units.rs"]
mod units_examples;
#[path = "properties/units.rs"]
mod units_properties;
