"""Which pages may hold some words."""

import random

from gatecrash.core.testing.known.page_words import (
    Holders,
    bits_of,
    bits_of_text,
    identifiers_in,
    sketch_of,
)


def test_identifiers_are_words_with_a_digit_or_a_sign():
    assert identifiers_in("order 17 of ann@example.com, inv-2031 and a plain word") == {
        "17",
        "ann@example.com",
        "inv-2031",
    }
    assert identifiers_in("token abc1==, name=b2") == {"abc1==", "b2"}
    assert len(identifiers_in(" ".join(f"n{number}" for number in range(1000)))) == 400


def test_the_words_of_a_text_are_known_in_any_case():
    assert bits_of_text("Mozilla Firefox") == bits_of(["mozilla", "firefox"])
    assert bits_of_text("a an") == frozenset()
    assert sketch_of([0, 3]) == 0b1001


def test_a_word_that_no_coding_has_is_a_word():
    assert len(bits_of(["caf\udce9"])) == 1


def test_those_that_hold_a_word_come_in_the_order_in_which_they_came():
    holders = Holders[str]()
    for key, words in (("c", ["x", "y"]), ("a", ["y"]), ("b", ["x"])):
        holders.put(key, bits_of(words))
    assert [*holders.with_any(bits_of(["x"]))] == ["c", "b"]
    assert [*holders.with_any(bits_of(["y", "x"]))] == ["c", "a", "b"]
    assert [*holders.with_all(bits_of(["y", "x"]))] == ["c"]
    assert [*holders.with_any(bits_of(["z"]))] == [*holders.with_any([])] == [*holders.with_all(bits_of(["z"]))] == []
    holders.put("c", bits_of(["z"]))
    assert [*holders.with_all(bits_of(["x", "y", "z"]))] == ["c"]


def test_what_is_gone_is_held_by_nobody_and_takes_no_place():
    """The same as sets of words, asked one by one, for as long as the oldest go."""
    draw, holders, known = random.Random(4), Holders[int](), dict[int, set[str]]()
    words = [f"w{number}" for number in range(40)]
    for number in range(500):
        known[number] = set(draw.sample(words, 3))
        holders.put(number, bits_of(known[number]))
        if len(known) > 20:
            known.pop(next(iter(known)))
            holders.drop_oldest()
        wanted = set(draw.sample(words, 2))
        bits = bits_of(wanted)
        assert [*holders.with_any(bits)] == [key for key, held in known.items() if bits & bits_of(held)]
        assert [*holders.with_all(bits)] == [key for key, held in known.items() if bits <= bits_of(held)]
    assert len(holders._keys) <= 2 * 20 + 1
    assert max(holders._having.values()).bit_length() <= 2 * 20 + 1
