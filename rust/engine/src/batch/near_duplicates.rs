//! Near-duplicates of texts.

use super::RowError;
use crate::Error;
use crate::cancel::{Cancel, CancelMeter};
use crate::executor::Executor;
use crate::similarity::{JaccardIndex, Neighbor, Threshold};
use crate::text::Text;

/// The nearest duplicate of a text: the most similar text with at least the threshold, or `None`. Ties go to the lowest
/// number. An error gives the reason why the row has no result.
pub type DuplicateResult = Result<Option<Neighbor>, RowError>;

/// The cost of looking a text up in addition to reading it, in characters for the meter.
const LOOK_UP_CHARS: usize = 1 << 8;

/// The estimated cost of dividing a text into tokens and comparing it with similar ones, in cycles per byte.
const QUERY_CYCLES_PER_BYTE: f32 = 20.0;

/// Finds the nearest duplicate in `index` for each of `texts`, in UTF-8. Does not change `index`. `None` is null.
///
/// # Errors
///
/// [`Error::BelowFloor`] if `threshold` is below the index's minimum, [`Error::TextTooLong`] if a text is too long,
/// [`Error::Cancelled`] if the executor is cancelled.
///
/// # Examples
///
/// ```
/// use groundwire_engine::batch::near_duplicates;
/// use groundwire_engine::similarity::{JaccardIndex, Threshold, TokenRule, Tokens};
/// use groundwire_engine::{Never, Sequential};
///
/// let threshold = Threshold::new(0.8).expect("0.8 is a valid threshold");
/// let mut index = JaccardIndex::new(Tokens::new(TokenRule::Unicode, &[]), threshold, None);
/// let texts = [Some("We meet on Monday"), Some("we meet on Monday!")];
/// index.insert("We meet on Monday", &Never)?;
/// let found = near_duplicates(&texts, &index, threshold, &Sequential(&Never))?;
/// assert!(found.iter().all(|found| matches!(found, Ok(Some(_)))));
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
pub fn near_duplicates(
    texts: &[Option<impl AsRef<[u8]> + Sync>],
    index: &JaccardIndex,
    threshold: Threshold,
    executor: &impl Executor,
) -> Result<Vec<DuplicateResult>, Error> {
    let cycles = |row: usize| QUERY_CYCLES_PER_BYTE * texts[row].as_ref().map_or(0, |text| text.as_ref().len()) as f32;
    executor.map(texts.len(), cycles, |row, cancel| match read(texts[row].as_ref()) {
        Err(error) => Ok(Err(error)),
        Ok(text) => {
            let hits = index.query(Text::from(text).units(), threshold, 1, cancel)?;
            Ok(Ok(hits.into_iter().next()))
        }
    })
}

/// Finds the nearest duplicate among the preceding texts and in `index` for each of `texts`, in UTF-8, and adds the
/// text to `index`. `None` is null. Null and invalid UTF-8 are not added.
///
/// # Errors
///
/// [`Error::BelowFloor`] if `threshold` is below the index's minimum, [`Error::TextTooLong`] if a text is too long,
/// [`Error::IndexFull`] if `index` is full, [`Error::Cancelled`] if `cancel` requests cancellation. After an error,
/// `index` contains some of the texts.
///
/// # Examples
///
/// ```
/// use groundwire_engine::batch::near_duplicates_among;
/// use groundwire_engine::similarity::{JaccardIndex, Threshold, TokenRule, Tokens};
/// use groundwire_engine::Never;
///
/// let threshold = Threshold::new(0.8).expect("0.8 is a valid threshold");
/// let mut index = JaccardIndex::new(Tokens::new(TokenRule::Unicode, &[]), threshold, None);
/// let texts = [Some("We meet on Monday"), Some("we meet on Monday!")];
/// let found = near_duplicates_among(&texts, &mut index, threshold, &Never)?;
/// assert_eq!(found[1].map(|found| found.map(|found| found.number)), Ok(Some(0)));
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
pub fn near_duplicates_among(
    texts: &[Option<impl AsRef<[u8]>>],
    index: &mut JaccardIndex,
    threshold: Threshold,
    cancel: &dyn Cancel,
) -> Result<Vec<DuplicateResult>, Error> {
    let mut meter = CancelMeter::new(cancel);
    let mut results = Vec::with_capacity(texts.len());
    for text in texts {
        meter.charge(LOOK_UP_CHARS)?;
        results.push(match read(text.as_ref()) {
            Err(error) => Err(error),
            Ok(text) => Ok(index.insert_and_query(Text::from(text).units(), threshold, cancel)?),
        });
    }
    Ok(results)
}

fn read<T: AsRef<[u8]>>(text: Option<&T>) -> Result<&str, RowError> {
    std::str::from_utf8(text.ok_or(RowError::NullText)?.as_ref()).map_err(|_| RowError::TextNotUtf8)
}
