//! Tests of the language layer with the lexicons of the Python package, all in one program.
//!
//! Properties are tested with a quarter of their usual cases, with five times as many if `GROUNDWIRE_LONG` is set, or
//! with the number in `PROPTEST_CASES`.

#[path = "../../../engine/tests/module_graph/mod.rs"]
mod module_graph;
#[path = "../oracle/mod.rs"]
mod oracle;

mod answers;
mod citations;
mod claims;
mod comparison;
mod floors;
mod index;
mod numbers;
mod overlap;
mod reading;
mod spelling;
mod times;
mod tokens;

use std::sync::LazyLock;

use groundwire_engine::{Never, TextRef};
use groundwire_language::lexicon::Lexicon;
use groundwire_language::{Language, LexiconSet, Reader, Reading};
use proptest::prelude::*;

const LEXICONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/groundwire/language/lexicons");

static READER: LazyLock<Reader> =
    LazyLock::new(|| Reader::new(LexiconSet::new(LEXICONS).expect("the lexicons are there")));

fn lexicon(language: Language) -> &'static Lexicon {
    READER.lexicons().get(language).expect("it is there")
}

fn codes(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

fn read(text: &str, language: Language) -> Reading {
    READER.read(TextRef::Ucs4(&codes(text)), language, &Never).expect("it can be read")
}

fn languages() -> impl Strategy<Value = Language> {
    (0..Language::ALL.len()).prop_map(|index| Language::ALL[index])
}

/// Returns the configuration of a property with `cases` cases by default.
fn config(cases: u32) -> ProptestConfig {
    let is_set = |name| std::env::var_os(name).is_some();
    let default = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let cases = match (is_set("PROPTEST_CASES"), is_set("GROUNDWIRE_LONG")) {
        (true, _) => default.cases,
        (false, true) => 5 * cases,
        (false, false) => cases.div_ceil(4),
    };
    ProptestConfig { cases, ..default }
}

/// Words with special rules, signs, digits and letters of other scripts, in any order.
fn hostile() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("not "),
        Just("two "),
        Just("and a half "),
        Just("million "),
        Just("5"),
        Just("."),
        Just(","),
        Just("-"),
        Just("May "),
        Just("1/2"),
        Just("p.m. "),
        Just("Dr. "),
        Just("II "),
        Just("I'd "),
        Just("[x] "),
        Just("<b>"),
        Just("$"),
        Just("per "),
        Just("square "),
        Just("百分之"),
        Just("三"),
        Just("第"),
        Just("年"),
        Just("\u{200b}"),
        Just("\u{301}"),
        Just("ⅷ"),
        Just("¼"),
        Just("⁵"),
        Just("between "),
        Just("that "),
        Just("\n\n"),
        Just("'"),
    ];
    prop::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
}
