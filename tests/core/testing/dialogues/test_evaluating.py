"""Code that a value is evaluated as: numbers in silence, a result beside an echo, and what must be asked to wait."""

import re
from collections.abc import Callable

import pytest
from tests.core.testing.driving import inquiry_into, played, record

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.dialogues.evaluating import Code, evaluates
from gatecrash.core.testing.payloads.rce_code import WAITING_WITHIN
from gatecrash.core.testing.probes.rce import PROBE

COMMAND = "7;echo tea;#"


def found(answers: Callable[[str], str], value: str) -> tuple[Code | None, list[str]]:
    """What is found behind a command, and what was sent. answers: of a value, to the page's text."""
    sent: list[str] = []

    def application(given: str) -> Response:
        sent.append(given)
        return Response(200, ((b"Content-Type", b"text/plain"),), answers(given).encode())

    recorded = record(lambda _: application(value), Request("GET", f"/?q={value}".encode()))
    inquiry = inquiry_into("q", recorded, PROBE)
    for command in (COMMAND, COMMAND + " "):
        played(inquiry.send(command), application)
    return played(evaluates(inquiry), application), sent[3:]


def tried(code: Callable[[], object]) -> str:
    try:
        code()
    except Exception:  # noqa: BLE001 -- hides what is wrong
        return "We could not do it."
    return "It is done."


def test_a_number_that_sums_are_as_good_as_is_evaluated():
    code, _ = found(lambda given: tried(lambda: eval(given, {"len": len})), "7")
    assert code is not None
    assert "Python" in code.detail


def test_a_number_that_is_read_is_not():
    code, sent = found(lambda given: tried(lambda: float(given)), "7")
    assert code is None
    assert len(sent) <= 8


def test_one_of_two_echoes_is_lost_over_quotes_alone():
    def greeted(given: str) -> str:
        wish = given.lower()
        try:
            return f"{wish}: " + eval('"Hello ' + given + '"')
        except (SyntaxError, NameError):
            return f"{wish}:"

    code, _ = found(greeted, "anna")
    assert code is not None
    assert code.shown


@pytest.mark.parametrize("value", ["anna", "7"])
def test_what_changes_nothing_is_asked_to_wait_once_a_language(value):
    code, sent = found(lambda _: "It is done.", value)
    assert code is None
    assert sum("sleep(2)" in each or "Atomics" in each for each in sent) == len(WAITING_WITHIN)


def test_what_changes_the_answer_is_not_asked_to_wait():
    _, sent = found(lambda given: "found" if given == "anna" else "not found", "anna")
    assert not any("sleep(2)" in each for each in sent)


@pytest.mark.parametrize(
    ("name", "value", "most"), [("amount", "5", 1), ("amount", "12.50", 1), ("last", "7", 1), ("seat", "7", 998_001)]
)
def test_what_changes_something_takes_the_product_for_no_other_number_and_for_no_more(name, value, most):
    sent: list[str] = []

    def application(given: str) -> Response:
        sent.append(given)
        return Response(400, (), b"no number")

    asked = Request("POST", f"/seats?{name}={value}".encode())
    inquiry = inquiry_into(name, record(lambda _: Response(200, (), b"taken"), asked), PROBE)
    played(evaluates(inquiry), application)
    products = [each for each in sent if re.fullmatch(r"[\d*/.()]+", each)]
    assert products
    assert all(each[0] == "(" and 0 < eval(each) <= most for each in products)


def test_a_fraction_that_is_computed_shows_the_product():
    def application(given: str) -> Response:
        return Response(200, (), tried_aloud(given).encode())

    recorded = record(lambda _: application("5"), Request("POST", b"/seats?amount=5"))
    code = played(evaluates(inquiry_into("amount", recorded, PROBE)), application)
    assert code is not None
    assert code.shown


def tried_aloud(given: str) -> str:
    try:
        return f"Moved {eval(given, {})}."
    except Exception:  # noqa: BLE001 -- hides what is wrong
        return "We could not do it."
