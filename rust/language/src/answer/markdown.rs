//! The structure of Markdown: pulldown-cmark knows it.
//!
//! Source: CommonMark 0.31, with GitHub's tables, footnotes, task boxes and struck text.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use super::abandonable::abandonable;
use super::html;
use super::known_ids::{Ids, Standing};
use super::prose::{Block, Prose};
use crate::sentence::{Class, classify};
use groundwire_engine::{CancelMeter, CodeUnit, Error, ascii};

/// From so many characters on a text is read on a thread of its own: the parser finds all blocks, and
/// all that is marked in a block, before it returns the first event, and can be asked nothing meanwhile.
const ABANDONABLE_CHARS: usize = 1 << 19;

/// Reads `text` as Markdown.
pub(super) fn read<T: CodeUnit>(text: &[T], ids: &Ids, meter: &mut CancelMeter<'_>) -> Result<Prose, Error> {
    let known = ids.clone();
    in_time(text, meter, move |text, meter| parse(text, &known, meter))
}

/// Does `work` on `text` so that it can be interrupted, even while the parser returns nothing.
pub(super) fn in_time<T: CodeUnit, R: Send + 'static>(
    text: &[T],
    meter: &mut CancelMeter<'_>,
    work: impl Fn(&[T], &mut CancelMeter<'_>) -> Result<R, Error> + Clone + Send + 'static,
) -> Result<R, Error> {
    if text.len() < ABANDONABLE_CHARS {
        return work(text, meter);
    }
    let (owned, on_thread) = (text.to_vec(), work.clone());
    let done = abandonable(meter.cancel(), move |cancel| on_thread(&owned, &mut CancelMeter::new(cancel)));
    // Without a thread it takes as long, and can be stopped once the parser has begun to return events.
    done.unwrap_or_else(|_| work(text, meter))
}

fn parse<T: CodeUnit>(text: &[T], ids: &Ids, meter: &mut CancelMeter<'_>) -> Result<Prose, Error> {
    let markdown = utf8(text, Deep::Text);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM;
    let mut reader = Reader {
        text,
        markdown: &markdown,
        ids,
        places: Places::new(&markdown, text.len()),
        prose: Prose { classes: vec![Class::Hidden; text.len()], blocks: Vec::new() },
        current: None,
        label: None,
        is_heading: false,
        is_table: false,
        row: 0,
        is_in_link: false,
        passed_over: 0,
    };
    let mut done = 0;
    for (event, range) in Parser::new_ext(&markdown, options).into_offset_iter() {
        meter.add(range.start.saturating_sub(done) + 1)?;
        done = done.max(range.start);
        reader.read(event, range);
    }
    meter.add(markdown.len() - done)?;
    reader.finish_block();
    Ok(reader.prose)
}

/// Deeper lists and block quotes are read as text: the parser's time is lines times depth.
const MAX_PREFIX_CHARS: usize = 64;

/// What becomes of a line that is nested too deep.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Deep {
    /// Its deepest signs are letters to the parser, so that the line is read as text.
    Text,
    /// The parser sees a blank line.
    Blank,
}

/// `text` as the parser wants it, as many characters long. What is none stands there as U+FFFD.
pub(super) fn utf8<T: CodeUnit>(text: &[T], lines: Deep) -> Cow<'_, str> {
    let is_shallow = !text.split(|unit| is_line_end(unit.code())).any(|line| prefix(line) > MAX_PREFIX_CHARS);
    if let Some(bytes) = ascii(text).filter(|_| is_shallow) {
        return Cow::Borrowed(bytes);
    }
    let character = |unit: &T| char::from_u32(unit.code()).unwrap_or(char::REPLACEMENT_CHARACTER);
    if is_shallow {
        return Cow::Owned(text.iter().map(character).collect());
    }
    let mut markdown = String::with_capacity(text.len());
    for line in text.split_inclusive(|unit| is_line_end(unit.code())) {
        let deep = MAX_PREFIX_CHARS..prefix(line);
        let is_blank = lines == Deep::Blank && !deep.is_empty();
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

/// How many characters at the beginning of `line` may be those of lists and block quotes.
fn prefix<T: CodeUnit>(line: &[T]) -> usize {
    let is_prefix = |unit: &&T| {
        matches!(char::from_u32(unit.code()), Some(' ' | '\t' | '>' | '-' | '+' | '*' | '.' | ')' | '0'..='9'))
    };
    line.iter().take_while(is_prefix).count()
}

/// The way from bytes of the UTF-8 to characters of the text.
pub(super) struct Places<'a> {
    markdown: &'a str,
    chars: usize,
    /// The last byte that was asked for, and its character.
    last: (usize, usize),
}

impl<'a> Places<'a> {
    /// Of `markdown`, which is a text of so many `chars`.
    pub(super) fn new(markdown: &'a str, chars: usize) -> Self {
        Self { markdown, chars, last: (0, 0) }
    }

    /// The place in the text of a byte of the UTF-8, which is not before those asked for so far.
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

struct Reader<'a, T> {
    text: &'a [T],
    markdown: &'a str,
    ids: &'a Ids,
    places: Places<'a>,
    prose: Prose,
    current: Option<Block>,
    /// Where the list item began that no block has begun in.
    label: Option<usize>,
    is_heading: bool,
    is_table: bool,
    row: usize,
    is_in_link: bool,
    /// How many elements are open that nothing is read of.
    passed_over: usize,
}

/// What a stretch of text is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stretch {
    Text,
    /// Its brackets are no citations.
    Link,
    Code,
}

impl<T: CodeUnit> Reader<'_, T> {
    fn read(&mut self, event: Event<'_>, range: Range<usize>) {
        if self.passed_over > 0 {
            match event {
                Event::Start(_) => self.passed_over += 1,
                Event::End(_) => self.passed_over -= 1,
                _ => {}
            }
            return;
        }
        let text = if self.is_in_link { Stretch::Link } else { Stretch::Text };
        match event {
            Event::Start(tag) => self.start(&tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(_) | Event::SoftBreak | Event::HardBreak => self.push(range, text),
            Event::FootnoteReference(_) => self.push(range, Stretch::Text),
            Event::Code(_) => self.push(range, Stretch::Code),
            Event::Rule => self.finish_block(),
            // Markup. Without its option there is no mathematics.
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough => return,
            Tag::Link { link_type, id, .. } => return self.start_link(*link_type, id, range),
            Tag::Image { .. } => return self.passed_over = 1,
            _ => self.finish_block(),
        }
        match tag {
            Tag::CodeBlock(_) | Tag::FootnoteDefinition(_) | Tag::MetadataBlock(_) => self.passed_over = 1,
            Tag::HtmlBlock => {
                self.passed_over = 1;
                for part in html::text(self.markdown, range) {
                    self.push(part, Stretch::Text);
                }
            }
            Tag::Heading { .. } => self.is_heading = true,
            Tag::TableHead => (self.is_heading, self.is_table) = (true, true),
            Tag::TableRow => self.row += 1,
            Tag::Item => self.label = Some(self.places.char_at(range.start)),
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

    /// A link by reference whose label could be an id is read as its characters stand there.
    fn start_link(&mut self, link_type: LinkType, label: &str, range: Range<usize>) {
        let is_reference = matches!(link_type, LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut);
        if !is_reference || self.standing(label) == Standing::Ignored {
            self.is_in_link = true;
            return;
        }
        self.passed_over = 1;
        let words = match (link_type, self.markdown[range.clone()].rfind('[')) {
            (LinkType::Reference, Some(last)) => range.start..range.start + last,
            _ => range.start..range.start,
        };
        let inner = self.markdown[words.clone()].trim_matches(['[', ']']);
        let stretch = if self.standing(inner) == Standing::Ignored { Stretch::Link } else { Stretch::Text };
        self.push(words.clone(), stretch);
        self.push(words.end..range.end, Stretch::Text);
    }

    fn standing(&self, label: &str) -> Standing {
        let codes: Vec<u32> = label.chars().map(u32::from).collect();
        self.ids.standing(&codes)
    }

    /// There are characters to read in `range`; ranges come in order.
    fn push(&mut self, range: Range<usize>, stretch: Stretch) {
        if range.is_empty() {
            return;
        }
        let (start, end) = (self.places.char_at(range.start), self.places.char_at(range.end));
        let classes = &mut self.prose.classes[start..end];
        match stretch {
            Stretch::Code => classes.fill(Class::Letter),
            Stretch::Text => classify(&self.text[start..end], classes),
            Stretch::Link => {
                classify(&self.text[start..end], classes);
                classes.iter_mut().filter(|class| **class == Class::Open).for_each(|class| *class = Class::Close);
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
        // The label and the white space behind it; the rest is markup.
        let is_space = |unit: &T| char::from_u32(unit.code()).is_some_and(char::is_whitespace);
        let labelled = self.text[label..start].iter().position(is_space).map_or(label, |space| label + space + 1);
        classify(&self.text[label..labelled], &mut self.prose.classes[label..labelled]);
        let row = if self.is_table { self.row } else { 0 };
        self.current = Some(Block { start, end: start, label, is_heading: self.is_heading, row });
    }

    fn finish_block(&mut self) {
        self.prose.blocks.extend(self.current.take());
    }
}
