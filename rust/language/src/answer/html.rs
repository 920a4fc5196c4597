//! Separates the tags of HTML blocks from their prose.

use std::ops::Range;

/// Elements whose content is not prose.
const CODE: [&str; 4] = ["pre", "script", "style", "textarea"];

/// Returns the parts of `text` in `range` that are not tags, comments or code, in order. Linear.
pub(super) fn text(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut at = range.start;
    while let Some(found) = text[at..range.end].find('<') {
        let open = at + found;
        let rest = &text[open..range.end];
        parts.push(at..open);
        let Some(length) = markup(rest) else {
            // No closing sign: the rest is text, including `<`.
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

/// Returns the length of the markup at the start of `rest`: 0 if there is none, `None` if it is unterminated.
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
    let is_code = !rest.starts_with("</") && CODE.iter().any(|code| name[..length].eq_ignore_ascii_case(code));
    if !is_code {
        return Some(tag);
    }
    // An unterminated element extends to the end of the block.
    let close = rest[tag..].find("</").and_then(|close| rest[tag + close..].find('>').map(|end| tag + close + end + 1));
    Some(close.unwrap_or(rest.len()))
}
