//! Measures the time of the reader and of loading lexicons; `benches/reading.py` runs it.
//!
//! Arguments: the folder of the lexicons, then for each row a language code and a text file. Standard output: for
//! each row its language, the number of characters, sentences and terms, and the minimum time of a reading and of the
//! first load of the lexicon, in nanoseconds.

use std::time::Instant;

use groundwire_engine::{Never, TextRef};
use groundwire_language::{Language, LexiconSet, Reader};

const ROUNDS: usize = 9;

fn least<T>(mut run: impl FnMut() -> T) -> u128 {
    let time = |_| {
        let start = Instant::now();
        std::hint::black_box(run());
        start.elapsed().as_nanos()
    };
    (0..ROUNDS).map(time).min().unwrap_or(0)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (folder, rows) = arguments.split_first().ok_or("no folder of lexicons")?;
    let reader = Reader::new(LexiconSet::new(folder)?);
    for row in rows.chunks_exact(2) {
        let language = Language::from_code(&row[0]).ok_or("no such language")?;
        let loaded = least(|| LexiconSet::new(folder).map(|set| set.get(language).is_ok()));
        // The same storage as in Python.
        let codes: Vec<u32> = std::fs::read_to_string(&row[1])?.chars().map(u32::from).collect();
        let narrow: Option<Vec<u16>> = codes.iter().map(|&code| u16::try_from(code).ok()).collect();
        let bytes: Option<Vec<u8>> = codes.iter().map(|&code| u8::try_from(code).ok()).collect();
        let text = match (&bytes, &narrow) {
            (Some(units), _) => TextRef::Ucs1(units),
            (None, Some(units)) => TextRef::Ucs2(units),
            (None, None) => TextRef::Ucs4(&codes),
        };
        let reading = reader.read(text, language, &Never)?;
        let (sentences, terms) = (reading.sentences.len(), reading.terms.len());
        let read = least(|| reader.read(text, language, &Never).map(|reading| reading.terms.len()));
        println!("{}\t{}\t{sentences}\t{terms}\t{read}\t{loaded}", row[0], codes.len());
    }
    Ok(())
}
