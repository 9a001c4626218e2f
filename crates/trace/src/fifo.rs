//! A named pipe: opening it the usual way waits for a writer, perhaps for ever, and nothing on the screen says why.
//!
//! It is opened without waiting; after that a pipe without a writer reads as ended, and one whose writer has nothing to say yet
//! would block. A writer that a script starts at the same time gets a second to open it.

use rustix::fs::OFlags;
use std::fs::{File, OpenOptions};
use std::io::{self, Chain, Cursor, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

const TRIES: u32 = 100;
const BETWEEN: Duration = Duration::from_millis(10);

/// The bytes of a named pipe that a program writes to.
///
/// # Errors
///
/// `NotConnected` where none does, and what the system says where it cannot be opened.
pub(crate) fn open(path: &Path) -> io::Result<Chain<Cursor<Vec<u8>>, File>> {
    let flag = OFlags::NONBLOCK.bits().cast_signed();
    let mut file = OpenOptions::new().read(true).custom_flags(flag).open(path)?;
    let mut head = [0; 1];
    for _ in 0..TRIES {
        let read = match file.read(&mut head) {
            Ok(0) => {
                std::thread::sleep(BETWEEN);
                continue;
            }
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => 0,
            Err(error) => return Err(error),
        };
        rustix::fs::fcntl_setfl(&file, OFlags::empty())?;
        return Ok(Cursor::new(head[..read].to_vec()).chain(file));
    }
    let why = "it is a named pipe that no program writes to; start the writer first";
    Err(io::Error::new(io::ErrorKind::NotConnected, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pipe() -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, 0o600.into(), 0)
            .expect("a pipe");
        (folder, path)
    }

    #[test]
    fn a_pipe_without_a_writer_is_named() {
        let (_folder, path) = pipe();
        assert_eq!(open(&path).expect_err("there is no writer").kind(), io::ErrorKind::NotConnected);
    }

    #[test]
    fn a_slow_writer_loses_nothing() {
        let (_folder, path) = pipe();
        let writer = std::thread::spawn({
            let path = path.clone();
            move || {
                std::thread::sleep(Duration::from_millis(50));
                let mut out = File::options().write(true).open(path).expect("opened");
                for part in ["a", "bc", "def"] {
                    std::thread::sleep(Duration::from_millis(30));
                    io::Write::write_all(&mut out, part.as_bytes()).expect("written");
                }
            }
        });
        let mut text = String::new();
        open(&path).expect("there is a writer").read_to_string(&mut text).expect("read");
        writer.join().expect("done");
        assert_eq!(text, "abcdef");
    }
}
