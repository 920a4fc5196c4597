//! Words: they stand inside the text and in order, and are the same in every width. Filed, each sentence
//! is found by its own words.

#![no_main]

use groundwire_engine::Never;
use groundwire_engine::stems::{Postings, Roles, Weighted, Word, words};
use groundwire_engine::text::Units;
use groundwire_fuzz::Recipe;
use groundwire_fuzz::oracle::{Stored, codes};
use libfuzzer_sys::fuzz_target;

#[rustfmt::skip]
const PIECES: [&str; 24] = [
    "email", "e-mail", "Emails", "don't", "I’m", "not ", "never ", "but ", "日本語", "カタ・", "한국", "豈", ", ", ". ", "; ", " — ",
    "_", "-", "'", "’", "½", "Ⓐ", "\u{301}", "\n",
];
const MAX_CHARS: usize = 1_000;

fuzz_target!(|bytes: &[u8]| {
    let mut recipe = Recipe::new(bytes);
    let mut text = Vec::new();
    while !recipe.is_done() && text.len() < MAX_CHARS {
        if recipe.below(2) == 0 {
            let alphabet = recipe.alphabet();
            text.extend(recipe.text(&alphabet, 40));
        } else {
            text.extend(codes(recipe.pick(&PIECES)));
        }
    }
    let stored = Stored::new(&text);
    let found = words(stored.units());
    assert_eq!(found, words(Units::U32(&text)));
    assert!(found.iter().all(|word| word.span.start < word.span.end && word.span.end <= text.len()));
    assert!(found.windows(2).all(|two| two[0].span.start < two[1].span.start));
    let mut postings = Postings::default();
    let filed = found.iter().enumerate().map(|(place, word)| Word {
        stem: &text[word.span.start..word.span.end],
        span: word.span,
        clause: place as u32 / 5,
        roles: Roles(text[word.span.start] as u8 & 3 | Roles::IS_FILED.0),
    });
    postings.file(filed, std::iter::empty()).unwrap();
    let stems: Vec<Weighted> = found
        .iter()
        .map(|word| postings.stem(Units::U32(&text[word.span.start..word.span.end])))
        .map(|stem| Weighted { stem, weight: 1.0 })
        .collect();
    let near = postings.nearest(&stems, 0.5, 1, &Never).unwrap();
    assert_eq!(near.len(), usize::from(!found.is_empty()));
    for shared in near.into_iter().filter_map(|near| near.shared) {
        assert_eq!((shared.span.start, shared.span.end), (found[0].span.start, found[found.len() - 1].span.end));
    }
});
