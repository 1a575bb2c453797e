//! Levels of SIMD instructions: the highest one of the processor, and the one that the kernels use.

use std::sync::OnceLock;

/// Instructions that the bulk kernels may use. Each level includes those before it, and all levels give the
/// same results.
///
/// ```
/// use jvmwire_codec::SimdLevel;
///
/// assert_eq!(SimdLevel::named("portable"), Some(SimdLevel::Portable));
/// assert!(SimdLevel::available().contains(&SimdLevel::current()));
/// ```
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum SimdLevel {
    /// Instructions that every processor of the target supports.
    #[default]
    Portable,
    /// x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT: Intel since Haswell, AMD since Excavator. If microcode
    /// executes PEXT and PDEP, as on AMD before Zen 3, varints are decoded and encoded by the portable kernels.
    Avx2,
    /// [`Self::Avx2`] with the parts of AVX-512 that server processors have had since Ice Lake and Zen 4: F,
    /// BW, CD, DQ, VL, VBMI and VBMI2.
    Avx512,
}

impl SimdLevel {
    const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// Returns the level that was [set](SimdLevel::set_global) for this process, or else the highest of this
    /// processor.
    #[inline]
    #[must_use]
    pub fn current() -> Self {
        *IN_USE.get_or_init(Self::highest)
    }

    /// Selects this level, or the highest below it that this processor supports, for the rest of the process,
    /// unless a level is in use already.
    pub fn set_global(self) {
        IN_USE.get_or_init(|| self.clamp_to_cpu());
    }

    /// Lists all levels that this processor supports, the lowest first.
    #[must_use]
    pub fn available() -> &'static [Self] {
        &Self::ALL[..=Self::highest() as usize]
    }

    /// Returns this level, or the highest of this processor if that is lower.
    #[inline]
    pub(crate) fn clamp_to_cpu(self) -> Self {
        self.min(Self::highest())
    }

    /// Returns the highest level of this processor. The processor is queried once, since the query is slow
    /// compared with short inputs.
    #[inline]
    fn highest() -> Self {
        *HIGHEST.get_or_init(Self::detect)
    }

    #[cfg(target_arch = "x86_64")]
    fn detect() -> Self {
        if has_avx512() {
            Self::Avx512
        } else if has_avx2() {
            Self::Avx2
        } else {
            Self::Portable
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn detect() -> Self {
        Self::Portable
    }

    /// Name of the level: `portable`, `avx2`, `avx512`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// Returns the level with this name, whether or not this processor supports it: kernels never exceed the
    /// processor's level.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}

/// Converts a level's list of CPU features into the attribute with which its kernels are compiled
/// (`#[apply(avx2)]`) and into the function that queries the processor for them, so that the two cannot differ.
#[cfg(target_arch = "x86_64")]
macro_rules! features {
    ($d:tt $attribute:ident, $detected:ident, [$($feature:tt)+]) => {
        macro_rules! $attribute {
            ($d($d item:tt)*) => { $(#[target_feature(enable = $feature)])+ $d($d item)* };
        }
        pub(crate) use $attribute;

        fn $detected() -> bool {
            $(std::arch::is_x86_feature_detected!($feature))&&+
        }
    };
}

#[cfg(target_arch = "x86_64")]
features! { $ avx2, has_avx2, ["avx2" "bmi1" "bmi2" "lzcnt" "popcnt"] }

#[cfg(target_arch = "x86_64")]
features! {
    $ avx512, has_avx512,
    [
        "avx2" "bmi1" "bmi2" "lzcnt" "popcnt" "avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl"
        "avx512vbmi" "avx512vbmi2"
    ]
}

/// Level in use. Results do not depend on it.
static IN_USE: OnceLock<SimdLevel> = OnceLock::new();

static HIGHEST: OnceLock<SimdLevel> = OnceLock::new();

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn each_level_has_the_features_of_those_before_it() {
        assert!(has_avx2() || !has_avx512());
        let available = SimdLevel::available();
        assert!(available.is_sorted() && available[0] == SimdLevel::Portable);
        assert_eq!(available.contains(&SimdLevel::Avx512), has_avx512());
        // `make miri` compiles for AVX2: less would leave out kernels without a word.
        assert!(!cfg!(miri) || has_avx2(), "Miri runs the kernels of {available:?} only");
    }
}
