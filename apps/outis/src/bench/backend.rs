//! Which implementation of the curve runs: curve25519-dalek compiles in several and picks one at run time.

/// `avx512`, `avx2`, `serial` or `fiat`, by the library's own rules.
///
/// AVX-512 is compiled in only on request, by `--cfg curve25519_dalek_backend="avx512"` or by target features; AVX2 is
/// the default on x86-64. The library uses what is compiled in if the processor supports it.
pub fn name() -> &'static str {
    if cfg!(curve25519_dalek_backend = "fiat") {
        return "fiat";
    }
    detected().unwrap_or("serial")
}

#[cfg(all(
    target_arch = "x86_64",
    not(curve25519_dalek_bits = "32"),
    not(any(curve25519_dalek_backend = "serial", curve25519_dalek_backend = "fiat"))
))]
fn detected() -> Option<&'static str> {
    let asked = cfg!(curve25519_dalek_backend = "avx512");
    let by_target = cfg!(all(target_feature = "avx512ifma", target_feature = "avx512vl"))
        && !cfg!(curve25519_dalek_backend = "simd");
    let has_avx512 = is_x86_feature_detected!("avx512ifma") && is_x86_feature_detected!("avx512vl");
    if (asked || by_target) && has_avx512 {
        return Some("avx512");
    }
    is_x86_feature_detected!("avx2").then_some("avx2")
}

#[cfg(not(all(
    target_arch = "x86_64",
    not(curve25519_dalek_bits = "32"),
    not(any(curve25519_dalek_backend = "serial", curve25519_dalek_backend = "fiat"))
)))]
fn detected() -> Option<&'static str> {
    None
}
