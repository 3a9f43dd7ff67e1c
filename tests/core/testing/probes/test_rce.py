"""The probe rce, driven by hand against a toolbox that runs a real shell."""

import json
import re
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
from tests.cases.case import Case, cases_of
from tests.core.testing.driving import drive, inquiry_into, numbers_meant, record, runs
from tests.core.testing.probes.at_range import run_case
from tests.core.testing.probes.told import told
from tests.core.testing.probes.toolbox import Toolbox

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.payloads.nosqli import IS_SERVER
from gatecrash.core.testing.payloads.rce import FOR_COMMANDS, FOR_FILES, FOR_WINDOWS, Numbers, fill
from gatecrash.core.testing.payloads.rce_options import PATTERNS
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probes.rce import PROBE
from gatecrash.core.testing.verdict import Inconclusive, Outcome

TITLES = ("Alpha days", "Beta nights")
CASES = [case for case in cases_of("probes") if case.file == "rce"]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case, seed: int, tmp_path):
    toolbox = Toolbox(tmp_path, seed)
    assert case.expected == tuple(told(run) for run in runs(toolbox, case.request, (PROBE,), seed=seed))
    assert {each.name for each in tmp_path.iterdir()} <= {"precious", "clock"}
    assert (tmp_path / "precious").read_text() == "kept"


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (b"/code/python-of-a-text-in-quotes", b"%27tea%27", Outcome.VULNERABLE),
        (b"/code/text-in-quotes", b"%27tea%27", Outcome.SAFE),
        (b"/code/literal-in-quotes", b"%27tea%27", Outcome.SAFE),
        (b"/code/python-that-tells-its-errors-as-a-success", b"Anna", Outcome.VULNERABLE),
        (b"/code/quotes-refused-as-a-success", b"Anna", Outcome.SAFE),
        (b"/code/quotes-that-close", b"Anna", Outcome.SAFE),
        (b"/formulas/javascript-of-formulas", b"2%2B3", Outcome.VULNERABLE),
        (b"/formulas/javascript-of-formulas-with-own-members", b"2%2B3", Outcome.SAFE),
        (b"/formulas/javascript-of-formulas-without-constructors", b"2%2B3", Outcome.SAFE),
    ],
)
def test_texts_in_code_are_found_by_what_is_computed_and_by_what_breaks(path, value, expected):
    form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    (run,) = run_case(Request("POST", path, form, b"q=" + value), PROBE)
    assert run.verdict.outcome is expected


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (b"parted-nowhere-in-quotes", Outcome.VULNERABLE),
        (b"parted-nowhere-and-quoted", Outcome.SAFE),
        (b"without-single-quotes", Outcome.SAFE),
    ],
)
def test_between_single_quotes_a_command_is_found_where_what_parts_commands_is_taken_out(place, expected):
    (run,) = run_case(Request("GET", b"/shell/" + place + b"?host=tea.example"), PROBE)
    assert run.verdict.outcome is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [(b"/code/letters-counted-by-code", Outcome.VULNERABLE), (b"/code/letters-counted", Outcome.SAFE)],
)
def test_a_number_of_letters_is_no_change_beside_quotes_that_take_it_away(path, expected):
    (run,) = run_case(Request("GET", path + b"?q=Anna"), PROBE)
    assert run.verdict.outcome is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (b"/code/factor-of-a-product", Outcome.VULNERABLE),
        (b"/code/factor-that-is-read", Outcome.SAFE),
        (b"/code/factor-of-figures-and-signs", Outcome.SAFE),
    ],
)
def test_a_factor_is_found_by_calls_behind_it_where_a_multiple_of_the_product_is_shown(path, expected):
    (run,) = run_case(Request("GET", path + b"?q=4"), PROBE)
    assert run.verdict.outcome is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (b"/code-conditions/condition-that-is-parsed-first", Outcome.VULNERABLE),
        (b"/code-conditions/condition-that-is-parsed-and-only-compares", Outcome.SAFE),
        (b"/code-conditions/condition-of-a-grammar-of-its-own", Outcome.SAFE),
    ],
)
def test_a_condition_is_found_where_what_does_not_parse_is_refused_in_an_interpreters_words(path, expected):
    made = run_case(Request("GET", path + b"?q=%3E+5"), PROBE)
    assert [run.verdict.outcome for run in made if str(run.check.point) == "get/q"] == [expected]


@pytest.mark.parametrize("path", [b"/jittery", b"/slow", b"/slow-when-odd", b"/slow-when-long"])
def test_slow_pages_are_no_finding_over_many_seeds(path, tmp_path):
    toolbox = Toolbox(tmp_path)
    for seed in range(150):
        for run in runs(toolbox, Request("GET", path + b"?host=tea.example"), (PROBE,), seed=seed):
            assert run.verdict.outcome is Outcome.SAFE


@pytest.mark.parametrize(("query", "cost"), [(b"q=5", 3), (b"q=tea", 5), (b"host=tea", 11), (b"q=10.0.0.1", 11)])
def test_what_is_spent_depends_on_the_value_and_is_forecast(query, cost, tmp_path):
    (run,) = runs(Toolbox(tmp_path), Request("GET", b"/static?" + query), (PROBE,))
    assert run.check.forecast == len(run.sent) == cost


def test_a_shown_finding_and_a_blind_one_show_their_proof(tmp_path):
    (shown,) = runs(Toolbox(tmp_path), Request("GET", b"/bare?q=tea"), (PROBE,))
    assert (shown.verdict.threat, shown.verdict.cwe, len(shown.sent)) == (100, (78,), 3)
    (blind,) = runs(Toolbox(tmp_path), Request("GET", b"/blind/bare?q=tea"), (PROBE,))
    assert (blind.verdict.threat, len(blind.sent)) == (95, 11)
    assert "randomisation test" in blind.verdict.proof.verified_by
    assert blind.verdict.proof.test.elapsed > 1.9 > blind.verdict.proof.control.elapsed


def test_what_computes_a_product_in_its_place_is_no_shell(tmp_path):
    """The word that prints stands before it in the answer, as no command's output has it."""
    (run,) = runs(Toolbox(tmp_path), Request("GET", b"/calculator?q=tea"), (PROBE,))
    assert run.verdict.outcome is Outcome.SAFE


def test_the_calculator_is_cleared_by_its_control(tmp_path):
    """One that shows the numbers alone leaves no word to tell by."""

    class Printing(Toolbox):
        def calculator(self, value: str) -> Response:
            """The results alone."""
            shown = super().calculator(value)
            return Response(200, shown.headers, shown.body.replace(b"echo ", b""))

    (run,) = runs(Printing(tmp_path), Request("GET", b"/calculator?q=tea"), (PROBE,))
    assert run.verdict.outcome is Outcome.SAFE
    assert "control" in [each.purpose for each in run.sent]


@pytest.mark.parametrize("way", FOR_COMMANDS + FOR_WINDOWS, ids=lambda way: way.name)
def test_payloads_hold_no_command_but_those_that_print_compute_and_wait(way):
    payload = fill(way, "VALUE", Numbers("a", 2, 3, "b"), 2)
    words = set(re.findall(r"[A-Za-z]{2,}", payload))
    assert words <= {"VALUE", "echo", "sleep", "IFS", "exit", "set", "expr", "ping", "nul", "rem"}
    assert ">" not in payload.replace(">nul", "")


def test_a_limiter_makes_it_inconclusive(tmp_path):
    (check,) = plan(record(Toolbox(tmp_path), Request("GET", b"/bare?q=tea")), DEFAULT, (), (PROBE,))
    assert drive(check, lambda _: Response(429)).verdict.reason is Inconclusive.RATE_LIMITED


def test_names_of_files_are_asked_for_as_commands_where_all_is_asked_for():
    """Two requests more at such a point, and none at others, which are asked for options as files are by default."""
    costs = {}
    for value in (b"notes.txt", b"shop.example:8080"):
        baseline = record(lambda _: Response(200, (), b"fine"), Request("GET", b"/?q=" + value))
        for policy in (DEFAULT, THOROUGH):
            check = next(one for one in plan(baseline, policy, (), (PROBE,)) if one.point == Point.of("get", "q"))
            costs[value, policy.id] = check.forecast
    assert costs[b"notes.txt", "thorough"] - costs[b"notes.txt", "default"] == len(FOR_FILES) - len(FOR_COMMANDS) == 2
    assert costs[b"shop.example:8080", "thorough"] - costs[b"shop.example:8080", "default"] == len(PATTERNS) == 2


def test_names_of_files_are_asked_for_as_commands_by_default_where_ruby_answers():
    asked, ruby = Request("GET", b"/?q=notes.txt"), ((b"Server", b"WEBrick/1.8.1"),)
    (other,) = plan(record(lambda _: Response(200, (), b"fine"), asked), DEFAULT, (), (PROBE,))
    (check,) = plan(record(lambda _: Response(200, ruby, b"fine"), asked), DEFAULT, (), (PROBE,))
    assert check.forecast - other.forecast == len(FOR_FILES) - len(FOR_COMMANDS) == 2


def test_addresses_are_asked_for_as_commands_where_ruby_answers_and_nowhere_else():
    """What fetches an address in Ruby runs what stands behind a pipe; other languages have no such function."""
    asked = Request("GET", b"/?q=http://shop.example/feed")
    costs = {}
    for server in (b"WEBrick/1.8.1", b"gunicorn"):
        baseline = record(lambda _, server=server: Response(200, ((b"Server", server),), b"fine"), asked)
        (check,) = plan(baseline, DEFAULT, (), (PROBE,))
        costs[server] = check.forecast
    assert costs[b"WEBrick/1.8.1"] - costs[b"gunicorn"] == len(FOR_FILES) - len(FOR_COMMANDS) == 2


def filtered_by_a_script(request: Request) -> Response:
    """As a script's condition would, hides its errors: of texts by how they begin, of numbers by how long they are."""
    value = parse_qs(urlsplit(request.target.decode()).query)["q"][0]
    value = value.replace(f"(({IS_SERVER})?String:0)", "String")  # the server's own, which is there
    text = re.fullmatch(r"(\w*)'\+\(\(\w*\)=>String\(''\)\)\(\)\+'|([^'\"]*)", value)
    number = re.fullmatch(r"(\d+)(?:-(?:isNaN|String)\(''\)(?:\*\d+)?|\*\d+)?", value)
    if request.target.startswith(b"/number"):
        found = [title for title in TITLES if len(title) > int(number[1])] if number else None
    else:
        found = [title for title in TITLES if title.startswith(text[1] or text[2] or "")] if text else None
    if found is None:
        return Response(500, (), b'{"error": "Something went wrong"}')
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(found).encode())


def with_errors_empty(request: Request) -> Response:
    """The same, whose errors are a list of nothing."""
    response = filtered_by_a_script(request)
    return response if response.status == 200 else Response(200, ((b"Content-Type", b"application/json"),), b"[]")


@pytest.mark.parametrize("application", [filtered_by_a_script, with_errors_empty])
@pytest.mark.parametrize("target", [b"/text?q=Alpha", b"/number?q=10"])
def test_conditions_of_a_script_are_found_by_default_though_nothing_but_the_list_is_shown(application, target):
    (run,) = runs(application, Request("GET", target), (PROBE,))
    assert run.verdict.outcome is Outcome.VULNERABLE
    assert "JavaScript" in run.verdict.detail


@pytest.mark.parametrize("refusal", [Response(500), Response(200, ((b"Content-Type", b"application/json"),), b"[]")])
@pytest.mark.parametrize("target", [b"/text?q=Alpha", b"/number?q=10"])
def test_a_list_that_breaks_over_the_same_signs_is_none(target, refusal):
    def careful(request: Request) -> Response:
        value = parse_qs(urlsplit(request.target.decode()).query)["q"][0]
        odd = re.search(r"['\"$;]", value)
        return refusal if odd else filtered_by_a_script(request)

    (run,) = runs(careful, Request("GET", target), (PROBE,))
    assert run.verdict.outcome is Outcome.SAFE


@pytest.mark.parametrize(
    ("parameter", "kind", "body", "more"),
    [
        ("q", b"text/plain", b"tea.md:How to make tea", 0),
        ("q", b"text/plain", b"tea.md:How to make tea\n", 2),
        ("q", b"text/html", b"<p>tea</p>\n", 0),
        ("q", b"text/html", b"<pre>tea</pre>", 2),
        ("branch", b"text/html", b"<p>tea</p>", 3),
    ],
)
def test_options_are_tried_where_a_program_seems_to_answer(parameter, kind, body, more):
    recorded = record(lambda _: Response(200, ((b"Content-Type", kind),), body), Request("GET", b"/?q=tea&branch=tea"))
    situation = msgspec.structs.replace(inquiry_into(parameter, recorded, PROBE, 1).situation, policy=DEFAULT)
    assert PROBE.forecast(situation) == 5 + more


@pytest.mark.parametrize("policy", [DEFAULT, THOROUGH])
@pytest.mark.parametrize("method", ["DELETE", "PUT"])
def test_no_other_object_is_changed_where_the_beginning_of_a_text_is_read_as_a_number(method, policy):
    assert numbers_meant(PROBE, method, policy) <= {0, 1003}
