//! What the module exports: functions over its memory.
//!
//! The page takes memory with `alloc`, writes bytes there, and hands them to `call`, or to `record` of the simulator; it frees what it took, and
//! each answer, a length in 4 bytes, little-endian, and so many of UTF-8. Every block was allocated with the length with which
//! it is freed.

use crate::Session;
use std::cell::RefCell;

thread_local! {
    static SESSION: RefCell<Session> = RefCell::new(Session::default());
}

/// Memory of `length` bytes.
#[unsafe(export_name = "alloc")]
extern "C" fn alloc(length: usize) -> *mut u8 {
    give(vec![0; length].into_boxed_slice())
}

/// Frees memory of `alloc`, or an answer of `call` with the four bytes of its length.
///
/// # Safety
/// `at` is of `alloc` or `call`, with this length, and is not used again.
#[unsafe(export_name = "free")]
unsafe extern "C" fn free(at: *mut u8, length: usize) {
    // SAFETY: the caller has it from `give`, with this length.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, length)) });
}

/// Takes the recording that later calls play. What is wrong with it is said by the calls that need one.
///
/// # Safety
/// There are `length` bytes at `at`.
#[cfg(feature = "simulator")]
#[unsafe(export_name = "record")]
unsafe extern "C" fn record(at: *const u8, length: usize) {
    // SAFETY: the caller wrote them there.
    let bytes = unsafe { std::slice::from_raw_parts(at, length) };
    SESSION.with_borrow_mut(|session| session.record(bytes));
}

/// Answers a call.
///
/// # Safety
/// There are `length` bytes at `at`.
#[unsafe(export_name = "call")]
unsafe extern "C" fn call(at: *const u8, length: usize) -> *const u8 {
    // SAFETY: the caller wrote them there.
    let bytes = unsafe { std::slice::from_raw_parts(at, length) };
    let answer = SESSION.with_borrow_mut(|session| crate::call(session, bytes));
    let length = (answer.len() as u32).to_le_bytes();
    give([&length[..], answer.as_bytes()].concat().into_boxed_slice())
}

fn give(bytes: Box<[u8]>) -> *mut u8 {
    Box::into_raw(bytes).cast()
}
