use std::arch::x86_64::{_pdep_u64, _pext_u64};

use super::{Base128, ENDS, decode_blocks, encode_blocks};

/// With one instruction where the portable kernel takes ten.
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn decode<F: Base128>(bytes: &[u8], out: &mut Vec<F::Value>) -> usize {
    decode_blocks::<F>(bytes, out, |word| _pext_u64(word, !ENDS))
}

#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn encode<F: Base128>(values: &[F::Value], out: &mut Vec<u8>) {
    encode_blocks::<F>(values, out, |value| _pdep_u64(value, !ENDS));
}
