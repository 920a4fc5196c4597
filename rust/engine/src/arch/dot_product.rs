//! Dot products of one vector with many.

#[cfg(target_arch = "x86_64")]
use super::{Isa, isa};

/// Number of partial sums: the widest vectors hold 16, and four vectors hide the latency of an addition.
const LANES: usize = 64;

/// Writes the dot product of `vector` with each of `rows` to `products`. The rows are contiguous and as long as
/// `vector`. No argument may be empty.
///
/// The error of each product is at most `len · ε` times the product of both norms, for any order of summation.
pub(crate) fn dot_products(vector: &[f32], rows: &[f32], products: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    match isa() {
        Isa::Baseline => {}
        // SAFETY: the processor has AVX2.
        Isa::Avx2 => return unsafe { dot_products_avx2(vector, rows, products) },
        // SAFETY: the processor has AVX-512.
        Isa::Avx512 => return unsafe { dot_products_avx512(vector, rows, products) },
    }
    dot_products_scalar(vector, rows, products);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn dot_products_avx2(vector: &[f32], rows: &[f32], products: &mut [f32]) {
    dot_products_scalar(vector, rows, products);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn dot_products_avx512(vector: &[f32], rows: &[f32], products: &mut [f32]) {
    dot_products_scalar(vector, rows, products);
}

#[inline(always)]
fn dot_products_scalar(vector: &[f32], rows: &[f32], products: &mut [f32]) {
    for (row, product) in rows.chunks_exact(vector.len()).zip(products) {
        let ((chunks, rest), (row_chunks, row_rest)) = (vector.as_chunks::<LANES>(), row.as_chunks::<LANES>());
        let mut sums = [0.0_f32; LANES];
        for (chunk, row_chunk) in chunks.iter().zip(row_chunks) {
            for (sum, (value, other)) in sums.iter_mut().zip(chunk.iter().zip(row_chunk)) {
                *sum += value * other;
            }
        }
        let tail: f32 = rest.iter().zip(row_rest).map(|(value, other)| value * other).sum();
        *product = tail + sums.iter().sum::<f32>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Kernel = fn(&[f32], &[f32], &mut [f32]);

    /// Returns all kernels that this machine supports.
    fn kernels() -> Vec<Kernel> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut kernels: Vec<Kernel> = vec![dot_products_scalar, dot_products];
        #[cfg(target_arch = "x86_64")]
        {
            if isa() >= Isa::Avx2 {
                // SAFETY: the processor has AVX2.
                kernels.push(|vector, rows, products| unsafe { dot_products_avx2(vector, rows, products) });
            }
            if isa() >= Isa::Avx512 {
                // SAFETY: the processor has AVX-512.
                kernels.push(|vector, rows, products| unsafe { dot_products_avx512(vector, rows, products) });
            }
        }
        kernels
    }

    #[test]
    fn every_instruction_set_is_close_to_the_product_in_double_precision() {
        let noise: Vec<f32> =
            (0..2000_u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 8) as f32 / 8_388_608.0 - 1.0).collect();
        for len in (1..=200).chain([384, 500]) {
            for start in [0, 1, 7] {
                let (vector, rows) = (&noise[start..start + len], &noise[start + 3..start + 3 + 3 * len]);
                for kernel in kernels() {
                    let mut products = [0.0; 3];
                    kernel(vector, rows, &mut products);
                    for (row, product) in rows.chunks(len).zip(products) {
                        let pairs = || vector.iter().zip(row).map(|(&a, &b)| f64::from(a) * f64::from(b));
                        let sizes: f64 = pairs().map(f64::abs).sum();
                        let error = (pairs().sum::<f64>() - f64::from(product)).abs();
                        assert!(error <= f64::from(f32::EPSILON) * len as f64 * sizes, "{len} values from {start}");
                    }
                }
            }
        }
    }
}
