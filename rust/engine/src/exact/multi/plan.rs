//! The plan of a search: which patterns to search together, with which q-gram length, at which positions.
//!
//! Cost model, in nanoseconds per character of text, measured on English text:
//!
//! | strategy | cost |
//! | --- | --- |
//! | substring search for one pattern | [`EACH_COST`] for each byte of a character |
//! | a pass over every `step`-th position | [`PROBE_COST`]` / step` |
//! | preparing a pass | [`BUILD_COST`] once |
//! | each pattern of a pass | the frequency of its rarest q-gram ([`FREQUENCIES`]) times [`HIT_COST`] |
//!
//! Inserting a q-gram costs about as much as three lookups, and a pattern inserts `step` of them. So for `n` characters
//! of text in total and `k` patterns, `sqrt(n / 3k)` is the cheapest step.
//!
//! A text may have many more candidates than English text. For such a text, the fewest candidates remain if each
//! pattern inserts only the rarest of its longest q-grams ([`fallback`]). Results never depend on the plan.

/// Number of length classes of patterns.
const CLASSES: usize = 7;

/// Q-gram length of each class, in characters. The first two classes differ in whether positions can be skipped.
const GRAM_CHARS: [usize; CLASSES] = [8, 8, 5, 4, 3, 2, 1];

/// Minimum pattern length of each class, in characters.
const MIN_CHARS: [usize; CLASSES] = [12, 8, 5, 4, 3, 2, 1];

/// Frequency of the rarest q-gram of a pattern, per position of a text, for each class.
const FREQUENCIES: [f64; CLASSES] = [0.0, 1e-6, 5e-5, 1e-4, 5e-4, 5e-3, 3e-2];

const EACH_COST: f64 = 0.1;

const PROBE_COST: f64 = 1.0;
const HIT_COST: f64 = 10.0;

/// Mostly the cost of clearing the tables, which dominates for small texts.
const BUILD_COST: f64 = 10_000.0;

/// Maximum step, in characters. Longer steps save nothing, because every lookup would be a cache miss.
const MAX_STEP: usize = 64;

/// Patterns that one pass over the text searches for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PatternGroup {
    /// The q-gram length in characters.
    pub(super) gram: usize,
    /// The distance of the positions to look up, in characters.
    pub(super) step: usize,
    /// The indices of the patterns, in ascending order.
    pub(super) members: Vec<u32>,
}

/// The groups of patterns, and how to search for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// The patterns to search for one by one.
    pub(super) each: Vec<u32>,
    pub(super) groups: Vec<PatternGroup>,
}

/// Q-gram lengths of the fallback plan, in characters. Few positions of a text share 16 characters.
const FALLBACK_GRAM_CHARS: [usize; 7] = [16, 8, 5, 4, 3, 2, 1];

/// The patterns of one length class during planning.
#[derive(Default)]
struct LengthClass {
    members: Vec<u32>,
    min_chars: usize,
}

/// Returns the plan for patterns of lengths `lens_chars` (0 for patterns that cannot occur) and texts of
/// `expected_chars` characters in total.
pub(super) fn plan<T>(lens_chars: impl Iterator<Item = usize>, expected_chars: usize) -> Plan {
    let each_cost = EACH_COST * size_of::<T>() as f64;
    let build = BUILD_COST / expected_chars.max(1) as f64;
    let mut classes = classify(lens_chars);
    let mut plan = Plan::default();
    for longest in 0..classes.len() {
        let class = std::mem::take(&mut classes[longest]);
        if class.members.is_empty() {
            continue;
        }
        let step = step(&class, longest, expected_chars);
        let pass = PROBE_COST / step as f64 + build;
        if class.members.len() as f64 * each_cost < pass {
            plan.each.extend(class.members);
        } else if let Some(shorter) = merge_target(&classes, longest, class.members.len(), pass, each_cost) {
            classes[shorter].members.extend(class.members);
        } else {
            let mut members = class.members;
            members.sort_unstable();
            plan.groups.push(PatternGroup { gram: GRAM_CHARS[longest], step, members });
        }
    }
    plan
}

/// Returns the plan for a text with too many candidates: look up every position, so that each pattern inserts only one
/// q-gram, its rarest.
pub(super) fn fallback(lens_chars: impl Iterator<Item = usize>) -> Plan {
    let mut groups = FALLBACK_GRAM_CHARS.map(|gram| PatternGroup { gram, step: 1, members: Vec::new() });
    for (index, len) in lens_chars.enumerate() {
        if let Some(group) = groups.iter_mut().find(|group| len >= group.gram) {
            group.members.push(index as u32);
        }
    }
    Plan { each: Vec::new(), groups: groups.into_iter().filter(|group| !group.members.is_empty()).collect() }
}

/// Returns the plan with the given q-gram length and step for all patterns that are long enough.
pub(super) fn forced(lens_chars: impl Iterator<Item = usize>, gram: usize, step: usize) -> Plan {
    let mut plan = Plan::default();
    let mut group = PatternGroup { gram, step, members: Vec::new() };
    for (index, len) in lens_chars.enumerate() {
        let members = if gram > 0 && len >= gram + step - 1 { &mut group.members } else { &mut plan.each };
        members.push(index as u32);
    }
    plan.groups.extend((gram > 0).then_some(group));
    plan
}

fn classify(lens_chars: impl Iterator<Item = usize>) -> [LengthClass; CLASSES] {
    let mut classes: [LengthClass; CLASSES] = Default::default();
    for (index, len) in lens_chars.enumerate() {
        let Some(class) = MIN_CHARS.iter().position(|&min| len >= min) else { continue };
        let class = &mut classes[class];
        class.min_chars = if class.members.is_empty() { len } else { class.min_chars.min(len) };
        class.members.push(index as u32);
    }
    classes
}

fn step(class: &LengthClass, longest: usize, expected_chars: usize) -> usize {
    let offsets = class.min_chars + 1 - GRAM_CHARS[longest];
    let cheapest = (expected_chars / (3 * class.members.len())).isqrt();
    (offsets * 5 / 8).min(cheapest).clamp(1, MAX_STEP)
}

/// Returns the next class that can take `members` more patterns at a lower cost than a pass of their own (`pass`) or
/// one-by-one search (`each_cost`).
fn merge_target(
    classes: &[LengthClass; CLASSES],
    longest: usize,
    members: usize,
    pass: f64,
    each_cost: f64,
) -> Option<usize> {
    (longest + 1..classes.len()).find(|&shorter| {
        let hits = members as f64 * (FREQUENCIES[shorter] - FREQUENCIES[longest]);
        hits * HIT_COST < pass.min(classes[shorter].members.len() as f64 * each_cost)
    })
}

#[cfg(test)]
#[path = "../../../tests/unit/pattern_plan.rs"]
mod tests;
