//! Dot products of one vector with many.

/// Number of partial sums: the widest vectors hold 16, and four vectors hide the latency of an addition.
const LANES: usize = 64;

for_each_isa! {
Avx512
/// Writes the dot product of `vector` with each of `rows` to `products`. The rows are contiguous and as long as
/// `vector`. No argument may be empty.
///
/// The error of each product is at most `len · ε` times the product of both norms, for any order of summation.
pub(crate) fn dot_products(vector: &[f32], rows: &[f32], products: &mut [f32]) {
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
}
