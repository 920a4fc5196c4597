//! Reads the structure of Markdown with pulldown-cmark.
//!
//! Source: CommonMark 0.31, with GitHub's tables, footnotes, task lists and strikethrough.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use super::cancellation::run_cancellable;
use super::html;
use super::known_ids::{KnownIds, MarkerStatus};
use super::prose::{Prose, ProseBlock};
use crate::sentence::{SentenceBreak, classify};
use groundwire_engine::{CancelMeter, CodeUnit, Error, ascii};

/// Minimum length of a text that is parsed on a separate thread, in characters. Before the parser returns the first
/// event, it finds all blocks, and all inline markup of a block, and cannot be cancelled.
const MIN_CANCELLABLE_CHARS: usize = 1 << 19;

/// Reads `text` as Markdown.
pub(super) fn read<T: CodeUnit>(text: &[T], ids: &KnownIds, meter: &mut CancelMeter<'_>) -> Result<Prose, Error> {
    let known = ids.clone();
    parse_cancellable(text, meter, move |text, meter| parse(text, &known, meter))
}

/// Runs `work`, which parses `text`, so that it can be cancelled even before the parser returns an event.
pub(super) fn parse_cancellable<T: CodeUnit, R: Send + 'static>(
    text: &[T],
    meter: &mut CancelMeter<'_>,
    work: impl Fn(&[T], &mut CancelMeter<'_>) -> Result<R, Error> + Clone + Send + 'static,
) -> Result<R, Error> {
    if text.len() < MIN_CANCELLABLE_CHARS {
        return work(text, meter);
    }
    let (owned, on_thread) = (text.to_vec(), work.clone());
    let done = run_cancellable(meter.cancel(), move |cancel| on_thread(&owned, &mut CancelMeter::new(cancel)));
    // Without a thread, the work can be cancelled only when the parser returns events.
    done.unwrap_or_else(|_| work(text, meter))
}

fn parse<T: CodeUnit>(text: &[T], ids: &KnownIds, meter: &mut CancelMeter<'_>) -> Result<Prose, Error> {
    let markdown = utf8(text, DeepNesting::Text);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM;
    let mut reader = MarkdownReader {
        text,
        markdown: &markdown,
        ids,
        offsets: CharOffsets::new(&markdown, text.len()),
        prose: Prose { classes: vec![SentenceBreak::Ignored; text.len()], blocks: Vec::new() },
        current: None,
        label: None,
        is_heading: false,
        is_table: false,
        row: 0,
        is_in_link: false,
        skip_depth: 0,
    };
    let mut done = 0;
    for (event, range) in Parser::new_ext(&markdown, options).into_offset_iter() {
        meter.charge(range.start.saturating_sub(done) + 1)?;
        done = done.max(range.start);
        reader.read(event, range);
    }
    meter.charge(markdown.len() - done)?;
    reader.finish_block();
    Ok(reader.prose)
}

/// Maximum length of the list and block quote marks before a line, in characters. Deeper nesting is not parsed, because
/// the parser takes time proportional to lines times depth.
const MAX_PREFIX_CHARS: usize = 64;

/// The treatment of a line that is nested too deeply.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DeepNesting {
    /// The parser gets letters instead of its deepest marks, and so reads the line as text.
    Text,
    /// The parser gets a blank line.
    Blank,
}

/// Returns `text` in UTF-8 for the parser, with the same number of characters. Lone surrogates become U+FFFD.
pub(super) fn utf8<T: CodeUnit>(text: &[T], deep_lines: DeepNesting) -> Cow<'_, str> {
    let is_shallow = !text.split(|unit| is_line_end(unit.code_point())).any(|line| prefix(line) > MAX_PREFIX_CHARS);
    if let Some(bytes) = ascii(text).filter(|_| is_shallow) {
        return Cow::Borrowed(bytes);
    }
    let character = |unit: &T| char::from_u32(unit.code_point()).unwrap_or(char::REPLACEMENT_CHARACTER);
    if is_shallow {
        return Cow::Owned(text.iter().map(character).collect());
    }
    let mut markdown = String::with_capacity(text.len());
    for line in text.split_inclusive(|unit| is_line_end(unit.code_point())) {
        let deep = MAX_PREFIX_CHARS..prefix(line);
        let is_blank = deep_lines == DeepNesting::Blank && !deep.is_empty();
        let shallow = |(place, unit): (usize, &T)| match character(unit) {
            sign if is_blank && !is_line_end(sign.into()) => ' ',
            sign if deep.contains(&place) && !sign.is_whitespace() => 'x',
            character => character,
        };
        markdown.extend(line.iter().enumerate().map(shallow));
    }
    Cow::Owned(markdown)
}

fn is_line_end(code: u32) -> bool {
    code == 0x0A || code == 0x0D
}

/// Returns the number of characters at the start of `line` that may be marks of lists and block quotes.
fn prefix<T: CodeUnit>(line: &[T]) -> usize {
    let is_prefix = |unit: &&T| {
        matches!(char::from_u32(unit.code_point()), Some(' ' | '\t' | '>' | '-' | '+' | '*' | '.' | ')' | '0'..='9'))
    };
    line.iter().take_while(is_prefix).count()
}

/// Converts byte offsets to character offsets.
pub(super) struct CharOffsets<'a> {
    markdown: &'a str,
    chars: usize,
    /// The last byte offset that was converted, and its character offset.
    last: (usize, usize),
}

impl<'a> CharOffsets<'a> {
    /// Creates the converter for `markdown`, a text of `chars` characters.
    pub(super) fn new(markdown: &'a str, chars: usize) -> Self {
        Self { markdown, chars, last: (0, 0) }
    }

    /// Returns the character offset of a byte offset. Byte offsets must not decrease.
    pub(super) fn char_at(&mut self, byte: usize) -> usize {
        if self.markdown.len() == self.chars {
            return byte;
        }
        let (last, char) = self.last;
        let passed = &self.markdown.as_bytes()[last.min(byte)..byte];
        let char = char + passed.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        self.last = (last.max(byte), char);
        char
    }
}

struct MarkdownReader<'a, T> {
    text: &'a [T],
    markdown: &'a str,
    ids: &'a KnownIds,
    offsets: CharOffsets<'a>,
    prose: Prose,
    current: Option<ProseBlock>,
    /// Start of the current list item, until its first block begins.
    label: Option<usize>,
    is_heading: bool,
    is_table: bool,
    row: usize,
    is_in_link: bool,
    /// Number of enclosing elements that are skipped.
    skip_depth: usize,
}

/// The kind of a range of text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RangeKind {
    Text,
    /// Text whose brackets are not citations.
    Link,
    Code,
}

impl<T: CodeUnit> MarkdownReader<'_, T> {
    fn read(&mut self, event: Event<'_>, range: Range<usize>) {
        if self.skip_depth > 0 {
            match event {
                Event::Start(_) => self.skip_depth += 1,
                Event::End(_) => self.skip_depth -= 1,
                _ => {}
            }
            return;
        }
        let text = if self.is_in_link { RangeKind::Link } else { RangeKind::Text };
        match event {
            Event::Start(tag) => self.start(&tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(_) | Event::SoftBreak | Event::HardBreak => self.push(range, text),
            Event::FootnoteReference(_) => self.push(range, RangeKind::Text),
            Event::Code(_) => self.push(range, RangeKind::Code),
            Event::Rule => self.finish_block(),
            // Other events are markup; the parser reports mathematics only on request.
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough => return,
            Tag::Link { link_type, id, .. } => return self.start_link(*link_type, id, range),
            Tag::Image { .. } => return self.skip_depth = 1,
            _ => self.finish_block(),
        }
        match tag {
            Tag::CodeBlock(_) | Tag::FootnoteDefinition(_) | Tag::MetadataBlock(_) => self.skip_depth = 1,
            Tag::HtmlBlock => {
                self.skip_depth = 1;
                for part in html::text(self.markdown, range) {
                    self.push(part, RangeKind::Text);
                }
            }
            Tag::Heading { .. } => self.is_heading = true,
            Tag::TableHead => (self.is_heading, self.is_table) = (true, true),
            Tag::TableRow => self.row += 1,
            Tag::Item => self.label = Some(self.offsets.char_at(range.start)),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => return,
            TagEnd::Link => return self.is_in_link = false,
            _ => self.finish_block(),
        }
        match tag {
            TagEnd::Heading(_) | TagEnd::TableHead => self.is_heading = false,
            TagEnd::Table => self.is_table = false,
            TagEnd::Item => self.label = None,
            _ => {}
        }
    }

    /// Reads a reference link as plain characters if its label may be an id, because it is then a citation.
    fn start_link(&mut self, link_type: LinkType, label: &str, range: Range<usize>) {
        let is_reference = matches!(link_type, LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut);
        if !is_reference || self.status(label) == MarkerStatus::Ignored {
            self.is_in_link = true;
            return;
        }
        self.skip_depth = 1;
        let words = match (link_type, self.markdown[range.clone()].rfind('[')) {
            (LinkType::Reference, Some(last)) => range.start..range.start + last,
            _ => range.start..range.start,
        };
        let inner = self.markdown[words.clone()].trim_matches(['[', ']']);
        let kind = if self.status(inner) == MarkerStatus::Ignored { RangeKind::Link } else { RangeKind::Text };
        self.push(words.clone(), kind);
        self.push(words.end..range.end, RangeKind::Text);
    }

    fn status(&self, label: &str) -> MarkerStatus {
        let codes: Vec<u32> = label.chars().map(u32::from).collect();
        self.ids.status(&codes)
    }

    /// Adds the characters in `range`. Ranges must be passed in order.
    fn push(&mut self, range: Range<usize>, kind: RangeKind) {
        if range.is_empty() {
            return;
        }
        let (start, end) = (self.offsets.char_at(range.start), self.offsets.char_at(range.end));
        let classes = &mut self.prose.classes[start..end];
        match kind {
            RangeKind::Code => classes.fill(SentenceBreak::Letter),
            RangeKind::Text => classify(&self.text[start..end], classes),
            RangeKind::Link => {
                classify(&self.text[start..end], classes);
                classes
                    .iter_mut()
                    .filter(|class| **class == SentenceBreak::Open)
                    .for_each(|class| *class = SentenceBreak::Close);
            }
        }
        if self.current.is_none() {
            self.start_block(start);
        }
        if let Some(block) = &mut self.current {
            block.end = end;
        }
    }

    fn start_block(&mut self, start: usize) {
        let label = self.label.take().unwrap_or(start);
        // The label and one white space after it are text; other characters before the start are markup.
        let is_space = |unit: &T| char::from_u32(unit.code_point()).is_some_and(char::is_whitespace);
        let labelled = self.text[label..start].iter().position(is_space).map_or(label, |space| label + space + 1);
        classify(&self.text[label..labelled], &mut self.prose.classes[label..labelled]);
        let row = if self.is_table { self.row } else { 0 };
        self.current = Some(ProseBlock { start, end: start, label, is_heading: self.is_heading, row });
    }

    fn finish_block(&mut self) {
        self.prose.blocks.extend(self.current.take());
    }
}
