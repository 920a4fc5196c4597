//! Exact vector search by cosine.

use super::posting_lists::push_all;
use crate::arch::dot_product::dot_products;
use crate::cancel::CancelMeter;
use crate::{Cancel, Error};

/// The number of vectors whose dot products are computed together.
const BLOCK: usize = 64;

/// An index of vectors with the same number of dimensions, searched by comparing all of them.
///
/// A vector takes 4 bytes per dimension and 9 more. Dot products in single precision, together with a bound of their
/// error, exclude most vectors; the cosines of the others are computed in double precision.
///
/// # Examples
///
/// ```
/// use groundwire_engine::Never;
/// use groundwire_engine::similarity::VectorIndex;
///
/// let mut index = VectorIndex::new(2);
/// index.insert(&[1.0, 0.0])?;
/// let found = index.query(&[1.0, 0.1], 0.9, 1, &Never)?;
/// assert_eq!(found[0].0, 0);
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
#[derive(Debug)]
pub struct VectorIndex {
    dimensions: usize,
    values: Vec<f32>,
    /// The Euclidean norm of each vector; 0 for a vector that is similar to no other.
    lengths: Vec<f64>,
    is_kept: Vec<bool>,
    free: Vec<u32>,
}

impl VectorIndex {
    /// Creates an empty index of vectors with `dimensions` dimensions, at least one.
    #[must_use]
    pub fn new(dimensions: usize) -> Self {
        Self { dimensions, values: Vec::new(), lengths: Vec::new(), is_kept: Vec::new(), free: Vec::new() }
    }

    /// Returns the number of vectors.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lengths.len() - self.free.len()
    }

    /// Returns whether the index is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of dimensions.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Returns the number of bytes on the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let each = size_of::<f64>() + size_of::<bool>();
        size_of::<f32>() * (self.values.capacity() + self.free.capacity()) + each * self.lengths.capacity()
    }

    /// Adds a vector of finite values and returns its number: the number of a removed vector, or the next one.
    ///
    /// # Errors
    ///
    /// [`Error::WrongVector`] if the vector has another number of dimensions or a value that is not finite,
    /// [`Error::IndexFull`] beyond 2³² vectors.
    pub fn insert(&mut self, vector: &[f32]) -> Result<u32, Error> {
        self.check(vector)?;
        if self.lengths.len() >= u32::MAX as usize {
            return Err(Error::IndexFull);
        }
        let length = product(vector, vector).sqrt();
        let Some(number) = self.free.pop() else {
            push_all(&mut self.values, vector);
            push_all(&mut self.lengths, &[length]);
            push_all(&mut self.is_kept, &[true]);
            return Ok(self.lengths.len() as u32 - 1);
        };
        let start = number as usize * self.dimensions;
        self.values[start..start + self.dimensions].copy_from_slice(vector);
        self.lengths[number as usize] = length;
        self.is_kept[number as usize] = true;
        Ok(number)
    }

    fn check(&self, vector: &[f32]) -> Result<(), Error> {
        if vector.len() == self.dimensions && vector.iter().all(|value| value.is_finite()) {
            return Ok(());
        }
        Err(Error::WrongVector { dimensions: self.dimensions })
    }

    /// Removes the vector with this number, and returns whether it existed.
    pub fn remove(&mut self, number: u32) -> bool {
        let is_kept = self.is_kept.get_mut(number as usize).is_some_and(std::mem::take);
        if is_kept {
            self.lengths[number as usize] = 0.0;
            push_all(&mut self.free, &[number]);
        }
        is_kept
    }

    /// Returns at most `limit` vectors whose cosine with `vector` is at least `threshold`, with the cosines. The
    /// highest comes first; ties are in ascending order of number. `threshold` must be above 0. A zero vector has no
    /// cosine with any other.
    ///
    /// # Complexity
    ///
    /// Reads every value once.
    ///
    /// # Errors
    ///
    /// [`Error::WrongVector`] if `vector` has another number of dimensions or a value that is not finite,
    /// [`Error::Cancelled`] if `cancel` requests cancellation.
    pub fn query(
        &self,
        vector: &[f32],
        threshold: f64,
        limit: usize,
        cancel: &dyn Cancel,
    ) -> Result<Vec<(u32, f64)>, Error> {
        self.check(vector)?;
        let mut meter = CancelMeter::new(cancel);
        let length = product(vector, vector).sqrt();
        let slack = f64::from(f32::EPSILON) * (self.dimensions + 8) as f64;
        let mut found = Vec::new();
        for (block, rows) in self.values.chunks(BLOCK * self.dimensions).enumerate() {
            meter.charge(rows.len())?;
            let mut products = [0.0; BLOCK];
            dot_products(vector, rows, &mut products);
            for (index, number) in (block * BLOCK..self.lengths.len()).take(BLOCK).enumerate() {
                let both = length * self.lengths[number];
                // If single precision overflows, or is too coarse for small values, the dot product excludes nothing.
                let excludes = f64::from(products[index]) < (threshold - slack) * both;
                if both == 0.0 || (excludes && both > f64::from(f32::MIN_POSITIVE) * 1e8) {
                    continue;
                }
                let row = &rows[index * self.dimensions..][..self.dimensions];
                // The square root of the product of the squares, so that the cosine of a vector with itself is exactly
                // 1.
                let squares = product(vector, vector) * product(row, row);
                let cosine = (product(vector, row) / squares.sqrt()).clamp(-1.0, 1.0);
                if cosine >= threshold {
                    found.push((number as u32, cosine));
                }
            }
        }
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(limit);
        Ok(found)
    }
}

/// Returns the dot product in double precision, in which the product of two singles neither overflows nor rounds.
fn product(vector: &[f32], other: &[f32]) -> f64 {
    vector.iter().zip(other).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
}
