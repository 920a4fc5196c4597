//! Answers give the same result in every width, take bounded work, and stop when cancelled.

use std::sync::atomic::{AtomicUsize, Ordering};

use groundwire_engine::{Cancel, Error, Never, Span, TextRef};
use groundwire_language::answer::{self, Answer, KnownIds, MarkerStatus};
use groundwire_language::sentence::sentences;
use proptest::prelude::*;

fn ids() -> KnownIds {
    let ids: Vec<Vec<u32>> = ["1", "2", "doc [a]"].map(|id| id.chars().map(u32::from).collect()).into();
    KnownIds::new(ids.iter().map(|id| TextRef::Ucs4(id)))
}

fn read(text: &str, cancel: &dyn Cancel) -> Result<Answer, Error> {
    let codes: Vec<u32> = text.chars().map(u32::from).collect();
    answer::read(TextRef::Ucs4(&codes), &ids(), cancel)
}

#[test]
fn an_answer_is_read_once() {
    let text = "# The river\n\nThe river is 40 km long.[1][9] It is `cold[1]`.\n\n- See [sic] and [doc [a]]";
    let answer = read(text, &Never).unwrap();
    let cited: Vec<(&str, MarkerStatus)> =
        answer.markers.iter().map(|marker| (&text[marker.span.start..marker.span.end], marker.status())).collect();
    assert_eq!(
        cited,
        [
            ("[1]", MarkerStatus::Valid),
            ("[9]", MarkerStatus::Invalid),
            ("[sic]", MarkerStatus::Ignored),
            ("[doc [a]]", MarkerStatus::Valid)
        ]
    );
    assert_eq!(answer.sentences.len(), 4);
    assert_eq!(answer.claims.len(), 1);
    assert_eq!((answer.claims[0].span, &answer.claims[0].markers[..]), (Span::new(13, 37), &[0, 1][..]));
}

proptest! {
    #![proptest_config(crate::config(256))]

    #[test]
    fn the_width_of_a_text_does_not_matter(text in "[a-cAB1 .!,\"'()\\[\\]*_`#>|<\\\\é\n-]{0,60}") {
        let bytes: Vec<u8> = text.chars().map(|character| u8::try_from(character).unwrap()).collect();
        let pairs: Vec<u16> = bytes.iter().map(|&byte| byte.into()).collect();
        let codes: Vec<u32> = bytes.iter().map(|&byte| byte.into()).collect();
        let wanted = answer::read(TextRef::Ucs1(&bytes), &ids(), &Never);
        prop_assert_eq!(&answer::read(TextRef::Ucs2(&pairs), &ids(), &Never), &wanted);
        prop_assert_eq!(&answer::read(TextRef::Ucs4(&codes), &ids(), &Never), &wanted);
        let wanted = sentences(TextRef::Ucs1(&bytes), &Never);
        prop_assert_eq!(&sentences(TextRef::Ucs2(&pairs), &Never), &wanted);
        prop_assert_eq!(&sentences(TextRef::Ucs4(&codes), &Never), &wanted);
    }
}

/// Returns the number of cancellation checks, which measures the charged work.
fn questions(text: &str) -> usize {
    let asked = AtomicUsize::new(0);
    let count = || {
        asked.fetch_add(1, Ordering::Relaxed);
        false
    };
    read(text, &count).unwrap();
    asked.into_inner()
}

#[test]
fn booked_work_grows_with_the_length() {
    for piece in
        ["[", "]", "[1", "[1]", "[doc [", "。", ". ", "a.(", "“a. ", "U.S. ", "1. ", "• ", "a\n", "> ", "- ", "```"]
    {
        // Longer texts are parsed on a separate thread, whose caller checks by the clock.
        let of_chars = |chars: usize| questions(&piece.repeat(chars / piece.len()));
        let (short, long) = (of_chars(125_000), of_chars(500_000));
        assert!(long >= 1, "{piece:?} does not ask");
        assert!(long <= 5 * short.max(2), "{piece:?} asks {short} and {long} times");
    }
}

#[test]
fn reading_stops_when_asked() {
    let stop = || true;
    for piece in ["The river. ", "**The** river. ", "[1] ", "a\n\n"] {
        assert_eq!(read(&piece.repeat(300_000), &stop), Err(Error::Cancelled), "{piece:?}");
    }
    let codes = vec![u32::from('.'); 1 << 20];
    assert_eq!(sentences(TextRef::Ucs4(&codes), &stop), Err(Error::Cancelled));
}
