//! Varints with BMI2's `pext` and `pdep`, on processors that execute them in hardware.

use std::{
    arch::x86_64::{__cpuid, _pdep_u64, _pext_u64},
    sync::OnceLock,
};

use macro_rules_attribute::apply;

use super::{Base128, ENDS, decode_blocks, encode_blocks};
use crate::level::avx2;

/// Decodes values; one instruction replaces ten of the portable kernel.
#[apply(avx2)]
pub(super) fn decode<F: Base128>(bytes: &[u8], out: &mut Vec<F::Value>) -> usize {
    decode_blocks::<F>(bytes, out, |word| _pext_u64(word, !ENDS))
}

#[apply(avx2)]
pub(super) fn encode<F: Base128>(values: &[F::Value], out: &mut Vec<u8>) {
    encode_blocks::<F>(values, out, |value| _pdep_u64(value, !ENDS));
}

/// Whether PEXT and PDEP take a few cycles, as on all processors except AMD before Zen 3 (family 0x19) and its
/// licensee Hygon. There, microcode processes the mask bit by bit, in up to 300 cycles for 56 bits.
#[inline]
pub(super) fn has_fast_pext() -> bool {
    static IS_FAST: OnceLock<bool> = OnceLock::new();
    *IS_FAST.get_or_init(|| {
        if cfg!(miri) {
            return true; // Miri has no CPUID.
        }
        let vendor = cpuid(0);
        let vendor = [vendor.1, vendor.3, vendor.2].map(u32::to_le_bytes);
        is_fast(vendor.as_flattened(), cpuid(1).0)
    })
}

/// Whether PEXT and PDEP are fast on a processor with this vendor and family signature.
fn is_fast(vendor: &[u8], signature: u32) -> bool {
    let family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
    match vendor {
        b"AuthenticAMD" => family >= 0x19,
        b"HygonGenuine" => false,
        _ => true,
    }
}

/// Returns EAX, EBX, ECX and EDX of a CPUID leaf.
fn cpuid(leaf: u32) -> (u32, u32, u32, u32) {
    // SAFETY: every x86-64 has CPUID, which only reads.
    #[allow(unused_unsafe, reason = "it is a safe function since Rust 1.94")]
    let answer = unsafe { __cpuid(leaf) };
    (answer.eax, answer.ebx, answer.ecx, answer.edx)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pext_is_slow_on_amd_before_zen_3_and_on_hygon() {
        // CPUID leaf 1, EAX: Excavator, Zen (Naples), Zen 2 (Rome), Zen 3 (Milan), Zen 4 (Genoa).
        let amd = [0x0066_0f01, 0x0080_0f12, 0x0083_0f10, 0x00a0_0f11, 0x00a1_0f11];
        let fast = amd.map(|signature| is_fast(b"AuthenticAMD", signature));
        assert_eq!(fast, [false, false, false, true, true]);
        // Dhyana, and Ice Lake.
        assert!(!is_fast(b"HygonGenuine", 0x0090_0f02));
        assert!(is_fast(b"GenuineIntel", 0x0006_06a6));
    }
}
