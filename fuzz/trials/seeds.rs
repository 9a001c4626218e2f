//! The inputs that fuzzing starts from: those of a file have an empty line between them.

/// Puts each through its trial.
pub(crate) fn replay(seeds: &str, trial: fn(&[u8])) {
    for seed in seeds.trim_end().split("\n\n") {
        // Shown if the trial fails.
        println!("{seed}");
        trial(seed.as_bytes());
    }
}
