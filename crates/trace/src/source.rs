//! Where bytes come from: a file, a part of one (a member of an archive), a pipe, or memory.

use crate::error::TraceError;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// One file of a log, before decompression.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The name people see in messages: the path, or archive and member.
    pub(crate) name: String,
    pub(crate) bytes: Bytes,
}

/// The bytes of a [`Source`].
#[derive(Clone, Debug)]
pub(crate) enum Bytes {
    File(PathBuf),
    Part { file: Arc<File>, start: u64, length: u64 },
    Pipe(Pipe),
    Memory(Arc<[u8]>),
}

/// Bytes that come once: standard input, a named pipe. Their start is stored, so that it can be examined before it is read.
#[derive(Clone)]
pub(crate) struct Pipe {
    pub(crate) head: Arc<[u8]>,
    rest: Arc<Mutex<Box<dyn Read + Send>>>,
}

impl std::fmt::Debug for Pipe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pipe").field("head", &self.head.len()).finish_non_exhaustive()
    }
}

/// Bytes of a pipe that can be examined.
const PIPE_HEAD_BYTES: u64 = 256 * 1024;
/// The length that a pipe is given: the share of it that was read stays near nothing.
const PIPE_LENGTH: u64 = 1 << 50;

impl Source {
    pub(crate) fn file(path: &Path) -> Source {
        Source { name: path.display().to_string(), bytes: Bytes::File(path.to_owned()) }
    }

    /// A pipe under a name for people.
    pub(crate) fn pipe(name: &str, mut reader: Box<dyn Read + Send>) -> Result<Source, TraceError> {
        let mut head = Vec::new();
        let read = reader.by_ref().take(PIPE_HEAD_BYTES).read_to_end(&mut head);
        read.map_err(|source| TraceError::Read { file: name.to_owned(), source })?;
        let pipe = Pipe { head: head.into(), rest: Arc::new(Mutex::new(reader)) };
        Ok(Source { name: name.to_owned(), bytes: Bytes::Pipe(pipe) })
    }

    /// What can be examined without taking it: of a pipe its start.
    pub(crate) fn preview(&self) -> Source {
        let bytes = match &self.bytes {
            Bytes::Pipe(pipe) => Bytes::Memory(pipe.head.clone()),
            other => other.clone(),
        };
        Source { name: self.name.clone(), bytes }
    }

    /// The last component of the name, as results carry it: where a log lay is not part of what it holds.
    pub(crate) fn base_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or(&self.name)
    }

    /// Size before decompression.
    pub(crate) fn length(&self) -> Result<u64, TraceError> {
        match &self.bytes {
            Bytes::File(path) => {
                std::fs::metadata(path).map(|metadata| metadata.len()).map_err(|error| self.refuse(error))
            }
            Bytes::Part { length, .. } => Ok(*length),
            Bytes::Memory(bytes) => Ok(bytes.len() as u64),
            Bytes::Pipe(_) => Ok(PIPE_LENGTH),
        }
    }

    /// The bytes from the start; what is read is added to `count` and to `own`.
    pub(crate) fn read(&self, count: Arc<AtomicU64>, own: Arc<AtomicU64>) -> Result<Raw, TraceError> {
        let (file, at, end) = match &self.bytes {
            Bytes::File(path) => {
                (Held::File(File::open(path).map_err(|error| self.refuse(error))?), 0, u64::MAX)
            }
            Bytes::Part { file, start, length } => (Held::Shared(file.clone()), *start, start + length),
            Bytes::Memory(bytes) => (Held::Memory(bytes.clone()), 0, bytes.len() as u64),
            Bytes::Pipe(pipe) => (Held::Pipe(pipe.clone()), 0, u64::MAX),
        };
        Ok(Raw { held: file, at, end, count, own })
    }

    pub(crate) fn refuse(&self, source: io::Error) -> TraceError {
        TraceError::Read { file: self.name.clone(), source }
    }
}

/// Reads at a place of a file that others read, too.
#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}

/// Raw bytes of a source in order.
pub(crate) struct Raw {
    held: Held,
    at: u64,
    end: u64,
    count: Arc<AtomicU64>,
    own: Arc<AtomicU64>,
}

enum Held {
    File(File),
    Pipe(Pipe),
    Shared(Arc<File>),
    Memory(Arc<[u8]>),
}

impl Read for Raw {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let room = buffer.len().min(usize::try_from(self.end - self.at).unwrap_or(usize::MAX));
        let buffer = &mut buffer[..room];
        let read = match &mut self.held {
            Held::File(file) => file.read(buffer)?,
            Held::Pipe(pipe) => match usize::try_from(self.at).ok().and_then(|at| pipe.head.get(at..)) {
                Some(mut ahead) if !ahead.is_empty() => ahead.read(buffer)?,
                _ => pipe.rest.lock().map_err(|_| io::Error::other("the pipe is gone"))?.read(buffer)?,
            },
            Held::Shared(file) => read_at(file, buffer, self.at)?,
            Held::Memory(bytes) => {
                let start = usize::try_from(self.at).map_or(bytes.len(), |at| at.min(bytes.len()));
                buffer.copy_from_slice(&bytes[start..start + room]);
                room
            }
        };
        self.at += read as u64;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        self.own.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
