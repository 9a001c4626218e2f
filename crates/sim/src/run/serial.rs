//! Requests one at a time: each is submitted some think time after the one before completed.
//!
//! This is how disks were measured for the validation of simulators: the response times of a device under test do not
//! depend on a queue, and those of a model compare request by request and as distributions.

use drivecast_block::{Device, Nanos, Request};

/// Response times of `requests`, each with the think time that follows it; the device starts at rest.
pub fn serial(device: &mut impl Device, requests: impl IntoIterator<Item = (Request, Nanos)>) -> Vec<Nanos> {
    let mut done = Vec::new();
    let mut now = Nanos::ZERO;
    let mut times = Vec::new();
    for (request, think) in requests {
        device.submit(now, request);
        while done.is_empty() {
            let Some(at) = device.next() else { return times };
            device.advance(at, &mut done);
        }
        let Some(completion) = done.pop() else { return times };
        times.push(completion.at.since(now));
        now = completion.at + think;
        while let Some(at) = device.next().filter(|at| *at <= now) {
            device.advance(at, &mut done);
        }
    }
    times
}
