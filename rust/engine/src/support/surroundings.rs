//! The sentences around a stretch of a passage, as far as they are read for what contradicts.

use crate::Span;
use crate::text::Unit;

/// So much of a claim, and of the passage beside it, is read for what contradicts.
pub const READ_CHARS: usize = 1_000;
/// So much of the stretch itself, and on either side of it.
const STRETCH_CHARS: usize = READ_CHARS / 2;
const SIDE_CHARS: usize = READ_CHARS / 4;

/// `stretch` with the rest of its sentences, `READ_CHARS` at most.
///
/// Closer than a reading of the whole passage would be: a sentence ends at a terminator before white
/// space, at a stop of Chinese, at the end of a line.
pub(super) fn sentences<T: Unit>(text: &[T], stretch: Span) -> Span {
    let start = stretch.start.min(text.len());
    let end = stretch.end.clamp(start, text.len()).min(start + STRETCH_CHARS);
    let (first, last) = (start.saturating_sub(SIDE_CHARS), text.len().min(end + SIDE_CHARS));
    let mut left = first;
    while let Some(ending) = ending(text, left, start) {
        left = ending.end;
    }
    Span::new(left, ending(text, end, last).map_or(last, |ending| ending.start))
}

/// The first end of a sentence in `text[from..to]`: its signs, and the white space behind them.
fn ending<T: Unit>(text: &[T], from: usize, to: usize) -> Option<Span> {
    let is =
        |place: usize, wanted: fn(char) -> bool| place < to && char::from_u32(text[place].code()).is_some_and(wanted);
    let mut at = from;
    while at < to {
        if is(at, |sign| sign == '\n') {
            return Some(Span::new(at, at + 1));
        }
        let signs = (at..to).take_while(|&place| is(place, is_terminator)).count();
        if signs > 0 {
            let closed = at + signs + (at + signs..to).take_while(|&place| is(place, is_closing)).count();
            if is(closed, is_space) {
                return Some(Span::new(at, closed + 1));
            }
            let wide = (at..at + signs).find(|&place| is(place, is_wide));
            if let Some(wide) = wide {
                return Some(Span::new(wide, wide + 1));
            }
        }
        at += signs.max(1);
    }
    None
}

fn is_terminator(sign: char) -> bool {
    matches!(sign, '.' | '!' | '?') || is_wide(sign)
}

fn is_wide(sign: char) -> bool {
    matches!(sign, '。' | '！' | '？')
}

fn is_closing(sign: char) -> bool {
    matches!(sign, '"' | '\'' | '”' | '’' | ')' | ']')
}

/// White space as Python's regular expressions have it.
pub(super) fn is_space(sign: char) -> bool {
    sign.is_whitespace() || matches!(sign, '\u{1C}'..='\u{1F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(text: &str, stretch: &str) -> String {
        let codes: Vec<u32> = text.chars().map(u32::from).collect();
        let start = text[..text.find(stretch).unwrap()].chars().count();
        let found = sentences(&codes, Span::new(start, start + stretch.chars().count()));
        text.chars().skip(found.start).take(found.len()).collect()
    }

    #[test]
    fn a_stretch_is_read_with_its_sentences() {
        assert_eq!(around("One. Two at 3.5 (yes). Three", "3.5"), "Two at 3.5 (yes)");
        assert_eq!(around("He said \"no.\" Then two went. On", "two"), "Then two went");
        assert_eq!(around("第一。第二是的。第三", "二"), "第二是的");
        assert_eq!(around("a\nb c\nd", "b"), "b c");
        assert_eq!(around("what?!x。y z", "z"), "y z");
    }

    #[test]
    fn no_more_than_so_much_is_read() {
        let text = vec![b'a'; 5_000];
        assert_eq!(sentences(&text, Span::new(2_000, 4_000)), Span::new(1_750, 2_750));
        assert_eq!(sentences(&text, Span::new(9_000, 9_001)), Span::new(4_750, 5_000));
    }
}
