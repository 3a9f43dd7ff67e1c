"""Of answers that are alike one is looked at, of long ones each; what is taken for alike cannot be told apart."""

import gzip

import pytest

from gatecrash.core.message import Headers, Response
from gatecrash.core.testing.oracles.remembering import CODED_ENTRIES, ENTRIES, LONG, LONG_ENTRIES, LONGEST, remembered

JSON: Headers = ((b"Content-Type", b"application/json"),)


def counting(seen: list[Response]):
    def find(response: Response) -> int:
        seen.append(response)
        return len(seen)

    return remembered(find)


def answer(body: bytes, headers: Headers = JSON, status: int = 200) -> Response:
    return Response(status, headers, body)


def test_answers_that_are_alike_are_looked_at_once_and_a_long_one_each_time() -> None:
    seen: list[Response] = []
    quick = counting(seen)
    assert [quick(answer(b"a" * LONGEST)), quick(answer(b"a" * LONGEST))] == [1, 1]
    assert [quick(answer(b"a" * (LONGEST + 1))), quick(answer(b"a" * (LONGEST + 1)))] == [2, 3]


@pytest.mark.parametrize(
    "other",
    [
        answer(b"b"),
        answer(b"a", status=201),
        answer(b"a", ((b"content-type", b"text/html"),)),
        answer(b"a", (*JSON, (b"LOCATION", b"/login"))),
        answer(b"a", (*JSON, (b"Set-Cookie", b"sid=1"))),
    ],
)
def test_status_body_and_the_headers_that_tell_make_another_answer(other: Response) -> None:
    quick = counting([])
    assert [quick(answer(b"a")), quick(other), quick(answer(b"a")), quick(other)] == [1, 2, 1, 2]


def test_times_other_headers_spellings_and_values_of_cookies_make_none() -> None:
    quick = counting([])
    first = (*JSON, (b"Date", b"now"), (b"Set-Cookie", b"sid=1"))
    second = ((b"content-TYPE", b"application/json"), (b"Date", b"then"), (b"set-cookie", b"sid=2; Path=/"))
    assert quick(answer(b"a", first)) == quick(answer(b"a", second))


def test_who_looks_sees_nothing_of_what_does_not_tell() -> None:
    seen: list[Response] = []
    counting(seen)(answer(b"a", (*JSON, (b"Date", b"now"), (b"Set-Cookie", b"sid=secret; Path=/"))))
    assert seen[0].headers == ((b"content-type", b"application/json"), (b"set-cookie", b"sid"))
    assert seen[0].body == b"a"


def test_findings_that_stand_on_others_share_the_answer() -> None:
    lengths: list[int] = []

    def measure(response: Response) -> int:
        lengths.append(len(response.body))
        return len(response.body)

    length = remembered(measure)
    twice = remembered(lambda response: 2 * length(response))
    long = answer(b"a" * (LONGEST + 1))
    assert (twice(long), length(long), lengths) == (2 * (LONGEST + 1), LONGEST + 1, [LONGEST + 1])


def test_a_long_answer_that_others_are_held_against_is_looked_at_once() -> None:
    seen: list[Response] = []
    quick = counting(seen)
    baseline = answer(b"a" * (LONG + 1))
    for number in range(2 * LONG_ENTRIES):
        quick(baseline)
        quick(answer(b"%d" % number * (LONG + 1)))
    assert len(seen) == 1 + 2 * LONG_ENTRIES


@pytest.mark.parametrize(("headers", "bound"), [(JSON, ENTRIES), (((b"Content-Encoding", b"gzip"),), CODED_ENTRIES)])
def test_the_number_of_answers_is_bounded(headers: Headers, bound: int) -> None:
    seen: list[Response] = []
    quick = counting(seen)
    bodies = [gzip.compress(b"%d" % number, mtime=0) for number in range(bound + 1)]
    for body in bodies:
        quick(answer(body, headers))
    quick(answer(bodies[0], headers))
    assert len(seen) == bound + 2
