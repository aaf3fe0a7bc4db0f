//! A budget for what bytes may make us allocate (S-26): proportional to the bytes that are really there.

use std::alloc::System;

use cap::Cap;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Bytes on the heap for each byte of input: a 32-byte element is 192 bytes in memory, and what is decoded is
/// encoded again.
const FACTOR: usize = 12;

/// Bytes on the heap whatever the input is.
const FLOOR: usize = 4096;

/// Runs `decode` on an input of `len` bytes. Beyond the budget an allocation fails, which aborts the process.
pub fn within_budget<T>(len: usize, decode: impl FnOnce() -> T) -> T {
    let budget = FACTOR * len + FLOOR;
    ALLOCATOR.set_limit(ALLOCATOR.allocated() + budget).expect("the limit is above what is in use");
    let value = decode();
    ALLOCATOR.set_limit(usize::MAX).expect("lifting the limit always works");
    value
}
