"""Numbers in order say what a sorted list says."""

from hypothesis import given
from hypothesis import strategies as st

from groundwire.review.places import Places

NUMBERS = st.lists(st.integers(0, 300), unique=True, max_size=200)


@given(NUMBERS, st.data())
def test_against_a_sorted_list(numbers, data):
    """Added in any order, removed in any order, read from anywhere in both directions."""
    places = Places()
    for number in numbers:
        places.add(number)
    gone = data.draw(st.lists(st.sampled_from(numbers), unique=True) if numbers else st.just([]))
    for number in gone:
        places.remove(number)
    left, start = sorted(set(numbers) - set(gone)), data.draw(st.integers(-1, 301))
    assert len(places) == len(left)
    assert list(places.after(start)) == [number for number in left if number > start]
    assert list(places.before(start)) == [number for number in reversed(left) if number < start]
    assert list(places.before(None)) == left[::-1]


def test_many_are_removed_from_the_front():
    """The list is made anew now and then; nothing is lost."""
    places = Places()
    for number in range(1000):
        places.add(number)
    for number in range(999):
        places.remove(number)
        assert next(places.after(-1)) == number + 1
    assert list(places.before(None)) == [999]
