//! Looking at eight bytes at a time.

const LOW: u64 = u64::from_le_bytes([0x01; 8]);
const HIGH: u64 = u64::from_le_bytes([0x80; 8]);

/// Marks bytes below 0x20. Of the marks only the lowest is certain, which is all that is asked for.
#[inline]
pub(super) fn below_space(eight: u64) -> u64 {
    eight.wrapping_sub(LOW * 0x20) & !eight & HIGH
}

/// Marks bytes that are `byte`. Of the marks only the lowest is certain.
#[inline]
pub(super) fn equal(eight: u64, byte: u8) -> u64 {
    let differ = eight ^ (LOW * u64::from(byte));
    differ.wrapping_sub(LOW) & !differ & HIGH
}

/// The position of the first byte that is not zero; eight where there is none.
#[inline]
pub(super) fn first_byte(eight: u64) -> usize {
    usize::try_from(eight.trailing_zeros() / 8).unwrap_or(8)
}
