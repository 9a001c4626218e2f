//! To come with the first version.
