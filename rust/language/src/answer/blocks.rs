//! The blocks of a text in Markdown, for those who read by themselves what stands in them.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::html;
use super::markdown::{self, Deep, Places};
use groundwire_engine::{Cancel, CancelMeter, CodeUnit, Error, Span, TextRef, check_chars, dispatch};

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A paragraph, or the text of an item that has no paragraphs.
    Paragraph,
    /// A heading, underlined or behind number signs.
    Heading,
    /// Code between fences, which belong to it.
    Fenced,
    /// Code by its indentation.
    Indented,
    /// Lines of HTML.
    Html,
    /// A block quote around other blocks.
    Quote,
    /// A list item around other blocks.
    Item,
    /// A part of a block that is no prose: code, a tag, the target of a link.
    Hidden,
}

/// A block of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Where it stands, in code points of the text: of a paragraph or a heading what it says, without
    /// the marks of the heading and those of blocks around it before its first line.
    pub span: Span,
}

/// Reads the blocks of `text`, in order, those around others before these. What is nested too deep is
/// in none, nor are definitions of links and rules. Linear time.
///
/// # Errors
///
/// [`Error::Cancelled`], and [`Error::TextTooLong`] beyond [`groundwire_engine::MAX_CHARS`].
pub fn blocks(text: TextRef<'_>, cancel: &dyn Cancel) -> Result<Vec<Block>, Error> {
    check_chars(text.len())?;
    dispatch!(text, text => markdown::in_time(text, &mut CancelMeter::new(cancel), parse))
}

fn parse<T: CodeUnit>(text: &[T], meter: &mut CancelMeter<'_>) -> Result<Vec<Block>, Error> {
    let markdown = markdown::utf8(text, Deep::Blank);
    let mut reader = Reader {
        places: Places::new(&markdown, text.len()),
        markdown: &markdown,
        blocks: Vec::new(),
        open: Vec::new(),
        leaf: None,
        said: 0,
        is_heading: false,
    };
    let mut done = 0;
    for (event, range) in Parser::new_ext(&markdown, Options::empty()).into_offset_iter() {
        meter.add(range.start.saturating_sub(done) + 1)?;
        done = done.max(range.start);
        reader.read(&event, range);
    }
    meter.add(markdown.len() - done)?;
    reader.finish_leaf();
    Ok(reader.blocks)
}

struct Reader<'a> {
    places: Places<'a>,
    markdown: &'a str,
    blocks: Vec<Block>,
    /// The numbers of the blocks that are not at their end.
    open: Vec<usize>,
    /// The kind and the start of a paragraph or a heading, and the byte behind what was read of it.
    leaf: Option<(BlockKind, usize, usize)>,
    /// The byte up to which text was read or hidden.
    said: usize,
    is_heading: bool,
}

impl Reader<'_> {
    fn read(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(TagEnd::Emphasis | TagEnd::Strong) => self.said = self.said.max(range.end),
            Event::End(TagEnd::Link | TagEnd::Image) => self.hide(self.said..range.end),
            Event::End(tag) => self.end(*tag, range),
            Event::Rule => self.finish_leaf(),
            Event::Code(_) | Event::InlineHtml(_) => {
                self.extend(range.clone());
                self.hide(range);
            }
            _ => {
                self.said = self.said.max(range.end);
                self.extend(range);
            }
        }
    }

    /// Nothing of `range` is prose, but for what was hidden before.
    fn hide(&mut self, range: Range<usize>) {
        let start = range.start.max(self.said);
        if start < range.end {
            let span = Span { start: self.places.char_at(start), end: self.places.char_at(range.end) };
            self.blocks.push(Block { kind: BlockKind::Hidden, span });
            self.said = range.end;
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        let kind = match tag {
            Tag::Link { link_type: LinkType::Autolink | LinkType::Email, .. } => {
                self.extend(range.clone());
                return self.hide(range);
            }
            Tag::Emphasis | Tag::Strong | Tag::Link { .. } | Tag::Image { .. } => {
                self.said = self.said.max(range.start);
                return self.extend(range);
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(_)) => BlockKind::Fenced,
            Tag::CodeBlock(CodeBlockKind::Indented) => BlockKind::Indented,
            Tag::HtmlBlock => BlockKind::Html,
            Tag::BlockQuote(_) => BlockKind::Quote,
            Tag::Item => BlockKind::Item,
            _ => {
                self.finish_leaf();
                self.is_heading = matches!(tag, Tag::Heading { .. });
                return;
            }
        };
        self.finish_leaf();
        let start = self.places.char_at(range.start);
        self.open.push(self.blocks.len());
        self.blocks.push(Block { kind, span: Span { start, end: start } });
        if kind == BlockKind::Html {
            for part in html::text(self.markdown, range.clone()) {
                self.hide(range.start..part.start);
                self.said = part.end;
            }
            self.hide(range);
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        self.finish_leaf();
        self.is_heading = false;
        if matches!(tag, TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::BlockQuote(_) | TagEnd::Item) {
            let end = self.places.char_at(range.end);
            let block = self.open.pop().and_then(|number| self.blocks.get_mut(number));
            block.into_iter().for_each(|block| block.span.end = end);
        }
    }

    /// There is text in `range`, of a block that began with the first of it.
    fn extend(&mut self, range: Range<usize>) {
        let around = self.open.last().map(|&number| self.blocks[number].kind);
        if matches!(around, Some(BlockKind::Fenced | BlockKind::Indented | BlockKind::Html)) {
            return;
        }
        if let Some((_, _, end)) = &mut self.leaf {
            *end = range.end.max(*end);
            return;
        }
        // The parser leaves out the backslash before an escaped sign.
        let is_escaped = range.start > 0 && self.markdown.as_bytes()[range.start - 1] == b'\\';
        let start = self.places.char_at(range.start - usize::from(is_escaped));
        let kind = if self.is_heading { BlockKind::Heading } else { BlockKind::Paragraph };
        self.leaf = Some((kind, start, range.end));
    }

    fn finish_leaf(&mut self) {
        if let Some((kind, start, end)) = self.leaf.take() {
            let span = Span { start, end: self.places.char_at(end) };
            self.blocks.push(Block { kind, span });
        }
    }
}
