"""What sits before all operations is one cause; what sits in one of them is its own."""

import json
from typing import Any

import pytest
from tests.core.reports.reporting import VULNERABILITY

from gatecrash.core.reports.cause import cause_of
from gatecrash.core.testing.catalogue import entry_of
from gatecrash.core.testing.oracles.leaks.kinds import OF_ERRORS
from gatecrash.core.testing.probes import auth_claimed, auth_partial, auth_session, ptrav_extension
from gatecrash.core.testing.probes.anomaly import BREAKS

FORGED = {
    **VULNERABILITY,
    "type": "auth",
    "title": "Tokens are signed with a common word",
    "point": [["header", "AUTHORIZATION"]],
    "url": "http://a.example/x",
}
CORS = {**FORGED, "type": "cors", "title": entry_of("cors").title, "point": []}

TRACE = {**FORGED, "type": "info", "title": f"{OF_ERRORS[0]} (Node)", "point": []}
BYTE = {**FORGED, "type": "anomaly", "title": f"{BREAKS} (00)", "point": [["get", "q"]]}


@pytest.mark.parametrize("one", [FORGED, CORS, TRACE, BYTE], ids=["token", "cors", "trace", "byte"])
def test_other_endpoints_of_the_host_share_the_cause(one: dict[str, Any]) -> None:
    assert cause_of(one) == cause_of({**one, "code": "S0002", "url": "http://a.example/y?z=1"})


@pytest.mark.parametrize(
    "change",
    [
        {"url": "http://b.example/x"},
        {"point": [["header", "X-TOKEN"]]},
        {"title": "Unsigned tokens are taken"},
        {"suppressed": True},
    ],
    ids=lambda change: next(iter(change)),
)
def test_another_host_point_mistake_or_an_accepted_risk_is_another_cause(change: dict[str, Any]) -> None:
    assert cause_of(FORGED) != cause_of({**FORGED, **change})


CLAIMED = {**FORGED, "title": auth_claimed.ENTRY.title}


OF_ALL = (auth_partial.ENTRY, auth_claimed.ENTRY, auth_session.ENTRY)


@pytest.mark.parametrize("title", [*(each.title for each in OF_ALL), auth_partial.CASELESS, auth_session.GIVEN_AWAY])
def test_who_reads_a_key_or_a_claim_in_a_header_reads_it_for_all_operations(title: str) -> None:
    one = {**FORGED, "title": title, "point": [["header", "COOKIE", "cookie", "role"]]}
    assert cause_of(one) == cause_of({**one, "code": "S0002", "url": "http://a.example/y"})
    assert cause_of(one) != cause_of({**one, "code": "S0002", "point": [["header", "X-ROLE"]]})


@pytest.mark.parametrize("point", [[["get", "admin"]], [["post", "json_doc", "json_obj", "role"]], []], ids=str)
def test_a_parameter_that_claims_rights_is_an_operations_own(point: list[list[str]]) -> None:
    one = {**CLAIMED, "point": point}
    assert cause_of(one) != cause_of({**one, "code": "S0002"})


@pytest.mark.parametrize("title", ["SQL injection", "Endpoint answers without credentials"])
def test_what_one_operation_does_wrong_is_its_own(title: str) -> None:
    here = {**FORGED, "title": title}
    assert cause_of(here) != cause_of({**here, "code": "S0002"})
    assert cause_of(here) == cause_of({**here, "url": "http://a.example/x?again"})


@pytest.mark.parametrize(
    ("point", "shared"),
    [(["uri"], True), (["header", "X-FORWARDED-HOST"], True), (["get", "next"], False), (["path", "1"], False)],
    ids=str,
)
def test_who_leads_on_by_the_whole_address_or_a_header_does_so_everywhere(point: list[str], shared: bool) -> None:
    one = {**FORGED, "type": "redir", "title": entry_of("redir").title, "point": [point]}
    other = {**one, "code": "S0002", "url": "http://a.example/y"}
    assert (cause_of(one) == cause_of(other)) is shared
    assert cause_of(one) != cause_of({**other, "url": "http://b.example/y"})


def test_who_hands_out_one_folder_hands_out_all_its_files() -> None:
    one = {
        **FORGED,
        "type": "ptrav",
        "title": entry_of("ptrav").title,
        "point": [["uri"]],
        "url": "http://a.example/js/a.js",
    }
    other = {**one, "code": "S0002"}
    assert cause_of(one) == cause_of({**other, "url": "http://a.example/js/lib/b.js"})
    assert cause_of(one) != cause_of({**other, "url": "http://a.example/media/b.png"})
    assert cause_of(one) != cause_of({**other, "point": [["get", "file"]]})


def test_who_reads_any_file_by_one_name_of_a_folder_does_so_by_all_of_them() -> None:
    one = {
        **FORGED,
        "type": "ptrav",
        "title": entry_of("ptrav").title,
        "point": [["path", "2"]],
        "endpoint": "GET /api/manuals/a.txt",
    }
    other = {**one, "code": "S0002", "endpoint": "GET /api/manuals/b.txt"}
    assert cause_of(one) == cause_of(other)
    assert cause_of(one) == cause_of({**other, "title": ptrav_extension.ENTRY.title, "point": []})
    assert cause_of(one) != cause_of({**other, "endpoint": "GET /api/pictures/b.txt"})
    assert cause_of(one) != cause_of({**other, "point": [["path", "1"]]})


def test_the_bytes_that_break_one_value_mostly_break_them_all() -> None:
    assert cause_of(BYTE) == cause_of({**BYTE, "code": "S0002", "point": [["post", "json_doc", "json_obj", "a"]]})
    assert cause_of(BYTE) != cause_of({**BYTE, "title": f"{BREAKS} (ff)"})
    assert cause_of(TRACE) != cause_of({**TRACE, "title": f"{OF_ERRORS[0]} (PHP)"})


FOREIGN = {
    **FORGED,
    "type": "csrf",
    "title": entry_of("csrf").title,
    "point": [],
    "endpoint": "POST /x mutation Rename",
}


def test_whoever_takes_messages_from_other_sites_takes_them_for_all_operations_of_the_address() -> None:
    other = {**FOREIGN, "code": "S0002", "endpoint": "POST /x mutation Move"}
    assert cause_of(FOREIGN) == cause_of(other) == cause_of({**other, "url": "http://a.example/x?op=Move"})
    assert cause_of(FOREIGN) != cause_of({**other, "url": "http://a.example/y"})
    alone = {**FOREIGN, "endpoint": "POST /x"}
    assert cause_of(alone) != cause_of({**alone, "code": "S0002"})


PARSED = {
    **FORGED,
    "type": "xxe",
    "title": entry_of("xxe").title,
    "point": [["post"]],
    "endpoint": "POST /x FindBerth",
}


def test_one_parser_reads_the_messages_of_all_operations_of_an_address() -> None:
    other = {**PARSED, "code": "S0002", "endpoint": "POST /x ListBerths"}
    assert cause_of(PARSED) == cause_of(other)
    assert cause_of(PARSED) != cause_of({**other, "url": "http://a.example/y"})
    alone = {**PARSED, "endpoint": "POST /x"}
    assert cause_of(alone) != cause_of({**alone, "code": "S0002"})
    value = {**PARSED, "point": [["post", "json_doc", "json_obj", "xml"]]}
    assert cause_of(value) != cause_of({**value, "code": "S0002"})


def put(name: str, code: str, **sent: str) -> dict[str, Any]:
    request = f"PUT /pages/{name} HTTP/1.1\r\nHost: a.example\r\n\r\n{json.dumps(sent)}"
    kept = {"type": "xss", "title": "Cross-site scripting", "point": [["post", "json_doc", "json_obj", "text"]]}
    address = {"method": "PUT", "url": f"http://a.example/pages/{name}", "endpoint": f"PUT /pages/{name}"}
    return {**VULNERABILITY, **kept, **address, "code": code, "baseline_request": request}


def test_things_that_are_put_under_their_own_names_share_the_cause() -> None:
    rye = put("Rye%20bread", "S0001", title="Rye bread", text="dark")
    assert cause_of(rye) == cause_of(put("Plan", "S0002", title="Plan", text="sow"))
    assert cause_of({**rye, "endpoint": "PUT /pages/{name}"}) == ("S0001",), (
        "where these are one endpoint, their code joins them"
    )
    assert cause_of(rye) != cause_of({**put("Plan", "S0002", title="Plan"), "title": "SQL injection"})
    assert cause_of(rye) != cause_of({**put("Plan", "S0002", title="Plan"), "endpoint": "PUT /other/Plan"})


@pytest.mark.parametrize("sent", [{"email": "ann"}, {"phone": "7"}, {}], ids=str)
def test_words_that_no_body_tells_are_operations(sent: dict[str, str]) -> None:
    assert cause_of(put("email", "S0001", **sent)) != cause_of(put("phone", "S0002", **sent))
    assert cause_of({**put("email", "S0001"), "baseline_request": None}) == ("S0001",)
