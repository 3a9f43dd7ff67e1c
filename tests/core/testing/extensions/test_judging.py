"""What an extension looks for in answers and baselines."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.conditions import Bounds, Condition
from gatecrash.core.testing.extensions.document import read
from gatecrash.core.testing.extensions.extension import Answered
from gatecrash.core.testing.extensions.judging import collected, is_meant, shows
from gatecrash.core.testing.extensions.markers import Markers

MARKERS = Markers("marker", 6, 7)
ASKED = Request("GET", b"/a/b?q=tea&id=7")


def exchange(status: int = 200, body: bytes = b"", kind: bytes = b"text/html", elapsed: float = 0.1) -> Exchange:
    return Exchange(ASKED, Response(status, ((b"Content-Type", kind), (b"X-A", b"marker 42")), body), elapsed=elapsed)


GOOD = exchange(body=b"<p>fine</p>")


@pytest.mark.parametrize(
    ("wanted", "answer", "expected"),
    [
        (Answered(Condition(body="STR_MARKER")), exchange(body=b"a marker"), True),
        (Answered(Condition(body="STR_MARKER")), exchange(body=b"STR_MARKER"), False),
        (Answered(Condition(body="CALC_MARKER")), exchange(body=b"6*7"), False),
        (Answered(Condition(body="CALC_MARKER")), exchange(body=b"is 42"), True),
        (Answered(Condition(status=("5xx",))), exchange(500), True),
        (Answered(Condition(time_difference=Bounds(at_least=2))), exchange(elapsed=3), True),
        (Answered(headers=(("x-a", "^STR_MARKER CALC_MARKER$"),)), exchange(), True),
        (Answered(headers=(("x-b", ""),)), exchange(), False),
        (Answered(tag="STR_MARKER"), exchange(body=b"<p><marker x=1>"), True),
        (Answered(tag="STR_MARKER"), exchange(body=b"<p>&lt;marker x=1>"), False),
        (Answered(tag="STR_MARKER"), exchange(body=b"<!-- <marker> -->"), False),
        (Answered(attribute="STR_MARKER"), exchange(body=b"<p marker=1>"), True),
        (Answered(attribute="STR_MARKER"), exchange(body=b"<p title='marker=1'>"), False),
        (Answered(tag="p", attribute="STR_MARKER"), exchange(body=b"<p a=1><b marker=1>"), False),
        (Answered(Condition(status=("200",)), tag="p"), exchange(404, b"<p>"), False),
    ],
)
def test_an_answer_is_judged_by_all_that_is_named(wanted, answer, expected):
    assert shows([wanted], answer, GOOD, MARKERS) is expected


def test_no_answer_shows_nothing():
    assert not shows([Answered(Condition(status=("2xx",)))], Exchange(ASKED), GOOD, MARKERS)


def extension(text: str):
    found, mistakes = read(
        "x", f"meta-info: {{title: t, type: info}}\nsend: {{url: /}}\ndetect: {{response: {{status: 1xx}}}}\n{text}"
    )
    assert found is not None, mistakes
    return found


def test_a_baseline_must_hold_all_values_and_one_of_the_answers():
    baseline = Baseline("bl_1", GOOD)
    assert is_meant(extension(""), baseline)
    assert is_meant(extension("match: [{GET_q_value: ea}, {GET_id_value: 7}]"), baseline)
    assert not is_meant(extension("match: [{GET_q_value: ea}, {GET_id_value: 8}]"), baseline)
    assert not is_meant(extension("match: {GET_r_value: ''}"), baseline)
    assert is_meant(extension("match: [{response: {status: 404}}, {response: {body: fine}}]"), baseline)
    assert not is_meant(extension("match: {response: {body: fine}}"), Baseline("bl_1", Exchange(ASKED)))


def test_baselines_agree_by_the_values_that_are_collected():
    other = Request("GET", b"/a/c?q=tea&id=8")
    assert collected(extension(""), ASKED) is None
    by_value = extension("collect: {uniq: GET_q_value}")
    assert collected(by_value, ASKED) == collected(by_value, other)
    by_path = extension("collect: {uniq: [GET_q_value, [path, '.*']]}")
    assert collected(by_path, ASKED) != collected(by_path, other)
    once = extension("collect: {uniq: []}")
    assert collected(once, ASKED) == collected(once, other)
    assert collected(once, ASKED) != collected(once, Request("GET", b"/", host="elsewhere"))
