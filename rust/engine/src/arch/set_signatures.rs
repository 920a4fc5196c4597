//! Finds the sets whose signatures allow enough similarity to a query set.

/// Number of low bits of a signature that hold the size of its set.
pub(crate) const SIZE_BITS: u32 = 5;

/// Number of distinct sizes; the last one includes all larger sizes.
pub(crate) const SIZES: usize = 1 << SIZE_BITS;

/// A query set, as its signature and the limits for candidates.
#[derive(Clone, Debug)]
pub(crate) struct SignatureQuery<T> {
    /// The signature of the query set.
    pub(crate) own: T,
    /// The maximum number of differing signature bits by candidate size; -1 if no set of that size is similar enough.
    pub(crate) most: [i32; SIZES],
}

for_each_isa! {
Avx2
/// Appends to `passed` the number of each entry of `list` whose signature passes the query. An entry has the signature
/// in its upper half and the number in its lower half.
pub(crate) fn filter32(query: &SignatureQuery<u32>, list: &[u64], passed: &mut Vec<u32>) {
    // Writes to a buffer without a branch, which would be unpredictable; the buffer is flushed after each chunk.
    let mut buffer = [0_u32; 64];
    for chunk in list.chunks(buffer.len()) {
        let mut len = 0;
        for &entry in chunk {
            let signature = (entry >> 32) as u32;
            let different = ((signature ^ query.own) >> SIZE_BITS).count_ones() as i32;
            buffer[len] = entry as u32;
            len += usize::from(different <= query.most[signature as usize % SIZES]);
        }
        passed.extend_from_slice(&buffer[..len]);
    }
}
}

for_each_isa! {
Avx2
/// Retains those of `numbers` whose 64-bit signature passes the query. Every number is an index of `signatures`.
pub(crate) fn filter64(query: &SignatureQuery<u64>, signatures: &[u64], numbers: &mut Vec<u32>) {
    numbers.retain(|&number| {
        let signature = signatures[number as usize];
        let different = ((signature ^ query.own) >> SIZE_BITS).count_ones() as i32;
        different <= query.most[signature as usize % SIZES]
    });
}
}
