//! A run on a real file, by example.

mod examples {
    mod file;
}
