//! A file's content: decompressed, hashed and counted on its way in.
//!
//! gzip, xz, zstd, lz4 and bzip2 are recognised by their magic bytes, never by name; anything else is taken as it is. A compressed
//! file that ends too early is a recording that was cut off: what came out of it counts, and [`Input::cut`] reports it.
//! The hash is BLAKE3 of the decompressed content, so a trace keeps its identity when it is compressed; BLAKE3 because
//! it costs a tenth of what decoding costs, where SHA-256 would halve the speed on CPUs without instructions for it. A file
//! that grows more than [`GROWTH_MAX`]-fold beyond 1 GiB, or 32 MiB where the log is held in memory, is no log but a trap, and is refused.

use crate::error::TraceError;
use crate::source::{Raw, Source};
use crate::summary::FileSummary;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes examined to recognise a format.
const HEAD_BYTES: usize = 16 * 1024;
const RAW_BUFFER_BYTES: usize = 256 * 1024;
const RAW_BUFFER_BYTES_MIN: usize = 8 * 1024;
/// What the buffers of all files of a log may take: a set of ten thousand CPUs is read side by side.
const RAW_BUFFERS_BYTES: usize = 256 << 20;

/// Text of traces shrinks to a tenth, to a hundredth where little happens.
const GROWTH_MAX: u64 = 500;
/// Decompressed bytes from which the growth is checked, where the content streams through.
const GROWTH_FROM_BYTES: u64 = 1 << 30;
/// The same where it stays in memory.
const GROWTH_FROM_BYTES_HELD: u64 = 32 << 20;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Plain,
    Gzip,
    Xz,
    Zstd,
    Lz4,
    Bzip2,
}

impl Compression {
    /// By the first bytes of the file.
    pub(crate) fn detect(head: &[u8]) -> Compression {
        match head {
            [0x1f, 0x8b, ..] => Compression::Gzip,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Compression::Xz,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zstd,
            [0x04, 0x22, 0x4d, 0x18, ..] => Compression::Lz4,
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, ..] => Compression::Bzip2,
            _ => Compression::Plain,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Compression::Plain => "",
            Compression::Gzip => "gzip",
            Compression::Xz => "xz",
            Compression::Zstd => "zstd",
            Compression::Lz4 => "lz4",
            Compression::Bzip2 => "bzip2",
        }
    }
}

/// The decompressed content of a source, in order.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) base_name: String,
    compression: Compression,
    reader: Box<dyn Read + Send>,
    head: Vec<u8>,
    head_at: usize,
    hasher: blake3::Hasher,
    bytes: u64,
    raw_bytes: Arc<AtomicU64>,
    growth_from_bytes: u64,
    ended: bool,
    cut: bool,
}

impl Input {
    /// Opens a source; raw bytes read are added to `count`.
    pub(crate) fn open(source: &Source, count: Arc<AtomicU64>) -> Result<Input, TraceError> {
        Input::open_one_of(source, count, 1)
    }

    /// Opens one of so many sources that are open at a time.
    pub(crate) fn open_one_of(
        source: &Source,
        count: Arc<AtomicU64>,
        sources: usize,
    ) -> Result<Input, TraceError> {
        let raw_bytes = Arc::new(AtomicU64::new(0));
        let buffer_bytes = (RAW_BUFFERS_BYTES / sources.max(1)).clamp(RAW_BUFFER_BYTES_MIN, RAW_BUFFER_BYTES);
        let mut raw = BufReader::with_capacity(buffer_bytes, source.read(count, raw_bytes.clone())?);
        let compression = Compression::detect(raw.fill_buf().map_err(|error| source.refuse(error))?);
        let reader = decoder(raw, compression).map_err(|error| source.refuse(error))?;
        Ok(Input {
            name: source.name.clone(),
            base_name: source.base_name().to_owned(),
            compression,
            reader,
            head: Vec::new(),
            head_at: 0,
            hasher: blake3::Hasher::new(),
            bytes: 0,
            raw_bytes,
            growth_from_bytes: GROWTH_FROM_BYTES,
            ended: false,
            cut: false,
        })
    }

    /// What is read will stay in memory: a trap is to be seen earlier.
    pub(crate) fn hold(&mut self) {
        self.growth_from_bytes = GROWTH_FROM_BYTES_HELD;
    }

    /// The first bytes of the content, without taking them. To be called before [`Input::fill`].
    pub(crate) fn head(&mut self) -> Result<&[u8], TraceError> {
        if self.head.is_empty() {
            let mut head = vec![0; HEAD_BYTES];
            let read = self.pull(&mut head)?;
            head.truncate(read);
            self.head = head;
        }
        Ok(&self.head)
    }

    /// Fills `buffer` as far as the content goes; fewer bytes mean that it ended.
    pub(crate) fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, TraceError> {
        let ahead = &self.head[self.head_at..];
        let taken = ahead.len().min(buffer.len());
        buffer[..taken].copy_from_slice(&ahead[..taken]);
        self.head_at += taken;
        Ok(taken + self.pull(&mut buffer[taken..])?)
    }

    fn pull(&mut self, buffer: &mut [u8]) -> Result<usize, TraceError> {
        let mut filled = 0;
        while filled < buffer.len() && !self.ended {
            match self.reader.read(&mut buffer[filled..]) {
                Ok(0) => self.ended = true,
                Ok(read) => filled += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => self.stop(error, filled as u64)?,
            }
        }
        self.hasher.update(&buffer[..filled]);
        self.bytes += filled as u64;
        if self.bytes > self.growth_from_bytes && self.compression != Compression::Plain {
            self.check_growth()?;
        }
        Ok(filled)
    }

    /// Refuses a file that is made to fill memory or disk.
    fn check_growth(&self) -> Result<(), TraceError> {
        let raw = self.raw_bytes.load(Ordering::Relaxed).max(1);
        if self.bytes / raw <= GROWTH_MAX {
            return Ok(());
        }
        Err(TraceError::Damaged {
            file: self.name.clone(),
            compression: self.compression.name(),
            after_bytes: self.bytes,
            source: std::io::Error::other(format!(
                "it grows {}-fold, as no log does; should it be one, decompress it first",
                self.bytes / raw
            )),
        })
    }

    /// An early end is a cut; anything else is an error.
    fn stop(&mut self, source: std::io::Error, pulled: u64) -> Result<(), TraceError> {
        self.ended = true;
        let file = self.name.clone();
        match (self.compression, source.kind()) {
            (Compression::Plain, _) => Err(TraceError::Read { file, source }),
            (_, ErrorKind::UnexpectedEof) => {
                self.cut = true;
                Ok(())
            }
            (compression, _) => Err(TraceError::Damaged {
                file,
                compression: compression.name(),
                after_bytes: self.bytes + pulled,
                source,
            }),
        }
    }

    /// How the file is compressed.
    pub(crate) fn compression(&self) -> Compression {
        self.compression
    }

    /// Decompressed bytes so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the compressed file ended before its own end mark.
    pub(crate) fn cut(&self) -> bool {
        self.cut
    }

    /// The file as summaries describe it, as far as it has been read.
    pub(crate) fn describe(&self) -> FileSummary {
        FileSummary { name: self.base_name.clone(), bytes: self.bytes, hash: self.hash().to_string() }
    }

    /// What the compressed file lacks.
    pub(crate) fn loss(&self) -> Option<String> {
        let (file, bytes) = (&self.base_name, self.bytes);
        self.cut.then(|| {
            format!("{file}: the compressed file is cut off after {bytes} decompressed bytes; all before the cut was read")
        })
    }

    /// BLAKE3 of the decompressed content so far.
    pub(crate) fn hash(&self) -> blake3::Hash {
        self.hasher.finalize()
    }
}

fn decoder(raw: BufReader<Raw>, compression: Compression) -> std::io::Result<Box<dyn Read + Send>> {
    Ok(match compression {
        // A plain file bypasses the small buffer as soon as it is empty, so large reads go straight to the caller.
        Compression::Plain => Box::new(raw),
        Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(raw)),
        Compression::Xz => Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(raw)),
        Compression::Zstd => Box::new(zstd::stream::read::Decoder::with_buffer(raw)?),
        Compression::Lz4 => Box::new(lz4_flex::frame::FrameDecoder::new(raw)),
        Compression::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(raw)),
    })
}
