//! What a design leaves open, and the values taken for it.

/// A value that the line leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumed {
    /// Term and option, such as `raid10.chunk`.
    pub name: String,
    /// The value taken.
    pub value: String,
}

/// Notes a value taken, once.
pub(super) fn assume(assumed: &mut Vec<Assumed>, name: String, value: impl ToString) {
    let value = Assumed { name, value: value.to_string() };
    if !assumed.contains(&value) {
        assumed.push(value);
    }
}
