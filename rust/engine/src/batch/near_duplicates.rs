//! Near-duplicates of texts.

use super::RowError;
use crate::Error;
use crate::cancel::{Cancel, CancelMeter};
use crate::executor::Executor;
use crate::similarity::{JaccardIndex, Neighbor, Threshold};
use crate::text::Text;

/// The text that a text nearly duplicates: the most similar one, ties to the lowest number; `None` if there is none.
///
/// # Examples
///
/// ```
/// use groundwire_engine::batch::{DuplicateResult, near_duplicates_among};
/// use groundwire_engine::similarity::{JaccardIndex, Threshold, TokenRule, Tokens};
/// use groundwire_engine::{Never, Sequential};
///
/// let threshold = Threshold::new(0.8).expect("it is above 0");
/// let mut index = JaccardIndex::new(Tokens::new(TokenRule::Unicode, &[]), threshold, None);
/// let texts = [Some("We meet on Monday"), Some("we meet on Monday!")];
/// let found: Vec<DuplicateResult> = near_duplicates_among(&texts, &mut index, threshold, &Never)?;
/// assert!(matches!(found[..], [Ok(None), Ok(Some(_))]));
/// # let _ = Sequential(&Never);
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
pub type DuplicateResult = Result<Option<Neighbor>, RowError>;

/// Cost of looking a text up besides reading it, in characters for the meter.
const LOOK_UP_CHARS: usize = 1 << 8;

/// Cost of dividing a text into tokens and comparing it with similar ones, in cycles for each byte.
const QUERY_CYCLES_PER_BYTE: f32 = 20.0;

/// Finds for each of `texts`, in UTF-8, a near-duplicate in `index`, which does not change. `None` is null.
///
/// # Errors
///
/// The executor was asked to stop. [`Error::BelowFloor`].
///
/// # Examples
///
/// ```
/// use groundwire_engine::batch::{near_duplicates};
/// use groundwire_engine::similarity::{JaccardIndex, Threshold, TokenRule, Tokens};
/// use groundwire_engine::{Never, Sequential};
///
/// let threshold = Threshold::new(0.8).expect("it is above 0");
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
        Err(problem) => Ok(Err(problem)),
        Ok(text) => {
            let hits = index.query(Text::from(text).units(), threshold, 1, cancel)?;
            Ok(Ok(hits.into_iter().next()))
        }
    })
}

/// Finds for each of `texts`, in UTF-8, a near-duplicate among the texts before it and in `index`, and adds it to
/// `index`. `None` is null; a null and a text that is not valid UTF-8 are not added.
///
/// # Errors
///
/// [`Error::Cancelled`], [`Error::IndexFull`], [`Error::BelowFloor`]: `index` has some of the texts then.
///
/// # Examples
///
/// ```
/// use groundwire_engine::batch::{near_duplicates_among};
/// use groundwire_engine::similarity::{JaccardIndex, Threshold, TokenRule, Tokens};
/// use groundwire_engine::{Never, Sequential};
///
/// let threshold = Threshold::new(0.8).expect("it is above 0");
/// let mut index = JaccardIndex::new(Tokens::new(TokenRule::Unicode, &[]), threshold, None);
/// let texts = [Some("We meet on Monday"), Some("we meet on Monday!")];
/// let found = near_duplicates_among(&texts, &mut index, threshold, &Never)?;
/// assert_eq!(found[1].map(|found| found.map(|found| found.number)), Ok(Some(0)));
/// # let _ = Sequential(&Never);
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
pub fn near_duplicates_among(
    texts: &[Option<impl AsRef<[u8]>>],
    index: &mut JaccardIndex,
    threshold: Threshold,
    cancel: &dyn Cancel,
) -> Result<Vec<DuplicateResult>, Error> {
    let mut meter = CancelMeter::new(cancel);
    let mut repeats = Vec::with_capacity(texts.len());
    for text in texts {
        meter.add(LOOK_UP_CHARS)?;
        repeats.push(match read(text.as_ref()) {
            Err(problem) => Err(problem),
            Ok(text) => Ok(index.insert_and_query(Text::from(text).units(), threshold, cancel)?),
        });
    }
    Ok(repeats)
}

fn read<T: AsRef<[u8]>>(text: Option<&T>) -> Result<&str, RowError> {
    std::str::from_utf8(text.ok_or(RowError::NullText)?.as_ref()).map_err(|_| RowError::TextNotUtf8)
}
