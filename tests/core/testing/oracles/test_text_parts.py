"""What pages and texts say, part by part."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from gatecrash.core.testing.oracles import text_parts
from gatecrash.core.testing.oracles.text_parts import MOST_FACTS, masked, parts_of_page, parts_of_text

PIECES = st.lists(
    st.sampled_from(["<p>", "<P  id=1>", "</p>", "tea ", "TEA", "<", ">", "a<b", "x>y", "&lt;", "\n", "\x00"])
)


def said(page: str) -> list[tuple[str, str]]:
    return [fact for part, times in parts_of_page(page).items() for fact in part.said(times)]


def test_a_page_is_its_tags_and_the_texts_between_them() -> None:
    assert sorted(said("Tea\n <b  id=1>Green &amp; black</b> 2 < 3 <br>")) == [
        ("tag 1", "</b>"),
        ("tag 1", "<b id=1>"),
        ("tag 1", "<br>"),
        ("text 1", "2 < 3"),
        ("text 1", "green & black"),
        ("text 1", "tea"),
    ]


def test_equal_parts_are_counted_however_their_white_space_is_written() -> None:
    page = "<li>a b<li>a  b\n<li\n>a b"
    assert sorted(fact for fact in said(page) if fact[1] == "a b") == [
        (f"text {number}", "a b") for number in (1, 2, 3)
    ]
    assert ("text 3", "a b") not in said("<li>a b<li>a b")  # whatever pages before said more often


def test_a_sign_of_a_tag_is_the_same_by_whatever_reference_it_is_written() -> None:
    usual = said("<a title='2 &lt; 3 &amp; o&#x27;clock'>")
    assert said("<a title='2 &#60; 3 &#38; o&#039;clock'>") == said("<a title='2 &lt; 3 &amp; o&apos;clock'>") == usual
    assert said("<a href='?a&b=&nothing;&#9999999;'>") != usual  # and what is no reference stays


def test_a_line_is_no_tag_and_a_tag_no_line() -> None:
    assert [part.said(1) for part in parts_of_text("b>c")] == [(("line 1", "b>c"),)]
    assert sorted(said("<b>c")) == [("tag 1", "<b>"), ("text 1", "c")]


@example(["<", "tea ", "\x00", ">"])
@given(PIECES)
def test_a_page_is_divided_at_the_same_places_as_by_its_tags_alone(pieces: list[str]) -> None:
    page = "".join(pieces)
    tags = {" ".join(tag.casefold().split()) for tag in re.findall(r"<[^<>]*>", page.replace("\x00", " "))}
    assert tags <= {value for _, value in said(page)}


def test_a_time_is_told_as_one_and_longer_numbers_are_none() -> None:
    assert masked("at 10:00:01, 2024-05-17t10:00z, 1715940001.5") == "at <time>, <time>, <time>"
    assert masked("110:00:01 17159400012 21715940001") == "110:00:01 17159400012 21715940001"


def test_a_page_of_very_many_parts_is_bounded() -> None:
    assert len(said("<i>x" * MOST_FACTS)) == MOST_FACTS
    assert len(said("<" * 200_000)) == 1
    assert sum(parts_of_text("x\n" * 2 * MOST_FACTS).values()) == MOST_FACTS


def test_what_is_remembered_is_bounded(monkeypatch) -> None:
    monkeypatch.setattr(text_parts, "_MOST_HELD", 5_000)
    for number in range(200):
        page = f"<p>{number}<p>same"
        assert sorted(said(page)) == [("tag 1", "<p>"), ("tag 2", "<p>"), ("text 1", f"{number}"), ("text 1", "same")]
    assert len(text_parts._tags) < 50
