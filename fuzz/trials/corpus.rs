//! The inputs that fuzzing kept, a folder a target: each reaches code that no other does.

use std::path::Path;

/// Puts every input kept of a target through its trial.
pub(crate) fn replay(target: &str, trial: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let entries = std::fs::read_dir(&folder).expect("the corpus is part of the project");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} is empty", folder.display());
    for path in paths {
        // Shown if the trial fails.
        println!("{}", path.display());
        trial(&std::fs::read(&path).expect("the input can be read"));
    }
}
