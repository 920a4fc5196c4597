//! Separates the prose of HTML blocks from their tags.

use std::ops::Range;

/// Elements whose content is no prose.
const CODE_ELEMENTS: [&str; 4] = ["pre", "script", "style", "textarea"];

/// Returns the ranges of prose in `range` of `text`, without tags, comments and code, in linear time.
pub(super) fn text(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut at = range.start;
    while let Some(found) = text[at..range.end].find('<') {
        let open = at + found;
        let rest = &text[open..range.end];
        parts.push(at..open);
        let Some(length) = markup(rest) else {
            // Nothing closes the markup, so the rest is text.
            parts.push(open..range.end);
            return parts;
        };
        if length == 0 {
            parts.push(open..open + 1);
        }
        at = open + length.max(1);
    }
    parts.push(at..range.end);
    parts
}

/// Returns the length of the markup at the start of `rest`: 0 without markup, and `None` if nothing closes it.
fn markup(rest: &str) -> Option<usize> {
    if let Some(comment) = rest.strip_prefix("<!--") {
        return comment.find("-->").map(|end| "<!--".len() + end + "-->".len());
    }
    let name = rest[1..].trim_start_matches(['/', '!', '?']);
    if !name.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        return Some(0);
    }
    let tag = rest.find('>')? + 1;
    let length = name.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let is_code = !rest.starts_with("</") && CODE_ELEMENTS.iter().any(|code| name[..length].eq_ignore_ascii_case(code));
    if !is_code {
        return Some(tag);
    }
    // An element without a closing tag extends to the end of the block.
    let close = rest[tag..].find("</").and_then(|close| rest[tag + close..].find('>').map(|end| tag + close + end + 1));
    Some(close.unwrap_or(rest.len()))
}
