use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

#[derive(Clone, Copy, Debug)]
enum Step {
    Append([u8; 4], usize),
    Push(u8),
    Truncate(usize),
    Change(prop::sample::Index, u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        (any::<[u8; 4]>(), 0..=4_usize).prop_map(|(units, kept)| Step::Append(units, kept)),
        any::<u8>().prop_map(Step::Push),
        (0..20_usize).prop_map(Step::Truncate),
        (any::<prop::sample::Index>(), any::<u8>()).prop_map(|(place, unit)| Step::Change(place, unit)),
    ];
    vec(step, 0..20)
}

proptest! {
    #[test]
    fn a_buffer_holds_what_a_vector_holds(steps in steps()) {
        const CAPACITY: usize = 20;
        let mut memory = [MaybeUninit::<u8>::uninit(); CAPACITY];
        let (mut buffer, mut expected) = (UninitBuffer::new(&mut memory), Vec::<u8>::new());
        for step in steps {
            match step {
                Step::Append(units, kept) if buffer.has_capacity(4) => {
                    buffer.append(&units, kept);
                    expected.extend(&units[..kept]);
                }
                Step::Push(unit) if buffer.has_capacity(1) => {
                    TextSink::push(&mut buffer, unit);
                    expected.push(unit);
                }
                Step::Append(..) | Step::Push(_) => {}
                Step::Truncate(len) => {
                    TextSink::truncate(&mut buffer, len);
                    expected.truncate(len);
                }
                Step::Change(place, unit) if !expected.is_empty() => {
                    let place = place.index(expected.len());
                    buffer[place] = unit;
                    expected[place] = unit;
                }
                Step::Change(..) => {}
            }
            prop_assert_eq!(&expected[..], &buffer[..]);
            for chars in 0..=CAPACITY + 1 {
                prop_assert_eq!(expected.len() + chars <= CAPACITY, buffer.has_capacity(chars));
            }
        }
        prop_assert_eq!(&expected[..], buffer.written());
    }
}

#[test]
fn one_byte_holds_ascii_only() {
    assert_eq!((0x7F, false), (UninitBuffer::<u8>::MAX, UninitBuffer::<u8>::ENCODES_DASHES));
    assert_eq!((0xFFFF, true), (UninitBuffer::<u16>::MAX, UninitBuffer::<u16>::ENCODES_DASHES));
    assert_eq!((u32::MAX, true), (UninitBuffer::<u32>::MAX, UninitBuffer::<u32>::ENCODES_DASHES));
}
