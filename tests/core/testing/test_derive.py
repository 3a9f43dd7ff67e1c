"""Which probe looks at which point of a baseline."""

from random import Random

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import as_others, forecast, plan, within_budget
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probe import Known, Situation
from gatecrash.core.testing.probes import auth, idor, sqli, xss

TOKEN = Point.of("header", "AUTHORIZATION")
SESSION = Point.of("header", "COOKIE", "cookie", "sid")
REQUEST = Request(
    "POST",
    b"/users/7/orders?page=1&page=2",
    (
        (b"Host", b"api.example.com"),
        (b"Authorization", b"Bearer 3f9a0c77de114b02"),
        (b"Cookie", b"sid=1; theme=dark"),
        (b"Content-Type", b"application/json"),
        (b"Content-Length", b"16"),
        (b"Connection", b"keep-alive"),
        (b"X-Trace", b"t1"),
    ),
    b'{"item": "lamp"}',
)
BASELINE = Baseline("bl_1", Exchange(REQUEST, Response(200)))


def told(checks) -> list[str]:
    return [f"{check.probe.type} {check.point}".strip() for check in checks]


def test_the_default_policy_looks_at_path_query_and_body():
    both = (auth.PROBE, sqli.PROBE)
    assert told(plan(BASELINE, DEFAULT, [TOKEN], both)) == [
        "auth",
        "sqli path/1",
        "sqli get/page/array/0",
        "sqli get/page/array/1",
        "sqli post/json_doc/json_obj/item",
    ]


def test_nobody_asks_who_may_sign_out():
    out = msgspec.structs.replace(REQUEST, target=b"/auth/logout?next=home")
    baseline = Baseline("bl_1", Exchange(out, Response(302)))
    assert told(plan(baseline, DEFAULT, [TOKEN], (auth.PROBE,))) == []
    assert "sqli get/next" in told(plan(baseline, DEFAULT, [TOKEN], (auth.PROBE, sqli.PROBE)))
    revoked = msgspec.structs.replace(REQUEST, target=b"/users/7/tokens/revoke")
    assert told(plan(Baseline("bl_1", Exchange(revoked, Response(200))), DEFAULT, [TOKEN], (auth.PROBE,))) == ["auth"]


def test_of_what_resets_all_there_is_nothing_is_asked_but_who_may():
    reset = Request("GET", b"/admin/reset-database?confirm=yes", REQUEST.headers)
    assert told(plan(Baseline("bl_1", Exchange(reset, Response(200))), DEFAULT, [TOKEN], (auth.PROBE, sqli.PROBE))) == [
        "auth"
    ]


def test_where_headers_are_looked_at_the_callers_address_is_a_value_of_statements_and_of_nothing_else():
    address = Point.of("header", "X-FORWARDED-FOR")
    probes = (sqli.PROBE, xss.PROBE)
    found = [check for check in plan(BASELINE, THOROUGH, [TOKEN, SESSION], probes) if check.point == address]
    assert [(check.probe.type, check.planned.value) for check in found] == [("sqli", b"127.0.0.1")]
    assert found[0].baseline.request.first(b"X-Forwarded-For") == b"127.0.0.1"
    assert address not in [check.point for check in plan(BASELINE, DEFAULT, [TOKEN], probes)]


def test_without_credentials_auth_has_nothing_to_drop():
    assert "auth" not in told(plan(BASELINE, DEFAULT))


def test_a_policy_chooses_types_and_their_order():
    policy = msgspec.structs.replace(DEFAULT, types=("sqli", "auth"))
    assert told(plan(BASELINE, policy, [TOKEN]))[-1] == "auth"
    assert told(plan(BASELINE, msgspec.structs.replace(DEFAULT, types=("auth",)), [TOKEN])) == ["auth"]


def test_points_are_included_and_excluded_by_expressions_which_do_not_limit_auth():
    only = msgspec.structs.replace(DEFAULT, include=(("post", "json_doc", "json_obj", "i.*"),))
    both = (auth.PROBE, sqli.PROBE)
    assert told(plan(BASELINE, only, [TOKEN], both)) == ["auth", "sqli post/json_doc/json_obj/item"]
    none = msgspec.structs.replace(
        DEFAULT, exclude=(("get", "page", ".*", ".*"), ("path", ".*"), ("post", ".*", ".*", ".*"))
    )
    assert told(plan(BASELINE, none, [TOKEN], both)) == ["auth"]


def test_methods_left_out_are_not_tested():
    assert plan(BASELINE, msgspec.structs.replace(DEFAULT, methods_excluded=("post",)), [TOKEN]) == []


def test_no_point_is_planned_twice():
    checks = plan(BASELINE, THOROUGH, [TOKEN, TOKEN])
    planned = [(check.probe.type, check.probe.name, check.point) for check in checks]
    assert len(planned) == len(set(planned))


def test_the_forecast_adds_up_and_a_budget_keeps_the_first_checks():
    checks = plan(BASELINE, DEFAULT, [TOKEN])
    assert forecast(checks) == sum(check.forecast for check in checks) > 0
    kept, left = within_budget(checks, forecast(checks) - 1)
    assert kept == checks[:-1]
    assert left == checks[-1:]
    assert within_budget(checks, None) == (checks, [])
    assert within_budget(checks, 0) == ([], checks)


def test_headers_go_behind_all_else_but_a_logins_password_and_are_what_a_budget_leaves_out_first():
    wide = msgspec.structs.replace(THOROUGH, locations=("get", "post", "header"))
    both, sign_in = (sqli.PROBE, xss.PROBE), b'{"user": "anna", "password": "wonder11"}'
    checks = plan(BASELINE, wide, [TOKEN], both)
    late = [check.point[0] == "header" for check in checks]
    assert late == sorted(late), told(checks)
    assert {check.probe.type for check in checks if check.point[0] == "header"} == {"sqli", "xss"}
    kept, left = within_budget(checks, forecast(checks[: late.index(True)]))
    assert {check.point[0] for check in kept} == {"get", "post"}
    assert {check.point[0] for check in left} == {"header"}
    login = msgspec.structs.replace(REQUEST, target=b"/login", body=sign_in)
    last = plan(Baseline("bl_2", Exchange(login, Response(200))), wide, [TOKEN], both)[-2:]
    assert {check.point[-1] for check in last} == {"password"}


def test_a_situation_says_all_that_the_probe_may_know():
    check = plan(BASELINE, DEFAULT, [TOKEN])[1]
    situation = check.situation(Random(1))
    assert (situation.point, situation.value, situation.credentials) == (Point.of("path", "1"), b"7", (TOKEN,))


def test_of_a_baseline_tested_before_others_were_known_the_checks_as_them_are_left():
    request = Request("GET", b"/users/7/orders/31", ((b"Authorization", b"Bearer 3f9a0c77de114b02"),))
    baseline = Baseline("bl_1", Exchange(request, Response(200, (), b'{"order": 31}')))
    both = (Identity("recorded 1"), Identity("recorded 2"))
    checks = plan(baseline, DEFAULT, [TOKEN], (idor.PROBE, sqli.PROBE, auth.PROBE), identities=both)
    assert told(as_others(checks)) == ["idor"]
    assert as_others(plan(baseline, DEFAULT, [TOKEN], identities=both[:1])) == []


def test_a_run_asks_about_what_browsers_write_at_a_few_pages_and_plans_without_a_run_ask_each():
    headers = (*REQUEST.headers, (b"Accept", b"text/html"))
    asked = [msgspec.structs.replace(REQUEST, target=f"/{name}".encode(), headers=headers) for name in "abcde"]
    baselines = [Baseline(f"bl_{each.target}", Exchange(each, Response(200))) for each in asked]
    accept, trace = Point.of("header", "ACCEPT"), Point.of("header", "X-TRACE")
    run: set[tuple[str, ...]] = set()
    points = [[check.point for check in plan(each, THOROUGH, probes=(xss.PROBE,), told=run)] for each in baselines]
    assert [(accept in each, trace in each) for each in points] == [(True, True)] * 3 + [(False, True)] * 2
    assert accept in [check.point for check in plan(baselines[4], THOROUGH, probes=(xss.PROBE,))]


def test_whatever_a_run_knows_around_a_baseline_every_probe_is_told():
    baseline = Baseline("bl_1", Exchange(REQUEST, Response(200)))
    assert set(Known.__annotations__) <= set(Situation.__struct_fields__)
    check = plan(baseline, DEFAULT, visited=True, newer=(b"/v2/notes",))[0]
    assert (check.planned.visited, check.planned.newer, check.planned.around) == (True, (b"/v2/notes",), ())
