//! Finds the blocks of a Markdown text, for callers that read their content.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::html;
use super::markdown::{self, CharOffsets, DeepNesting};
use groundwire_engine::{Cancel, CancelMeter, CodeUnit, Error, Span, TextRef, check_chars, dispatch};

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A paragraph, or the text of an item without paragraphs.
    Paragraph,
    /// A heading, underlined or after number signs.
    Heading,
    /// A fenced code block, including its fences.
    Fenced,
    /// An indented code block.
    Indented,
    /// Lines of HTML.
    Html,
    /// A block quote that contains other blocks.
    Quote,
    /// A list item that contains other blocks.
    Item,
    /// A part of a block that is not prose: code, a tag, the target of a link.
    Hidden,
}

/// A block of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its kind.
    pub kind: BlockKind,
    /// Its span in code points of the text. For a paragraph or heading, it contains neither heading marks nor the marks
    /// of enclosing blocks before the first line.
    pub span: Span,
}

/// Returns the blocks of `text` in order, enclosing blocks before the enclosed ones, in linear time. Text that is
/// nested too deeply, link definitions and thematic breaks are in no block.
///
/// # Errors
///
/// [`Error::Cancelled`], and [`Error::TextTooLong`] beyond [`groundwire_engine::MAX_CHARS`].
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Never, TextRef};
/// use groundwire_language::answer::{BlockKind, blocks};
///
/// let found = blocks(TextRef::Ucs1(b"# Mills\n\nOne was sold."), &Never)?;
/// let kinds: Vec<BlockKind> = found.iter().map(|block| block.kind).collect();
/// assert_eq!(kinds, [BlockKind::Heading, BlockKind::Paragraph]);
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
pub fn blocks(text: TextRef<'_>, cancel: &dyn Cancel) -> Result<Vec<Block>, Error> {
    check_chars(text.len())?;
    dispatch!(text, text => markdown::parse_cancellable(text, &mut CancelMeter::new(cancel), parse))
}

fn parse<T: CodeUnit>(text: &[T], meter: &mut CancelMeter<'_>) -> Result<Vec<Block>, Error> {
    let markdown = markdown::utf8(text, DeepNesting::Blank);
    let mut reader = BlockReader {
        offsets: CharOffsets::new(&markdown, text.len()),
        markdown: &markdown,
        blocks: Vec::new(),
        open: Vec::new(),
        leaf: None,
        consumed: 0,
        is_heading: false,
    };
    let mut done = 0;
    for (event, range) in Parser::new_ext(&markdown, Options::empty()).into_offset_iter() {
        meter.charge(range.start.saturating_sub(done) + 1)?;
        done = done.max(range.start);
        reader.read(&event, range);
    }
    meter.charge(markdown.len() - done)?;
    reader.finish_leaf();
    Ok(reader.blocks)
}

struct BlockReader<'a> {
    offsets: CharOffsets<'a>,
    markdown: &'a str,
    blocks: Vec<Block>,
    /// Indices of the blocks that are still open.
    open: Vec<usize>,
    /// The kind and the start of the current paragraph or heading, and the byte after its content so far.
    leaf: Option<(BlockKind, usize, usize)>,
    /// The byte up to which text has been read or hidden.
    consumed: usize,
    is_heading: bool,
}

impl BlockReader<'_> {
    fn read(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(TagEnd::Emphasis | TagEnd::Strong) => self.consumed = self.consumed.max(range.end),
            Event::End(TagEnd::Link | TagEnd::Image) => self.hide(self.consumed..range.end),
            Event::End(tag) => self.end(*tag, range),
            Event::Rule => self.finish_leaf(),
            Event::Code(_) | Event::InlineHtml(_) => {
                self.extend(range.clone());
                self.hide(range);
            }
            _ => {
                self.consumed = self.consumed.max(range.end);
                self.extend(range);
            }
        }
    }

    /// Hides `range`, except for the part that has been read or hidden already.
    fn hide(&mut self, range: Range<usize>) {
        let start = range.start.max(self.consumed);
        if start < range.end {
            let span = Span { start: self.offsets.char_at(start), end: self.offsets.char_at(range.end) };
            self.blocks.push(Block { kind: BlockKind::Hidden, span });
            self.consumed = range.end;
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        let kind = match tag {
            Tag::Link { link_type: LinkType::Autolink | LinkType::Email, .. } => {
                self.extend(range.clone());
                return self.hide(range);
            }
            Tag::Emphasis | Tag::Strong | Tag::Link { .. } | Tag::Image { .. } => {
                self.consumed = self.consumed.max(range.start);
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
        let start = self.offsets.char_at(range.start);
        self.open.push(self.blocks.len());
        self.blocks.push(Block { kind, span: Span { start, end: start } });
        if kind == BlockKind::Html {
            for part in html::text(self.markdown, range.clone()) {
                self.hide(range.start..part.start);
                self.consumed = part.end;
            }
            self.hide(range);
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        self.finish_leaf();
        self.is_heading = false;
        if matches!(tag, TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::BlockQuote(_) | TagEnd::Item) {
            let end = self.offsets.char_at(range.end);
            let block = self.open.pop().and_then(|number| self.blocks.get_mut(number));
            block.into_iter().for_each(|block| block.span.end = end);
        }
    }

    /// Extends the current paragraph or heading to `range`, or begins one there.
    fn extend(&mut self, range: Range<usize>) {
        let around = self.open.last().map(|&number| self.blocks[number].kind);
        if matches!(around, Some(BlockKind::Fenced | BlockKind::Indented | BlockKind::Html)) {
            return;
        }
        if let Some((_, _, end)) = &mut self.leaf {
            *end = range.end.max(*end);
            return;
        }
        // The parser's range excludes the backslash before an escaped character.
        let is_escaped = range.start > 0 && self.markdown.as_bytes()[range.start - 1] == b'\\';
        let start = self.offsets.char_at(range.start - usize::from(is_escaped));
        let kind = if self.is_heading { BlockKind::Heading } else { BlockKind::Paragraph };
        self.leaf = Some((kind, start, range.end));
    }

    fn finish_leaf(&mut self) {
        if let Some((kind, start, end)) = self.leaf.take() {
            let span = Span { start, end: self.offsets.char_at(end) };
            self.blocks.push(Block { kind, span });
        }
    }
}
