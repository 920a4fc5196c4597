//! The typographic profile (rulings A2 and A3), one step after the other.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

const SINGLE: &str = "‘’‚‛‹›′‵『』";
const DOUBLE: &str = "“”„‟«»「」〝〞〟⹂";
const SOFT_HYPHEN: char = '\u{AD}';

/// Returns the normalised text, or `None` where the rulings do not determine it: whether words are joined before or
/// after annotations are removed, and which words a hyphen inside an annotation joins.
pub fn normalize(text: &str) -> Option<String> {
    let plain: String = text.replace(['\u{2033}', '\u{2036}'], "\"").nfkc().filter(|&c| !is_ignorable(c)).collect();
    let is_settled = |piece: &str| !piece.split('>').next().unwrap_or("").contains(is_hyphen_or_dash);
    let plain = without_idle_soft_hyphens(&plain);
    let (joined_last, joined_first) = (joined(&without_marks(&plain)), without_marks(&joined(&plain)));
    let fold = |text: String| super::words(&text.chars().map(folded).collect::<String>()).to_lowercase();
    let (joined_last, joined_first) = (fold(joined_last), fold(joined_first));
    (joined_last == joined_first && plain.split('<').skip(1).all(is_settled)).then_some(joined_last)
}

fn is_hyphen_or_dash(character: char) -> bool {
    matches!(character, '-' | SOFT_HYPHEN | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

fn folded(character: char) -> char {
    match character {
        _ if SINGLE.contains(character) => '\'',
        _ if DOUBLE.contains(character) => '"',
        SOFT_HYPHEN => SOFT_HYPHEN,
        _ if is_hyphen_or_dash(character) => '-',
        _ => character,
    }
}

/// Returns whether `character` has the property `Default_Ignorable_Code_Point`, except the soft hyphen.
fn is_ignorable(character: char) -> bool {
    matches!(character as u32,
        0x34F | 0x61C | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F | 0x200B..=0x200F | 0x202A..=0x202E
        | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFF8 | 0x1BCA0..=0x1BCA3
        | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF)
}

/// Removes soft hyphens that are not followed by white space with a line end.
fn without_idle_soft_hyphens(text: &str) -> String {
    let ends_line = |rest: &str| rest.chars().take_while(|&c| super::is_space(c)).any(|c| c == '\n');
    let is_kept = |&(at, c): &(usize, char)| c != SOFT_HYPHEN || ends_line(&text[at + c.len_utf8()..]);
    text.char_indices().filter(is_kept).map(|(_, c)| c).collect()
}

/// Replaces `</?letter[^<>\n]{0,40}>` by a space.
fn without_marks(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(open) = rest.find('<') {
        out.push_str(&rest[..open]);
        rest = &rest[open + 1..];
        match mark_len(rest) {
            Some(len) => {
                out.push(' ');
                rest = &rest[len..];
            }
            None => out.push('<'),
        }
    }
    out + rest
}

/// Returns the length in bytes of the annotation whose opening bracket precedes `rest`, if it is one.
fn mark_len(rest: &str) -> Option<usize> {
    let end = rest.find(['<', '>', '\n'])?;
    let name = &rest[..end];
    let mut letters = name.strip_prefix('/').unwrap_or(name).chars();
    let is_mark = rest[end..].starts_with('>') && letters.next()?.is_alphabetic() && letters.count() <= 40;
    is_mark.then_some(end + 1)
}

/// Joins a letter, a hyphen, a line end and a letter to one word, then removes soft hyphens.
fn joined(text: &str) -> String {
    let text: Vec<char> = text.chars().collect();
    let (mut out, mut at) = (String::new(), 0);
    while let Some(&character) = text.get(at) {
        out.push(character);
        at += 1;
        if (character.is_alphabetic() || is_combining_mark(character))
            && let Some(next) = next_half(&text, at)
        {
            at = next;
        }
    }
    out.replace(SOFT_HYPHEN, "")
}

/// Returns the start of the second half of a word that is hyphenated at `at`.
fn next_half(text: &[char], at: usize) -> Option<usize> {
    let skip = |from: usize, is: fn(char) -> bool| from + text[from..].iter().take_while(|&&c| is(c)).count();
    let hyphen = at + usize::from(matches!(text.get(at), Some('-' | '\u{2010}')));
    let space = skip(hyphen, |c| c == SOFT_HYPHEN);
    let (mut next, mut has_line_end) = (space, false);
    // A soft hyphen after the line end counts as white space.
    while text.get(next).is_some_and(|&c| super::is_space(c) || has_line_end && c == SOFT_HYPHEN) {
        has_line_end |= text[next] == '\n';
        next += 1;
    }
    let is_cut = space > at && has_line_end && text.get(next).is_some_and(|c| c.is_alphabetic());
    is_cut.then_some(next)
}

#[test]
fn the_typographic_oracle_reproduces_known_examples() {
    assert_eq!(Some("\"so\" it's - 5 <6> example".to_owned()), normalize("„So“ it’s — 5 <6> exam\u{AD}\n ple<br>"));
    assert_eq!(None, normalize("<x-\ny>"));
    assert_eq!(Some("ab a b".to_owned()), normalize("a\u{AD}\n\u{AD}\nb a \u{AD}\nb"));
}
