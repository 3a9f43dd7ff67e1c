"""Answers to tests that may be a dead session's: heard when one face comes again and again, at once where it is nobody's."""

from tests.node.test.answering import get

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.health.nobody import face_of
from gatecrash.node.test.health.silence import FIRST_ALARM, Faces, Silence

GOOD, GONE, ODD = Response(200, body=b"fine"), Response(404, body=b"not here"), Response(400, body=b"bad value")
ASKED: Request = get("/a")


def heard(silence: Silence, *responses: Response) -> list[bool]:
    return [silence.hears(GOOD, ASKED, response) for response in responses]


def test_one_face_in_a_row_is_an_alarm() -> None:
    assert heard(Silence(Faces()), *[GONE] * FIRST_ALARM) == [False] * (FIRST_ALARM - 1) + [True]


def test_many_answers_in_turns_are_each_known_for_what_they_are() -> None:
    others = [Response(404, body=letter.encode() * 3) for letter in "abcdefghijklmnop"]
    assert not any(heard(Silence(Faces()), *[each for other in others for each in (GOOD, other, GONE)]))
    assert heard(Silence(Faces()), *others, *[GONE] * FIRST_ALARM)[-2:] == [False, True]


def test_answers_as_recorded_and_others_end_the_row() -> None:
    assert not any(heard(Silence(Faces()), *[GONE, GONE, GONE, GOOD] * 5))
    assert not any(heard(Silence(Faces()), *[GONE, ODD] * 10))


def test_what_was_fine_beside_one_recorded_answer_is_not_beside_another() -> None:
    silence, other = Silence(Faces()), Response(200, ((b"Content-Type", b"application/json"),), b'{"a": 1}')
    assert heard(silence, GOOD, GOOD) == [False, False]
    assert [silence.hears(other, ASKED, GOOD) for _ in range(FIRST_ALARM)][-1]
    assert not any(heard(silence, GOOD, GOOD, GOOD, GOOD, GOOD)), "and fine again beside the first"


def test_nobodys_face_is_an_alarm_at_once() -> None:
    faces = Faces()
    faces.learn(ASKED, face_of(ASKED, GONE))
    assert heard(Silence(faces), ODD, GONE) == [False, True]
    elsewhere = Request("GET", b"/a", (), b"", "https", "other.example", 443)
    assert not Silence(faces).hears(GOOD, elsewhere, GONE), "another origin has faces of its own"


def test_alarms_in_vain_come_later_and_later() -> None:
    silence, alarms = Silence(Faces()), []
    for number in range(200):
        if heard(silence, GONE)[0]:
            alarms.append(number)
            silence.was_alive()
    assert alarms == [3, 11, 27, 59, 123]


def test_what_passed_for_the_targets_opinion_was_missed_where_it_is_nobodys() -> None:
    faces = Faces()
    one, other = Silence(faces), Silence(faces)
    heard(one, GONE, GONE, GONE, GONE)
    heard(other, ODD)
    faces.learn(ASKED, face_of(ASKED, GONE))
    for silence in (one, other):
        assert silence.suspects
        silence.was_dead(ASKED)
    assert (one.missed, other.missed) == (True, False)
    one.begin()
    assert not one.missed
    assert not one.suspects
