"""What is asked of engines that render people's own templates."""

import re
from urllib.parse import unquote_plus

import pytest
from tests.core.testing.driving import runs
from tests.range.place import PLACES, Place, respond
from tests.range.templates_of_names import LETTER

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.dialogues.template_reach import is_a_template
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.ssti import PROBE
from gatecrash.core.testing.verdict import Outcome


@pytest.mark.parametrize(
    ("value", "template"),
    [
        ("Dear {{ name }}", True),
        ("{{ order.total | money }}", True),
        ("Dear {{", False),
        ("{{7*7}}", False),
        ("Dear Ada", False),
        ("${name}", False),
    ],
)
def test_a_value_is_a_template_where_it_names_something_in_brackets(value: str, template: bool):
    assert is_a_template(value) is template


def _twig(text: str, *, held: bool) -> str:
    """Sums, and a function that is mapped where nothing holds it back; all else in brackets is a name without a value."""
    text = re.sub(r"\{\{(\d+)\*(\d+)\}\}", lambda m: str(int(m[1]) * int(m[2])), text)
    if not held:
        text = re.sub(r"\{\{\[(\d+)\]\|map\('dechex'\)\|join\}\}", lambda m: f"{int(m[1]):x}", text)
    return re.sub(r"\{\{[^}]*\}\}", "", text)


@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("value", [b"Dear%20%7B%7Bname%7D%7D", b"Dear"])
def test_a_template_of_twig_is_a_flaw_where_functions_are_within_reach(value: bytes, held: bool):
    def answer(request: Request) -> Response:
        query = unquote_plus(request.target.partition(b"q=")[2].decode())
        return Response(200, (), _twig(query, held=held).encode())

    found = runs(answer, Request("GET", b"/letter?q=" + value, host="127.0.0.1"), (PROBE,), policy=DEFAULT)
    at_query = [run.verdict.outcome is Outcome.VULNERABLE for run in found if run.check.point[0] == "get"]
    assert at_query == [not (held and value.endswith(b"D"))]


def _nunjucks(text: str, *, held: bool) -> str:
    """Sums, and a function made of a text where its constructor can be reached; methods have no name there."""
    text = re.sub(r"\{\{(\d+)\*(\d+)\}\}", lambda m: str(int(m[1]) * int(m[2])), text)
    if not held:
        made = r"\{\{range\.constructor\('return \((\d+)\)\.toString\(16\)'\)\(\)\}\}"
        text = re.sub(made, lambda m: f"{int(m[1]):x}", text)
    return re.sub(r"\{\{[^}]*\}\}", "", text)


@pytest.mark.parametrize("held", [False, True])
def test_a_template_of_nunjucks_is_a_flaw_where_functions_can_be_made(held: bool):
    def answer(request: Request) -> Response:
        query = unquote_plus(request.target.partition(b"q=")[2].decode())
        return Response(200, (), _nunjucks(query, held=held).encode())

    letter = Request("GET", b"/letter?q=Dear%20%7B%7Bname%7D%7D", host="127.0.0.1")
    found = runs(answer, letter, (PROBE,), policy=DEFAULT)
    at_query = [run.verdict.outcome is Outcome.VULNERABLE for run in found if run.check.point[0] == "get"]
    assert at_query == [not held]


def _go(text: str, given: str) -> str:
    """A number in hexadecimal, a field, and all that the template is given."""
    text = re.sub(r"\{\{printf `%x` (\d+)\}\}", lambda m: f"{int(m[1]):x}", text)
    return re.sub(r"\{\{[^}]*\}\}", "Ada", text.replace("{{printf `%+v` $}}", given))


@pytest.mark.parametrize(
    ("given", "flaw"),
    [
        ("&{ID:7 Email:ada@example.com hash:5f4dcc3b5aa765d61d83}", True),
        ("{Name:Ada PasswordHash:$2a$10$N9qo8uLOickgx2ZMRZoMye}", True),
        ("map[apiKey:k9fz31aa0x name:Ada]", True),
        ("{Name:Ada JWTSecretKey:k9fz31aa0x}", True),
        ("{Name:Ada Email:ada@example.com Password: Hash:}", False),
        ("{Name:Ada PasswordChanged:false Hash:0xc000012345 Secret:<nil> APIKey:********}", False),
        ("map[name:Ada order:hash-browns]", False),
        ("{Name:Ada PasswordChangedAt:2024-05-01 PasswordHint:bluebird APIKeyID:ab12cd SecretQuestion:cats}", False),
    ],
)
@pytest.mark.parametrize("value", [b"Dear%20%7B%7B.Name%7D%7D", b"Dear"])
def test_a_template_of_go_is_a_flaw_where_its_record_holds_a_secret(value: bytes, given: str, flaw: bool):
    def answer(request: Request) -> Response:
        query = unquote_plus(request.target.partition(b"q=")[2].decode())
        broken = re.search(r"\{\{(?!printf |\.)", query)
        return Response(422 if broken else 200, (), b"broken" if broken else _go(query, given).encode())

    found = runs(answer, Request("GET", b"/letter?q=" + value, host="127.0.0.1"), (PROBE,), policy=DEFAULT)
    at_query = [run.verdict.outcome is Outcome.VULNERABLE for run in found if run.check.point[0] == "get"]
    assert at_query == [flaw or value == b"Dear"]


@pytest.mark.parametrize(
    "place", [place for place in PLACES if place.path.startswith("/templates-of-names/")], ids=lambda place: place.path
)
def test_a_template_of_names_is_a_flaw_where_the_functions_of_values_are_within_reach(place: Place):
    for request in place.requests:
        found = runs(respond, request, (PROBE,), policy=DEFAULT)
        at_value = [run.verdict for run in found if run.check.point[-1] == "q"]
        assert [verdict.outcome is Outcome.VULNERABLE for verdict in at_value] == [place.flaw]


def test_the_letter_is_a_template():
    assert is_a_template(LETTER)
