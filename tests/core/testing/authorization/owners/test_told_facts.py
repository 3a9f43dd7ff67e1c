"""Nearly all of what an answer says is found again in another; one word alone says little."""

from tests.range.place import answer, page

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all, only_told, says_enough, tells_as_much
from gatecrash.core.testing.oracles.difference import read


def test_nearly_all_of_what_nobody_else_is_told_is_enough():
    mine = answer({"a": "1", "b": "2", "c": "3", "d": "4", "e": "5", "frame": "x"})
    told = only_told([read(mine), read(mine)], answer({"frame": "x"}))
    assert len(told) == 5
    assert has_nearly_all(answer({"a": "1", "b": "2", "c": "3", "d": "4", "viewer": "ben"}), told)
    assert not has_nearly_all(answer({"a": "1", "b": "2", "c": "3"}), told)
    assert not has_nearly_all(answer({"a": "1", "b": "2", "c": "3", "d": "4", "e": "5"}, 403), told)


def test_what_an_answer_repeats_of_another_question_is_read_as_it_would_be_of_the_own_one():
    mine, other = ({"title": f"{code} is printed", "code": code} for code in ("a-17", "qzkvw"))
    told = only_told([read(answer(mine)), read(answer(mine))], Response(401))
    assert not has_nearly_all(answer(other), told)
    assert has_nearly_all(answer(other), told, {"qzkvw": "a-17"})
    assert not has_nearly_all(answer({"title": "qzkvw is not there"}), told, {"qzkvw": "a-17"})


def test_a_longer_list_says_what_a_shorter_one_does_wherever_its_entries_stand():
    own = [{"id": number, "user": "ann"} for number in (3, 4)]
    assert tells_as_much(answer(own), answer([{"id": 1, "user": "ben"}, *own]))
    assert not tells_as_much(answer(own), answer([{"id": 1, "user": "ben"}]))
    assert not tells_as_much(answer(own), answer(own, 404))
    assert tells_as_much(page("<p>Ann</p>"), page("<p>Ann</p><p>Ben</p>"))
    assert not tells_as_much(page(""), page("<p>Ben</p>"))


def test_one_line_of_several_words_says_enough_and_one_word_does_not():
    told, word = (
        read(Response(200, ((b"Content-Type", b"text/plain"),), text)) for text in (b"ann has a lamp", b"sent")
    )
    stranger = Response(401)
    assert says_enough(only_told([told], stranger))
    assert not says_enough(only_told([word], stranger))
    assert says_enough(only_told([read(Response(200, body=b"\x00PD\x01\x9c"))], stranger))
    assert not says_enough(only_told([read(answer({"state": "on its way to you"}))], stranger))
    assert says_enough(only_told([read(answer({"text": "Note of Ann Lake\nblood group A"}))], stranger))
    assert not says_enough(only_told([read(answer({"text": "sent\n"}))], stranger))
    pages = (Response(200, ((b"Content-Type", b"text/html"),), text) for text in (b"<p>ann has a lamp", b"<p>sent"))
    assert [says_enough(only_told([read(page)], stranger)) for page in pages] == [True, False]
