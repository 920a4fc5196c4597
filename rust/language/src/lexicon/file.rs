//! The file format of a lexicon. Lists are strings, with white space between the words.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
pub(super) struct File {
    pub(super) spaced: bool,
    pub(super) name_capitals: bool,
    pub(super) decimal_mark: String,
    pub(super) ordinal_point: bool,
    pub(super) month_first: bool,
    pub(super) snowball: String,
    pub(super) frequent: String,
    pub(super) digits: String,
    pub(super) digit_scales: BTreeMap<String, i64>,
    pub(super) ordinal_prefixes: String,
    pub(super) idioms: String,
    pub(super) joined: String,
    pub(super) article: String,
    pub(super) function: Function,
    pub(super) polarity: Polarity,
    pub(super) contractions: BTreeMap<String, String>,
    pub(super) modality: Modality,
    pub(super) quantity: Quantity,
    pub(super) conditions: Conditions,
    pub(super) dates: Dates,
    pub(super) numbers: Numbers,
    pub(super) units: Units,
    pub(super) names: Names,
    pub(super) forms: Forms,
    pub(super) opposites: Opposites,
    pub(super) synonyms: Synonyms,
}

macro_rules! section {
    ($name:ident { $($field:ident: $type:ty),* $(,)? }) => {
        #[derive(Deserialize, Default)]
        #[serde(default)]
        pub(super) struct $name { $(pub(super) $field: $type),* }
    };
}

pub(super) type Groups = Vec<String>;

section!(Function {
    articles: String,
    pronouns: Groups,
    coordinators: String,
    comparisons: String,
    first_person: String,
    third_person: String,
    subjects: String,
    verbs_too: String,
    prepositions: String,
    conjunctions: String,
    complementizers: String,
    auxiliaries_be: String,
    auxiliaries_have: String,
    auxiliaries_do: String,
    present: String,
    past: String,
    fillers: String,
    fillers_apart: String,
    notes: String,
    saying: String,
    relatives: String,
    agent: String,
});
section!(Polarity {
    negations: String,
    near_negations: Groups,
    without: Groups,
    negative_words: Groups,
    interjections: String,
    prefixes: String,
    suffixes: String,
    denying_idioms: String,
});
section!(Modality {
    modals: Groups,
    abilities: String,
    perception: String,
    intentions: String,
    hedges: Groups,
    frequencies: Groups
});
section!(Quantity {
    any: String,
    quantifiers: Groups,
    limiters: Groups,
    approximations: String,
    more_than: String,
    less_than: String,
    at_least: String,
    at_most: String,
});
section!(Conditions {
    conditions: Groups,
    inverted: String,
    exceptions: Groups,
    causes: Groups,
    contrasts: String,
    order: Groups
});
section!(Dates {
    months: Groups,
    weekdays: Groups,
    capitalised: String,
    quarters: String,
    quarter_signs: String,
    am: String,
    pm: String,
    noon: String,
    midnight: String,
    clock: String,
    clock_past: String,
    clock_to: String,
    clock_plus: String,
    clock_minus: String,
    clock_at: String,
    hour_articles: String,
    counts_to_hour: bool,
    has_hours_at: bool,
    eras: Groups,
    references: Groups,
    periods: String,
    year_mark: String,
    month_mark: String,
    day_mark: String,
});
section!(OrdinalEndings { endings: String });
section!(Compounds { ones: String, joiner: String, tens: String, scales: String, ordinal_endings: String });
section!(Numbers {
    joiners: String, tens_joiners: String, ones: String, minus: String, number_signs: String, ages: String, labelled: String, times: String, range_starts: String,
    range_joiners: String, proportions: String, unit_joiner: String, year_zero: String, one_words: String, fraction_mark: String, cardinals: BTreeMap<String, f64>,
    ordinals: BTreeMap<String, i64>, fractions: BTreeMap<String, i64>, multipliers: BTreeMap<String, i64>,
    scales: BTreeMap<String, i64>,
    decades: BTreeMap<String, i64>, decade_parts: BTreeMap<String, (u8, u8)>, ordinal_endings: OrdinalEndings, compounds: Compounds,
});
section!(Units { groups: Groups, cldr: Groups, capitals: String, square: String, cubic: String, per: String });
section!(Names { titles: Groups, particles: String, given: String });
section!(Forms {
    same: Groups,
    spellings: String,
    regular_endings: String,
    telling_prefixes: String,
    stem_endings: String
});
section!(Opposites { pairs: Groups });
section!(Synonyms { groups: Groups, symmetric: String });
