"""The confusion matrix counts what it should, and over the case files nothing is off its diagonal."""

from pathlib import Path

from tests.cases.case import Case, cases_of, parse_request
from tests.cases.confusion import NOTHING, confusion, drawn

from gatecrash.core.auth.scheme import AuthType


def case(*expected: str, header: str = "Authorization: Basic dXNlcjpwYXNz") -> Case:
    return Case("x", "Found", "x", parse_request(f"GET / HTTP/1.1\n{header}\n\n"), expected)


def test_every_type_is_there_and_nothing_is_confused():
    matrix = confusion(cases_of("auth"))
    assert matrix.mistakes == 0, drawn(matrix)
    assert all(matrix.pairs[kind.value, kind.value] >= 5 for kind in AuthType)


def test_a_type_taken_for_another_is_off_the_diagonal():
    matrix = confusion([case("digest valid header/AUTHORIZATION"), case(), case("basic valid header/X")])
    assert matrix.pairs == {("digest", "basic"): 1, (NOTHING, "basic"): 2, ("basic", NOTHING): 1}
    assert matrix.mistakes == 4


def test_a_wrong_validity_is_a_mistake_on_the_diagonal():
    matrix = confusion([case("basic invalid header/AUTHORIZATION")])
    assert (matrix.pairs["basic", "basic"], matrix.wrong["basic"], matrix.mistakes) == (1, 1, 1)


def test_the_command_is_documented_beside_the_cases():
    assert "python -m tests.cases.confusion" in (Path(__file__).parent / "README.md").read_text(encoding="utf-8")
