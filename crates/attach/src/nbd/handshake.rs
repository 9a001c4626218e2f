//! The negotiation that a connection begins with.

use super::protocol::{
    FIXED_NEWSTYLE, MAGIC, NO_ZEROES, OPTION_MAGIC, OPTION_REPLY_MAGIC, PAYLOAD_MAX, PREFERRED_BLOCK,
    abilities, info, option, reply,
};
use crate::data::SECTOR;

/// The one export's name; the empty name means it, too.
const NAME: &[u8] = b"disk";
/// Of an option. Longer ones end the connection: nothing that is known has as much.
const OPTION_MAX: usize = 64 << 10;

/// What the client learns of the disk.
#[derive(Clone, Copy)]
pub(super) struct Export {
    pub(super) size: u64,
    pub(super) is_rotational: bool,
}

/// What follows from what has come so far.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// More has to come.
    Wait,
    /// So many bytes were used, and the negotiation continues.
    Continue(usize),
    /// So many bytes were used, and requests follow.
    Serve(usize),
    /// The connection is over.
    Close,
}

/// Where a negotiation is.
#[derive(Default)]
pub(super) struct Handshake {
    /// The client's flags, once they have come.
    flags: Option<u32>,
}

/// What a server says first.
pub(super) fn greeting() -> Vec<u8> {
    let mut out = Vec::with_capacity(18);
    out.extend(MAGIC.to_be_bytes());
    out.extend(OPTION_MAGIC.to_be_bytes());
    out.extend((FIXED_NEWSTYLE | NO_ZEROES).to_be_bytes());
    out
}

impl Handshake {
    /// Takes the next piece of `came`, and adds what is to be said to `out`.
    pub(super) fn take(&mut self, came: &[u8], export: Export, out: &mut Vec<u8>) -> Step {
        let Some(flags) = self.flags else {
            let Some((flags, _)) = came.split_first_chunk::<4>() else { return Step::Wait };
            let flags = u32::from_be_bytes(*flags);
            self.flags = Some(flags);
            let is_known = flags & !u32::from(FIXED_NEWSTYLE | NO_ZEROES) == 0;
            return if is_known { Step::Continue(4) } else { Step::Close };
        };
        let Some((head, rest)) = came.split_first_chunk::<16>() else { return Step::Wait };
        let word = |at: usize| u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (number, length) = (word(8), word(12) as usize);
        if head[..8] != OPTION_MAGIC.to_be_bytes() {
            return Step::Close;
        }
        if length > OPTION_MAX {
            answer(out, number, reply::TOO_BIG, &[]);
            return Step::Close;
        }
        let Some(data) = rest.get(..length) else { return Step::Wait };
        let used = 16 + length;
        match number {
            option::EXPORT_NAME if !is_ours(data) => Step::Close,
            option::EXPORT_NAME => {
                out.extend(export.size.to_be_bytes());
                out.extend(abilities(export.is_rotational).to_be_bytes());
                if flags & u32::from(NO_ZEROES) == 0 {
                    out.extend([0; 124]);
                }
                Step::Serve(used)
            }
            option::ABORT => {
                answer(out, number, reply::ACK, &[]);
                Step::Close
            }
            option::LIST => {
                list(out, number, data);
                Step::Continue(used)
            }
            option::INFO | option::GO => match describe(out, number, data, export) {
                true if number == option::GO => Step::Serve(used),
                _ => Step::Continue(used),
            },
            _ => {
                answer(out, number, reply::UNSUPPORTED, &[]);
                Step::Continue(used)
            }
        }
    }
}

fn is_ours(name: &[u8]) -> bool {
    name.is_empty() || name == NAME
}

fn answer(out: &mut Vec<u8>, number: u32, kind: u32, data: &[u8]) {
    out.extend(OPTION_REPLY_MAGIC.to_be_bytes());
    out.extend(number.to_be_bytes());
    out.extend(kind.to_be_bytes());
    out.extend((data.len() as u32).to_be_bytes());
    out.extend(data);
}

fn list(out: &mut Vec<u8>, number: u32, data: &[u8]) {
    if !data.is_empty() {
        return answer(out, number, reply::INVALID, &[]);
    }
    let mut server = (NAME.len() as u32).to_be_bytes().to_vec();
    server.extend(NAME);
    answer(out, number, reply::SERVER, &server);
    answer(out, number, reply::ACK, &[]);
}

/// Describes the export; false where another one was meant.
fn describe(out: &mut Vec<u8>, number: u32, data: &[u8], export: Export) -> bool {
    let name = data
        .split_first_chunk::<4>()
        .and_then(|(length, rest)| rest.get(..u32::from_be_bytes(*length) as usize));
    let Some(name) = name else {
        answer(out, number, reply::INVALID, &[]);
        return false;
    };
    if !is_ours(name) {
        answer(out, number, reply::UNKNOWN, &[]);
        return false;
    }
    let mut described = info::EXPORT.to_be_bytes().to_vec();
    described.extend(export.size.to_be_bytes());
    described.extend(abilities(export.is_rotational).to_be_bytes());
    answer(out, number, reply::INFO, &described);
    let mut sizes = info::BLOCK_SIZE.to_be_bytes().to_vec();
    for size in [SECTOR as u32, PREFERRED_BLOCK, PAYLOAD_MAX] {
        sizes.extend(size.to_be_bytes());
    }
    answer(out, number, reply::INFO, &sizes);
    answer(out, number, reply::ACK, &[]);
    true
}
