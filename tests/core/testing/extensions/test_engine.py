"""Extensions as probes: our examples against applications that have what they look for, and against those that only seem to."""

import json
import re
from pathlib import Path
from random import Random

import msgspec
import pytest
from tests.core.testing.driving import drive, record

from gatecrash.core.errors import InvalidPolicy
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.extension_source import Source
from gatecrash.core.testing.extensions.engine import probes_of
from gatecrash.core.testing.out_of_band import DNS, Hit, Listening, addresses
from gatecrash.core.testing.policy import DEFAULT, Policy
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.verdict import Inconclusive, Outcome

EXAMPLES = Path(__file__).resolve().parents[4] / "docs" / "extensions"
HTML = ((b"Content-Type", b"text/html"),)
FINE = Response(200, HTML, b"<p>fine</p>")
ASKED = Request(
    "GET", b"/page?id=7&q=tea", ((b"Host", b"shop.example"), (b"User-Agent", b"browser"), (b"Referer", b"/a"))
)


def example(name: str) -> Source:
    return Source(name=name, text=(EXAMPLES / f"{name}.yaml").read_text("utf-8"))


def only(*sources: Source, **changed) -> Policy:
    return msgspec.structs.replace(DEFAULT, extensions=sources, only_custom=True, **changed)


def written(text: str) -> Source:
    return Source(name="own", text=f"meta-info: {{title: own, type: info}}\n{text}")


def tried(application, source: Source, request: Request = ASKED, **changed):
    """Every check of one extension, driven to its end."""
    checks = plan(record(application, request), only(source, **changed))
    return [drive(check, application) for check in checks]


def outcomes(runs) -> list[Outcome]:
    return [run.verdict.outcome for run in runs]


def header(request: Request, name: bytes) -> str:
    return (request.first(name) or b"").decode()


def link_of_header(request: Request) -> Response:
    host = header(request, b"X-Forwarded-Host") or "shop.example"
    return Response(200, HTML, f"<a href='https://{host}/reset'>reset</a>".encode())


def redirect_of_header(request: Request) -> Response:
    host = header(request, b"X-Forwarded-Host") or "shop.example"
    return Response(302, ((b"Location", f"https://{host}/".encode()),))


def shows_header(request: Request) -> Response:
    """Shows the header as a text, which is no address."""
    return Response(200, HTML, f"<p>You came by {header(request, b'X-Forwarded-Host')}</p>".encode())


@pytest.mark.parametrize("application", [link_of_header, redirect_of_header])
def test_forwarded_host_is_found_in_links_and_redirects(application):
    (run,) = tried(application, example("forwarded-host"))
    assert (run.verdict.outcome, run.verdict.type, run.verdict.threat) == (Outcome.VULNERABLE, "redir", 45)
    assert run.verdict.title == "Addresses are made of the X-Forwarded-Host header"
    assert run.verdict.cwe == (601, 644)
    assert run.verdict.proof.verified_by.startswith("Found by the extension forwarded-host: what it looks for is in")
    assert "To mend: Set the application's public address" in run.verdict.proof.verified_by
    assert [each.purpose for each in run.sent] == ["test", "confirm"]


@pytest.mark.parametrize("application", [lambda _: FINE, shows_header])
def test_forwarded_host_is_not_found_where_no_address_is_made_of_it(application):
    assert outcomes(tried(application, example("forwarded-host"))) == [Outcome.SAFE]


def repository(request: Request) -> Response:
    return Response(200, (), b"[core]\n\tbare = false\n") if request.target == b"/.git/config" else FINE


def environment(request: Request) -> Response:
    return Response(200, (), b"DEBUG=1\nDB_PASSWORD=sesame\n") if request.target == b"/.env" else Response(404)


def one_page_for_all(_: Request) -> Response:
    return Response(200, HTML, b"<p>[core] is our product; API_KEY= stands for your key</p>")


@pytest.mark.parametrize("application", [repository, environment])
def test_exposed_files_are_found(application):
    assert outcomes(tried(application, example("exposed-files"))) == [Outcome.VULNERABLE]


@pytest.mark.parametrize("application", [one_page_for_all, lambda _: FINE, lambda _: Response(404)])
def test_exposed_files_are_not_found_in_a_page_for_everything(application):
    assert outcomes(tried(application, example("exposed-files"))) == [Outcome.SAFE]


def breaks_over(pattern: str):
    def application(request: Request) -> Response:
        return Response(500) if re.search(pattern, request.target.decode()) else FINE

    return application


def test_edge_numbers_are_found_where_the_number_stands():
    runs = tried(breaks_over("id=922"), example("edge-numbers"))
    found = [run.verdict.point for run in runs if run.verdict.outcome is Outcome.VULNERABLE]
    assert found == [("get", "id")]


def test_edge_numbers_are_not_found_where_the_baseline_breaks_or_all_is_refused():
    assert outcomes(tried(lambda _: Response(500), example("edge-numbers"))) == []
    refusing = tried(lambda asked: FINE if asked == ASKED else Response(400), example("edge-numbers"))
    assert set(outcomes(refusing)) == {Outcome.SAFE}


def evaluating(request: Request) -> Response:
    referer = re.sub(r"\$\{(\d+)\*(\d+)\}", lambda m: str(int(m[1]) * int(m[2])), header(request, b"Referer"))
    return Response(200, HTML, f"<p>{referer}</p>".encode())


def test_expressions_are_found_in_headers_that_the_policy_leaves_out():
    runs = tried(evaluating, example("expressions-in-headers"), locations=("get",))
    found = [run.verdict.point for run in runs if run.verdict.outcome is Outcome.VULNERABLE]
    assert found == [("header", "REFERER")]


def test_an_echo_of_the_task_is_no_result():
    def echo(request: Request) -> Response:
        return Response(200, HTML, header(request, b"Referer").encode())

    assert set(outcomes(tried(echo, example("expressions-in-headers")))) == {Outcome.SAFE}


def lured(source: Source, protocol: str, zone: str = ""):
    """One check with a listener that is asked by this protocol for whatever is sent."""
    baseline = record(lambda _: FINE, ASKED)
    (check,) = plan(baseline, only(source))
    oob = addresses(Listening(host="127.0.0.1", port=9, zone=zone), b"k", "tr", "bl", check.point, "own")
    dialogue = check.probe.run(check.situation(Random(1), oob))
    sent = []
    try:
        asked = next(dialogue)
        while True:
            sent.append(asked)
            hits = tuple(Hit(name=lure.name, protocol=protocol) for lure in asked.lures if protocol)
            asked = dialogue.send(Answer(Exchange(asked.request, FINE), hits=hits))
    except StopIteration as end:
        return end.value, sent


def test_a_lookup_is_proven_by_the_listener():
    verdict, sent = lured(example("lookup-in-logs"), DNS, "oob.example.com")
    assert (verdict.outcome, verdict.type, verdict.threat) == (Outcome.VULNERABLE, "rce", 95)
    assert b".oob.example.com/a}" in sent[0].request.first(b"X-Api-Version")
    assert sent[0].request.first(b"User-Agent").startswith(b"${jndi:ldap://")
    assert sent[0].lures[0].name != sent[1].lures[0].name


def test_a_lookup_that_nobody_makes_is_none_and_without_a_listener_nothing_is_known():
    verdict, sent = lured(example("lookup-in-logs"), "")
    assert (verdict.outcome, len(sent)) == (Outcome.SAFE, 1)
    (run,) = tried(lambda _: FINE, example("lookup-in-logs"))
    assert (run.verdict.reason, run.sent) == (Inconclusive.NO_CONTROL, [])


def test_a_request_of_its_own_keeps_the_callers_credentials_and_names_its_body():
    source = written(
        "send: {method: POST, url: '/x?a=STR_MARKER', headers: {X-A: b}, body: 'c'}\ndetect: {response: {status: 201}}"
    )
    request = msgspec.structs.replace(ASKED, headers=(*ASKED.headers, (b"Cookie", b"sid=abc")))
    (run,) = tried(lambda _: FINE, source, request)
    sent = run.sent[0].request
    assert (sent.method, sent.body, sent.first(b"Content-Length")) == ("POST", b"c", b"1")
    assert (sent.first(b"X-A"), sent.first(b"Cookie"), sent.host) == (b"b", b"sid=abc", ASKED.host)
    assert re.fullmatch(rb"/x\?a=[a-z]{10}", sent.target)


@pytest.mark.parametrize(
    ("insertion", "expected"), [("prefix", r"\w{10}tea"), ("postfix", r"tea\w{10}"), ("replace", r"\w{10}")]
)
def test_payloads_stand_where_the_extension_wants_them(insertion, expected):
    source = written(
        f"generate: {{into: GET_q_value, method: {insertion}, payload: STR_MARKER}}\ndetect: {{response: {{body: never}}}}"
    )
    (run,) = tried(lambda _: FINE, source)
    (sent,) = (each.request.target.decode() for each in run.sent)
    assert re.fullmatch(rf"/page\?id=7&q={expected}", sent)


def test_what_shows_in_the_baseline_proves_nothing_and_what_comes_once_neither():
    source = written("generate: {into: GET_q_value, payload: x}\ndetect: {response: {body: fine}}")
    assert outcomes(tried(lambda _: FINE, source)) == [Outcome.SAFE]
    answers = iter([FINE, Response(200, (), b"once"), FINE, FINE])
    source = written("generate: {into: GET_q_value, payload: x}\ndetect: {response: {body: once}}")
    assert outcomes(tried(lambda _: next(answers), source)) == [Outcome.SAFE]


def test_a_json_value_is_a_point_in_both_notations():
    body = json.dumps({"user": {"name": "ann"}}).encode()
    request = Request("POST", b"/", ((b"Content-Type", b"application/json"),), body)
    for into in (
        "POST_JSON_DOC_HASH_user_HASH_name_value",
        '["post", "json_doc", "json_obj", "user", "json_obj", "n.me"]',
    ):
        source = written(f"generate: {{into: {into}, payload: STR_MARKER}}\ndetect: {{response: {{body: never}}}}")
        (run,) = tried(lambda _: FINE, source, request)
        assert json.loads(run.sent[0].request.body)["user"]["name"] != "ann", into


def test_only_custom_leaves_all_else_out_and_without_it_extensions_come_last():
    baseline = record(lambda _: FINE, ASKED)
    source = example("forwarded-host")
    assert [check.probe.name for check in plan(baseline, only(source))] == ["forwarded-host"]
    both = plan(baseline, msgspec.structs.replace(DEFAULT, extensions=(source,)))
    assert len(both) > 5
    assert both[-1].probe.name == "forwarded-host"


def test_the_match_phase_decides_what_is_tested():
    rest = "generate: {into: GET_q_value, payload: x}\ndetect: {response: {body: never}}"
    for match, expected in (
        ("{GET_id_value: '^7$'}", 1),
        ("{GET_id_value: '^8$'}", 0),
        ("{method: POST}", 0),
        ("{response: {headers: {Content-Type: html}}}", 1),
        ("{response: {status: 404}}", 0),
        ("[{point: [get, id], value: 7}, {method: GET|HEAD}]", 1),
    ):
        assert len(tried(lambda _: FINE, written(f"match: {match}\n{rest}"))) == expected, match


def test_a_broken_extension_makes_the_policy_invalid_with_its_line():
    with pytest.raises(InvalidPolicy, match=r"extension own, line 2: send\.url"):
        probes_of((written("send: {url: 'http://elsewhere.example/'}\ndetect: {response: {status: 200}}"),))
