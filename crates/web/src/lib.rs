//! The simulator in a browser.
//!
//! **Model.** A module of WebAssembly has one memory and one thread; the page starts one in each worker, and a worker takes one
//! call at a time. So all there is to hold is a [`Session`]: the document that the report carries, its recording, and drives in
//! steady state from runs before. A call is a JSON object `{"call": NAME, …}`, its answer `{"ok": …}` or `{"error": SENTENCE}`:
//! [`call()`] has the names. `abi` hands both across: bytes in the module's memory, without generated glue.
//!
//! A page needs two modules of this crate, by its features: `judge`, a third as large, answers the page itself and is there at
//! once; `simulator` plays designs in the workers. What a worker finds, the page hands to its own instance with `add`.
//!
//! The crates below are those of the native program, compiled unchanged: no clock, no randomness but the seed's streams, no
//! threads, and no function of real numbers that machines round in their own way ([`drivecast_block::math`]). So the same seed
//! gives the same bytes here as there. Outside of WebAssembly this is a library that tests call.

#[cfg(target_arch = "wasm32")]
mod abi;
mod call;
mod json;
#[cfg(feature = "judge")]
mod judge;
#[cfg(feature = "simulator")]
mod play;
mod request;
mod session;
#[cfg(feature = "simulator")]
mod wear_cache;

pub use call::call;
pub use session::Session;
