//! Records come back from their bytes as they were; damaged bytes are no panic.

use drivecast_block::{Nanos, Op, Record};
use drivecast_trace::{pack, unpack};
use proptest::prelude::*;

fn record() -> impl Strategy<Value = Record> {
    let op = proptest::sample::select(Op::ALL.to_vec());
    (any::<u64>(), any::<u64>(), any::<u32>(), any::<u32>(), op, any::<bool>(), any::<Option<u64>>())
        .prop_map(|(time, offset, size, stream, op, fua, latency)| Record {
            time: Nanos(time),
            offset,
            size,
            stream,
            op,
            fua,
            latency: latency.map(Nanos),
        })
}

proptest! {
    #[test]
    fn records_come_back_as_they_were(records in proptest::collection::vec(record(), 0..200)) {
        prop_assert_eq!(unpack(pack(&records)).unwrap(), records);
    }

    #[test]
    fn damaged_bytes_are_refused_or_read(mut bytes in Just(pack(&[])), at in any::<usize>(), by in 1..=255_u8) {
        let place = at % bytes.len();
        bytes[place] ^= by;
        let _ = unpack(bytes);
    }
}

#[test]
fn what_is_no_parquet_is_an_error() {
    assert!(unpack(b"requests".to_vec()).unwrap_err().contains("damaged"));
}
