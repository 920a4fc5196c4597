//! Texts that nearly repeat others.

use super::Problem;
use crate::Error;
use crate::cancel::{Cancel, CancelMeter};
use crate::executor::Executor;
use crate::similarity::{Hit, JaccardIndex, Threshold};
use crate::text::utf8::Characters;

/// The text that another one nearly repeats: the most similar, of equals the lowest number; `None` if it
/// repeats none.
pub type Repeat = Result<Option<Hit>, Problem>;

/// What looking one text up costs beside reading it, in characters.
const LOOK_UP_CHARS: usize = 1 << 8;

/// Splitting a text into tokens and comparing it with those that look like it, for each byte, in cycles.
const QUERY_CYCLES_PER_BYTE: f32 = 20.0;

/// What each of `texts`, in UTF-8, repeats of those in `index`, which stays as it is. `None` is null.
///
/// # Errors
///
/// The executor was asked to stop. [`Error::BelowFloor`].
pub fn repeats(
    texts: &[Option<impl AsRef<[u8]> + Sync>],
    index: &JaccardIndex,
    threshold: Threshold,
    executor: &impl Executor,
) -> Result<Vec<Repeat>, Error> {
    let cycles = |row: usize| QUERY_CYCLES_PER_BYTE * texts[row].as_ref().map_or(0, |text| text.as_ref().len()) as f32;
    executor.map(texts.len(), cycles, |row, cancel| match read(texts[row].as_ref()) {
        Err(problem) => Ok(Err(problem)),
        Ok(text) => {
            let hits = index.query(Characters::new(text).units(), threshold, 1, cancel)?;
            Ok(Ok(hits.into_iter().next()))
        }
    })
}

/// What each of `texts`, in UTF-8, repeats of those before it and those in `index`; then it is one of those
/// itself. `None` is null, which gets no number, nor does what is no UTF-8.
///
/// # Errors
///
/// [`Error::Interrupted`], [`Error::IndexFull`], [`Error::BelowFloor`]: `index` has some of the texts then.
pub fn repeats_among(
    texts: &[Option<impl AsRef<[u8]>>],
    index: &mut JaccardIndex,
    threshold: Threshold,
    cancel: &dyn Cancel,
) -> Result<Vec<Repeat>, Error> {
    let mut meter = CancelMeter::new(cancel);
    let mut repeats = Vec::with_capacity(texts.len());
    for text in texts {
        meter.add(LOOK_UP_CHARS)?;
        repeats.push(match read(text.as_ref()) {
            Err(problem) => Err(problem),
            Ok(text) => Ok(index.insert_and_query(Characters::new(text).units(), threshold, cancel)?),
        });
    }
    Ok(repeats)
}

fn read<T: AsRef<[u8]>>(text: Option<&T>) -> Result<&str, Problem> {
    std::str::from_utf8(text.ok_or(Problem::NullText)?.as_ref()).map_err(|_| Problem::TextNotUtf8)
}
