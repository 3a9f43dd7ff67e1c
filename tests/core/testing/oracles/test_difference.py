"""Difference with meaning."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.difference import (
    Reading,
    is_steady,
    read,
    said_by_ones_alone,
    same_but_for_numbers,
    says_all_of,
    says_anything,
    stable,
    steadiness,
    telling,
)


def document(value: object, status: int = 200) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"),), json.dumps(value).encode())


def page(text: str) -> Response:
    return Response(200, ((b"Content-Type", b"text/html"),), text.encode())


def test_the_order_of_members_and_white_space_say_nothing():
    one, other = document({"a": 1, "b": [2]}), Response(200, (), b'{ "b":[2],\n"a":1 }')
    assert read(one).facts == read(other).facts


def test_one_row_fewer_is_told():
    assert telling([read(document([{"id": 1}, {"id": 2}]))], [read(document([{"id": 1}]))])
    assert telling([read(page("<li>a</li><li>a</li>"))], [read(page("<li>a</li>"))])


def test_what_ones_say_by_chance_where_others_say_something_else_each_time_is_not_theirs_alone():
    ones = [read(document({"days": [3, 5, 9], "state": "open"})), read(document({"days": [9, 1, 4], "state": "open"}))]
    others = [
        read(document({"days": [1, 2, 2], "state": "shut"})),
        read(document({"days": [5, 6, 2], "state": "shut"})),
    ]
    assert said_by_ones_alone(ones, others) == {("$.state", "open")}


def test_what_moves_between_samples_is_not_stable():
    samples = [read(document({"name": "ann", "nonce": nonce})) for nonce in ("x1", "x2")]
    assert ("$.name", "ann") in stable(samples)
    assert says_all_of(read(document({"name": "ann", "nonce": "x3"})), stable(samples))
    assert not says_all_of(read(document({"name": "ben", "nonce": "x3"})), stable(samples))


def test_times_are_masked():
    one = read(document({"at": "2024-05-17T10:00:01Z", "unix": "1715940001"}))
    assert one.facts == read(document({"at": "2024-06-18T11:30:59Z", "unix": "1715999999"})).facts


def test_steadiness_is_the_share_of_what_is_said_twice_and_markup_says_nothing():
    assert steadiness([read(page("<p>a</p><p>b</p>")), read(page("<p>a</p><p>b</p>"))]) == 1.0
    assert steadiness([read(page("<p>a</p>" * 20)), read(page("<p>b</p>" * 20))]) == 0.0


@pytest.mark.parametrize(
    ("pages", "steady"),
    [
        (["<p>a</p><p>b</p><p>1x</p>", "<p>a</p><p>b</p><p>2x</p>"], True),
        ([f"<p>a</p><p>b</p><p>{'pqrst'[n]}x</p><p>{'pqrst'[n]}y</p><p>{'pqrst'[n]}z</p>" for n in range(2)], False),
        ([f"<p>a</p><p>b</p><p>{'pqrst'[n]}x</p><p>{'pqrst'[n]}y</p><p>{'pqrst'[n]}z</p>" for n in range(5)], True),
        ([f"<p>a</p><p>{'pqrst'[n]}x</p><p>{'pqrst'[n]}y</p><p>{'pqrst'[n]}z</p>" for n in range(5)], False),
        ([f"<p>a</p><p>b</p><p>{'pqrst'[n]}x</p><p>{'pqrst'[n]}y</p>" + "<p>c</p>" * (n < 4) for n in range(5)], False),
        (["<p>page 7</p>", "<p>page 8</p>"], True),
        ([], True),
    ],
)
def test_a_page_that_moves_in_most_of_its_parts_is_steady_once_enough_of_it_stayed_in_many_answers(pages, steady):
    assert is_steady([read(page(each)) for each in pages]) is steady


def test_an_echo_is_put_back_however_it_is_escaped():
    sent = 'lamp\' AND "1"<2'
    good = read(page("<b>lamp</b>")).facts
    for shown in ("lamp&#x27; AND &quot;1&quot;&lt;2", "lamp&#39; AND &#34;1&#34;&lt;2", 'LAMP\' AND "1"&lt;2'.upper()):
        reading = read(page(f"<b>{shown}</b>"), {sent: "lamp", "<": "<"})
        assert good <= reading.facts or "LAMP" in shown
    assert (
        read(page("<a href='?q=lamp%27%20AND%20%221%22%3C2'>"), {sent: "lamp"}).facts
        == read(page("<a href='?q=lamp'>")).facts
    )
    assert read(document({"q": sent}), {sent: "lamp"}).facts == read(document({"q": "lamp"})).facts


@pytest.mark.parametrize(
    "shown",
    [
        "lamp&#039; AND &quot;1&quot;=&quot;1",  # PHP
        "lamp&#39; AND &quot;1&quot;=&quot;1",  # Ruby, Perl
        "lamp&apos; AND &quot;1&quot;=&quot;1",  # XHTML
        "lamp&#x27; AND &quot;1&quot;&#x3D;&quot;1",  # Handlebars
        "lamp&#039; AND &#034;1&#034;=&#034;1",  # JSTL
        "lamp' AND &quot;1&quot;=&quot;1",  # attributes in double quotes
    ],
)
def test_an_echo_in_an_attribute_is_put_back_whatever_references_its_library_writes(shown: str) -> None:
    reading = read(page(f'<input name="q" value="{shown}">'), {'lamp\' AND "1"="1': "lamp"})
    assert reading.facts == read(page('<input name="q" value="lamp">')).facts


def test_an_echo_of_letters_and_digits_is_put_back_in_any_case():
    assert read(page("<p>Nothing found for ABCD12</p>"), {"abcd12": "Two"}) == read(
        page("<p>Nothing found for two</p>")
    )
    assert read(document(["=12"]), {"12": "a"}) == read(document(["=a"]))


def test_an_echo_of_what_is_no_text_is_put_back_as_well():
    """Bytes of a picture come as surrogates (PEP 383), which an address escapes as the bytes that they are."""
    sent, was = b"\x89PNG'".decode("utf-8", "surrogateescape"), b"\x89PNG".decode("utf-8", "surrogateescape")
    shown = read(page("<a href='/up?as=%89PNG%27'>"), {sent: was}).facts
    assert shown == read(page("<a href='/up?as=%89PNG'>")).facts


def test_empty_answers_say_nothing():
    assert not says_anything(read(Response(204)).facts)
    assert not says_anything(read(Response(302, ((b"Location", b"/a"),))).facts)
    assert says_anything(read(document({"a": 1})).facts)


def test_what_was_created_may_differ_in_its_numbers_only():
    good = read(document({"id": 7, "ok": True, "item": "lamp", "key": "a81f3c9d77"}, 201))
    assert same_but_for_numbers(good, read(document({"id": 8, "ok": True, "item": "lamp", "key": "b92e4d0e88"}, 201)))
    assert not same_but_for_numbers(
        good, read(document({"id": 8, "ok": False, "item": "lamp", "key": "b92e4d0e88"}, 201))
    )
    assert not same_but_for_numbers(good, read(document({"id": 8, "ok": True, "item": "", "key": "b92e4d0e88"}, 201)))
    assert not same_but_for_numbers(good, read(document({"id": 8}, 201)))
    assert not same_but_for_numbers(
        good, read(document({"id": 8, "ok": True, "item": "lamp", "key": "b92e4d0e88"}, 200))
    )


def test_telling_wants_facts_that_hold_in_every_round():
    true = [read(document({"hits": 3, "n": n})) for n in range(3)]
    false = [read(document({"hits": 0, "n": n})) for n in range(3, 6)]
    assert telling(true, false) == {("$.hits", "=3"), ("$.hits", "=0")}
    assert telling(true, [*false, read(document({"hits": 3, "n": 9}))]) == frozenset()


def test_deep_and_wide_documents_are_bounded():
    deep = b"[" * 900 + b"]" * 900
    assert read(Response(200, (), deep)).facts
    assert len(read(document(list(range(100_000)))).facts) <= 20_003


@given(st.binary(max_size=200), st.sampled_from([b"application/json", b"text/html", b"text/plain", b""]))
def test_no_answer_makes_it_raise(body, kind):
    response = Response(200, ((b"Content-Type", kind), (b"Set-Cookie", body), (b"Location", body)), body)
    assert telling([read(response)], [read(response)]) == frozenset()


def test_answers_that_differ_in_date_and_cookie_value_only_are_read_once() -> None:
    ones = [
        Response(
            200, ((b"Date", date), (b"Content-Type", b"application/json"), (b"set-COOKIE", b"sid=" + date)), b'{"a":1}'
        )
        for date in (b"Mon", b"Tue")
    ]
    assert read(ones[0]) is read(ones[1])
    assert ("cookie set", "sid") in read(ones[0]).facts


def test_what_is_remembered_of_an_answer_does_not_hide_an_echo_in_the_next() -> None:
    answer = Response(200, ((b"Content-Type", b"application/json"),), b'{"q":"abcdef"}')
    plain, put_back = read(answer), read(answer, {"abcdef": "x"})
    assert ("$.q", "abcdef") in plain.facts
    assert ("$.q", "x") in put_back.facts
    assert read(answer) is plain


def test_the_same_body_of_another_type_status_or_place_to_go_is_another_reading() -> None:
    body = b"<b>a</b>"
    answers = [
        Response(200, ((b"Content-Type", b"text/html"),), body),
        Response(200, ((b"Content-Type", b"text/plain"),), body),
        Response(404, ((b"Content-Type", b"text/html"),), body),
        Response(200, ((b"Content-Type", b"text/html"), (b"Location", b"/a")), body),
    ]
    assert len({(each.status, each.kind, each.facts) for each in map(read, answers)}) == 4


@pytest.mark.parametrize(
    ("ones", "other", "told"),
    [
        (["<p>page 7</p><p>a</p>", "<p>page 8</p><p>a</p>"], "<p>page 9</p><p>a</p>", False),
        (["<p>page 7</p><p>a</p>", "<p>page 8</p><p>a</p>"], "<p>page 9</p><p>b</p>", True),
        (["<p>page 7</p><p>a</p>", "<p>page 7</p><p>a</p>"], "<p>page 9</p><p>a</p>", True),
    ],
)
def test_another_number_where_there_is_another_one_each_time_tells_nothing(ones, other, told):
    assert bool(telling([read(page(each)) for each in ones], [read(page(other))])) is told
    documents = [
        each.replace("<p>page ", '{"n": ').replace("</p><p>", ', "s": "').replace("</p>", '"}')
        for each in (*ones, other)
    ]
    *first, last = [read(Response(200, ((b"Content-Type", b"application/json"),), each.encode())) for each in documents]
    assert bool(telling(first, [last])) is told


_FACTS = st.frozensets(
    st.tuples(st.sampled_from(["$.a", "$.b", "$.c"]), st.sampled_from(["=1", "=2", "tea", "cup", "<time>"])), max_size=6
)


@given(_FACTS, _FACTS)
def test_answers_are_the_same_but_for_numbers_where_every_place_says_the_same_or_numbers_alone(ones, others):
    def at(facts, place):
        return {value for where, value in facts if where == place}

    places = {where for where, _ in ones | others}
    expected = all(
        at(ones, place)
        and at(others, place)
        and (
            at(ones, place) == at(others, place)
            or all(value in ("=1", "=2", "<time>") for value in at(ones, place) | at(others, place))
        )
        for place in places
    )
    assert same_but_for_numbers(Reading(200, "json", ones), Reading(200, "json", others)) is expected


def test_a_token_whose_digits_read_as_a_moment_is_a_token() -> None:
    keys = ("5c645dcc1532901128bd2baf6d2ec662", "efc8e233fbecd0e1726ea92b49ef53be")
    one, other = (read(document({"name": "laptop", "key": key}, 201)) for key in keys)
    assert same_but_for_numbers(one, other)
    assert same_but_for_numbers(other, one)
    words = read(document({"name": "laptop", "key": "at 1532901128 by ann"}, 201))
    assert not same_but_for_numbers(one, words)
