//! Rows as Python objects, for policies written in Python.

use groundwire_engine::batch::RowError;

use super::quotes::Quotes;
use super::sources::Sources;

/// The quotes, the index of each quote's source, and its error; the sources; the number of quotes in each
/// row, if they are in lists. Quotes and sources that cannot be read are empty.
pub(super) type Rows = (Vec<String>, Vec<usize>, Vec<Option<String>>, Vec<String>, Option<Vec<usize>>);

/// Converts the two columns of a batch.
pub(super) fn rows(quotes: &Quotes, sources: &Sources) -> Rows {
    let mut numbered = sources.numbered();
    if let Some(lists) = quotes.lists() {
        numbered.of_rows = lists.repeat(&numbered.of_rows);
    }
    let texts: Vec<Result<&str, RowError>> =
        numbered.texts.iter().map(|text| read(*text, RowError::NullSource, RowError::SourceNotUtf8)).collect();
    let (mut words, mut numbers, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for (quote, source) in quotes.bytes().into_iter().zip(numbered.of_rows) {
        let number = source.unwrap_or_default() as usize;
        let row =
            source.and_then(|_| texts[number]).and_then(|_| read(quote, RowError::NullQuote, RowError::QuoteNotUtf8));
        words.push(row.unwrap_or_default().to_owned());
        numbers.push(number);
        errors.push(row.err().map(|problem| problem.to_string()));
    }
    let texts = texts.into_iter().map(|text| text.unwrap_or_default().to_owned()).collect();
    (words, numbers, errors, texts, quotes.lists().map(|lists| lists.lengths.clone()))
}

fn read(bytes: Option<&[u8]>, null: RowError, broken: RowError) -> Result<&str, RowError> {
    std::str::from_utf8(bytes.ok_or(null)?).map_err(|_| broken)
}
