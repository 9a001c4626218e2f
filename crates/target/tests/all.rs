//! Runs on a real file: examples, properties, theory.

mod examples {
    pub(crate) mod file;
}

mod properties {
    mod books;
}

mod theory {
    mod queue;
}
