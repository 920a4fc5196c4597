//! Texts that nearly repeat others.

use super::RowError;
use crate::Error;
use crate::cancel::{Cancel, CancelMeter};
use crate::executor::Executor;
use crate::similarity::{JaccardIndex, Neighbor, Threshold};
use crate::text::Text;

/// The text that another one nearly repeats: the most similar, of equals the lowest number; `None` if it
/// repeats none.
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

/// What looking one text up costs beside reading it, in characters.
const LOOK_UP_CHARS: usize = 1 << 8;

/// Splitting a text into tokens and comparing it with those that look like it, for each byte, in cycles.
const QUERY_CYCLES_PER_BYTE: f32 = 20.0;

/// What each of `texts`, in UTF-8, repeats of those in `index`, which stays as it is. `None` is null.
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

/// What each of `texts`, in UTF-8, repeats of those before it and those in `index`; then it is one of those
/// itself. `None` is null, which gets no number, nor does what is no UTF-8.
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
